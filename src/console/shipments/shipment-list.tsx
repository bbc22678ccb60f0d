import { Pill } from '../../ui/pill.tsx';
import { STATE_WORDS } from '../../ui/shipment-words.ts';
import { Empty } from '../kit/empty.tsx';
import { Pager } from '../kit/pager.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { Skeleton } from '../kit/skeleton.tsx';
import { type Outputs, service } from '../service/service.ts';
import { useLoaded } from '../service/use-loaded.ts';
import { Link } from '../shell/link.tsx';
import { formatTime, locale, textsOf } from '../shell/locale.ts';
import { addressOf } from '../shell/place.ts';
import { filtersIn, ShipmentFilters } from './shipment-filters.tsx';

type Shipment = Outputs['shipments']['get'];

/** As many as the service gives at once. */
const ROWS = 100;
const TEXTS = {
  en: {
    title: 'Shipments',
    create: 'New shipment',
    state: 'State',
    shipment: 'Shipment',
    recipient: 'Recipient',
    city: 'City',
    createdAt: 'Created',
    none: 'There is no shipment yet.',
    noneSuch: 'No shipment is like that.',
    all: 'Show all',
  },
  ar: {
    title: 'الشحنات',
    create: 'شحنة جديدة',
    state: 'الحالة',
    shipment: 'الشحنة',
    recipient: 'المستلم',
    city: 'المدينة',
    createdAt: 'أُنشئت',
    none: 'لا توجد شحنات بعد.',
    noneSuch: 'لا توجد شحنة بهذه المواصفات.',
    all: 'اعرض الكل',
  },
};

/** A page of shipments, newest first. Filters and cursor are in the address: it can be sent to a colleague. */
export function ShipmentList({ query }: { readonly query: URLSearchParams }) {
  const text = textsOf(TEXTS);
  const filters = filtersIn(query);
  const cursor = query.get('cursor') ?? undefined;
  const key = addressOf('shipments', { ...filters, cursor });
  const { value, failure, reload } = useLoaded(key, () =>
    service.shipments.list.query({ ...filters, cursor, limit: ROWS }),
  );
  const isFiltered = filters.state !== undefined || filters.externalReference !== undefined;
  return (
    <>
      <div class="headline">
        <h1>{text.title}</h1>
        <Link class="button primary" to={addressOf('shipments/new')}>
          {text.create}
        </Link>
      </div>
      <ShipmentFilters key={`${filters.state} ${filters.externalReference}`} filters={filters} />
      {failure === undefined ? null : <ProblemNotice failure={failure} retry={reload} />}
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
      {value === undefined || value.data.length === 0 ? null : <Rows shipments={value.data} />}
      <Pager path="shipments" filters={{ ...filters }} cursor={cursor} nextCursor={value?.page.nextCursor ?? null} />
    </>
  );
}

/** On a narrow screen a row becomes a card; the roles say that it is a table all the same. */
function Rows({ shipments }: { readonly shipments: readonly Shipment[] }) {
  const text = textsOf(TEXTS);
  return (
    <table class="rows" role="table" aria-label={text.title}>
      <thead role="rowgroup">
        <tr role="row">
          {[text.shipment, text.state, text.recipient, text.city, text.createdAt].map((name) => (
            <th key={name} role="columnheader" scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {shipments.map((shipment) => (
          <Row key={shipment.shipmentId} shipment={shipment} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ shipment }: { readonly shipment: Shipment }) {
  const { label, tone } = STATE_WORDS[shipment.state];
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        <Link to={addressOf(`shipments/${shipment.shipmentId}`)}>
          <bdi dir="ltr">{shipment.shipmentNumber}</bdi>
        </Link>
        <span class="reference">
          <bdi>{shipment.externalReference}</bdi>
        </span>
      </th>
      <td role="cell">
        <Pill tone={tone}>{label[locale]}</Pill>
      </td>
      <td role="cell">
        <bdi>{shipment.recipientName}</bdi>
      </td>
      <td role="cell">
        <bdi dir="ltr">{shipment.destination.cityCode}</bdi>
      </td>
      <td role="cell">
        <time dateTime={shipment.createdAt}>{formatTime(shipment.createdAt)}</time>
      </td>
    </tr>
  );
}
