import { useRef } from 'preact/hooks';
import { PAGE_LIMIT_MAX } from '../../core/limits.ts';
import { riyadhDay } from '../../core/riyadh.ts';
import { companyNow } from '../../ui/browser/base/company-clock.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Pager } from '../../ui/browser/kit/listing.tsx';
import { Skeleton } from '../../ui/browser/kit/loading.tsx';
import { Empty } from '../../ui/browser/kit/page.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { SHORTER_DAYS } from '../../ui/browser/kit/shorter-days.ts';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import type { CallFailure } from '../../ui/browser/service/failure.ts';
import { useEvery, useLoaded } from '../../ui/browser/service/loading.ts';
import { SavedViews } from './saved-views.tsx';
import { ColumnChooser, columnsIn } from './shipment-columns.tsx';
import {
  type Filters,
  filtersIn,
  isAtFields,
  isTooShort,
  parametersOf,
  requestOfFilters,
  ShipmentFilters,
} from './shipment-filters.tsx';
import { Rows } from './shipment-rows.tsx';

const TEXTS = {
  en: {
    title: 'Shipments',
    create: 'New shipment',
    upload: 'Upload a file of orders',
    none: 'You have no shipments yet.',
    noneSuch: 'No shipment matches these filters.',
    searched:
      'A search finds the beginning of a reference or of a shipment number, the digits of a reference after its letters if no reference begins with them, the last four digits of a reference or of a mobile, a whole mobile number, and the beginnings of the words of a name.',
    all: 'Show all',
    tooMany: 'You have too many shipments to search them all at once. Choose a shorter time.',
    lastDays: { 30: 'Search the last 30 days', 7: 'Search the last 7 days', 1: 'Search since yesterday' },
  },
  ar: {
    title: 'الشحنات',
    create: 'شحنة جديدة',
    upload: 'ارفع ملف طلبات',
    none: 'ليس لديك شحنات بعد.',
    noneSuch: 'لا توجد شحنة تطابق هذه التصفية.',
    searched:
      'يجد البحث بداية الرقم المرجعي أو رقم الشحنة، وأرقام الرقم المرجعي بعد حروفه إن لم يبدأ بها رقم مرجعي، وآخر أربعة أرقام من الرقم المرجعي أو الجوال، ورقم الجوال كاملًا، وبدايات كلمات الاسم.',
    all: 'اعرض الكل',
    tooMany: 'شحناتك أكثر من أن يُبحث فيها كلها معًا. اختر فترة أقصر.',
    lastDays: { 30: 'ابحث في آخر 30 يومًا', 7: 'ابحث في آخر 7 أيام', 1: 'ابحث منذ أمس' },
  },
};

const REFRESH_MS = 15_000;

/** The list as it was last read. It is only sent again when something has happened since. */
interface ReadList {
  readonly key: string;
  readonly newest: string | null;
  readonly list: Outputs['shipments']['list'];
}

/** A page of shipments, newest first. Filters, columns and cursor are in the address, so that people can share it. */
export function ShipmentList({ query }: { readonly query: URLSearchParams }) {
  const text = textsOf(TEXTS);
  const filters = filtersIn(query);
  const parameters = parametersOf(filters);
  const cursor = query.get('cursor') ?? undefined;
  const key = addressOf('shipments', { ...parameters, cursor });
  const columns = columnsIn(query);
  const address = { ...parameters, columns: query.get('columns') ?? '' };
  const request = { ...requestOfFilters(filters), ...(cursor === undefined ? {} : { cursor }), limit: PAGE_LIMIT_MAX };
  const last = useRef<ReadList | undefined>(undefined);
  const isAsked = !isTooShort(filters);
  const { value, failure, reload } = useLoaded(key, async () => {
    if (!isAsked) return undefined;
    const before = last.current?.key === key ? last.current : undefined;
    const known = before?.newest == null ? {} : { known: before.newest };
    const { newest, list } = await service.activity.shipments.query({ ...request, ...known });
    const shown = list ?? before?.list;
    if (shown === undefined) throw new Error('The service did not answer with a list');
    last.current = { key, newest, list: shown };
    return shown;
  });
  // The rows keep their place, so that a person who reads or selects them is not disturbed.
  useEvery(REFRESH_MS, reload, value !== undefined);
  const isFiltered = Object.values(parameters).some((parameter) => parameter !== '');
  return (
    <>
      <div class="headline">
        <h1>{text.title}</h1>
        <div class="page-actions">
          <Link class="button primary" to={addressOf('shipments/new')}>
            {text.create}
          </Link>
          <Link class="button" to={addressOf('shipments/upload')}>
            {text.upload}
          </Link>
        </div>
      </div>
      <div class="list-tools">
        <ShipmentFilters
          key={JSON.stringify(parameters)}
          filters={filters}
          columns={address.columns}
          failure={failure}
        />
        <SavedViews parameters={{ ...parameters, columns: columns.join() }} />
        <ColumnChooser columns={columns} parameters={{ ...parameters, cursor: cursor ?? '' }} />
      </div>
      {failure === undefined ? null : <ListFailure failure={failure} filters={filters} retry={reload} />}
      {isAsked && value === undefined && failure === undefined ? <Skeleton lines={8} /> : null}
      {value?.data.length === 0 ? (
        <Empty text={isFiltered ? text.noneSuch : text.none}>
          {filters.q === '' ? null : <p>{text.searched}</p>}
          {isFiltered ? (
            <Link to={addressOf('shipments')}>{text.all}</Link>
          ) : (
            <Link to={addressOf('shipments/new')}>{text.create}</Link>
          )}
        </Empty>
      ) : null}
      {value === undefined || value.data.length === 0 ? null : (
        <Rows key={key} shipments={value.data} filters={filters} columns={columns} />
      )}
      <Pager path="shipments" filters={address} cursor={cursor} nextCursor={value?.page.nextCursor ?? null} />
    </>
  );
}

interface FailureProps {
  readonly failure: CallFailure;
  readonly filters: Filters;
  readonly retry: () => void;
}

/** Why the list is not shown. A search over too much time offers a shorter one. */
function ListFailure({ failure, filters, retry }: FailureProps) {
  const text = textsOf(TEXTS);
  if (isAtFields(failure)) return null;
  if (!failure.violations.some(({ field }) => field === 'createdFrom'))
    return <ProblemNotice failure={failure} retry={retry} />;
  const days = shorterThan(filters.createdFrom);
  const shorter = { createdFrom: riyadhDay(companyNow() - (days ?? 0) * DAY_MS), createdTo: '' };
  return (
    <div class="notice" role="alert">
      <p>{text.tooMany}</p>
      {days === undefined ? null : (
        <p>
          <Link to={addressOf('shipments', { ...parametersOf(filters), ...shorter })}>{text.lastDays[days]}</Link>
        </p>
      )}
    </div>
  );
}

const DAY_MS = 24 * 3_600_000;

/** The next shorter time for a search that begins on this day, or at the first shipment. */
function shorterThan(createdFrom: string) {
  const days = createdFrom === '' ? Number.POSITIVE_INFINITY : (companyNow() - Date.parse(createdFrom)) / DAY_MS;
  return SHORTER_DAYS.find((shorter) => shorter < Math.floor(days));
}
