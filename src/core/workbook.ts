import { strToU8, zipSync } from 'fflate';

/*
 * Tables as workbooks for spreadsheets (ECMA-376, Office Open XML): one sheet, no formulas. A text cell keeps leading zeros,
 * long numbers and Arabic, which spreadsheets change or misread in CSV.
 */

/** A table for a spreadsheet, as CSV or as a workbook. */
export interface SavedTable {
  readonly columns: readonly string[];
  /** Those of the columns that have exact decimals as texts, which a workbook has as numbers. */
  readonly amounts?: readonly string[];
  readonly rows: readonly (readonly (string | number | null | undefined)[])[];
}

interface WorkbookOptions {
  readonly name: string;
  readonly isRightToLeft: boolean;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const WORKBOOK_TYPE = `${TYPES}.sheet`;

/** The cell formats of the styles below. Number format 49 is text: it also keeps what a person types into the cell. */
const FORMATS = { number: 0, text: 1, header: 2 };
const STYLES = `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** The parts that do not depend on the table. */
const PARTS = {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
  '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
  'xl/_rels/workbook.xml.rels': relationships([
    ['worksheet', 'worksheets/sheet1.xml'],
    ['styles', 'styles.xml'],
  ]),
  'xl/styles.xml': STYLES,
};

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const each = targets.map(
    ([type, target], index) => `<Relationship Id="rId${index}" Type="${RELATIONSHIPS}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`;
}

/** The table as a file. Right-to-left sheets begin with the first column on the right. */
export function workbookOf(table: SavedTable, { name, isRightToLeft }: WorkbookOptions): Blob {
  const parts = {
    ...PARTS,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><bookViews><workbookView/></bookViews><sheets><sheet name="${escaped(name)}" sheetId="1" r:id="rId0"/></sheets></workbook>`,
    'xl/worksheets/sheet1.xml': worksheetOf(table, isRightToLeft),
  };
  const files = Object.entries(parts).map(([path, xml]) => [path, strToU8(HEAD + xml)] as const);
  // Compressed here and not in a worker, which the content security policy of the console forbids.
  return new Blob([zipSync(Object.fromEntries(files), { mtime: MODIFIED })], { type: WORKBOOK_TYPE });
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** A fixed time for each part of the archive, so that equal tables make equal files. */
const MODIFIED = new Date(2000, 0, 1);

function worksheetOf({ columns, amounts = [], rows }: SavedTable, isRightToLeft: boolean): string {
  const isAmount = columns.map((column) => amounts.includes(column));
  const header = columns.map((column, index) => cellOf(column, { at: `${letters(index)}1`, style: 'header' }));
  const others = rows.map((row, line) => {
    const cells = row.map((value, index) => {
      const at = letters(index) + String(line + 2);
      return cellOf(isAmount[index] ? numberOf(value) : value, { at, style: 'text' });
    });
    return `<row r="${line + 2}">${cells.join('')}</row>`;
  });
  const widths = columns.map((column, index) => {
    const width = rows.reduce((longest, row) => Math.max(longest, String(row[index] ?? '').length), column.length) + 2;
    const style = isAmount[index] ? FORMATS.number : FORMATS.text;
    return `<col min="${index + 1}" max="${index + 1}" width="${Math.min(width, WIDTH_MAX)}" customWidth="1" style="${style}"/>`;
  });
  const view = `<sheetView${isRightToLeft ? ' rightToLeft="1"' : ''} workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView>`;
  return `<worksheet xmlns="${MAIN}"><sheetViews>${view}</sheetViews><cols>${widths.join('')}</cols><sheetData><row r="1">${header.join('')}</row>${others.join('')}</sheetData></worksheet>`;
}

/** In characters. A wider column would fill the screen. */
const WIDTH_MAX = 60;

function cellOf(
  value: SavedTable['rows'][number][number],
  { at, style }: { readonly at: string; readonly style: 'text' | 'header' },
): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'number') return `<c r="${at}" s="${FORMATS.number}"><v>${value}</v></c>`;
  const text = escaped(value.slice(0, TEXT_MAX).toWellFormed());
  return `<c r="${at}" s="${FORMATS[style]}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

/** Spreadsheets refuse files with longer texts. */
const TEXT_MAX = 32_767;

/** A decimal as a number, if a spreadsheet keeps each of its digits: it has 15. Anything else stays a text. */
function numberOf(value: SavedTable['rows'][number][number]) {
  if (typeof value !== 'string' || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value)) return value;
  return value.replaceAll(/^-?0?\.?0*|\./g, '').length <= 15 ? Number(value) : value;
}

/** A, B, … Z, AA, … */
function letters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letters(Math.floor(index / 26) - 1) + last;
}

const XML_SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** Writes characters that XML lacks as `_xHHHH_`, and escapes texts that look like that (ECMA-376 section 22.9.2.19). */
function escaped(text: string): string {
  return text
    .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replaceAll(/(?![\t\n\r])[\p{Cc}\uFFFE\uFFFF]/gu, (sign) => `_x${hex(sign)}_`)
    .replaceAll(/[&<>"\r]/g, (sign) => XML_SIGNS[sign] ?? sign);
}

function hex(sign: string): string {
  return sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}
