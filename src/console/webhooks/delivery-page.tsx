import { useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link, navigate } from '../../ui/browser/base/navigation.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { FactList, PageHead } from '../../ui/browser/kit/page.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { Countdown, Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useEvery, useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { Inspector } from './inspector.tsx';
import { ShipmentLink, useShipmentNames } from './shipment-names.tsx';
import { DeliveryPill, isOpen, Outcome } from './words.tsx';

type Delivery = Outputs['webhookDeliveries']['get'];

const TEXTS = {
  en: {
    up: 'Delivery log',
    delivery: 'Webhook',
    noDelivery: 'There is no such webhook in your company',
    replay: 'Send again',
    replayed: 'The event is sent again. This is the new delivery.',
    disabled: 'Enable the endpoint first. Nothing is sent to a disabled endpoint.',
    toEndpoint: 'To the endpoint',
    next: 'Next attempt in',
    due: 'Next attempt now',
    event: 'Event id',
    endpoint: 'Endpoint',
    shipment: 'Shipment',
    created: 'Created',
    completed: 'Completed',
    replayOf: 'Replay of',
    attempts: 'Attempts',
    none: 'Nothing was sent yet.',
    number: 'No.',
    show: (number: number) => `Show attempt ${number}`,
    started: 'Sent at',
    outcome: 'Response',
    duration: 'Duration',
    ms: 'ms',
  },
  ar: {
    up: 'سجل التسليم',
    delivery: 'إشعار',
    noDelivery: 'لا يوجد إشعار كهذا في شركتك',
    replay: 'أعد الإرسال',
    replayed: 'يُرسل الحدث مرة أخرى. هذا هو التسليم الجديد.',
    disabled: 'فعّل نقطة الاستقبال أولًا. لا يُرسل شيء إلى نقطة موقوفة.',
    toEndpoint: 'إلى نقطة الاستقبال',
    next: 'المحاولة القادمة بعد',
    due: 'المحاولة القادمة الآن',
    event: 'معرّف الحدث',
    endpoint: 'نقطة الاستقبال',
    shipment: 'الشحنة',
    created: 'وقت الإنشاء',
    completed: 'وقت الانتهاء',
    replayOf: 'إعادة إرسال للتسليم',
    attempts: 'المحاولات',
    none: 'لم يُرسل شيء بعد.',
    number: 'رقم',
    show: (number: number) => `اعرض المحاولة ${number}`,
    started: 'وقت الإرسال',
    outcome: 'الرد',
    duration: 'المدة',
    ms: 'م.ث',
  },
};
const REFRESH_MS = 2_000;

/** A delivery and its attempts. It refreshes until the delivery is complete. */
export function DeliveryPage({ id: deliveryId }: { readonly id: string }) {
  const text = textsOf(TEXTS);
  const loaded = useLoaded(`delivery ${deliveryId}`, () => service.webhookDeliveries.get.query({ deliveryId }));
  const isOver = loaded.value !== undefined && !isOpen(loaded.value);
  useEvery(REFRESH_MS, loaded.reload, !(loaded.isLoading || loaded.failure !== undefined || isOver));
  const replay = useWork(async () => {
    const made = await service.webhookDeliveries.replay.mutate({ deliveryId });
    showToast(text.replayed);
    navigate(addressOf(`webhooks/deliveries/${made.deliveryId}`));
  });
  return (
    <WhenLoaded
      loaded={loaded}
      sought={{
        name: text.delivery,
        none: text.noDelivery,
        up: { to: addressOf('webhooks/deliveries'), label: text.up },
      }}
    >
      {(delivery) => (
        <>
          <PageHead
            title={<Exact>{delivery.eventType}</Exact>}
            up={{ to: addressOf('webhooks/deliveries'), label: text.up }}
            lead={<Standing delivery={delivery} />}
          >
            <Button kind="primary" isBusy={replay.isBusy} onClick={() => void replay.start(undefined)}>
              {text.replay}
            </Button>
          </PageHead>
          {replay.failure?.code === 'INVALID_STATE_TRANSITION' ? (
            <p class="notice bad" role="alert">
              {text.disabled} <Link to={addressOf(`webhooks/${delivery.endpointId}`)}>{text.toEndpoint}</Link>
            </p>
          ) : replay.failure === undefined ? null : (
            <ProblemNotice failure={replay.failure} />
          )}
          <Facts delivery={delivery} />
          <Attempts key={delivery.deliveryId} delivery={delivery} />
        </>
      )}
    </WhenLoaded>
  );
}

function Standing({ delivery: { status, nextAttemptAt } }: { readonly delivery: Delivery }) {
  const text = textsOf(TEXTS);
  const isWaiting = status === 'RETRYING' && nextAttemptAt !== null;
  return (
    <>
      <DeliveryPill status={status} />{' '}
      {isWaiting ? <Countdown until={nextAttemptAt} label={text.next} over={text.due} /> : null}
    </>
  );
}

function Facts({ delivery }: { readonly delivery: Delivery }) {
  const text = textsOf(TEXTS);
  const { eventId, endpointId, shipmentId, createdAt, completedAt, replayOf } = delivery;
  const names = useShipmentNames([delivery]);
  const endpoints = useLoaded('webhook endpoints', () => service.webhookEndpoints.list.query({}));
  const endpoint = endpoints.value?.data.find((one) => one.endpointId === endpointId);
  const facts = [
    [text.created, <Moment at={createdAt} />],
    [text.completed, completedAt === null ? undefined : <Moment at={completedAt} />],
    [text.endpoint, link(`webhooks/${endpointId}`, endpoint?.url ?? endpointId)],
    [
      text.shipment,
      shipmentId === null ? undefined : <ShipmentLink shipmentId={shipmentId} name={names.get(shipmentId)} />,
    ],
    [text.event, <Exact>{eventId}</Exact>],
    [text.replayOf, replayOf === null ? undefined : link(`webhooks/deliveries/${replayOf}`, replayOf)],
  ] as const;
  return <FactList facts={facts} />;
}

/** The attempts, and what the chosen one sent and got. Until one is chosen it is the newest. */
function Attempts({ delivery: { deliveryId, attempts } }: { readonly delivery: Delivery }) {
  const text = textsOf(TEXTS);
  const [chosen, setChosen] = useState<number>();
  const shown = chosen ?? attempts.at(-1)?.number;
  return (
    <>
      <section class="part">
        <h2>{text.attempts}</h2>
        {attempts.length === 0 ? (
          <p class="quiet">{text.none}</p>
        ) : (
          <Listing
            caption={text.attempts}
            rows={attempts}
            keyOf={({ number }) => String(number)}
            columns={[
              {
                label: text.number,
                isShort: true,
                cell: ({ number }) => (
                  <button
                    type="button"
                    class="plain"
                    aria-label={text.show(number)}
                    aria-pressed={number === shown}
                    onClick={() => setChosen(number)}
                  >
                    {number}
                  </button>
                ),
              },
              { label: text.started, isShort: true, cell: ({ startedAt }) => <Moment at={startedAt} hasSeconds /> },
              { label: text.outcome, cell: (attempt) => <Outcome attempt={attempt} /> },
              {
                label: text.duration,
                cell: ({ durationMs }) => (
                  <>
                    <bdi dir="ltr">{durationMs}</bdi> {text.ms}
                  </>
                ),
              },
            ]}
          />
        )}
      </section>
      {shown === undefined ? null : <Inspector deliveryId={deliveryId} number={shown} />}
    </>
  );
}

function link(path: string, name: string) {
  return (
    <Link to={addressOf(path)}>
      <Exact>{name}</Exact>
    </Link>
  );
}
