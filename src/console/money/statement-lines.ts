import { PAGE_LIMIT_MAX } from '../../core/limits.ts';
import { riyadhDay } from '../../core/riyadh.ts';
import type { SavedTable } from '../../core/workbook.ts';
import { service } from '../../ui/browser/service/calls.ts';
import type { StatementLine } from './statement-words.ts';

interface Lines {
  readonly lines: readonly StatementLine[];
  /** Whether the month has more lines than were read. */
  readonly isCut: boolean;
}

/** The lines of a month, over so many pages at most. */
export async function readLines(month: string, pagesMax: number): Promise<Lines> {
  const lines: StatementLine[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= pagesMax; page += 1) {
    const read = await service.statements.get.query({ month, cursor, limit: PAGE_LIMIT_MAX });
    lines.push(...read.data);
    cursor = read.page.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  return { lines, isCut: cursor !== undefined };
}

const AMOUNTS = ['netAmount', 'vatAmount', 'totalAmount'] as const;
/** `day` is the one in Riyadh, because `createdAt` is in UTC and may be in another month there. */
const COLUMNS = [
  'shipmentNumber',
  'externalReference',
  'code',
  'day',
  'netAmount',
  'vatRate',
  'vatAmount',
  'totalAmount',
  'currency',
  'createdAt',
  'shipmentId',
] as const;

/** The lines as a file. */
export function tableOf(lines: readonly StatementLine[], currency: string): SavedTable {
  const rows = lines.map((line) => {
    const cells = { ...line, currency, day: riyadhDay(Date.parse(line.createdAt)) };
    return COLUMNS.map((column) => cells[column]);
  });
  return { columns: COLUMNS, amounts: AMOUNTS, rows };
}
