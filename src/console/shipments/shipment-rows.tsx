import { useEffect, useState } from 'preact/hooks';
import { LABELS_MAX, PAGE_LIMIT_MAX } from '../../core/limits.ts';
import type { SavedTable } from '../../core/workbook.ts';
import { HEADINGS } from '../../ui/browser/base/kept-focus.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link, type Trail, trailHere } from '../../ui/browser/base/navigation.tsx';
import { Download, TableDownload } from '../../ui/browser/kit/download.tsx';
import { Check } from '../../ui/browser/kit/field.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { lazy } from '../../ui/browser/kit/loading.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, readFile, service } from '../../ui/browser/service/calls.ts';
import { Pill, STATE_WORDS } from '../../ui/state.tsx';
import { takeLastOpened } from './last-opened.ts';
import { type ListColumn, type ListedShipment, type ShownColumn, useColumns } from './shipment-columns.tsx';
import { type Filters, requestOfFilters } from './shipment-filters.tsx';

const HandoverSheet = lazy(async () => (await import('./handover-sheet.tsx')).HandoverSheet);

/** Pages of the list in one file, at most. Programs can read more over the API. */
const FILE_PAGES_MAX = 20;
const PRICES = ['price.netAmount', 'price.vatAmount', 'price.totalAmount'] as const;
const AMOUNTS = ['codAmount', 'declaredValue', ...PRICES] as const;
const FILE_COLUMNS = [
  'shipmentNumber',
  'externalReference',
  'state',
  'recipientName',
  'maskedRecipientPhone',
  'destination.cityCode',
  'destination.addressLine',
  'paymentMethod',
  'codAmount',
  'declaredValue',
  'currency',
  ...PRICES,
  'price.currency',
  'pickupWindowStart',
  'pickupWindowEnd',
  'createdAt',
  'shipmentId',
] as const;

const ROWS_TEXTS = {
  en: {
    every: 'Select all on this page',
    one: 'Select',
    labels: 'Labels (PDF)',
    handover: 'Handover sheet',
    csv: 'CSV',
    xlsx: 'Excel',
    cut: (rows: number) => `The file has the newest ${rows} shipments. Filter the list to get the others.`,
  },
  ar: {
    every: 'حدد كل ما في هذه الصفحة',
    one: 'حدد',
    labels: 'الملصقات (PDF)',
    handover: 'كشف التسليم',
    csv: 'CSV',
    xlsx: 'Excel',
    cut: (rows: number) => `في الملف أحدث ${rows} شحنة. استخدم التصفية لتحصل على غيرها.`,
  },
};

interface RowsProps {
  readonly shipments: readonly ListedShipment[];
  readonly filters: Filters;
  readonly columns: readonly ListColumn[];
}

/** The rows of a page, which can be selected for labels. */
export function Rows({ shipments, filters, columns }: RowsProps) {
  const text = textsOf(ROWS_TEXTS);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [isPrinting, setIsPrinting] = useState(false);
  const { shown, notice } = useColumns(columns, shipments);
  const ids = shipments.map(({ shipmentId }) => shipmentId);
  // In the order of the list.
  const printed = ids.filter((id) => selected.includes(id)).slice(0, LABELS_MAX);
  const cancelled = shipments.flatMap(({ shipmentId, state }) => (state === 'CANCELLED' ? [shipmentId] : []));
  const labelled = printed.filter((id) => !cancelled.includes(id));
  const toggle = (id: string) =>
    setSelected((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
  const toggleAll = () => setSelected(printed.length === ids.length ? [] : ids);
  return (
    <>
      <div class="actions">
        <Check label={text.every} isOn={printed.length === ids.length} onChange={toggleAll} />
        <Download
          label={`${text.labels}${labelled.length === 0 ? '' : ` · ${labelled.length}`}`}
          name="labels.pdf"
          isDisabled={labelled.length === 0}
          read={() =>
            readFile(`/v2/external/waybills?lang=${locale}&shipmentIds=${labelled.join()}`, 'application/pdf')
          }
        />
        <Button isDisabled={printed.length === 0 || isPrinting} onClick={() => setIsPrinting(true)}>
          {text.handover}
        </Button>
        <TableDownload labels={text} name="shipments" read={() => readTable(filters)} />
      </div>
      {isPrinting ? (
        <HandoverSheet
          shipments={shipments.filter(({ shipmentId }) => selected.includes(shipmentId))}
          onPrinted={() => setIsPrinting(false)}
        />
      ) : null}
      {notice}
      <Table shipments={shipments} columns={shown} selected={selected} toggle={toggle} />
    </>
  );
}

/** All pages of the list in one file, up to a limit that is said. */
async function readTable(filters: Filters): Promise<SavedTable> {
  const rows: (ListedShipment & { readonly price: Price | undefined })[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= FILE_PAGES_MAX; page += 1) {
    const read = await service.shipments.list.query({ ...requestOfFilters(filters), cursor, limit: PAGE_LIMIT_MAX });
    const prices = await readPrices(read.data);
    rows.push(...read.data.map((shipment) => ({ ...shipment, price: prices.get(shipment.shipmentId) })));
    cursor = read.page.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  if (cursor !== undefined) showToast(textsOf(ROWS_TEXTS).cut(rows.length));
  return {
    columns: FILE_COLUMNS,
    amounts: AMOUNTS,
    rows: rows.map(({ destination: { cityCode, addressLine }, price, ...shipment }) => {
      const cells = {
        ...shipment,
        'destination.cityCode': cityCode,
        'destination.addressLine': addressLine,
        'price.netAmount': price?.netAmount,
        'price.vatAmount': price?.vatAmount,
        'price.totalAmount': price?.totalAmount,
        'price.currency': price?.currency,
      };
      return FILE_COLUMNS.map((column) => cells[column]);
    }),
  };
}

type Price = Outputs['statements']['prices']['data'][number];

/** What each shipment of a page costs now. */
async function readPrices(shipments: readonly ListedShipment[]): Promise<ReadonlyMap<string, Price>> {
  if (shipments.length === 0) return new Map();
  const shipmentIds = shipments.map(({ shipmentId }) => shipmentId);
  const { data } = await service.statements.prices.query({ shipmentIds });
  return new Map(data.map((price) => [price.shipmentId, price]));
}

const TABLE_TEXTS = {
  en: { title: 'Shipments', shipment: 'Shipment', state: 'State', recipient: 'Recipient' },
  ar: { title: 'الشحنات', shipment: 'الشحنة', state: 'الحالة', recipient: 'المستلم' },
};

interface TableProps {
  readonly shipments: readonly ListedShipment[];
  readonly columns: readonly ShownColumn[];
  readonly selected: readonly string[];
  readonly toggle: (shipmentId: string) => void;
}

/** On a narrow screen a row becomes a card. The explicit roles keep it a table for screen readers. */
function Table({ shipments, columns, selected, toggle }: TableProps) {
  const text = textsOf(TABLE_TEXTS);
  useEffect(() => {
    const last = takeLastOpened();
    const index = shipments.findIndex(({ shipmentId }) => shipmentId === last);
    // Somebody who has moved on in the page before its rows came stays there.
    const focused = document.activeElement;
    const hasMovedOn = focused?.closest('main') instanceof HTMLElement && !focused.matches(HEADINGS);
    if (index >= 0 && !hasMovedOn) document.querySelectorAll<HTMLElement>('.rows tbody tr a')[index]?.focus();
  }, []);
  return (
    <div class="wide">
      <table class="rows" role="table" aria-label={text.title}>
        <thead role="rowgroup">
          <tr role="row">
            {[text.shipment, text.state, text.recipient, ...columns.map(({ label }) => label)].map((name) => (
              <th key={name} role="columnheader" scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {shipments.map((shipment) => (
            <Row
              key={shipment.shipmentId}
              shipment={shipment}
              columns={columns}
              isSelected={selected.includes(shipment.shipmentId)}
              toggle={toggle}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends Pick<TableProps, 'columns' | 'toggle'> {
  readonly shipment: ListedShipment;
  readonly isSelected: boolean;
}

function Row({ shipment, columns, isSelected, toggle }: RowProps) {
  const { label, tone } = STATE_WORDS[shipment.state];
  return (
    <tr role="row" class={isSelected ? 'selected' : undefined}>
      <th role="rowheader" scope="row">
        <input
          type="checkbox"
          aria-label={`${textsOf(ROWS_TEXTS).one} ${shipment.shipmentNumber}`}
          checked={isSelected}
          onChange={() => toggle(shipment.shipmentId)}
        />
        <Link to={addressOf(`shipments/${shipment.shipmentId}`)} trail={trailOfList()}>
          <bdi dir="ltr">{shipment.shipmentNumber}</bdi>
        </Link>
        <span class="words">
          <bdi>{shipment.externalReference}</bdi>
        </span>
      </th>
      <td role="cell">
        <Pill tone={tone}>{label[locale]}</Pill>
      </td>
      <td role="cell">
        <span class="words">
          <bdi>{shipment.recipientName}</bdi>
        </span>
      </td>
      {columns.map(({ name, label, cell }) => (
        <td key={name} role="cell">
          <span class="of" aria-hidden="true">
            {label}
          </span>
          {cell(shipment)}
        </td>
      ))}
    </tr>
  );
}

/** The list as it is shown, before the pages of it that were read: the way back from a shipment. */
function trailOfList(): Trail {
  const { pathname, searchParams } = new URL(location.href);
  searchParams.delete('lang');
  return [searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`, ...trailHere()];
}
