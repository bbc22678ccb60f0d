import { PAGE_LIMIT_MAX } from '../../core/limits.ts';
import { riyadhDay } from '../../core/riyadh.ts';
import type { SavedTable } from '../../core/workbook.ts';
import { service } from '../../ui/browser/service/calls.ts';
import type { Statement, StatementLine } from './statement-words.ts';

interface Lines {
  /** With the sums of these lines: those of a running month grow. */
  readonly statement: Statement;
  readonly lines: readonly StatementLine[];
}

/** All lines of a month. `onRead` gets how many have been read, after each page. */
export async function readLines(month: string, onRead: (lines: number) => void): Promise<Lines> {
  const read = (cursor?: string) => service.statements.get.query({ month, cursor, limit: PAGE_LIMIT_MAX });
  const statement = await read();
  const lines = [...statement.data];
  let cursor = statement.page.nextCursor;
  while (cursor !== null) {
    onRead(lines.length);
    const next = await read(cursor);
    lines.push(...next.data);
    cursor = next.page.nextCursor;
  }
  return { statement, lines };
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
