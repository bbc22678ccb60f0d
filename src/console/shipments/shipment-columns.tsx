import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatMoney, formatRange, formatTime, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, navigate, trailHere } from '../../ui/browser/base/navigation.tsx';
import { useCityNames } from '../../ui/browser/kit/city-field.tsx';
import { Checks } from '../../ui/browser/kit/field.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { keptHere } from '../../ui/kept-here.ts';
import { EVENT_WORDS } from './words.ts';

export type ListedShipment = Outputs['shipments']['list']['data'][number];

/** The columns that people choose, in their order. Every list also has the shipment, its state and its recipient. */
const COLUMNS = ['city', 'cod', 'window', 'driver', 'lastEvent', 'createdAt'] as const;
export type ListColumn = (typeof COLUMNS)[number];
const USUAL: readonly ListColumn[] = ['city', 'lastEvent'];

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
    window: 'فترة الاستلام',
    driver: 'السائق',
    lastEvent: 'آخر حدث',
    createdAt: 'أُنشئت',
  },
};

const KEY = 'shipment-columns';

/** The columns in an address, or those that this browser showed last. */
export function columnsIn(query: URLSearchParams): readonly ListColumn[] {
  const chosen = query.get('columns') ?? keptHere.getItem(KEY);
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
    keptHere.setItem(KEY, chosen);
    // An empty parameter would be left out of the address.
    navigate(addressOf('shipments', { ...parameters, columns: chosen === '' ? 'none' : chosen }), {
      isReplacing: true,
      trail: trailHere(),
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
  const hasDetails = columns.includes('driver') || columns.includes('lastEvent');
  const details = useDetails(hasDetails ? shipments : []);
  const cells: Readonly<Record<ListColumn, ShownColumn['cell']>> = {
    city: ({ destination }) => <bdi>{nameOf(destination.cityCode)}</bdi>,
    cod: ({ paymentMethod, codAmount, currency }) =>
      paymentMethod === 'COD' ? <bdi dir="ltr">{formatMoney(codAmount, currency)}</bdi> : '—',
    window: ({ pickupWindowStart, pickupWindowEnd }) => <bdi>{formatRange(pickupWindowStart, pickupWindowEnd)}</bdi>,
    driver: (shipment) => <bdi>{details.find(shipment)?.driver?.firstName ?? '—'}</bdi>,
    lastEvent: (shipment) => <LastEvent event={details.find(shipment)?.lastEvent} />,
    createdAt: ({ createdAt }) => <time dateTime={createdAt}>{formatTime(createdAt)}</time>,
  };
  return {
    shown: columns.map((name) => ({ name, label: text[name], cell: cells[name] })),
    notice: details.failure === undefined ? null : <ProblemNotice failure={details.failure} retry={details.reload} />,
  };
}

type Details = Outputs['activity']['details']['data'][number];

function LastEvent({ event }: { readonly event: Details['lastEvent'] | undefined }) {
  if (event === undefined) return '—';
  return (
    <span class="last">
      {EVENT_WORDS[event.type][locale]}{' '}
      <time class="small quiet" dateTime={event.occurredAt}>
        {formatTime(event.occurredAt)}
      </time>
    </span>
  );
}

/** Shipments whose details are kept. Those of more are read again. */
const KEPT_MAX = 1000;
const DETAILS = new Map<string, Details>();

/** What the list itself does not have. It is read once for each version of a shipment, because each event makes a new version. */
function useDetails(shipments: readonly ListedShipment[]) {
  const missing = shipments.filter(({ shipmentId, version }) => (DETAILS.get(shipmentId)?.version ?? -1) < version);
  const key = missing.map(({ shipmentId, version }) => `${shipmentId} ${version}`).join();
  const { failure, reload } = useLoaded(key, async () => {
    if (missing.length === 0) return;
    const shipmentIds = missing.map(({ shipmentId }) => shipmentId).join();
    const { data } = await service.activity.details.query({ shipmentIds });
    if (DETAILS.size > KEPT_MAX) DETAILS.clear();
    for (const details of data) DETAILS.set(details.shipmentId, details);
  });
  return { find: ({ shipmentId }: ListedShipment) => DETAILS.get(shipmentId), failure, reload };
}
