import { useState } from 'preact/hooks';
import { Pill, STATE_WORDS } from '../../ui/state.tsx';
import { formatTime, locale, textsOf } from '../base/locale.ts';
import { addressOf, Link } from '../base/navigation.tsx';
import { Button } from '../kit/form.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { showToast } from '../kit/toasts.tsx';
import { type Outputs, service } from '../service/calls.ts';
import { useWork } from '../service/loading.ts';
import { useIsOwner } from '../session/session.tsx';

type Shipment = Outputs['shipments']['list']['data'][number];
type Delivery = Outputs['webhookDeliveries']['list']['data'][number];
type Endpoint = Outputs['webhookEndpoints']['list']['data'][number];

/** What somebody has to look at. */
export interface Needs {
  /** Shipments without a driver, each with what is in the way. */
  readonly undispatched: readonly { readonly shipment: Shipment; readonly reason: string }[];
  readonly undelivered: readonly Shipment[];
  readonly failing: readonly Endpoint[];
  readonly unsent: readonly Delivery[];
}

/** The number to read of each kind. */
const OF_EACH = 5;
/** One failed attempt is often the receiver's restart. */
const FAILURES_IN_A_ROW = 3;

/** Reads what needs somebody. The client sends the first calls in one request. */
export async function readNeeds(): Promise<Needs> {
  const [undelivered, unresolved, unsent, endpoints] = await Promise.all([
    service.shipments.list.query({ state: 'DELIVERY_FAILED', limit: OF_EACH }),
    service.shipments.list.query({ state: 'DISPATCH_UNRESOLVED', limit: OF_EACH }),
    service.webhookDeliveries.list.query({ status: 'EXHAUSTED', limit: OF_EACH }),
    service.webhookEndpoints.list.query({}),
  ]);
  const undispatched = await Promise.all(
    unresolved.data.map(async (shipment) => {
      const { reasons } = await service.shipments.dispatch.query({ shipmentId: shipment.shipmentId });
      return { shipment, reason: reasons.map(({ detail }) => detail).join(' ') };
    }),
  );
  const failing = endpoints.data.filter(
    ({ state, consecutiveFailures }) =>
      state === 'AUTO_DISABLED' || (state === 'ENABLED' && consecutiveFailures >= FAILURES_IN_A_ROW),
  );
  return { undispatched, undelivered: undelivered.data, failing, unsent: unsent.data };
}

const TEXTS = {
  en: {
    title: 'Needs you',
    none: 'Nothing needs you now.',
    failing: 'Webhook endpoint fails',
    inARow: (count: number) => `${count.toLocaleString('en')} in a row`,
    unsent: 'Webhook not delivered',
    delivery: 'See the attempts',
    again: 'Send again',
    sent: 'The event is being sent again.',
    enable: 'Enable',
    enabled: 'The endpoint is enabled.',
    retry: 'Look for a driver again',
    retried: 'The search for a driver has started again.',
  },
  ar: {
    title: 'يحتاج إليك',
    none: 'لا شيء يحتاج إليك الآن.',
    failing: 'وجهة إشعارات لا تستجيب',
    inARow: (count: number) => `${count.toLocaleString('en')} متتالية`,
    unsent: 'إشعار لم يُسلَّم',
    delivery: 'اعرض المحاولات',
    again: 'أرسل مجددًا',
    sent: 'يُرسل الحدث مجددًا.',
    enable: 'فعّل',
    enabled: 'فُعّلت الوجهة.',
    retry: 'ابحث عن سائق مجددًا',
    retried: 'بدأ البحث عن سائق من جديد.',
  },
};

/** What needs somebody, with the way to act on it. */
export function NeedsYou({ needs, onChanged }: { readonly needs: Needs; readonly onChanged: () => void }) {
  const text = textsOf(TEXTS);
  const isOwner = useIsOwner();
  const { undispatched, undelivered, failing, unsent } = needs;
  const isNothing = undispatched.length + undelivered.length + failing.length + unsent.length === 0;
  return (
    <section aria-label={text.title}>
      <h2>{text.title}</h2>
      {isNothing ? <p class="quiet">{text.none}</p> : null}
      <ul class="failures">
        {undispatched.map(({ shipment, reason }) => (
          <li key={shipment.shipmentId}>
            <ShipmentLine shipment={shipment} />
            <span class="small">{reason}</span>
            <Act
              label={text.retry}
              done={text.retried}
              act={() => service.shipments.retryDispatch.mutate(atVersion(shipment))}
              onChanged={onChanged}
            />
          </li>
        ))}
        {failing.map(({ endpointId, url, state, version, consecutiveFailures }) => (
          <li key={endpointId}>
            <Pill tone="bad">{text.failing}</Pill>
            <Link to={addressOf(`webhooks/${endpointId}`)}>
              <bdi dir="ltr" class="reference">
                {url}
              </bdi>
            </Link>
            <span class="small">{text.inARow(consecutiveFailures)}</span>
            {state === 'AUTO_DISABLED' && isOwner ? (
              <Act
                label={text.enable}
                done={text.enabled}
                act={() =>
                  service.webhookEndpoints.update.mutate({ endpointId, ifMatch: `"${version}"`, enabled: true })
                }
                onChanged={onChanged}
              />
            ) : null}
          </li>
        ))}
        {undelivered.map((shipment) => (
          <li key={shipment.shipmentId}>
            <ShipmentLine shipment={shipment} />
          </li>
        ))}
        {unsent.map(({ deliveryId, eventType, createdAt }) => (
          <li key={deliveryId}>
            <Pill tone="bad">{text.unsent}</Pill>
            <bdi dir="ltr" class="reference small">
              {eventType}
            </bdi>
            <Link to={addressOf(`webhooks/deliveries/${deliveryId}`)}>{text.delivery}</Link>
            <Act
              label={text.again}
              done={text.sent}
              act={() => service.webhookDeliveries.replay.mutate({ deliveryId })}
              onChanged={onChanged}
            />
            <time class="small quiet" dateTime={createdAt}>
              {formatTime(createdAt)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}

function atVersion({ shipmentId, version }: Shipment) {
  return { shipmentId, ifMatch: `"${version}"` } as const;
}

function ShipmentLine({ shipment }: { readonly shipment: Shipment }) {
  const { shipmentId, shipmentNumber, externalReference, state, createdAt } = shipment;
  return (
    <>
      <Pill tone="bad">{STATE_WORDS[state].label[locale]}</Pill>
      <Link to={addressOf(`shipments/${shipmentId}`)}>
        <bdi dir="ltr">{shipmentNumber}</bdi>
      </Link>
      <bdi class="reference small">{externalReference}</bdi>
      <time class="small quiet" dateTime={createdAt}>
        {formatTime(createdAt)}
      </time>
    </>
  );
}

interface ActProps {
  readonly label: string;
  /** Said when it has happened. */
  readonly done: string;
  readonly act: () => Promise<unknown>;
  readonly onChanged: () => void;
}

/** The action of a row. */
function Act({ label, done, act, onChanged }: ActProps) {
  const [isDone, setDone] = useState(false);
  const work = useWork(async () => {
    await act();
    setDone(true);
    showToast(done);
    onChanged();
  });
  return (
    <>
      {isDone ? (
        <span class="small">{done}</span>
      ) : (
        <Button isBusy={work.isBusy} onClick={() => void work.start(undefined)}>
          {label}
        </Button>
      )}
      {work.failure === undefined ? null : <ProblemNotice failure={work.failure} reload={onChanged} />}
    </>
  );
}
