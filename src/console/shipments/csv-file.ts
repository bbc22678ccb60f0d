import { parse } from 'papaparse';
import { countHeaders, orderFileOf } from './export-headers.ts';
import type { OrderFile } from './upload-fields.ts';

/* CSV files that people choose (RFC 4180), as spreadsheets and shops write them. */

/** Why a file cannot be used. */
export type CsvFault = 'ENCODING' | 'QUOTES' | 'EMPTY';

/** The line by which a file tells Excel its separator. Spreadsheets do not show it, nor count it as a row. */
const SEPARATOR_LINE = /^"?sep=(.)"?[^\r\n]*(?:\r\n|\r|\n)/i;

/** Reads a file, or says what is wrong with it. */
export function readCsv(bytes: ArrayBuffer): OrderFile | CsvFault {
  const text = decode(bytes);
  if (text === undefined) return 'ENCODING';
  const [line = '', named] = SEPARATOR_LINE.exec(text) ?? [];
  const rest = text.slice(line.length);
  const rows = rowsOf(rest, named ?? separatorOf(rest));
  return rows === undefined ? 'QUOTES' : (orderFileOf(rows) ?? 'EMPTY');
}

/** Two Arabic letters side by side. Western texts and broken UTF-8, read as Windows-1256, have none. */
const ARABIC = /[\u0621-\u064a]{2}/;

/**
 * The text without its byte order mark: UTF-8, what Excel calls Unicode text, or Windows-1256, in which Excel saves CSV on an
 * Arabic computer. Undefined for any other encoding. UTF-16 without a mark is UTF-8 with zero characters.
 */
function decode(bytes: ArrayBuffer): string | undefined {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    const text = new TextDecoder('windows-1256').decode(bytes);
    return ARABIC.test(text) && !text.includes('\0') ? text : undefined;
  }
}

/** Spreadsheets write a semicolon where the comma is the decimal separator. */
const SEPARATORS = [',', ';', '\t'] as const;
const FIRST_LINES = 10;

/** The separator that shows names of columns, otherwise the one that the first line with any has most. Quoted text does not count. */
function separatorOf(text: string): string {
  const lines = text
    .replaceAll(/"[^"]*"/g, (quoted) => quoted.replaceAll(/[,;\t\r\n]/g, ''))
    .split(/[\r\n]+/, FIRST_LINES);
  const line = lines.find((one) => /[,;\t]/.test(one)) ?? '';
  const namesOf = (separator: string) => Math.max(...lines.map((one) => countHeaders(one.split(separator))));
  const best = (rank: (separator: string) => number) =>
    SEPARATORS.reduce((one, other) => (rank(other) > rank(one) ? other : one));
  const named = best(namesOf);
  return namesOf(named) > 1 ? named : best((separator) => line.split(separator).length);
}

/** A quoted text, or an end of line outside of one. */
const QUOTED_OR_END = /"[^"]*"|\r\n?/g;

/** The cells of each row; undefined if a quotation mark is wrong or never closed. A file may have several kinds of line ends. */
function rowsOf(text: string, separator: string): string[][] | undefined {
  const lines = text.replaceAll(QUOTED_OR_END, (found) => (found.startsWith('"') ? found : '\n')).replace(/\n$/, '');
  const { data, errors } = parse<string[]>(lines, { delimiter: separator, newline: '\n' });
  return errors.some(({ type }) => type === 'Quotes') ? undefined : data;
}
