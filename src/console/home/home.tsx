import { Pill, STATE_WORDS } from '../../ui/state.tsx';
import { formatTime, locale, textsOf } from '../base/locale.ts';
import { type AreaProps, addressOf, Link } from '../base/navigation.tsx';
import { Skeleton } from '../kit/loading.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { type Outputs, service } from '../service/calls.ts';
import { useLoaded } from '../service/loading.ts';
import { useSession } from '../session/session.tsx';
import { countToday } from './count-today.ts';
import { SandboxStart } from './sandbox-start.tsx';
import { Today } from './today.tsx';
import './home.css';

/** The most that one page of a list has. The page says so if there are more. */
const COUNTED = 100;
/** The number of failures to load of each kind. */
const FAILURES = 5;
const TEXTS = {
  en: { create: 'New shipment' },
  ar: { create: 'شحنة جديدة' },
};

/** Today's figures, the latest failures and, in a sandbox, the first shipment. */
export function Home({ deployment }: AreaProps) {
  const text = textsOf(TEXTS);
  const { session } = useSession();
  const { value, failure, reload } = useLoaded('home', readHome);
  return (
    <>
      <div class="headline">
        <h1>
          <bdi>{session.company?.name}</bdi>
        </h1>
        <Link class="button primary" to={addressOf('shipments/new')}>
          {text.create}
        </Link>
      </div>
      {failure === undefined ? null : <ProblemNotice failure={failure} retry={reload} />}
      {value === undefined && failure === undefined ? <Skeleton lines={6} /> : null}
      {value === undefined ? null : <Today today={value.today} />}
      <div class="home">
        {deployment === 'production' ? null : <SandboxStart />}
        {value === undefined ? null : <LastFailures {...value} />}
      </div>
    </>
  );
}

/** The client sends these calls in one request. */
async function readHome() {
  const [newest, undeliverable, undispatched, unsent] = await Promise.all([
    service.shipments.list.query({ limit: COUNTED }),
    service.shipments.list.query({ state: 'DELIVERY_FAILED', limit: FAILURES }),
    service.shipments.list.query({ state: 'DISPATCH_UNRESOLVED', limit: FAILURES }),
    service.webhookDeliveries.list.query({ status: 'EXHAUSTED', limit: FAILURES }),
  ]);
  return {
    today: countToday(newest, new Date()),
    shipments: [...undeliverable.data, ...undispatched.data],
    deliveries: unsent.data,
  };
}

const LAST_FAILURES_TEXTS = {
  en: {
    title: 'Latest failures',
    none: 'No failures.',
    unsent: 'Webhook not delivered',
    webhooks: 'Webhooks',
  },
  ar: {
    title: 'آخر الإخفاقات',
    none: 'لا توجد إخفاقات.',
    unsent: 'إشعار لم يُسلَّم',
    webhooks: 'الإشعارات البرمجية',
  },
};
const SHOWN = 6;

interface FailuresProps {
  readonly shipments: readonly Outputs['shipments']['list']['data'][number][];
  readonly deliveries: readonly Outputs['webhookDeliveries']['list']['data'][number][];
}

/** Failures that may need attention, newest first. */
export function LastFailures({ shipments, deliveries }: FailuresProps) {
  const text = textsOf(LAST_FAILURES_TEXTS);
  const newest = [
    ...shipments.map((shipment) => ({ kind: 'shipment' as const, at: shipment.createdAt, shipment })),
    ...deliveries.map((delivery) => ({ kind: 'delivery' as const, at: delivery.createdAt, delivery })),
  ]
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .slice(0, SHOWN);
  return (
    <section>
      <h2>{text.title}</h2>
      {newest.length === 0 ? <p class="quiet">{text.none}</p> : null}
      <ul class="failures">
        {newest.map((failure) =>
          failure.kind === 'shipment' ? (
            <li key={failure.shipment.shipmentId}>
              <Pill tone="bad">{STATE_WORDS[failure.shipment.state].label[locale]}</Pill>
              <Link to={addressOf(`shipments/${failure.shipment.shipmentId}`)}>
                <bdi dir="ltr">{failure.shipment.shipmentNumber}</bdi>
              </Link>
              <bdi class="reference small">{failure.shipment.externalReference}</bdi>
              <time class="small quiet" dateTime={failure.at}>
                {formatTime(failure.at)}
              </time>
            </li>
          ) : (
            <li key={failure.delivery.deliveryId}>
              <Pill tone="bad">{text.unsent}</Pill>
              <Link to={addressOf(`webhooks/deliveries/${failure.delivery.deliveryId}`)}>{text.webhooks}</Link>
              <bdi dir="ltr" class="reference small">
                {failure.delivery.eventType}
              </bdi>
              <time class="small quiet" dateTime={failure.at}>
                {formatTime(failure.at)}
              </time>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}
