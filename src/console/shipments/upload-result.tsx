import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { SavedTable } from '../../core/workbook.ts';
import { formatCount, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { Download, TableDownload } from '../../ui/browser/kit/download.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { readFile, service } from '../../ui/browser/service/calls.ts';
import { ITEM_FIELDS } from './shipment-draft.ts';
import { SHIPMENT_FORM_TEXTS } from './shipment-form-words.ts';
import { fieldOf, itemCountOf, itemField, labelOf, UPLOAD_FIELDS } from './upload-fields.ts';
import { patiently } from './upload-patience.ts';
import { waitingRows } from './upload-rows.ts';
import { sentenceOfCell } from './upload-sentences.ts';
import { readShipments } from './upload-shipments.ts';
import type { SentRows } from './upload-state.ts';
import { labelParts, numberOf, type Verdict, verdictOf } from './upload-verdicts.ts';
import { type BatchRead, useBatches } from './use-batch.ts';

type Item = BatchRead['items'][number];

const TEXTS = {
  en: {
    title: 'Result',
    creating: 'Creating the shipments',
    created: (count: number) => `Created: ${formatCount(count)}`,
    refused: (count: number) => `Not created: ${formatCount(count)}`,
    leftHere: 'You have chosen another file, so the rows with errors are only here. Save them as CSV or Excel.',
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
    created: (count: number) => `أُنشئت: ${formatCount(count)}`,
    refused: (count: number) => `لم تُنشأ: ${formatCount(count)}`,
    leftHere: 'اخترت ملفًا آخر، فلم تبقَ الصفوف التي فيها أخطاء إلا هنا. احفظها بصيغة CSV أو Excel.',
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
  readonly batchIds: readonly string[];
  /** The rows of the batches, if this browser has sent them. */
  readonly sent: SentRows | undefined;
  /** Whether the page still shows the file of the rows. */
  readonly isFileHere: boolean;
  /** Called when all rows are sent and their batches have ended. */
  readonly onEnd: (reads: readonly BatchRead[]) => void;
}

/** The progress of batches that create shipments, and the outcome of each row. */
export function UploadResult({ batchIds, sent, isFileHere, onEnd }: ResultProps) {
  const text = textsOf(TEXTS);
  const loaded = useBatches(batchIds);
  const heading = useRef<HTMLHeadingElement>(null);
  const left = useRef(new AbortController());
  useEffect(() => () => left.current.abort(), []);
  useEffect(() => {
    if (sent !== undefined) heading.current?.focus();
  }, []);
  const { value: reads = [] } = loaded;
  const isOver =
    reads.length === batchIds.length &&
    (sent === undefined || waitingRows(sent).length === 0) &&
    reads.every(({ batch }) => batch.state !== 'RUNNING');
  useEffect(() => {
    if (isOver) onEnd(reads);
  }, [isOver]);
  const outcomes = useMemo(() => outcomesOf(reads, isOver ? sent : sent && { ...sent, leftOut: [] }), [reads, isOver]);
  const ids = outcomes.flatMap(({ shipmentId }) => shipmentId ?? []);
  const refused = outcomes.filter(({ shipmentId }) => shipmentId === null);
  const labels = labelParts(ids);
  return (
    <section class="part">
      <h2 ref={heading} tabIndex={-1}>
        {text.title}
      </h2>
      {loaded.failure === undefined ? null : <ProblemNotice failure={loaded.failure} retry={loaded.reload} />}
      {isOver || loaded.failure !== undefined ? null : (
        <p>
          <label>
            {text.creating} <progress {...progressOf(reads, sent)} />
          </label>
        </p>
      )}
      {outcomes.length === 0 ? null : (
        <>
          <p role="status">
            <strong>{text.created(ids.length)}</strong>
            {refused.length === 0 ? null : ` · ${text.refused(refused.length)}`}
          </p>
          {refused.length === 0 || !isOver ? null : sent !== undefined ? (
            <p>{isFileHere ? text.left : text.leftHere}</p>
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
            {isOver ? (
              <TableDownload
                labels={text.save}
                name="result"
                read={() => readResult(reads, outcomes, left.current.signal)}
              />
            ) : null}
            {sent === undefined || refused.length === 0 ? null : (
              <TableDownload
                labels={text.saveRefused}
                name="not-created"
                read={() => Promise.resolve(tableOfRefused(refused))}
              />
            )}
            {labels.length <= LABEL_FILES_SHOWN ? <Labels parts={labels} /> : null}
          </div>
          {labels.length <= LABEL_FILES_SHOWN ? null : (
            <details class="matching">
              <summary>{text.labels}</summary>
              <div class="actions">
                <Labels parts={labels} />
              </div>
            </details>
          )}
        </>
      )}
    </section>
  );
}

/** More buttons are folded. */
const LABEL_FILES_SHOWN = 5;

function Labels({ parts }: { readonly parts: ReturnType<typeof labelParts> }) {
  const text = textsOf(TEXTS);
  return (
    <>
      {parts.map((part, index, { length }) => (
        <Download
          key={part.from}
          label={length === 1 ? text.labels : text.labelsOf(part.from, part.to)}
          name={length === 1 ? 'labels.pdf' : `labels-${index + 1}.pdf`}
          read={() =>
            readFile(`/v2/external/waybills?lang=${locale}&shipmentIds=${part.ids.join()}`, 'application/pdf')
          }
        />
      ))}
    </>
  );
}

function progressOf(reads: readonly BatchRead[], sent: SentRows | undefined) {
  const sum = (of: (counts: BatchRead['batch']['counts']) => number) =>
    reads.reduce((before, { batch }) => before + of(batch.counts), 0);
  return {
    max:
      sent?.rows.length ??
      Math.max(
        1,
        sum(({ total }) => total),
      ),
    value: sum((one) => one.total - one.pending),
  };
}

/** The outcome of a row. */
interface Outcome {
  readonly number: number;
  readonly shipmentId: Item['shipmentId'];
  readonly problem: string;
  /** Nothing after a reload. */
  readonly values: SentRows['rows'][number]['values'];
}

/** The items of batches and the rows that were left out, in the order of the file. */
function outcomesOf(reads: readonly BatchRead[], sent: SentRows | undefined): Outcome[] {
  const items = reads.flatMap((read) => read.items);
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
async function readResult(
  reads: readonly BatchRead[],
  outcomes: readonly Outcome[],
  signal: AbortSignal,
): Promise<SavedTable> {
  const shipments = await readShipments(reads, {
    list: (query) => patiently(() => service.shipments.list.query(query), signal),
    get: (shipmentId) => patiently(() => service.shipments.get.query({ shipmentId }), signal),
  });
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
