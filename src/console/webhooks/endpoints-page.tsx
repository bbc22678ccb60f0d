import { Empty } from '../kit/empty.tsx';
import { Moment } from '../kit/moment.tsx';
import { PageHead } from '../kit/page-head.tsx';
import { WhenLoaded } from '../kit/when-loaded.tsx';
import { service } from '../service/service.ts';
import { useEvery } from '../service/use-every.ts';
import { useLoaded } from '../service/use-loaded.ts';
import { Link } from '../shell/link.tsx';
import { textsOf } from '../shell/locale.ts';
import { addressOf } from '../shell/place.ts';
import { AttemptBars } from './attempt-bars.tsx';
import { type Endpoint, EndpointPill } from './words.tsx';

const TEXTS = {
  en: {
    title: 'Webhooks',
    lead: 'Every event of your shipments, signed and sent to your systems as it happens.',
    create: 'New endpoint',
    log: 'Delivery log',
    empty: 'No address is told of events yet.',
    all: 'every kind of event',
    some: (count: number) => `kinds of event: ${count}`,
    success: 'Last success',
    never: 'never',
  },
  ar: {
    title: 'الإشعارات البرمجية',
    lead: 'كل حدث في شحناتك، موقّعًا ومرسلًا إلى أنظمتك لحظة وقوعه.',
    create: 'نقطة استقبال جديدة',
    log: 'سجل التسليم',
    empty: 'لا يوجد عنوان تُرسل إليه الأحداث بعد.',
    all: 'جميع أنواع الأحداث',
    some: (count: number) => `أنواع الأحداث: ${count}`,
    success: 'آخر تسليم ناجح',
    never: 'لا يوجد',
  },
};
const REFRESH_MS = 5_000;
/** No endpoint shows more attempts than that, and each delivery has at most one that went well. */
const DELIVERIES_SHOWN = 50;

/** The endpoints of the company: ten at most, so that there are no pages. */
export function EndpointsPage() {
  const text = textsOf(TEXTS);
  const endpoints = useLoaded('webhook endpoints', () => service.webhookEndpoints.list.query({}));
  useEvery(REFRESH_MS, endpoints.reload, !endpoints.isLoading);
  const create = (
    <Link to={addressOf('webhooks/new')} class="button primary">
      {text.create}
    </Link>
  );
  return (
    <>
      <PageHead title={text.title} lead={text.lead}>
        <Link to={addressOf('webhooks/deliveries')} class="button">
          {text.log}
        </Link>
        {create}
      </PageHead>
      <WhenLoaded loaded={endpoints}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty text={text.empty}>{create}</Empty>
          ) : (
            <ul class="endpoints">
              {data.map((endpoint) => (
                <EndpointCard key={endpoint.endpointId} endpoint={endpoint} />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </>
  );
}

function EndpointCard({ endpoint }: { readonly endpoint: Endpoint }) {
  const text = textsOf(TEXTS);
  const { endpointId, url, description, eventTypes, state, lastSuccessAt } = endpoint;
  return (
    <li class="endpoint">
      <div>
        <h2>
          <Link to={addressOf(`webhooks/${endpointId}`)}>
            <bdi dir="ltr">{url}</bdi>
          </Link>
        </h2>
        {description === null || description === '' ? null : (
          <p class="quiet">
            <bdi>{description}</bdi>
          </p>
        )}
        <p class="endpoint-state small quiet">
          <EndpointPill state={state} />
          <span>{eventTypes.includes('*') ? text.all : text.some(eventTypes.length)}</span>
          <span>
            {text.success}: {lastSuccessAt === null ? text.never : <Moment at={lastSuccessAt} />}
          </span>
        </p>
      </div>
      <EndpointBars endpointId={endpointId} />
    </li>
  );
}

/** The bars of one endpoint. What is asked for at once leaves in one request. */
export function EndpointBars({ endpointId }: { readonly endpointId: string }) {
  const loaded = useLoaded(`deliveries ${endpointId}`, () =>
    service.webhookDeliveries.list.query({ endpointId, limit: DELIVERIES_SHOWN }),
  );
  useEvery(REFRESH_MS, loaded.reload, !loaded.isLoading);
  return (
    <div>
      <WhenLoaded loaded={loaded}>{({ data }) => <AttemptBars deliveries={data} />}</WhenLoaded>
    </div>
  );
}
