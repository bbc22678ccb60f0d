import { useEffect, useState } from 'preact/hooks';
import { REQUEST_METHODS, REQUEST_SOURCES } from '../../contract/request-log.ts';
import { FAILURES_LOGGED_DAYS, SUCCESSES_LOGGED_DAYS } from '../../core/limits.ts';
import { locale, textsOf } from '../base/locale.ts';
import { type AreaProps, addressOf, Link, navigate } from '../base/navigation.tsx';
import { Check, Choice, Field } from '../kit/field.tsx';
import { Button, Form } from '../kit/form.tsx';
import { Listing, Pager } from '../kit/listing.tsx';
import { WhenLoaded } from '../kit/loading.tsx';
import { Empty, NoSuchPage, PageHead } from '../kit/page.tsx';
import { Exact, Moment } from '../kit/text.tsx';
import { latinDigits } from '../kit/typed-values.ts';
import { callRest, service } from '../service/calls.ts';
import { type CallFailure, violationAt } from '../service/failure.ts';
import { useEvery, useLoaded } from '../service/loading.ts';
import { AnswerPill, type Entry } from './entries.tsx';
import { ErrorGroups } from './error-groups.tsx';
import { RequestPage } from './request-page.tsx';

/** The request log. */
export function Requests({ address: { id, part, query }, deployment }: AreaProps) {
  if (part !== undefined) return <NoSuchPage />;
  return id === undefined ? <RequestsPage query={query} /> : <RequestPage requestId={id} deployment={deployment} />;
}

const TEXTS = {
  en: {
    title: 'Requests',
    lead: `What your programs and people asked and what they got: successes of the last ${SUCCESSES_LOGGED_DAYS} days, failures of ${FAILURES_LOGGED_DAYS}. Personal and secret values are replaced by their type.`,
    live: 'Show new requests as they arrive',
    at: 'Time',
    request: 'Request',
    answer: 'Answer',
    operation: 'Operation',
    duration: 'Duration',
    ms: 'ms',
    repeats: (count: number) => `and ${count} equal ones`,
    none: 'There are no requests yet. They appear about a second after their answer.',
    start: 'How to send the first request',
    noMatch: 'No request matches these filters.',
    noneHere: 'No request matches in the part of the log that was read. Go on with “Older”.',
    all: 'Show all requests',
    noLog: 'This deployment keeps no request log. Its operator can switch it on.',
  },
  ar: {
    title: 'الطلبات',
    lead: `ما طلبته برامجك وموظفوك وما كان الرد: الطلبات الناجحة لآخر ${SUCCESSES_LOGGED_DAYS} أيام، والفاشلة لآخر ${FAILURES_LOGGED_DAYS} يومًا. تحل محل القيم الشخصية والسرية أنواعُها.`,
    live: 'اعرض الطلبات الجديدة عند وصولها',
    at: 'الوقت',
    request: 'الطلب',
    answer: 'الرد',
    operation: 'العملية',
    duration: 'المدة',
    ms: 'م.ث',
    repeats: (count: number) => `ومثله: ${count}`,
    none: 'لا توجد طلبات بعد. تظهر بعد الرد عليها بنحو ثانية.',
    start: 'كيف ترسل أول طلب',
    noMatch: 'لا طلب يطابق عوامل التصفية هذه.',
    noneHere: 'لا طلب مطابق في الجزء المقروء من السجل. تابع بالضغط على «الأقدم».',
    all: 'اعرض كل الطلبات',
    noLog: 'لا يُحفظ سجل للطلبات في هذه المنصة. يستطيع مشغّلها تفعيله.',
  },
};
const REFRESH_MS = 3_000;
const ENTRIES = 50;

/** The log, newest first, with its filters in the address. */
function RequestsPage({ query }: { readonly query: URLSearchParams }) {
  const text = textsOf(TEXTS);
  const filters = readFilters(query);
  const cursor = query.get('cursor') ?? undefined;
  const [isLive, setIsLive] = useState(true);
  const loaded = useLoaded(addressOf('', { ...filters, cursor }), () =>
    service.requestLog.list.query({ ...filters, limit: ENTRIES, ...(cursor === undefined ? {} : { cursor }) }),
  );
  // Only the newest page changes, so only that page refreshes.
  const canRefresh = cursor === undefined && !loaded.isLoading && loaded.failure === undefined;
  useEvery(REFRESH_MS, loaded.reload, isLive && canRefresh);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <FilterForm filters={filters} failure={loaded.failure} />
      {cursor === undefined ? <Check label={text.live} isOn={isLive} onChange={setIsLive} /> : null}
      <WhenLoaded loaded={loaded}>
        {({ data, page }) => (
          <>
            <ErrorGroups entries={data} filters={{ ...filters }} />
            {data.length > 0 ? (
              <RequestListing entries={data} />
            ) : isFiltered || cursor !== undefined ? (
              <Empty text={page.hasMore ? text.noneHere : text.noMatch}>
                <Link to={addressOf('requests')}>{text.all}</Link>
              </Empty>
            ) : (
              <NothingYet />
            )}
            <Pager path="requests" filters={{ ...filters }} cursor={cursor} nextCursor={page.nextCursor} />
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

type Method = (typeof REQUEST_METHODS)[number];
type Source = (typeof REQUEST_SOURCES)[number];

/** The filters of the log. The service checks their form. */
interface RequestFilters {
  readonly status?: string;
  readonly method?: Method;
  readonly source?: Source;
  readonly operation?: string;
  readonly correlationId?: string;
  readonly shipmentId?: string;
}

/** The filters in an address. Unknown methods and sources are ignored. */
function readFilters(query: URLSearchParams): RequestFilters {
  const method = REQUEST_METHODS.find((one) => one === query.get('method'));
  const source = REQUEST_SOURCES.find((one) => one === query.get('source'));
  const [status, operation] = [query.get('status'), query.get('operation')];
  const [correlationId, shipmentId] = [query.get('correlationId'), query.get('shipmentId')];
  return {
    ...(status === null ? {} : { status }),
    ...(method === undefined ? {} : { method }),
    ...(source === undefined ? {} : { source }),
    ...(operation === null ? {} : { operation }),
    ...(correlationId === null ? {} : { correlationId }),
    ...(shipmentId === null ? {} : { shipmentId }),
  };
}

const FILTER_TEXTS = {
  en: {
    filters: 'Filters',
    status: 'Status, such as 422 or 4xx',
    method: 'Method',
    source: 'Sent by',
    sources: { API: 'a program', CONSOLE: 'a person in the console' },
    any: 'All',
    operation: 'Operation, such as shipments.create',
    correlationId: 'Correlation id',
    shipmentId: 'Shipment id',
    apply: 'Apply the filters',
    clear: 'Clear',
  },
  ar: {
    filters: 'عوامل التصفية',
    status: 'رمز الحالة، مثل 422 أو 4xx',
    method: 'طريقة الطلب',
    source: 'المرسل',
    sources: { API: 'برنامج', CONSOLE: 'شخص في لوحة التحكم' },
    any: 'الكل',
    operation: 'العملية، مثل shipments.create',
    correlationId: 'معرّف الترابط',
    shipmentId: 'معرّف الشحنة',
    apply: 'طبّق عوامل التصفية',
    clear: 'مسح',
  },
};
const STATUSES = ['2xx', '4xx', '5xx', '409', '422', '429'];

interface FilterFormProps {
  readonly filters: RequestFilters;
  readonly failure: CallFailure | undefined;
}

/** The filters. Applying them is a new entry in the history and starts at the newest page. */
function FilterForm({ filters, failure }: FilterFormProps) {
  const text = textsOf(FILTER_TEXTS);
  const { status = '', operation = '', correlationId = '', shipmentId = '' } = filters;
  const [typed, setTyped] = useState({ status, operation, correlationId, shipmentId });
  const [method, setMethod] = useState<Method | ''>(filters.method ?? '');
  const [source, setSource] = useState<Source | ''>(filters.source ?? '');
  // A link or the Back button changes the filters, too.
  useEffect(() => {
    setTyped({ status, operation, correlationId, shipmentId });
    setMethod(filters.method ?? '');
    setSource(filters.source ?? '');
  }, [addressOf('', { ...filters })]);
  const field = (name: keyof typeof typed) => ({
    label: text[name],
    value: typed[name],
    onChange: (value: string) => setTyped((before) => ({ ...before, [name]: value })),
    error: violationAt(failure, name),
    dir: 'ltr' as const,
  });
  const apply = () => {
    const trimmed = Object.entries(typed).map(([name, value]) => [name, latinDigits(value).trim()] as const);
    navigate(addressOf('requests', { ...Object.fromEntries(trimmed), method, source }));
  };
  return (
    <Form class="filters" search={text.filters} onSubmit={apply}>
      <Field {...field('status')} suggestions={STATUSES} />
      <Choice
        label={text.method}
        value={method}
        options={[{ value: '', label: text.any }, ...REQUEST_METHODS.map((value) => ({ value, label: value }))]}
        onChange={setMethod}
      />
      <Choice
        label={text.source}
        value={source}
        options={[
          { value: '', label: text.any },
          ...REQUEST_SOURCES.map((value) => ({ value, label: text.sources[value] })),
        ]}
        onChange={setSource}
      />
      <Field {...field('operation')} />
      <Field {...field('correlationId')} />
      <Field {...field('shipmentId')} />
      <div class="actions">
        <Button type="submit">{text.apply}</Button>
        {Object.keys(filters).length === 0 ? null : <Link to={addressOf('requests')}>{text.clear}</Link>}
      </div>
    </Form>
  );
}
