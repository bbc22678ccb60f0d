import { useState } from 'preact/hooks';
import { FAILURES_LOGGED_DAYS, SUCCESSES_LOGGED_DAYS } from '../../core/limits.ts';
import { companyNow, serviceNow } from '../../ui/browser/base/company-clock.ts';
import { formatAhead, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { type AreaProps, addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Check } from '../../ui/browser/kit/field.tsx';
import { Listing, Pager } from '../../ui/browser/kit/listing.tsx';
import { lazy, WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Empty, NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { callRest, service } from '../../ui/browser/service/calls.ts';
import { useEvery, useLoaded } from '../../ui/browser/service/loading.ts';
import { AnswerPill, type Entry } from './entries.tsx';
import { ErrorGroups } from './error-groups.tsx';
import { FilterForm, filtersIn, isFiltered, parametersOf, requestOf, SourceChoice } from './request-filters.tsx';

/** Its page has the texts of all problems, so it is loaded at first need. */
const RequestPage = lazy(async () => (await import('./request-page.tsx')).RequestPage);

/** The request log. */
export function Requests({ address: { id, part, query }, deployment }: AreaProps) {
  if (part !== undefined) return <NoSuchPage />;
  return id === undefined ? <RequestsPage query={query} /> : <RequestPage requestId={id} deployment={deployment} />;
}

const TEXTS = {
  en: {
    title: 'Requests',
    lead: `What your programs and people sent and the responses: successes of the last ${SUCCESSES_LOGGED_DAYS} days, failures of ${FAILURES_LOGGED_DAYS}. Personal and secret values are replaced by their type.`,
    clock: (ahead: string) => `These are real times. Your shipments have the clock of the sandbox: ${ahead}.`,
    live: 'Show new requests as they arrive',
    at: 'Time',
    request: 'Request',
    answer: 'Response',
    operation: 'Operation',
    duration: 'Duration',
    ms: 'ms',
    repeats: (count: number) => `and ${count} identical ${count === 1 ? 'request' : 'requests'}`,
    none: 'There are no requests here yet. They appear about a second after their response.',
    start: 'How to send the first request',
    noMatch: 'No request matches these filters.',
    noneHere: 'No request matches in the part of the log that was read. Go on with “Older”.',
    all: 'Show all requests',
    noLog: 'This deployment keeps no request log. Its operator can switch it on.',
  },
  ar: {
    title: 'الطلبات',
    lead: `ما طلبته برامجك وموظفوك وما كان الرد: الطلبات الناجحة لآخر ${SUCCESSES_LOGGED_DAYS} أيام، والفاشلة لآخر ${FAILURES_LOGGED_DAYS} يومًا. تحل محل القيم الشخصية والسرية أنواعُها.`,
    clock: (ahead: string) => `هذه أوقات حقيقية، أما شحناتك فلها ساعة البيئة التجريبية: ${ahead}.`,
    live: 'اعرض الطلبات الجديدة عند وصولها',
    at: 'الوقت',
    request: 'الطلب',
    answer: 'الرد',
    operation: 'العملية',
    duration: 'المدة',
    ms: 'م.ث',
    repeats: (count: number) => `وطلبات مطابقة بعده: ${count}`,
    none: 'لا توجد طلبات هنا بعد. تظهر بعد الرد عليها بنحو ثانية.',
    start: 'كيف ترسل أول طلب',
    noMatch: 'لا طلب يطابق عوامل التصفية هذه.',
    noneHere: 'لا طلب مطابق في الجزء المقروء من السجل. تابع بالضغط على «الأقدم».',
    all: 'اعرض كل الطلبات',
    noLog: 'لا يُحفظ سجل للطلبات في هذه البيئة. يستطيع المشغّل تفعيله.',
  },
};
const REFRESH_MS = 3_000;
const ENTRIES = 50;
/** A clock that was not set is at most this far from that of the browser. */
const SAME_CLOCK_SECONDS = 60;

/** The log, newest first, with its filters in the address. */
function RequestsPage({ query }: { readonly query: URLSearchParams }) {
  const text = textsOf(TEXTS);
  const filters = filtersIn(query);
  const parameters = parametersOf(filters);
  const cursor = query.get('cursor') ?? undefined;
  const [isLive, setIsLive] = useState(true);
  const loaded = useLoaded(addressOf('', { ...parameters, cursor }), () =>
    service.requestLog.list.query({
      ...requestOf(filters),
      limit: ENTRIES,
      ...(cursor === undefined ? {} : { cursor }),
    }),
  );
  // Only the newest page changes, so only that page refreshes.
  const canRefresh = cursor === undefined && !loaded.isLoading && loaded.failure === undefined;
  const aheadSeconds = (companyNow() - serviceNow()) / 1000;
  useEvery(REFRESH_MS, loaded.reload, isLive && canRefresh);
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      {aheadSeconds > SAME_CLOCK_SECONDS ? <p class="small quiet">{text.clock(formatAhead(aheadSeconds))}</p> : null}
      <SourceChoice filters={filters} />
      <FilterForm filters={filters} failure={loaded.failure} />
      {cursor === undefined ? <Check label={text.live} isOn={isLive} onChange={setIsLive} /> : null}
      <WhenLoaded loaded={loaded}>
        {({ data, page }) => (
          <>
            <ErrorGroups entries={data} filters={parameters} />
            {data.length > 0 ? (
              <RequestListing entries={data} />
            ) : isFiltered(filters) || cursor !== undefined || page.hasMore ? (
              <Empty text={page.hasMore ? text.noneHere : text.noMatch}>
                <Link to={addressOf('requests', { source: 'ALL' })}>{text.all}</Link>
              </Empty>
            ) : (
              <NothingYet />
            )}
            <Pager path="requests" filters={parameters} cursor={cursor} nextCursor={page.nextCursor} />
          </>
        )}
      </WhenLoaded>
    </>
  );
}

function RequestListing({ entries }: { readonly entries: readonly Entry[] }) {
  const text = textsOf(TEXTS);
  return (
    <Listing
      caption={text.title}
      rows={entries}
      keyOf={({ requestId }) => requestId}
      columns={[
        { label: text.at, isShort: true, cell: ({ at }) => <Moment at={at} hasSeconds /> },
        {
          label: text.request,
          cell: ({ requestId, method, path, repeats }) => (
            <>
              <Link to={addressOf(`requests/${requestId}`)}>
                <Exact>{`${method} ${path}`}</Exact>
              </Link>{' '}
              {repeats === 0 ? null : <span class="quiet">{text.repeats(repeats)}</span>}
            </>
          ),
        },
        { label: text.answer, cell: (entry) => <AnswerPill entry={entry} /> },
        { label: text.operation, cell: ({ operation }) => <Exact>{operation}</Exact> },
        {
          label: text.duration,
          isShort: true,
          cell: ({ durationMs }) => (
            <>
              <bdi dir="ltr">{durationMs}</bdi> {text.ms}
            </>
          ),
        },
      ]}
    />
  );
}

/** An empty log: nothing was asked yet, or the deployment keeps no log. */
function NothingYet() {
  const text = textsOf(TEXTS);
  const isKept = useLoaded('request log', isLogKept);
  if (isKept.value === undefined) return null;
  if (!isKept.value) return <p class="notice">{text.noLog}</p>;
  return (
    <Empty text={text.none}>
      <a href={`/docs?lang=${locale}`}>{text.start}</a>
    </Empty>
  );
}

/** Whether the deployment keeps a log. A service that is not ready does not say. */
async function isLogKept(): Promise<boolean> {
  try {
    return (await callRest<{ readonly requestLog: { readonly kept: boolean } }>('GET', '/ready')).requestLog.kept;
  } catch {
    return true;
  }
}
