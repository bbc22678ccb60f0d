import { textsOf } from '../../ui/browser/base/locale.ts';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useEvery, useLoaded } from '../../ui/browser/service/loading.ts';
import type { Delivery } from './words.tsx';

const ATTEMPTS_MAX = 50;
/** Each delivery has at least one attempt, so that this many deliveries fill the chart. */
const DELIVERIES_READ = ATTEMPTS_MAX;
const REFRESH_MS = 5_000;
const STEP = 6;
const MIDDLE = 20;

const TEXTS = {
  en: {
    label: (all: number, failed: number) => `The last ${all} attempts; ${failed} failed`,
    none: 'Nothing was sent yet.',
    newest: 'Now',
  },
  ar: {
    label: (all: number, failed: number) => `آخر المحاولات: ${all}، منها فاشلة: ${failed}`,
    none: 'لم يُرسل شيء بعد.',
    newest: 'الآن',
  },
};

/** The chart of one endpoint. The client sends the queries of all charts in one request. */
export function EndpointBars({ endpointId }: { readonly endpointId: string }) {
  const loaded = useLoaded(`deliveries ${endpointId}`, () =>
    service.webhookDeliveries.list.query({ endpointId, limit: DELIVERIES_READ }),
  );
  useEvery(REFRESH_MS, loaded.reload, !loaded.isLoading);
  return (
    <div>
      <WhenLoaded loaded={loaded}>{({ data }) => <AttemptBars deliveries={data} />}</WhenLoaded>
    </div>
  );
}

/**
 * The last attempts, newest at the end: bars above the line succeeded, bars below it failed. The number of attempts of a
 * delivery is enough to draw them, because only the last attempt of a successful delivery succeeded.
 */
function AttemptBars({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const text = textsOf(TEXTS);
  const attempts = attemptsOf(deliveries);
  if (attempts.length === 0) return <p class="quiet small">{text.none}</p>;
  const failed = attempts.filter((isGood) => !isGood).length;
  const start = ATTEMPTS_MAX - attempts.length;
  return (
    <figure class="bars">
      <svg
        viewBox={`0 0 ${ATTEMPTS_MAX * STEP} 40`}
        preserveAspectRatio="none"
        role="img"
        aria-label={text.label(attempts.length, failed)}
      >
        <line x1="0" x2={ATTEMPTS_MAX * STEP} y1={MIDDLE} y2={MIDDLE} class="axis" />
        {attempts.map((isGood, index) => (
          <rect
            key={index}
            class={isGood ? 'met' : 'missed'}
            x={(start + index) * STEP + 1}
            y={isGood ? 2 : MIDDLE + 1}
            width={STEP - 2}
            height={MIDDLE - 3}
            rx="1"
          />
        ))}
      </svg>
      <figcaption class="small quiet">
        <span>{text.label(attempts.length, failed)}</span>
        <span aria-hidden="true">{text.newest}</span>
      </figcaption>
    </figure>
  );
}

/** Whether each attempt succeeded, oldest first. `deliveries` are newest first. */
function attemptsOf(deliveries: readonly Delivery[]): boolean[] {
  const newestFirst = deliveries.flatMap(({ status, attemptCount }) =>
    Array.from({ length: attemptCount }, (_, index) => status === 'SUCCEEDED' && index === 0),
  );
  return newestFirst.slice(0, ATTEMPTS_MAX).reverse();
}
