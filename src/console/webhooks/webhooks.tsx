import { textsOf } from '../../ui/browser/base/locale.ts';
import { type AreaProps, addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Empty, NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { Moment } from '../../ui/browser/kit/text.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useEvery, useLoaded } from '../../ui/browser/service/loading.ts';
import { useIsOwner } from '../session/session.tsx';
import { EndpointBars } from './attempt-bars.tsx';
import { DeliveriesPage } from './deliveries-page.tsx';
import { DeliveryPage } from './delivery-page.tsx';
import { EndpointPage } from './endpoint-page.tsx';
import { EditEndpointPage, NewEndpointPage } from './endpoint-pages.tsx';
import { type Endpoint, EndpointPill } from './words.tsx';
import './webhooks.css';

/** Webhook endpoints and the delivery log. */
export function Webhooks({ address: { id, part, query }, deployment }: AreaProps) {
  const isLocal = deployment === 'local';
  if (id === undefined) return <EndpointsPage />;
  if (id === 'new') return part === undefined ? <NewEndpointPage isLocal={isLocal} /> : <NoSuchPage />;
  if (id === 'deliveries') return part === undefined ? <DeliveriesPage query={query} /> : <DeliveryPage id={part} />;
  if (part === undefined) return <EndpointPage endpointId={id} replayId={query.get('replay') ?? undefined} />;
  return part === 'edit' ? <EditEndpointPage endpointId={id} isLocal={isLocal} /> : <NoSuchPage />;
}

const TEXTS = {
  en: {
    title: 'Webhooks',
    lead: 'The service signs every event of your shipments and sends it to your systems.',
    create: 'New endpoint',
    member: 'Only an owner of the company can create, change and delete endpoints.',
    log: 'Delivery log',
    empty: 'You have no endpoint yet, so no events are sent.',
    all: 'all event types',
    some: (count: number) => `event types: ${count}`,
    success: 'Last success',
    never: 'never',
    twice: 'Another endpoint has the same address: it gets each event once for each of them.',
  },
  ar: {
    title: 'الإشعارات البرمجية',
    lead: 'تُرسل الخدمة كل حدث في شحناتك إلى أنظمتك موقّعًا رقميًا.',
    create: 'نقطة استقبال جديدة',
    member: 'لا يستطيع إنشاء نقاط الاستقبال أو تعديلها أو حذفها إلا أحد مالكي الشركة.',
    log: 'سجل التسليم',
    empty: 'ليس لديك نقطة استقبال بعد، فلا تُرسل أي أحداث.',
    all: 'جميع أنواع الأحداث',
    some: (count: number) => `أنواع الأحداث: ${count}`,
    success: 'آخر تسليم ناجح',
    never: 'لا يوجد',
    twice: 'لنقطة استقبال أخرى العنوان نفسه، فيصل إليه كل حدث مرة لكل نقطة.',
  },
};
const REFRESH_MS = 5_000;

/** The endpoints of the company. There are at most ten, so the list has no pages. */
export function EndpointsPage() {
  const text = textsOf(TEXTS);
  const endpoints = useLoaded('webhook endpoints', () => service.webhookEndpoints.list.query({}));
  useEvery(REFRESH_MS, endpoints.reload, !endpoints.isLoading);
  const isOwner = useIsOwner();
  const create = isOwner ? (
    <Link to={addressOf('webhooks/new')} class="button primary">
      {text.create}
    </Link>
  ) : null;
  return (
    <>
      <PageHead title={text.title} lead={text.lead}>
        <Link to={addressOf('webhooks/deliveries')} class="button">
          {text.log}
        </Link>
        {create}
      </PageHead>
      {isOwner ? null : <p class="notice">{text.member}</p>}
      <WhenLoaded loaded={endpoints}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty text={text.empty}>{create}</Empty>
          ) : (
            <ul class="endpoints">
              {data.map((endpoint) => (
                <EndpointCard
                  key={endpoint.endpointId}
                  endpoint={endpoint}
                  isTwice={data.filter(({ url }) => isSameUrl(url, endpoint.url)).length > 1}
                />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </>
  );
}

function isSameUrl(left: string, right: string): boolean {
  return URL.parse(left)?.href === URL.parse(right)?.href;
}

function EndpointCard({ endpoint, isTwice }: { readonly endpoint: Endpoint; readonly isTwice: boolean }) {
  const text = textsOf(TEXTS);
  const { endpointId, url, description, eventTypes, lastSuccessAt } = endpoint;
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
        {isTwice ? <p class="small">{text.twice}</p> : null}
        <p class="endpoint-state small quiet">
          <EndpointPill endpoint={endpoint} />
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
