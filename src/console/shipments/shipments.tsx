import { PAGE_LIMIT_MAX } from '../../core/limits.ts';
import { companyNow } from '../base/company-clock.ts';
import { textsOf } from '../base/locale.ts';
import { type AreaProps, addressOf, Link } from '../base/navigation.tsx';
import { Pager } from '../kit/listing.tsx';
import { lazy, Skeleton } from '../kit/loading.tsx';
import { Empty } from '../kit/page.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { localDay } from '../kit/typed-values.ts';
import { service } from '../service/calls.ts';
import type { CallFailure } from '../service/failure.ts';
import { useEvery, useLoaded } from '../service/loading.ts';
import { SavedViews } from './saved-views.tsx';
import { ColumnChooser, columnsIn } from './shipment-columns.tsx';
import { type Filters, filtersIn, parametersOf, requestOfFilters, ShipmentFilters } from './shipment-filters.tsx';
import { Rows, setLastOpened } from './shipment-rows.tsx';
import './shipments.css';

const NewShipment = lazy(async () => (await import('./new-shipment.tsx')).NewShipment);
const ShipmentPage = lazy(async () => (await import('./shipment-page.tsx')).ShipmentPage);
const Upload = lazy(async () => (await import('./upload.tsx')).Upload);
const DayList = lazy(async () => (await import('./day-list.tsx')).DayList);

/** The list at `/console/shipments`, the forms at `new` and `upload`, what home counted at `day`, and one shipment at its id. */
export function Shipments({ address, deployment }: AreaProps) {
  if (address.id === undefined) return <ShipmentList query={address.query} />;
  if (address.id === 'day') return <DayList query={address.query} />;
  setLastOpened(address.id);
  if (address.id === 'new') return <NewShipment deployment={deployment} query={address.query} />;
  if (address.id === 'upload') return <Upload query={address.query} />;
  return <ShipmentPage shipmentId={address.id} deployment={deployment} />;
}

const TEXTS = {
  en: {
    title: 'Shipments',
    create: 'New shipment',
    upload: 'Upload a CSV file',
    none: 'You have no shipments yet.',
    noneSuch: 'No shipment matches these filters.',
    all: 'Show all',
    tooMany: 'You have too many shipments to search them all at once. Choose a shorter time.',
    lastDays: 'Search the last 30 days',
  },
  ar: {
    title: 'الشحنات',
    create: 'شحنة جديدة',
    upload: 'ارفع ملف CSV',
    none: 'ليس لديك شحنات بعد.',
    noneSuch: 'لا توجد شحنة تطابق هذه التصفية.',
    all: 'اعرض الكل',
    tooMany: 'شحناتك أكثر من أن يُبحث فيها كلها معًا. اختر فترة أقصر.',
    lastDays: 'ابحث في آخر 30 يومًا',
  },
};

const REFRESH_MS = 15_000;

/** A page of shipments, newest first. Filters, columns and cursor are in the address, so that people can share it. */
function ShipmentList({ query }: { readonly query: URLSearchParams }) {
  const text = textsOf(TEXTS);
  const filters = filtersIn(query);
  const parameters = parametersOf(filters);
  const cursor = query.get('cursor') ?? undefined;
  const key = addressOf('shipments', { ...parameters, cursor });
  const columns = columnsIn(query);
  const address = { ...parameters, columns: query.get('columns') ?? '' };
  const request = { ...requestOfFilters(filters), ...(cursor === undefined ? {} : { cursor }), limit: PAGE_LIMIT_MAX };
  const { value, failure, reload } = useLoaded(key, () => service.shipments.list.query(request));
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
      <ShipmentFilters key={JSON.stringify(parameters)} filters={filters} columns={address.columns} />
      <SavedViews parameters={{ ...parameters, columns: columns.join() }} />
      <ColumnChooser columns={columns} parameters={{ ...parameters, cursor: cursor ?? '' }} />
      {failure === undefined ? null : <ListFailure failure={failure} filters={filters} retry={reload} />}
      {value === undefined && failure === undefined ? <Skeleton lines={8} /> : null}
      {value?.data.length === 0 ? (
        <Empty text={isFiltered ? text.noneSuch : text.none}>
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

const LAST_DAYS = 30;

interface FailureProps {
  readonly failure: CallFailure;
  readonly filters: Filters;
  readonly retry: () => void;
}

/** Why the list is not shown. A search over too much time offers a shorter one. */
function ListFailure({ failure, filters, retry }: FailureProps) {
  const text = textsOf(TEXTS);
  if (!failure.violations.some(({ field }) => field === 'createdFrom'))
    return <ProblemNotice failure={failure} retry={retry} />;
  const from = new Date(companyNow());
  from.setDate(from.getDate() - LAST_DAYS);
  const createdFrom = localDay(from);
  return (
    <div class="notice" role="alert">
      <p>{text.tooMany}</p>
      <p>
        <Link to={addressOf('shipments', { ...parametersOf(filters), createdFrom })}>{text.lastDays}</Link>
      </p>
    </div>
  );
}
