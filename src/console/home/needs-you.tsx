import { useState } from 'preact/hooks';
import { ACTIVITY_DAYS } from '../../core/limits.ts';
import { formatTime, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { Pill, STATE_WORDS } from '../../ui/state.tsx';
import { useIsOwner } from '../session/session.tsx';
import { type CaseSummary, KIND_WORDS } from '../shipments/case-words.tsx';
import { noteText } from '../shipments/reason-text.ts';
import { type Dispatch, searchText } from '../shipments/search-words.ts';
import { readDetails } from '../webhooks/shipment-names.tsx';
import { type Attempt, failedInARow, Outcome } from '../webhooks/words.tsx';
import type { Activity } from './today.tsx';

type Shipment = Outputs['shipments']['list']['data'][number];
type Delivery = Outputs['webhookDeliveries']['listUnsent']['data'][number];
type Details = Outputs['activity']['details']['data'][number];
type Endpoint = Outputs['webhookEndpoints']['list']['data'][number];

/** Problems that a person has to solve. */
export interface Needs {
  /** Shipments whose search for a driver has ended, each with what is in the way. */
  readonly undispatched: readonly ShipmentNeed[];
  /** Shipments that have looked for a driver for long. */
  readonly waiting: readonly ShipmentNeed[];
  /** Shipments that could not be delivered in the last days, with the note of that event. */
  readonly undelivered: readonly ShipmentNeed[];
  readonly failing: readonly Endpoint[];
  readonly hasEndpoint: boolean;
  /** Complaints whose answer the company accepts or disputes. */
  readonly answered: readonly CaseSummary[];
  /** Failed webhooks of the last days to enabled endpoints, without those that were sent again. */
  readonly unsent: readonly {
    readonly delivery: Delivery;
    readonly attempt: Attempt | undefined;
    readonly shipment: Details | undefined;
  }[];
  /** The kinds of which there are more than are shown. */
  readonly more: ReadonlySet<'undispatched' | 'waiting' | 'undelivered' | 'unsent'>;
}

/** A shipment, why it is here, and when something last happened to it. */
interface ShipmentNeed {
  readonly shipment: Shipment;
  readonly reason: string;
  readonly at: string;
}

/** The number to read of each kind. */
const OF_EACH = 5;
/** One failed attempt is often the receiver's restart. */
const FAILURES_IN_A_ROW = 3;

/** Reads these problems. The client sends the first calls in one request. */
export async function readNeeds(activity: Promise<Pick<Activity, 'waiting'>>): Promise<Needs> {
  const [{ waiting }, undelivered, unresolved, unsent, endpoints, cases] = await Promise.all([
    activity,
    service.activity.list.query({ figure: 'failed', days: ACTIVITY_DAYS, limit: OF_EACH }),
    service.shipments.list.query({ state: 'DISPATCH_UNRESOLVED', limit: OF_EACH }),
    // One more says whether there are more.
    service.webhookDeliveries.listUnsent.query({ limit: OF_EACH + 1 }),
    service.webhookEndpoints.list.query({}),
    service.cases.list.query({ state: 'ANSWERED', limit: OF_EACH }),
  ]);
  const deliveries = unsent.data.slice(0, OF_EACH);
  const searched = [...unresolved.data, ...waiting.shipments];
  const ids = [...searched, ...undelivered.data, ...deliveries].flatMap(({ shipmentId }) => shipmentId ?? []);
  const [reasons, attempts, details] = await Promise.all([
    Promise.all(searched.map(({ shipmentId }) => service.shipments.dispatch.query({ shipmentId }).then(whyNoDriver))),
    Promise.all(
      deliveries.map(async ({ deliveryId }) =>
        (await service.webhookDeliveries.get.query({ deliveryId })).attempts.at(-1),
      ),
    ),
    readDetails(ids),
  ]);
  const failing = endpoints.data.filter(
    ({ state, consecutiveFailures }) =>
      state === 'AUTO_DISABLED' || (state === 'ENABLED' && consecutiveFailures >= FAILURES_IN_A_ROW),
  );
  const more = new Set<'undispatched' | 'waiting' | 'undelivered' | 'unsent'>();
  if (waiting.isMore) more.add('waiting');
  if (unresolved.page.hasMore) more.add('undispatched');
  if (undelivered.page.hasMore) more.add('undelivered');
  if (unsent.data.length > OF_EACH) more.add('unsent');
  const needOf = (shipment: Shipment, reason: string): ShipmentNeed => {
    const at = details.get(shipment.shipmentId)?.lastEvent.occurredAt ?? shipment.createdAt;
    return { shipment, reason, at };
  };
  const searchNeeds = searched.map((shipment, index) => needOf(shipment, reasons[index] ?? ''));
  return {
    undispatched: searchNeeds.slice(0, unresolved.data.length),
    waiting: searchNeeds.slice(unresolved.data.length),
    undelivered: undelivered.data.map((shipment) => {
      const note = details.get(shipment.shipmentId)?.lastEvent.note;
      return needOf(shipment, note == null ? '' : noteText(note));
    }),
    failing,
    hasEndpoint: endpoints.data.length > 0,
    answered: cases.data,
    unsent: deliveries.map((delivery, index) => ({
      delivery,
      attempt: attempts[index],
      shipment: details.get(delivery.shipmentId ?? ''),
    })),
    more,
  };
}

/** What is in the way of a driver. While one is asked, nothing is: then how often drivers were, and when the search ends. */
function whyNoDriver(dispatch: Dispatch): string {
  const { reasons, offersMade, phase } = dispatch;
  const search = phase === 'UNRESOLVED' ? '' : searchText(offersMade, dispatch);
  return [...reasons.map(({ detail }) => detail), search].filter((text) => text !== '').join(' ');
}

const TEXTS = {
  en: {
    title: 'Needs you',
    none: 'Nothing needs you now.',
    failing: 'Webhook endpoint failing',
    answered: 'Complaint answered',
    decide: 'Accept the answer, or say that you do not agree.',
    unsent: 'Webhook not delivered',
    moreUndispatched: 'More shipments without a driver',
    moreWaiting: 'More shipments that look for a driver',
    moreUndelivered: 'More shipments that were not delivered',
    moreUnsent: 'More webhooks that were not delivered',
    create: 'Create again',
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
    failing: 'نقطة استقبال لا تستجيب',
    answered: 'أُجيب على شكوى',
    decide: 'اقبل الرد، أو قل إنك لا توافق.',
    unsent: 'إشعار لم يُسلَّم',
    moreUndispatched: 'شحنات أخرى بلا سائق',
    moreWaiting: 'شحنات أخرى يجري البحث عن سائق لها',
    moreUndelivered: 'شحنات أخرى تعذّر توصيلها',
    moreUnsent: 'إشعارات أخرى لم تُسلَّم',
    create: 'أنشئها من جديد',
    delivery: 'اعرض المحاولات',
    again: 'أرسل مجددًا',
    sent: 'يُرسل الحدث مجددًا.',
    enable: 'فعّل',
    enabled: 'فُعّلت نقطة الاستقبال.',
    retry: 'ابحث عن سائق مجددًا',
    retried: 'بدأ البحث عن سائق من جديد.',
  },
};

/** The list of these problems, each with its action. */
export function NeedsYou({ needs, onChanged }: { readonly needs: Needs; readonly onChanged: () => void }) {
  const text = textsOf(TEXTS);
  const isOwner = useIsOwner();
  const { undispatched, waiting, undelivered, failing, answered, unsent, more } = needs;
  const isNothing = [undispatched, waiting, undelivered, failing, answered, unsent].every(({ length }) => length === 0);
  return (
    <section aria-label={text.title}>
      <h2>{text.title}</h2>
      {isNothing ? <p class="quiet">{text.none}</p> : null}
      <ul class="failures">
        {failing.map(({ endpointId, url, state, version, consecutiveFailures }) => (
          <li key={endpointId}>
            <Pill tone="bad">{text.failing}</Pill>
            <Link to={addressOf(`webhooks/${endpointId}`)}>
              <bdi dir="ltr" class="reference">
                {url}
              </bdi>
            </Link>
            <span class="small">{failedInARow(consecutiveFailures)}</span>
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
        {answered.map((one) => (
          <li key={one.caseId}>
            <Pill tone="waiting">{text.answered}</Pill>
            <Link to={addressOf(`complaints/${one.caseId}`)}>{KIND_WORDS[one.kind][locale]}</Link>
            <span class="small">{text.decide}</span>
          </li>
        ))}
        {undispatched.map((one) => (
          <li key={one.shipment.shipmentId}>
            <ShipmentLine need={one} />
            <Act
              label={text.retry}
              done={text.retried}
              act={() => service.shipments.retryDispatch.mutate(atVersion(one.shipment))}
              onChanged={onChanged}
            />
          </li>
        ))}
        {more.has('undispatched') ? (
          <More to={addressOf('shipments', { state: 'DISPATCH_UNRESOLVED' })} label={text.moreUndispatched} />
        ) : null}
        {waiting.map((one) => (
          <li key={one.shipment.shipmentId}>
            <ShipmentLine need={one} />
          </li>
        ))}
        {more.has('waiting') ? (
          <More to={addressOf('shipments', { state: 'READY_FOR_DISPATCH,OFFERED' })} label={text.moreWaiting} />
        ) : null}
        {undelivered.map((one) => (
          <li key={one.shipment.shipmentId}>
            <ShipmentLine need={one} />
            <Link to={addressOf('shipments/new', { again: one.shipment.shipmentId })}>{text.create}</Link>
          </li>
        ))}
        {more.has('undelivered') ? (
          <More to={addressOf('shipments', { state: 'DELIVERY_FAILED' })} label={text.moreUndelivered} />
        ) : null}
        {unsent.map(({ delivery: { deliveryId, eventType, createdAt }, attempt, shipment }) => (
          <li key={deliveryId}>
            <Pill tone="bad">{text.unsent}</Pill>
            <bdi dir="ltr" class="reference small">
              {eventType}
            </bdi>
            {shipment === undefined ? null : (
              <Link to={addressOf(`shipments/${shipment.shipmentId}`)}>
                <bdi>{shipment.externalReference ?? shipment.shipmentNumber}</bdi>
              </Link>
            )}
            {attempt === undefined ? null : (
              <span class="small">
                <Outcome attempt={attempt} />
              </span>
            )}
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
        {more.has('unsent') ? (
          <More to={addressOf('webhooks/deliveries', { status: 'EXHAUSTED' })} label={text.moreUnsent} />
        ) : null}
      </ul>
    </section>
  );
}

function More({ to, label }: { readonly to: string; readonly label: string }) {
  return (
    <li>
      <Link to={to}>{label}</Link>
    </li>
  );
}

function atVersion({ shipmentId, version }: Shipment) {
  return { shipmentId, ifMatch: `"${version}"` } as const;
}

function ShipmentLine({ need: { shipment, reason, at } }: { readonly need: ShipmentNeed }) {
  const { shipmentId, shipmentNumber, externalReference, state } = shipment;
  return (
    <>
      <Pill tone={STATE_WORDS[state].tone}>{STATE_WORDS[state].label[locale]}</Pill>
      <Link to={addressOf(`shipments/${shipmentId}`)}>
        <bdi dir="ltr">{shipmentNumber}</bdi>
      </Link>
      <bdi class="reference small">{externalReference}</bdi>
      <time class="small quiet" dateTime={at}>
        {formatTime(at)}
      </time>
      {reason === '' ? null : (
        <span class="small">
          <bdi>{reason}</bdi>
        </span>
      )}
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
