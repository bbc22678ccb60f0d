import { useEffect, useRef } from 'preact/hooks';
import { PAGE_LIMIT_MAX } from '../../core/limits.ts';
import type { SavedTable } from '../../core/workbook.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { Download, TableDownload } from '../../ui/browser/kit/download.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { type Outputs, readFile, service } from '../../ui/browser/service/calls.ts';
import type { Loaded } from '../../ui/browser/service/loading.ts';
import { ITEM_FIELDS } from './shipment-draft.ts';
import { SHIPMENT_FORM_TEXTS } from './shipment-form-words.ts';
import { fieldOf, itemCountOf, itemField, labelOf, UPLOAD_FIELDS } from './upload-fields.ts';
import { sentenceOfCell } from './upload-sentences.ts';
import { labelParts, numberOf, type SentRows, type Verdict, verdictOf } from './upload-verdicts.ts';
import { type BatchRead, useBatch } from './use-batch.ts';

type Shipment = Outputs['shipments']['get'];
type Item = BatchRead['items'][number];

const TEXTS = {
  en: {
    title: 'Result',
    creating: 'Creating the shipments',
    created: (count: number) => `Created: ${count}`,
    refused: (count: number) => `Not created: ${count}`,
    left: 'The rows with errors stay in the table below until you choose another file. Correct them there, or save them as CSV.',
    row: 'Row',
    problem: 'Problem',
    save: { csv: 'Result as CSV', xlsx: 'Result as Excel' },
    saveRefused: { csv: 'Rows that were not created as CSV', xlsx: 'Rows that were not created as Excel' },
    labels: 'Labels (PDF)',
    labelsOf: (from: number, to: number) => `Labels ${from} to ${to} (PDF)`,
    columns: ['Row', 'Your reference', 'Number', 'Label', 'Problem'],
  },
  ar: {
    title: 'النتيجة',
    creating: 'جارٍ إنشاء الشحنات',
    created: (count: number) => `أُنشئت: ${count}`,
    refused: (count: number) => `لم تُنشأ: ${count}`,
    left: 'تبقى الصفوف التي فيها أخطاء في الجدول أدناه إلى أن تختار ملفًا آخر. صحّحها هناك، أو احفظها بصيغة CSV.',
    row: 'الصف',
    problem: 'المشكلة',
    save: { csv: 'النتيجة بصيغة CSV', xlsx: 'النتيجة بصيغة Excel' },
    saveRefused: { csv: 'الصفوف التي لم تُنشأ بصيغة CSV', xlsx: 'الصفوف التي لم تُنشأ بصيغة Excel' },
    labels: 'الملصقات (PDF)',
    labelsOf: (from: number, to: number) => `الملصقات من ${from} إلى ${to} (PDF)`,
    columns: ['الصف', 'رقمك المرجعي', 'الرقم', 'الملصق', 'المشكلة'],
  },
};

interface ResultProps {
  readonly batchId: string;
  /** The rows that this page sent last, also for another batch. Empty after a reload. */
  readonly sent: SentRows | undefined;
  readonly onEnd: (read: BatchRead) => void;
}

/** The progress of a batch that creates shipments, and then the outcome of each row. */
export function UploadResult({ batchId, sent: last, onEnd }: ResultProps) {
  const text = textsOf(TEXTS);
  const loaded = useBatch(batchId);
  const heading = useRef<HTMLHeadingElement>(null);
  const sent = last?.batchId === batchId ? last : undefined;
  useEffect(() => {
    if (sent !== undefined) heading.current?.focus();
  }, []);
  const { value } = loaded;
  const outcomes = outcomesOf(value?.items ?? [], sent);
  const ids = outcomes.flatMap(({ shipmentId }) => shipmentId ?? []);
  const refused = outcomes.filter(({ shipmentId }) => shipmentId === null);
  return (
    <section class="part">
      <h2 ref={heading} tabIndex={-1}>
        {text.title}
      </h2>
      <UploadProgress label={text.creating} loaded={loaded} onEnd={onEnd} />
      {value === undefined || value.batch.state === 'RUNNING' ? null : (
        <>
          <p role="status">
            <strong>{text.created(ids.length)}</strong>
            {refused.length === 0 ? null : ` · ${text.refused(refused.length)}`}
          </p>
          {refused.length === 0 ? null : sent !== undefined ? (
            <p>{text.left}</p>
          ) : (
            <Listing
              caption={text.refused(refused.length)}
              rows={refused}
              keyOf={({ number }) => String(number)}
              columns={[
                { label: text.row, cell: ({ number }) => number, isShort: true },
                { label: text.problem, cell: ({ problem }) => problem },
              ]}
            />
          )}
          <div class="actions">
            <TableDownload labels={text.save} name="result" read={() => readResult(value, outcomes)} />
            {sent === undefined || refused.length === 0 ? null : (
              <TableDownload
                labels={text.saveRefused}
                name="not-created"
                read={() => Promise.resolve(tableOfRefused(refused))}
              />
            )}
            {labelParts(ids).map((part, index, { length }) => (
              <Download
                key={part.from}
                label={length === 1 ? text.labels : text.labelsOf(part.from, part.to)}
                name={length === 1 ? 'labels.pdf' : `labels-${index + 1}.pdf`}
                read={() =>
                  readFile(`/v2/external/waybills?lang=${locale}&shipmentIds=${part.ids.join()}`, 'application/pdf')
                }
              />
            ))}
          </div>
        </>
      )}
    </section>
  );
}

/** The outcome of a row. */
interface Outcome {
  readonly number: number;
  readonly shipmentId: Item['shipmentId'];
  readonly problem: string;
  /** Nothing after a reload. */
  readonly values: SentRows['rows'][number]['values'];
}

/** The items of a batch and the rows that were left out, in the order of the file. */
function outcomesOf(items: readonly Item[], sent: SentRows | undefined): Outcome[] {
  const values = new Map(sent?.rows.map((row) => [row.number, row.values]));
  const inBatch = items.map((item) => {
    const number = numberOf(item);
    const own = values.get(number) ?? {};
    return { number, shipmentId: item.shipmentId, problem: problemOf(verdictOf(item), own), values: own };
  });
  const leftOut = (sent?.leftOut ?? []).map(({ row, verdict }) => {
    return { number: row.number, shipmentId: null, problem: problemOf(verdict, row.values), values: row.values };
  });
  return [...inBatch, ...leftOut].sort((one, other) => one.number - other.number);
}

interface ProgressProps {
  readonly label: string;
  readonly loaded: Loaded<BatchRead>;
  readonly onEnd?: (read: BatchRead) => void;
}

/** How far a batch is, while it runs. */
export function UploadProgress({ label, loaded: { value, failure, reload }, onEnd }: ProgressProps) {
  const isRunning = value === undefined || value.batch.state === 'RUNNING';
  useEffect(() => {
    if (value !== undefined && !isRunning) onEnd?.(value);
  }, [isRunning]);
  if (failure !== undefined) return <ProblemNotice failure={failure} retry={reload} />;
  if (!isRunning) return null;
  const { total = 1, pending = 1 } = value?.batch.counts ?? {};
  return (
    <p>
      <label>
        {label} <progress max={total} value={total - pending} />
      </label>
    </p>
  );
}

function problemOf(verdict: Verdict | undefined, values: Outcome['values']): string {
  const violations = verdict?.violations.map((violation) => {
    const field = fieldOf(violation);
    const name = field === undefined ? violation.field : labelOf(field, textsOf(SHIPMENT_FORM_TEXTS));
    const value = (field === undefined ? '' : values[field]) || undefined;
    return `${name}: ${sentenceOfCell(violation, value)}`;
  });
  return [verdict?.title ?? [], violations ?? []].flat().join(' ');
}

/** Row, reference, number, label and problem of each row. */
async function readResult({ batch, items }: BatchRead, outcomes: readonly Outcome[]): Promise<SavedTable> {
  const shipments = await readShipments(batch, items);
  const rows = outcomes.map(({ number, shipmentId, problem, values }) => {
    const shipment = shipmentId === null ? undefined : shipments.get(shipmentId);
    const label = shipmentId === null ? '' : `${location.origin}/v2/external/shipments/${shipmentId}/waybill`;
    const reference = shipment?.externalReference ?? values.externalReference;
    return [number, reference, shipment?.shipmentNumber, label, problem];
  });
  return { columns: textsOf(TEXTS).columns, rows };
}

/** The refused rows with their problems, as a table that can be corrected and uploaded. Each item has a line. */
function tableOfRefused(refused: readonly Outcome[]): SavedTable {
  const fields = UPLOAD_FIELDS.filter((field) => refused.some(({ values }) => (values[field] ?? '') !== ''));
  const columns = [...fields.map((field) => labelOf(field, textsOf(SHIPMENT_FORM_TEXTS))), textsOf(TEXTS).problem];
  const rows = refused.flatMap(({ values, problem }) =>
    Array.from({ length: itemCountOf(values) }, (_, index) => [
      ...fields.map((field) => {
        if (index === 0 || field === 'externalReference') return values[field];
        return ITEM_FIELDS.map((member) => (itemField(member) === field ? values[itemField(member, index)] : '')).join(
          '',
        );
      }),
      index === 0 ? problem : '',
    ]),
  );
  return { columns, rows };
}

/** Shipments become visible in the list a moment after their batch has begun, and a moment before it counts as ended. */
const MARGIN_MS = 60_000;
/** More pages than a batch has shipments: other programs may create some at the same time. */
const PAGES_MAX = 10;

/** The shipments of a batch: from the list of its time, and one by one those that were created before. */
async function readShipments(
  { createdAt, completedAt }: BatchRead['batch'],
  items: readonly Item[],
): Promise<ReadonlyMap<string, Shipment>> {
  const missing = new Set(items.flatMap(({ shipmentId }) => shipmentId ?? []));
  const found = new Map<string, Shipment>();
  const keep = (shipment: Shipment) => {
    if (missing.delete(shipment.shipmentId)) found.set(shipment.shipmentId, shipment);
  };
  const at = (instant: string, marginMs: number) => new Date(Date.parse(instant) + marginMs).toISOString();
  const time = { createdFrom: at(createdAt, -MARGIN_MS), createdTo: at(completedAt ?? createdAt, MARGIN_MS) };
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX && missing.size > 0; page += 1) {
    const read = await service.shipments.list.query({ ...time, cursor, limit: PAGE_LIMIT_MAX });
    read.data.forEach(keep);
    cursor = read.page.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  for (const shipmentId of missing) keep(await service.shipments.get.query({ shipmentId }));
  return found;
}
