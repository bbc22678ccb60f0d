import { PAGE_LIMIT_MAX } from '../../core/limits.ts';
import { riyadhDay } from '../../core/riyadh.ts';
import type { SavedTable } from '../../core/workbook.ts';
import { service } from '../../ui/browser/service/calls.ts';
import type { Statement, StatementLine } from './statement-words.ts';

interface Lines {
  /** With the sums of these lines, if none is left out: those of a running month grow. */
  readonly statement: Statement;
  readonly lines: readonly StatementLine[];
  /** Whether the month has more lines than were read. */
  readonly isCut: boolean;
}

/** The lines of a month, over so many pages at most. */
export async function readLines(month: string, pagesMax: number): Promise<Lines> {
  const read = (cursor?: string) => service.statements.get.query({ month, cursor, limit: PAGE_LIMIT_MAX });
  const statement = await read();
  const lines = [...statement.data];
  let cursor = statement.page.nextCursor;
  for (let page = 2; page <= pagesMax && cursor !== null; page += 1) {
    const next = await read(cursor);
    lines.push(...next.data);
    cursor = next.page.nextCursor;
  }
  return { statement, lines, isCut: cursor !== null };
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
