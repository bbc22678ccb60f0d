import { useEffect } from 'preact/hooks';
import { csvText } from '../../core/csv.ts';
import { PAGE_LIMIT_MAX } from '../../core/limits.ts';
import { locale, textsOf } from '../base/locale.ts';
import { Download } from '../kit/download.tsx';
import { Listing } from '../kit/listing.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { type Outputs, readFile, service } from '../service/calls.ts';
import { sentenceOf } from '../service/failure.ts';
import type { Loaded } from '../service/loading.ts';
import { labelParts, numberOf, verdictOf } from './upload-rows.ts';
import { type BatchRead, useBatch } from './use-batch.ts';

type Shipment = Outputs['shipments']['get'];
type Item = BatchRead['items'][number];

const TEXTS = {
  en: {
    title: 'Result',
    creating: 'Creating the shipments',
    created: (count: number) => `Created: ${count}`,
    refused: (count: number) => `Not created: ${count}`,
    row: 'Row',
    problem: 'Problem',
    save: 'Result as CSV',
    labels: 'Labels (PDF)',
    labelsOf: (from: number, to: number) => `Labels ${from} to ${to} (PDF)`,
    columns: ['Row', 'Your reference', 'Number', 'Label', 'Problem'],
  },
  ar: {
    title: 'النتيجة',
    creating: 'جارٍ إنشاء الشحنات',
    created: (count: number) => `أُنشئت: ${count}`,
    refused: (count: number) => `لم تُنشأ: ${count}`,
    row: 'الصف',
    problem: 'المشكلة',
    save: 'النتيجة بصيغة CSV',
    labels: 'الملصقات (PDF)',
    labelsOf: (from: number, to: number) => `الملصقات من ${from} إلى ${to} (PDF)`,
    columns: ['الصف', 'رقمك المرجعي', 'الرقم', 'الملصق', 'المشكلة'],
  },
};

/** The progress of a batch that creates shipments, and then what became of each row. */
export function UploadResult({ batchId }: { readonly batchId: string }) {
  const text = textsOf(TEXTS);
  const loaded = useBatch(batchId);
  const { value } = loaded;
  const items = value?.items ?? [];
  const ids = items.flatMap(({ shipmentId }) => shipmentId ?? []);
  const refused = items.filter(({ shipmentId }) => shipmentId === null);
  return (
    <section class="part">
      <h2>{text.title}</h2>
      <UploadProgress label={text.creating} loaded={loaded} />
      {value === undefined || value.batch.state === 'RUNNING' ? null : (
        <>
          <p role="status">
            <strong>{text.created(ids.length)}</strong>
            {refused.length === 0 ? null : ` · ${text.refused(refused.length)}`}
          </p>
          {refused.length === 0 ? null : (
            <Listing
              caption={text.refused(refused.length)}
              rows={refused}
              keyOf={({ key }) => key}
              columns={[
                { label: text.row, cell: (item) => numberOf(item), isShort: true },
                { label: text.problem, cell: problemOf },
              ]}
            />
          )}
          <div class="actions">
            <Download label={text.save} name="result.csv" read={() => readResult(value)} />
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

function problemOf(item: Item): string {
  const verdict = verdictOf(item);
  const violations = verdict?.violations.map((violation) => `${violation.field}: ${sentenceOf(violation)}`) ?? [];
  return [verdict?.title ?? [], ...violations].flat().join(' ');
}

/** Row, reference, number, label and problem of each item. */
async function readResult({ batch, items }: BatchRead): Promise<Blob> {
  const shipments = await readShipments(batch, items);
  const rows = items.map((item) => {
    const shipment = item.shipmentId === null ? undefined : shipments.get(item.shipmentId);
    const label = item.shipmentId === null ? '' : `${location.origin}/v2/external/shipments/${item.shipmentId}/waybill`;
    return [numberOf(item), shipment?.externalReference, shipment?.shipmentNumber, label, problemOf(item)];
  });
  return new Blob([csvText([textsOf(TEXTS).columns, ...rows])], { type: 'text/csv' });
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
