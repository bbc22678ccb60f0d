import { useState } from 'preact/hooks';
import { DELIVERY_STATUSES, type DeliveryStatus, EVENT_TYPES, type EventType } from '../../contract/event-type.ts';
import { EVENTS_KEPT_DAYS } from '../../core/limits.ts';
import { isUuid } from '../../core/uuid.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, navigate } from '../../ui/browser/base/navigation.tsx';
import { Choice, Field } from '../../ui/browser/kit/field.tsx';
import { Form } from '../../ui/browser/kit/form.tsx';
import { Pager } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { PageHead } from '../../ui/browser/kit/page.tsx';
import { NUMBERED } from '../../ui/browser/kit/readers.ts';
import { service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useEvery, useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { DeliveryListing } from './delivery-listing.tsx';
import { type Endpoint, statusLabel } from './words.tsx';

const TEXTS = {
  en: { title: 'Delivery log', up: 'Webhooks', lead: `The last ${EVENTS_KEPT_DAYS} days, newest first.` },
  ar: { title: 'سجل التسليم', up: 'الإشعارات البرمجية', lead: `آخر ${EVENTS_KEPT_DAYS} يومًا، الأحدث أولًا.` },
};
const REFRESH_MS = 5_000;

/** The delivery log. Its filters are in the address. */
export function DeliveriesPage({ query }: { readonly query: URLSearchParams }) {
  const text = textsOf(TEXTS);
  const filters = readFilters(query);
  const cursor = query.get('cursor') ?? undefined;
  const endpoints = useLoaded('webhook endpoints', () => service.webhookEndpoints.list.query({}));
  const deliveries = useLoaded(addressOf('', { ...filters, cursor }), () =>
    service.webhookDeliveries.list.query({ ...filters, ...(cursor === undefined ? {} : { cursor }) }),
  );
  // Only the newest page changes, so only that page refreshes.
  useEvery(REFRESH_MS, deliveries.reload, !(deliveries.isLoading || cursor !== undefined));
  const known = endpoints.value?.data ?? [];
  const urls = new Map(known.map(({ endpointId, url }) => [endpointId, url]));
  return (
    <>
      <PageHead title={text.title} lead={text.lead} up={{ to: addressOf('webhooks'), label: text.up }} />
      <FilterBar key={filters.shipmentId} filters={filters} endpoints={known} />
      <WhenLoaded loaded={deliveries}>
        {({ data, page }) => (
          <>
            <DeliveryListing deliveries={data} urls={urls} />
            <Pager path="webhooks/deliveries" filters={{ ...filters }} cursor={cursor} nextCursor={page.nextCursor} />
          </>
        )}
      </WhenLoaded>
    </>
  );
}

/** The filters of the delivery log. */
export interface DeliveryFilters {
  readonly endpointId?: string;
  readonly status?: DeliveryStatus;
  readonly eventType?: EventType;
  readonly shipmentId?: string;
}

const DELIVERY_FILTERS_TEXTS = {
  en: {
    endpoint: 'Endpoint',
    status: 'Status',
    type: 'Event type',
    shipment: 'Shipment: number, your reference or id',
    none: 'No shipment, or more than one, has this number or reference.',
    all: 'All',
    search: 'Filters',
  },
  ar: {
    endpoint: 'نقطة الاستقبال',
    status: 'الحالة',
    type: 'نوع الحدث',
    shipment: 'الشحنة: رقمها أو رقمك المرجعي أو معرّفها',
    none: 'لا توجد شحنة بهذا الرقم، أو توجد أكثر من شحنة.',
    all: 'الكل',
    search: 'عوامل التصفية',
  },
};

/** The filters in an address. Unknown statuses and event types are ignored, because an old link may have them. */
function readFilters(query: URLSearchParams): DeliveryFilters {
  const [endpointId, shipmentId] = [query.get('endpointId'), query.get('shipmentId')];
  const status = DELIVERY_STATUSES.find((one) => one === query.get('status'));
  const eventType = EVENT_TYPES.find((one) => one === query.get('eventType'));
  return {
    ...(endpointId === null ? {} : { endpointId }),
    ...(shipmentId === null ? {} : { shipmentId }),
    ...(status === undefined ? {} : { status }),
    ...(eventType === undefined ? {} : { eventType }),
  };
}

interface FilterBarProps {
  readonly filters: DeliveryFilters;
  readonly endpoints: readonly Endpoint[];
}

/** The filters of the log. Each change is a new entry in the history and starts at the first page again. */
function FilterBar({ filters, endpoints }: FilterBarProps) {
  const text = textsOf(DELIVERY_FILTERS_TEXTS);
  const [typed, setTyped] = useState(filters.shipmentId ?? '');
  const [isUnknown, setIsUnknown] = useState(false);
  const search = useWork(async () => {
    const shipmentId = await shipmentIdOf(typed);
    setIsUnknown(shipmentId === undefined);
    if (shipmentId !== undefined) narrow({ shipmentId });
  });
  const all = { value: '', label: text.all } as const;
  const narrow = (change: Readonly<Record<string, string>>) =>
    navigate(addressOf('webhooks/deliveries', { ...filters, ...change }));
  // The log also has deliveries of deleted endpoints, so the address may name one.
  const { endpointId = '' } = filters;
  const known = endpoints.map(({ endpointId: value, url }) => ({ value, label: url }));
  const gone = endpointId === '' || known.some(({ value }) => value === endpointId) ? [] : [endpointId];
  return (
    <Form class="filters" search={text.search} onSubmit={() => void search.start(undefined)}>
      <Choice
        label={text.endpoint}
        value={endpointId}
        options={[all, ...known, ...gone.map((value) => ({ value, label: value }))]}
        onChange={(value) => narrow({ endpointId: value })}
      />
      <Choice
        label={text.status}
        value={filters.status ?? ''}
        options={[all, ...DELIVERY_STATUSES.map((value) => ({ value, label: statusLabel(value) }))]}
        onChange={(value) => narrow({ status: value })}
      />
      <Choice
        label={text.type}
        value={filters.eventType ?? ''}
        options={[all, ...EVENT_TYPES.map((value) => ({ value, label: value }))]}
        onChange={(value) => narrow({ eventType: value })}
      />
      <Field
        label={text.shipment}
        value={typed}
        onChange={setTyped}
        error={isUnknown ? text.none : (violationAt(search.failure, 'q', typed) ?? search.failure?.title)}
        reads={NUMBERED}
      />
    </Form>
  );
}

const READ_MAX = 20;

/** The id of the shipment with this id, number or reference. Undefined unless exactly one is found; empty for no text. */
async function shipmentIdOf(typed: string): Promise<string | undefined> {
  if (typed === '' || isUuid(typed)) return typed;
  const [{ data: exact }, { data }] = await Promise.all([
    service.shipments.list.query({ externalReference: typed, limit: 1 }),
    service.shipments.list.query({ q: typed, limit: READ_MAX }),
  ]);
  if (exact[0] !== undefined) return exact[0].shipmentId;
  // A longer reference may begin with this one.
  const whole = data.filter(({ shipmentNumber, externalReference }) =>
    [shipmentNumber, externalReference].some((name) => name?.toUpperCase() === typed.toUpperCase()),
  );
  const found = whole.length > 0 ? whole : data;
  return found.length === 1 ? found[0]?.shipmentId : undefined;
}
