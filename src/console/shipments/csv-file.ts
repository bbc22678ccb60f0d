import type { DecimalMark } from '../../core/typed/number.ts';
import { readText } from '../../core/typed/text.ts';

/* CSV files that people choose (RFC 4180), as spreadsheets write them: UTF-8 with or without a byte order mark. */

/** A row with its number in the spreadsheet. */
interface CsvRow {
  readonly number: number;
  readonly cells: readonly string[];
}

export interface CsvFile {
  /** The decimal separator of its numbers, if somebody has chosen it. */
  readonly mark?: DecimalMark;
  readonly header: readonly string[];
  /** Without the header and without empty rows. */
  readonly rows: readonly CsvRow[];
}

/** Why a file cannot be used. */
export type CsvFault = 'ENCODING' | 'QUOTES' | 'EMPTY';

/** The line by which a file tells Excel its separator. Spreadsheets do not show it, nor count it as a row. */
const SEPARATOR_LINE = /^"?sep=(.)"?[^\r\n]*(?:\r\n|\r|\n)/i;

/** Reads a file, or says what is wrong with it. */
export function readCsv(bytes: ArrayBuffer): CsvFile | CsvFault {
  const text = decode(bytes);
  if (text === undefined) return 'ENCODING';
  const [line = '', named] = SEPARATOR_LINE.exec(text) ?? [];
  const rest = text.slice(line.length);
  const all = rowsOf(rest, named ?? separatorOf(rest));
  if (all === undefined) return 'QUOTES';
  const [header, ...rows] = all
    .map((cells, index) => ({ number: index + 1, cells: cells.map(readText) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  return header === undefined || rows.length === 0 ? 'EMPTY' : { header: header.cells, rows };
}

/** The text without its byte order mark; undefined if it is not UTF-8. UTF-16 without a mark is UTF-8 with zero characters. */
function decode(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Spreadsheets write a semicolon where the comma is the decimal separator. */
const SEPARATORS = [',', ';', '\t'] as const;

/** The separator that the first line has most, outside of quotation marks. */
function separatorOf(text: string): string {
  const [line = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const countOf = (separator: string) => line.split(separator).length;
  return SEPARATORS.reduce((best, separator) => (countOf(separator) > countOf(best) ? separator : best));
}

/** The cells of each row; undefined if a quotation mark is never closed. */
function rowsOf(text: string, separator: string): string[][] | undefined {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const isPair = text.charAt(at + 1) === (isQuoted ? '"' : '\n');
    if (isQuoted) {
      if (character !== '"' || isPair) cell += character;
      else isQuoted = false;
      if (character === '"' && isPair) at += 1;
    } else if (character === '"' && cell === '') {
      isQuoted = true;
    } else if (character === separator) {
      row.push(cell);
      cell = '';
    } else if (character === '\n' || character === '\r') {
      if (character === '\r' && isPair) at += 1;
      rows.push([...row, cell]);
      row = [];
      cell = '';
    } else {
      cell += character;
    }
  }
  if (isQuoted) return undefined;
  return cell === '' && row.length === 0 ? rows : [...rows, [...row, cell]];
}
