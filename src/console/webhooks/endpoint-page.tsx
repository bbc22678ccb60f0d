import { useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Secret } from '../../ui/browser/kit/secret.tsx';
import { Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useEvery, useLoaded } from '../../ui/browser/service/loading.ts';
import { EndpointBars } from './attempt-bars.tsx';
import { DeliveryListing } from './delivery-listing.tsx';
import { EndpointHead } from './endpoint-head.tsx';
import { ReplayRange } from './replay.tsx';
import { Rotation } from './rotation.tsx';
import { TestEvent } from './test-event.tsx';
import type { Endpoint } from './words.tsx';

const TEXTS = {
  en: {
    up: 'Webhooks',
    name: 'Webhook endpoint',
    none: 'There is no such webhook endpoint in your company',
    secret: 'New signing secret',
    attempts: 'Attempts',
    success: 'Last success',
    failure: 'Last failure',
    failures: 'Consecutive failures',
    never: 'never',
    kinds: 'Event types',
    every: 'All event types, including future ones.',
    deliveries: 'Latest deliveries',
    log: 'All deliveries of this endpoint',
  },
  ar: {
    up: 'الإشعارات البرمجية',
    name: 'نقطة الاستقبال',
    none: 'لا توجد نقطة استقبال كهذه في شركتك',
    secret: 'سر التوقيع الجديد',
    attempts: 'المحاولات',
    success: 'آخر نجاح',
    failure: 'آخر فشل',
    failures: 'مرات الفشل المتتالية',
    never: 'لا يوجد',
    kinds: 'أنواع الأحداث',
    every: 'جميع أنواع الأحداث، بما فيها ما يُضاف لاحقًا.',
    deliveries: 'آخر عمليات التسليم',
    log: 'كل عمليات التسليم إلى هذه النقطة',
  },
};
const REFRESH_MS = 5_000;
const DELIVERIES_SHOWN = 5;

interface EndpointPageProps {
  readonly endpointId: string;
  /** The replay in the address, whose progress is shown. */
  readonly replayId: string | undefined;
}

/** The page of an endpoint: its health, secret, test event, replays and latest deliveries. */
export function EndpointPage({ endpointId, replayId }: EndpointPageProps) {
  const text = textsOf(TEXTS);
  const loaded = useLoaded(`endpoint ${endpointId}`, () => service.webhookEndpoints.get.query({ endpointId }));
  useEvery(REFRESH_MS, loaded.reload, !loaded.isLoading && loaded.failure === undefined);
  return (
    <WhenLoaded
      loaded={loaded}
      sought={{ name: text.name, none: text.none, up: { to: addressOf('webhooks'), label: text.up } }}
    >
      {(endpoint) => <Endpoint endpoint={endpoint} replayId={replayId} reload={loaded.reload} />}
    </WhenLoaded>
  );
}

interface EndpointProps {
  readonly endpoint: Endpoint;
  readonly replayId: string | undefined;
  readonly reload: () => void;
}

function Endpoint({ endpoint, replayId, reload }: EndpointProps) {
  const text = textsOf(TEXTS);
  const [secret, setSecret] = useState<string>();
  const rotated = (signingSecret: string) => {
    setSecret(signingSecret);
    reload();
  };
  return (
    <>
      <EndpointHead endpoint={endpoint} reload={reload} />
      {secret === undefined ? null : (
        <Secret title={text.secret} secret={secret} onStored={() => setSecret(undefined)} />
      )}
      <Health endpoint={endpoint} />
      <Rotation endpoint={endpoint} onRotated={rotated} />
      <TestEvent endpointId={endpoint.endpointId} />
      <ReplayRange endpoint={endpoint} replayId={replayId} />
      <LastDeliveries endpointId={endpoint.endpointId} />
    </>
  );
}

function Health({ endpoint }: { readonly endpoint: Endpoint }) {
  const text = textsOf(TEXTS);
  const { endpointId, lastSuccessAt, lastFailureAt, consecutiveFailures, eventTypes } = endpoint;
  return (
    <section class="part">
      <h2>{text.attempts}</h2>
      <EndpointBars endpointId={endpointId} />
      <dl class="facts">
        <div>
          <dt>{text.success}</dt>
          <dd>{lastSuccessAt === null ? text.never : <Moment at={lastSuccessAt} />}</dd>
        </div>
        <div>
          <dt>{text.failure}</dt>
          <dd>{lastFailureAt === null ? text.never : <Moment at={lastFailureAt} />}</dd>
        </div>
        <div>
          <dt>{text.failures}</dt>
          <dd>{consecutiveFailures}</dd>
        </div>
        <div>
          <dt>{text.kinds}</dt>
          <dd>
            {eventTypes.includes('*') ? (
              text.every
            ) : (
              <ul class="kinds">
                {eventTypes.map((type) => (
                  <li key={type}>
                    <Exact>{type}</Exact>
                  </li>
                ))}
              </ul>
            )}
          </dd>
        </div>
      </dl>
    </section>
  );
}

function LastDeliveries({ endpointId }: { readonly endpointId: string }) {
  const text = textsOf(TEXTS);
  const loaded = useLoaded(`last deliveries ${endpointId}`, () =>
    service.webhookDeliveries.list.query({ endpointId, limit: DELIVERIES_SHOWN }),
  );
  useEvery(REFRESH_MS, loaded.reload, !loaded.isLoading);
  return (
    <section class="part">
      <h2>{text.deliveries}</h2>
      <WhenLoaded loaded={loaded}>{({ data }) => <DeliveryListing deliveries={data} />}</WhenLoaded>
      <p>
        <Link to={addressOf('webhooks/deliveries', { endpointId })}>{text.log}</Link>
      </p>
    </section>
  );
}
