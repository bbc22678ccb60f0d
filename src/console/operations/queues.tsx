import type { OperatorQueue } from '../../contract/operator-shipment.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { type AreaProps, addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Pager } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Empty, NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useEvery, useLoaded } from '../../ui/browser/service/loading.ts';
import { ShipmentListing } from './shipment-listing.tsx';
import { QUEUE_WORDS } from './shipment-words.ts';

type Queue = Outputs['operations']['shipments']['listQueue'];

/** In the order of the page: parcels that are with somebody come before those that are still with their sender. */
const QUEUES: readonly OperatorQueue[] = [
  'lateReports',
  'strandedGoods',
  'undecidedGoods',
  'acceptedTooLong',
  'addressBlocked',
  'carriedUnverified',
  'unresolved',
  'pendingApproval',
];
/** The rows of each queue on the first page. */
const ROWS = 10;
const REFRESH_MS = 15_000;
const TEXTS = {
  en: {
    title: 'Queues',
    lead: 'Shipments that need an operator. What waits longest comes first.',
    empty: 'No shipment needs you.',
    search: 'Search shipments',
    nothing: 'Nothing waits here.',
    clear: 'Empty:',
    all: 'Show all of this queue',
    back: 'All queues',
  },
  ar: {
    title: 'قوائم الانتظار',
    lead: 'شحنات تحتاج إلى مشغّل، الأطول انتظارًا أولًا.',
    empty: 'لا توجد شحنة تحتاج إليك.',
    search: 'ابحث عن شحنة',
    nothing: 'لا شيء ينتظر هنا.',
    clear: 'فارغة:',
    all: 'اعرض كل هذه القائمة',
    back: 'كل القوائم',
  },
};

/** The queues of the deployment, or one of them page by page. */
export function Queues({ address: { id, query } }: AreaProps) {
  const queue = QUEUES.find((name) => name === query.get('queue'));
  if (id !== undefined) return <NoSuchPage />;
  return queue === undefined ? <AllQueues /> : <OneQueue queue={queue} cursor={query.get('cursor') ?? undefined} />;
}

function AllQueues() {
  const text = textsOf(TEXTS);
  const loaded = useLoaded('queues', readQueues);
  // A refresh may remove a row, and the dialog on it.
  const refresh = () => (document.querySelector('dialog') === null ? loaded.reload() : undefined);
  useEvery(REFRESH_MS, refresh, loaded.value !== undefined);
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <WhenLoaded loaded={loaded}>
        {(queues) => {
          const waiting = queues.filter(({ data }) => data.length > 0);
          const clear = queues.filter(({ data }) => data.length === 0);
          if (waiting.length === 0) return <Empty text={text.empty}>{searchLink(text.search)}</Empty>;
          return (
            <>
              {waiting.map((queue) => (
                <QueueSection key={queue.name} {...queue} reload={loaded.reload} />
              ))}
              {clear.length === 0 ? null : (
                <p class="quiet">
                  {text.clear} {clear.map(({ name }) => QUEUE_WORDS[name].title[locale]).join(' · ')}
                </p>
              )}
            </>
          );
        }}
      </WhenLoaded>
    </>
  );
}

function searchLink(label: string) {
  return (
    <Link to={addressOf('shipments')} class="button">
      {label}
    </Link>
  );
}

/** The client sends these calls in one request. */
function readQueues() {
  return Promise.all(
    QUEUES.map(async (name) => {
      const { data, page } = await service.operations.shipments.listQueue.query({ queue: name, limit: ROWS });
      return { name, data, page };
    }),
  );
}

interface QueueSectionProps extends Queue {
  readonly name: OperatorQueue;
  readonly reload: () => void;
}

function QueueSection({ name, data, page, reload }: QueueSectionProps) {
  const { title, about } = QUEUE_WORDS[name];
  return (
    <section class="part">
      <h2>
        {title[locale]}{' '}
        <bdi dir="ltr" class="quiet">
          {data.length}
          {page.hasMore ? '+' : ''}
        </bdi>
      </h2>
      <p class="quiet">{about[locale]}</p>
      <ShipmentListing caption={title[locale]} shipments={data} onChanged={reload} />
      {page.hasMore ? <Link to={addressOf('', { queue: name })}>{textsOf(TEXTS).all}</Link> : null}
    </section>
  );
}

interface OneQueueProps {
  readonly queue: OperatorQueue;
  readonly cursor: string | undefined;
}

function OneQueue({ queue, cursor }: OneQueueProps) {
  const text = textsOf(TEXTS);
  const { title, about } = QUEUE_WORDS[queue];
  const loaded = useLoaded(`queue ${queue} ${cursor}`, () =>
    service.operations.shipments.listQueue.query({ queue, ...(cursor === undefined ? {} : { cursor }) }),
  );
  return (
    <>
      <PageHead title={title[locale]} lead={about[locale]} up={{ to: addressOf(''), label: text.back }} />
      <WhenLoaded loaded={loaded}>
        {({ data, page }) => (
          <>
            {data.length === 0 ? (
              <Empty text={text.nothing}>{searchLink(text.search)}</Empty>
            ) : (
              <ShipmentListing caption={title[locale]} shipments={data} onChanged={loaded.reload} />
            )}
            <Pager path="" filters={{ queue }} cursor={cursor} nextCursor={page.nextCursor} isOldestFirst />
          </>
        )}
      </WhenLoaded>
    </>
  );
}
