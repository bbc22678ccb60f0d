import { useState } from 'preact/hooks';
import { SHIPMENT_STATES, type ShipmentState } from '../../contract/shipment-state.ts';
import { Pill, STATE_WORDS } from '../../ui/state.tsx';
import { formatTime, locale, textsOf } from '../base/locale.ts';
import { type AreaProps, addressOf, Link, navigate } from '../base/navigation.tsx';
import { Choice, Field } from '../kit/field.tsx';
import { Button } from '../kit/form.tsx';
import { Pager } from '../kit/listing.tsx';
import { Skeleton } from '../kit/loading.tsx';
import { Empty } from '../kit/page.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { type Outputs, service } from '../service/calls.ts';
import { useLoaded } from '../service/loading.ts';
import { NewShipment } from './new-shipment.tsx';
import { ShipmentPage } from './shipment-page.tsx';
import './shipments.css';

/** The list at `/console/shipments`, the form at `new`, and one shipment at its id. */
export function Shipments({ address, deployment }: AreaProps) {
  if (address.id === undefined) return <ShipmentList query={address.query} />;
  if (address.id === 'new') return <NewShipment deployment={deployment} query={address.query} />;
  return <ShipmentPage shipmentId={address.id} deployment={deployment} />;
}

type Shipment = Outputs['shipments']['get'];

/** The most that one page of a list has. */
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
    none: 'You have no shipments yet.',
    noneSuch: 'No shipment matches these filters.',
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
    none: 'ليس لديك شحنات بعد.',
    noneSuch: 'لا توجد شحنة تطابق هذه التصفية.',
    all: 'اعرض الكل',
  },
};

/** A page of shipments, newest first. Filters and cursor are in the address, so that people can share it. */
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

/** On a narrow screen a row becomes a card. The explicit roles keep it a table for screen readers. */
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

const SHIPMENT_FILTERS_TEXTS = {
  en: { label: 'Filters', state: 'State', every: 'All states', reference: 'Your reference', find: 'Search' },
  ar: { label: 'التصفية', state: 'الحالة', every: 'كل الحالات', reference: 'رقمك المرجعي', find: 'ابحث' },
};

export interface Filters {
  readonly state?: ShipmentState;
  readonly externalReference?: string;
}

/** The filters in an address. An unknown state is ignored. */
export function filtersIn(query: URLSearchParams): Filters {
  const state = SHIPMENT_STATES.find((known) => known === query.get('state'));
  const externalReference = query.get('externalReference') ?? '';
  return {
    ...(state === undefined ? {} : { state }),
    ...(externalReference === '' ? {} : { externalReference }),
  };
}

/** The filters of the list. A change starts at the first page again. */
export function ShipmentFilters({ filters }: { readonly filters: Filters }) {
  const text = textsOf(SHIPMENT_FILTERS_TEXTS);
  const [reference, setReference] = useState(filters.externalReference ?? '');
  const find = (state: ShipmentState | '') => navigate(addressOf('shipments', { state, externalReference: reference }));
  const states = SHIPMENT_STATES.map((state) => ({ value: state, label: STATE_WORDS[state].label[locale] }));
  return (
    <form
      role="search"
      class="finder"
      aria-label={text.label}
      onSubmit={(event) => {
        event.preventDefault();
        find(filters.state ?? '');
      }}
    >
      <Choice
        label={text.state}
        value={filters.state ?? ''}
        options={[{ value: '' as const, label: text.every }, ...states]}
        onChange={find}
      />
      <Field label={text.reference} value={reference} onChange={setReference} />
      <Button type="submit">{text.find}</Button>
    </form>
  );
}
