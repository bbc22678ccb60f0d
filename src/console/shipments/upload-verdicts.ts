import { isProblem, isRecord, type ProblemViolation } from '../../client/problem.ts';
import { LABELS_MAX } from '../../core/limits.ts';
import { keyOf } from '../../ui/browser/kit/kept-draft.ts';
import type { Outputs } from '../../ui/browser/service/calls.ts';
import type { UploadRow } from './upload-rows.ts';

/* What the service said about the rows of an upload. */

/** What the service said about a row: nothing if it can be created. */
export interface Verdict {
  readonly violations: readonly ProblemViolation[];
  /** What is wrong with the row as a whole. */
  readonly title: string | undefined;
}

/** A row that was not created, and why. */
export interface RefusedRow {
  readonly row: UploadRow;
  readonly verdict: Verdict;
}

type BatchItem = Outputs['shipmentBatches']['listItems']['data'][number];

const KEY = /^row-(\d+)-/;

/** The key of a row in a batch. It has the number of the row, so that the result can name it later. */
export async function keyOfRow({ number }: UploadRow, draftId: string, order: object): Promise<string> {
  return `row-${number}-${await keyOf(draftId, { number, order })}`;
}

export function numberOf({ key }: Pick<BatchItem, 'key'>): number {
  return Number(KEY.exec(key)?.[1] ?? 0);
}

const GROUPED = new Intl.NumberFormat('en', { minimumFractionDigits: 2 });

/** What is wrong with an item of a batch; undefined if nothing is. A known reference is shown at its cell. */
export function verdictOf({ problem }: BatchItem): Verdict | undefined {
  if (!isProblem(problem)) return undefined;
  const { code, title, detail, violations = [], price } = problem;
  const whole = detail === undefined ? title : `${title}. ${detail}`;
  if (code === 'EXTERNAL_REFERENCE_CONFLICT')
    return { violations: [{ field: 'externalReference', code, message: title }], title: undefined };
  if (code === 'PRICE_LIMIT_EXCEEDED' && isRecord(price))
    return {
      violations,
      title: `${title}: ${GROUPED.format(Number(price['totalAmount']))} ${String(price['currency'])}`,
    };
  return { violations, title: violations.length === 0 ? whole : undefined };
}

/** Shipments whose labels fit into one file, with the numbers of the first and the last of them. */
export function labelParts(ids: readonly string[]): { ids: readonly string[]; from: number; to: number }[] {
  return Array.from({ length: Math.ceil(ids.length / LABELS_MAX) }, (_, part) => {
    const start = part * LABELS_MAX;
    const some = ids.slice(start, start + LABELS_MAX);
    return { ids: some, from: start + 1, to: start + some.length };
  });
}
