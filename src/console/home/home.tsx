import { COLLECTION_DAYS_MAX } from '../../contract/cod-state.ts';
import { companyNow } from '../../ui/browser/base/company-clock.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { type AreaProps, addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Skeleton } from '../../ui/browser/kit/loading.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useEvery, useLoaded } from '../../ui/browser/service/loading.ts';
import { useSession } from '../session/session.tsx';
import { areDone, endFirstSteps, FirstSteps, readProgress } from './first-steps.tsx';
import { NeedsYou, readNeeds } from './needs-you.tsx';
import { SandboxStart } from './sandbox-start.tsx';
import { Today } from './today.tsx';
import { Undecided } from './undecided.tsx';
import { Week } from './week.tsx';
import './home.css';

const REFRESH_MS = 15_000;
/** While earlier events are counted, each reading counts some of them. */
const COUNTING_MS = 1000;
const DAY_MS = 24 * 3600 * 1000;
const TEXTS = {
  en: { create: 'New shipment' },
  ar: { create: 'شحنة جديدة' },
};

/** What needs somebody, the figures of today and of a week and, in a sandbox, the first shipment; at first the first steps. Refreshes itself. */
export function Home({ deployment }: AreaProps) {
  const text = textsOf(TEXTS);
  const { session } = useSession();
  const companyId = session.company?.companyId ?? '';
  const { value, failure, isLoading, reload } = useLoaded(`home ${companyId}`, () => readHome(companyId));
  const isNew = value?.progress?.hasShipment === false;
  useEvery(value?.activity.isComplete === false ? COUNTING_MS : REFRESH_MS, reload, value !== undefined && !isLoading);
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
      {value === undefined ? null : (
        <>
          <Undecided undecided={value.undecided} />
          {value.progress === undefined ? null : (
            <FirstSteps
              progress={value.progress}
              hasEndpoint={value.needs.hasEndpoint}
              deployment={deployment}
              onHide={() => {
                endFirstSteps(companyId);
                reload();
              }}
            />
          )}
          {isNew && !value.needs.hasEndpoint ? null : <NeedsYou needs={value.needs} onChanged={reload} />}
          {isNew ? null : (
            <>
              <Today activity={value.activity} cash={value.cash.totals.amount} />
              <Week activity={value.activity} />
            </>
          )}
        </>
      )}
      {deployment === 'production' || isNew ? null : (
        // It loads beside the rest, and would move when that appears above it.
        <div hidden={value === undefined && failure === undefined}>
          <SandboxStart />
        </div>
      )}
    </>
  );
}

/** The longest range of collections, up to now. */
function lastDays() {
  const nowMs = companyNow();
  const from = new Date(nowMs - COLLECTION_DAYS_MAX * DAY_MS).toISOString();
  return { from, to: new Date(nowMs).toISOString() };
}

/** The client sends the first calls in one request. */
async function readHome(companyId: string) {
  const reading = service.activity.read.query({});
  const [activity, needs, cash, undecided, progress] = await Promise.all([
    reading,
    readNeeds(reading),
    service.codCollections.list.query({ ...lastDays(), limit: 1 }),
    service.resolutions.undecided.query({}),
    readProgress(companyId),
  ]);
  if (progress !== undefined && areDone(progress, needs.hasEndpoint)) endFirstSteps(companyId);
  return { activity, needs, cash, undecided, progress };
}
