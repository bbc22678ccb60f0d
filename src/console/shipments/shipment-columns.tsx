import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatMoney, formatRange, formatTime, locale, textsOf } from '../base/locale.ts';
import { addressOf, navigate } from '../base/navigation.tsx';
import { Checks } from '../kit/field.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { type Outputs, service } from '../service/calls.ts';
import { useLoaded } from '../service/loading.ts';
import { EVENT_WORDS } from './words.ts';

export type ListedShipment = Outputs['shipments']['list']['data'][number];

/** The columns that people choose, in their order. Every list also has the shipment, its state and its recipient. */
const COLUMNS = ['city', 'cod', 'window', 'driver', 'lastEvent', 'createdAt'] as const;
export type ListColumn = (typeof COLUMNS)[number];
const USUAL: readonly ListColumn[] = ['city', 'createdAt'];

const TEXTS = {
  en: {
    title: 'Columns',
    city: 'City',
    cod: 'Cash on delivery',
    window: 'Pickup window',
    driver: 'Driver',
    lastEvent: 'Last event',
    createdAt: 'Created',
  },
  ar: {
    title: 'الأعمدة',
    city: 'المدينة',
    cod: 'الدفع عند الاستلام',
    window: 'موعد الاستلام من المتجر',
    driver: 'السائق',
    lastEvent: 'آخر حدث',
    createdAt: 'أُنشئت',
  },
};

const KEY = 'shipment-columns';

/** The columns in an address, or those that this browser showed last. */
export function columnsIn(query: URLSearchParams): readonly ListColumn[] {
  const chosen = query.get('columns') ?? localStorage.getItem(KEY);
  return chosen === null ? USUAL : COLUMNS.filter((column) => chosen.split(',').includes(column));
}

interface ChooserProps {
  readonly columns: readonly ListColumn[];
  /** The parameters of the list's address. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Chooses the columns. The choice is in the address, and this browser keeps it for other lists. */
export function ColumnChooser({ columns, parameters }: ChooserProps) {
  const text = textsOf(TEXTS);
  const [isOpen, setIsOpen] = useState(false);
  const choose = (values: readonly ListColumn[]) => {
    const chosen = COLUMNS.filter((column) => values.includes(column)).join();
    localStorage.setItem(KEY, chosen);
    // An empty parameter would be left out of the address.
    navigate(addressOf('shipments', { ...parameters, columns: chosen === '' ? 'none' : chosen }), {
      isReplacing: true,
    });
  };
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{text.title}</summary>
      {isOpen ? (
        <Checks
          label={text.title}
          options={COLUMNS.map((value) => ({ value, label: text[value] }))}
          values={columns}
          onChange={choose}
        />
      ) : null}
    </details>
  );
}

/** A column with its name and the content of its cells. */
export interface ShownColumn {
  readonly name: ListColumn;
  readonly label: string;
  readonly cell: (shipment: ListedShipment) => ComponentChildren;
}

/** The chosen columns, and why some of their values are missing. */
export function useColumns(
  columns: readonly ListColumn[],
  shipments: readonly ListedShipment[],
): { readonly shown: readonly ShownColumn[]; readonly notice: ComponentChildren } {
  const text = textsOf(TEXTS);
  const nameOf = useCityNames();
  const drivers = useOfEach(DRIVERS, columns.includes('driver') ? shipments : [], readDriver);
  const events = useOfEach(EVENTS, columns.includes('lastEvent') ? shipments : [], readLastEvent);
  const cells: Readonly<Record<ListColumn, ShownColumn['cell']>> = {
    city: ({ destination }) => <bdi>{nameOf(destination.cityCode)}</bdi>,
    cod: ({ paymentMethod, codAmount, currency }) =>
      paymentMethod === 'COD' ? <bdi dir="ltr">{formatMoney(codAmount, currency)}</bdi> : '—',
    window: ({ pickupWindowStart, pickupWindowEnd }) => <bdi>{formatRange(pickupWindowStart, pickupWindowEnd)}</bdi>,
    driver: (shipment) => <bdi>{drivers.find(shipment)?.driver?.firstName ?? '—'}</bdi>,
    lastEvent: (shipment) => <LastEvent event={events.find(shipment)} />,
    createdAt: ({ createdAt }) => <time dateTime={createdAt}>{formatTime(createdAt)}</time>,
  };
  const failed = [drivers, events].find(({ failure }) => failure !== undefined);
  return {
    shown: columns.map((name) => ({ name, label: text[name], cell: cells[name] })),
    notice: failed?.failure === undefined ? null : <ProblemNotice failure={failed.failure} retry={failed.reload} />,
  };
}

type Entry = Outputs['shipments']['timeline']['data'][number];

function LastEvent({ event }: { readonly event: Entry | undefined }) {
  if (event === undefined) return '—';
  return (
    <>
      {EVENT_WORDS[event.type][locale]}{' '}
      <time class="small quiet" dateTime={event.occurredAt}>
        {formatTime(event.occurredAt)}
      </time>
    </>
  );
}

/** The name of a city in the language of the page, or its code until the cities are known. */
function useCityNames(): (cityCode: string) => string {
  const { value } = useLoaded('cities', () => service.cities.list.query({}));
  const names = new Map(value?.data.map(({ cityCode, name, nameAr }) => [cityCode, locale === 'ar' ? nameAr : name]));
  return (cityCode) => names.get(cityCode) ?? cityCode;
}

/* What the list does not have is read once for each version of a shipment, because each event makes a new version. */

const DRIVERS = new Map<string, Pick<Outputs['shipments']['tracking'], 'driver'>>();
const EVENTS = new Map<string, Entry>();
/** Values that are kept. More are read again. */
const KEPT_MAX = 1000;
/** A shipment has about ten events, and more if drivers return it. */
const TIMELINE_ENTRIES = 100;

async function readDriver({ shipmentId }: ListedShipment) {
  return service.shipments.tracking.query({ shipmentId });
}

async function readLastEvent({ shipmentId }: ListedShipment) {
  return (await service.shipments.timeline.query({ shipmentId, limit: TIMELINE_ENTRIES })).data.at(-1);
}

/** Reads a value for each of the shipments that is not known yet. The client sends ten of these calls in one request. */
function useOfEach<Value>(
  known: Map<string, Value>,
  shipments: readonly ListedShipment[],
  read: (shipment: ListedShipment) => Promise<Value | undefined>,
) {
  const keyOf = ({ shipmentId, version }: ListedShipment) => `${shipmentId} ${version}`;
  const missing = shipments.filter((shipment) => !known.has(keyOf(shipment)));
  const { failure, reload } = useLoaded(missing.map(keyOf).join(), async () => {
    if (known.size > KEPT_MAX) known.clear();
    await Promise.all(
      missing.map(async (shipment) => {
        const value = await read(shipment);
        if (value !== undefined) known.set(keyOf(shipment), value);
      }),
    );
  });
  return { find: (shipment: ListedShipment) => known.get(keyOf(shipment)), failure, reload };
}
