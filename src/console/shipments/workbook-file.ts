import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import readSheets from 'read-excel-file/universal';
import { countHeaders, orderFileOf } from './export-headers.ts';
import type { OrderFile } from './upload-fields.ts';

/* Workbooks that people choose (ECMA-376, Office Open XML). This code is loaded when the first one is chosen. */

/** Why a workbook cannot be used. */
export type WorkbookFault = 'WORKBOOK' | 'UNPACKED' | 'EMPTY';

/** A few hundred kilobytes of a prepared file could fill the memory. */
const UNPACKED_BYTES_MAX = 50 * 1024 * 1024;
/** Sheets that the person does not see. */
const HIDDEN_SHEET = /<(?:\w+:)?sheet\s[^>]*\bstate="(?:hidden|veryHidden)"[^>]*?(?:\/>|>\s*<\/(?:\w+:)?sheet>)/g;
/** As many digits as Excel shows. */
const DIGITS = 15;

/** Reads the sheet with the orders, or says what is wrong with the file. Of several, it reads the first with the most known headers. */
export async function readWorkbook(bytes: ArrayBuffer): Promise<OrderFile | WorkbookFault> {
  try {
    const packed = new Uint8Array(bytes);
    if (unpackedBytesOf(packed) > UNPACKED_BYTES_MAX) return 'UNPACKED';
    const sheets = await readSheets<string>(visibleSheets(packed), { parseNumber: plainNumber });
    const files = sheets.flatMap(({ sheet, data }) => {
      const file = orderFileOf(data.map((row) => row.map(textOfCell)));
      return file === undefined ? [] : { name: sheet, file, known: countHeaders(file.header) };
    });
    const [best, ...others] = files.toSorted((one, other) => other.known - one.known);
    if (best === undefined) return 'EMPTY';
    // A sheet with one known header or none has notes or lists, unless no sheet has more.
    const left = others.filter(({ known }) => known > 1 || known === best.known).map(({ name }) => name);
    return left.length === 0 ? best.file : { ...best.file, sheet: { name: best.name, others: left } };
  } catch {
    return 'WORKBOOK';
  }
}

/** What the directory of the archive says, before anything is unpacked. No entry is unpacked into more than it says. */
function unpackedBytesOf(packed: Uint8Array): number {
  let total = 0;
  unzipSync(packed, {
    filter: ({ originalSize }) => {
      total += originalSize;
      return false;
    },
  });
  return total;
}

/**
 * The archive without its hidden sheets and without compression. The reader would unpack large entries in a worker of a `blob:`
 * address, which the content security policy forbids.
 */
function visibleSheets(packed: Uint8Array): ArrayBuffer {
  const entries = unzipSync(packed, { filter: ({ name }) => /\.(?:xml|rels)$/.test(name) });
  const workbook = entries['xl/workbook.xml'];
  if (workbook !== undefined) entries['xl/workbook.xml'] = strToU8(strFromU8(workbook).replaceAll(HIDDEN_SHEET, ''));
  return zipSync(entries, { level: 0 }).buffer;
}

/** A number as Excel shows it: no exponent, and no digits beyond those of a double. */
function plainNumber(text: string): string {
  if (/^-?\d+$/.test(text)) return text;
  const number = Number(text);
  return Number.isInteger(number) ? BigInt(number).toString() : String(Number(number.toPrecision(DIGITS)));
}

function textOfCell(value: unknown): string {
  // Times of workbooks have no zone. The reader returns them as if they were UTC.
  if (value instanceof Date) return value.toISOString().slice(0, 16).replace('T', ' ');
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
}
