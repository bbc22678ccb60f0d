import { useState } from 'preact/hooks';
import { DELIVERY_STATUSES, type DeliveryStatus, EVENT_TYPES, type EventType } from '../../contract/event-type.ts';
import { Choice, Field } from '../kit/field.tsx';
import { Form } from '../kit/form.tsx';
import { textsOf } from '../shell/locale.ts';
import { addressOf, go } from '../shell/place.ts';
import { type Endpoint, statusLabel } from './words.tsx';

/** What a delivery log is narrowed to. */
export interface DeliveryFilters {
  readonly endpointId?: string;
  readonly status?: DeliveryStatus;
  readonly eventType?: EventType;
  readonly shipmentId?: string;
}

const TEXTS = {
  en: {
    endpoint: 'Endpoint',
    status: 'Status',
    type: 'Kind of event',
    shipment: 'Shipment id',
    all: 'All',
    search: 'Filters',
  },
  ar: {
    endpoint: 'نقطة الاستقبال',
    status: 'الحالة',
    type: 'نوع الحدث',
    shipment: 'معرّف الشحنة',
    all: 'الكل',
    search: 'عوامل التصفية',
  },
};

/** The filters of an address. What names no status and no kind is left out, as an old link may have it. */
export function readFilters(query: URLSearchParams): DeliveryFilters {
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

/** The filters. Each change is an address of its own, so that Back takes it back; the cursor ends with it. */
export function FilterBar({ filters, endpoints }: FilterBarProps) {
  const text = textsOf(TEXTS);
  const [shipmentId, setShipmentId] = useState(filters.shipmentId ?? '');
  const all = { value: '', label: text.all } as const;
  const narrow = (change: Readonly<Record<string, string>>) =>
    go(addressOf('webhooks/deliveries', { ...filters, ...change }));
  // One that was deleted is still in the log, and may be what the address asks for.
  const { endpointId = '' } = filters;
  const known = endpoints.map(({ endpointId: value, url }) => ({ value, label: url }));
  const gone = endpointId === '' || known.some(({ value }) => value === endpointId) ? [] : [endpointId];
  return (
    <Form
      class="filters"
      search={text.search}
      onSubmit={() => {
        narrow({ shipmentId: shipmentId.trim() });
      }}
    >
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
      <Field label={text.shipment} value={shipmentId} onChange={setShipmentId} dir="ltr" />
    </Form>
  );
}
