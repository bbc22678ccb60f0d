import { useEffect, useState } from 'preact/hooks';
import { csvOf } from '../../core/csv.ts';
import { LABELS_MAX, PAGE_LIMIT_MAX } from '../../core/limits.ts';
import { Pill, STATE_WORDS } from '../../ui/state.tsx';
import { companyNow } from '../base/company-clock.ts';
import { formatTime, locale, textsOf } from '../base/locale.ts';
import { type AreaProps, addressOf, Link } from '../base/navigation.tsx';
import { Download } from '../kit/download.tsx';
import { Check } from '../kit/field.tsx';
import { Pager } from '../kit/listing.tsx';
import { lazy, Skeleton } from '../kit/loading.tsx';
import { Empty } from '../kit/page.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { showToast } from '../kit/toasts.tsx';
import { localDay } from '../kit/typed-values.ts';
import { type Outputs, readFile, service } from '../service/calls.ts';
import type { CallFailure } from '../service/failure.ts';
import { useLoaded } from '../service/loading.ts';
import { type Filters, filtersIn, parametersOf, requestOfFilters, ShipmentFilters } from './shipment-filters.tsx';
import './shipments.css';

const NewShipment = lazy(async () => (await import('./new-shipment.tsx')).NewShipment);
const ShipmentPage = lazy(async () => (await import('./shipment-page.tsx')).ShipmentPage);
const Upload = lazy(async () => (await import('./upload.tsx')).Upload);

/** The shipment that was opened last: people who go back to the list are at its row again. */
let lastOpened: string | undefined;

/** The list at `/console/shipments`, the forms at `new` and `upload`, and one shipment at its id. */
export function Shipments({ address, deployment }: AreaProps) {
  if (address.id === undefined) return <ShipmentList query={address.query} />;
  lastOpened = address.id;
  if (address.id === 'new') return <NewShipment deployment={deployment} query={address.query} />;
  if (address.id === 'upload') return <Upload query={address.query} />;
  return <ShipmentPage shipmentId={address.id} deployment={deployment} />;
}

type Shipment = Outputs['shipments']['get'];

/** A file has at most so many pages of the list. More are for programs. */
const CSV_PAGES_MAX = 20;
const CSV_COLUMNS: readonly (readonly string[])[] = [
  ['shipmentNumber'],
  ['externalReference'],
  ['state'],
  ['recipientName'],
  ['maskedRecipientPhone'],
  ['destination', 'cityCode'],
  ['destination', 'addressLine'],
  ['paymentMethod'],
  ['codAmount'],
  ['declaredValue'],
  ['currency'],
  ['pickupWindowStart'],
  ['pickupWindowEnd'],
  ['createdAt'],
  ['shipmentId'],
];

const TEXTS = {
  en: {
    title: 'Shipments',
    create: 'New shipment',
    upload: 'Upload a CSV file',
    state: 'State',
    shipment: 'Shipment',
    recipient: 'Recipient',
    city: 'City',
    createdAt: 'Created',
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
    state: 'الحالة',
    shipment: 'الشحنة',
    recipient: 'المستلم',
    city: 'المدينة',
    createdAt: 'أُنشئت',
    none: 'ليس لديك شحنات بعد.',
    noneSuch: 'لا توجد شحنة تطابق هذه التصفية.',
    all: 'اعرض الكل',
    tooMany: 'شحناتك أكثر من أن يُبحث فيها كلها معًا. اختر فترة أقصر.',
    lastDays: 'ابحث في آخر 30 يومًا',
  },
};

/** A page of shipments, newest first. Filters and cursor are in the address, so that people can share it. */
function ShipmentList({ query }: { readonly query: URLSearchParams }) {
  const text = textsOf(TEXTS);
  const filters = filtersIn(query);
  const parameters = parametersOf(filters);
  const cursor = query.get('cursor') ?? undefined;
  const key = addressOf('shipments', { ...parameters, cursor });
  const { value, failure, reload } = useLoaded(key, () =>
    service.shipments.list.query({ ...requestOfFilters(filters), cursor, limit: PAGE_LIMIT_MAX }),
  );
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
      <ShipmentFilters key={JSON.stringify(parameters)} filters={filters} />
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
        <Rows key={key} shipments={value.data} filters={filters} />
      )}
      <Pager path="shipments" filters={parameters} cursor={cursor} nextCursor={value?.page.nextCursor ?? null} />
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

const ROWS_TEXTS = {
  en: {
    every: 'Select all on this page',
    one: 'Select',
    labels: 'Labels (PDF)',
    csv: 'CSV',
    cut: (rows: number) => `The file has the newest ${rows} shipments. Filter the list to get the others.`,
  },
  ar: {
    every: 'حدد كل ما في هذه الصفحة',
    one: 'حدد',
    labels: 'الملصقات (PDF)',
    csv: 'CSV',
    cut: (rows: number) => `في الملف أحدث ${rows} شحنة. استخدم التصفية لتحصل على غيرها.`,
  },
};

interface RowsProps {
  readonly shipments: readonly Shipment[];
  readonly filters: Filters;
}

/** The rows of a page, which can be selected for labels. */
function Rows({ shipments, filters }: RowsProps) {
  const text = textsOf(ROWS_TEXTS);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const ids = shipments.map(({ shipmentId }) => shipmentId);
  // In the order of the list.
  const printed = ids.filter((id) => selected.includes(id)).slice(0, LABELS_MAX);
  const toggle = (id: string) =>
    setSelected((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
  const toggleAll = () => setSelected(printed.length === ids.length ? [] : ids);
  return (
    <>
      <div class="actions">
        <Check label={text.every} isOn={printed.length === ids.length} onChange={toggleAll} />
        <Download
          label={`${text.labels}${printed.length === 0 ? '' : ` · ${printed.length}`}`}
          name="labels.pdf"
          isDisabled={printed.length === 0}
          read={() => readFile(`/v2/external/waybills?lang=${locale}&shipmentIds=${printed.join()}`, 'application/pdf')}
        />
        <Download label={text.csv} name="shipments.csv" read={() => readCsv(filters)} />
      </div>
      <Table shipments={shipments} selected={selected} toggle={toggle} />
    </>
  );
}

/** All pages of the list in one file, up to a limit that is said. */
async function readCsv(filters: Filters): Promise<Blob> {
  const rows: Shipment[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= CSV_PAGES_MAX; page += 1) {
    const read = await service.shipments.list.query({ ...requestOfFilters(filters), cursor, limit: PAGE_LIMIT_MAX });
    rows.push(...read.data);
    cursor = read.page.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  if (cursor !== undefined) showToast(textsOf(ROWS_TEXTS).cut(rows.length));
  return new Blob([csvOf(CSV_COLUMNS, rows)], { type: 'text/csv' });
}

interface TableProps {
  readonly shipments: readonly Shipment[];
  readonly selected: readonly string[];
  readonly toggle: (shipmentId: string) => void;
}

/** On a narrow screen a row becomes a card. The explicit roles keep it a table for screen readers. */
function Table({ shipments, selected, toggle }: TableProps) {
  const text = textsOf(TEXTS);
  useEffect(() => {
    const index = shipments.findIndex(({ shipmentId }) => shipmentId === lastOpened);
    lastOpened = undefined;
    if (index >= 0) document.querySelectorAll<HTMLElement>('.rows tbody tr a')[index]?.focus();
  }, []);
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
          <Row
            key={shipment.shipmentId}
            shipment={shipment}
            isSelected={selected.includes(shipment.shipmentId)}
            toggle={toggle}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Pick<TableProps, 'toggle'> {
  readonly shipment: Shipment;
  readonly isSelected: boolean;
}

function Row({ shipment, isSelected, toggle }: RowProps) {
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
