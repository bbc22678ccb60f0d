import { ProblemNotice } from '../kit/problem-notice.tsx';
import { Skeleton } from '../kit/skeleton.tsx';
import { service } from '../service/service.ts';
import { useLoaded } from '../service/use-loaded.ts';
import { useSession } from '../session/session-gate.tsx';
import type { AreaProps } from '../shell/areas.tsx';
import { Link } from '../shell/link.tsx';
import { textsOf } from '../shell/locale.ts';
import { addressOf } from '../shell/place.ts';
import { countToday } from './count-today.ts';
import { LastFailures } from './last-failures.tsx';
import { SandboxStart } from './sandbox-start.tsx';
import { Today } from './today.tsx';
import './home.css';

/** As many as the service gives at once; of more it is said that they are more. */
const COUNTED = 100;
/** Of each kind. */
const FAILURES = 5;
const TEXTS = {
  en: { create: 'New shipment' },
  ar: { create: 'شحنة جديدة' },
};

/** Where a day begins: what today is like, what went wrong, and in a sandbox what is missing for the first shipment. */
export function Home({ deployment }: AreaProps) {
  const text = textsOf(TEXTS);
  const { session } = useSession();
  const { value, failure, reload } = useLoaded('home', readHome);
  return (
    <>
      <div class="headline">
        <h1>
          <bdi>{session.company.name}</bdi>
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

/** One request to the service: the calls travel together. */
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
