/*
 * Lists as CSV (RFC 4180), for spreadsheets. They open UTF-8 as such only with a byte order mark, without which Arabic is
 * unreadable in them.
 */

const BYTE_ORDER_MARK = '\ufeff';
const LINE_END = '\r\n';

/** A header row and one row for each entry. A column is the path to its value in an entry. */
export function csvOf(columns: readonly (readonly string[])[], entries: readonly unknown[]): string {
  const header = columns.map((path) => path.join('.'));
  return csvText([header, ...entries.map((entry) => columns.map((path) => valueAt(entry, path)))]);
}

/** Rows of any values as a file. */
export function csvText(rows: readonly (readonly unknown[])[]): string {
  return BYTE_ORDER_MARK + rows.map((cells) => cells.map(cellOf).join() + LINE_END).join('');
}

function valueAt(entry: unknown, path: readonly string[]): unknown {
  let value = entry;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

/**
 * Spreadsheets run a text that begins so as a formula, so that a name could send the whole sheet to a stranger. With an
 * apostrophe before it, it is text.
 */
const FORMULA = /^[=+\-@\t\r]/;
/** Where the separator of lists is a semicolon or a tab, this begins a cell inside a text. */
const INNER_FORMULA = /([;\t])(?=[=+\-@])/g;
const NEEDS_QUOTES = /[",\r\n]/;

/** Numbers are as in JSON, with every digit. Lists are JSON in one cell, and nothing is an empty cell. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = typeof value === 'string' ? withoutFormulas(text) : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function withoutFormulas(text: string): string {
  const inner = text.replaceAll(INNER_FORMULA, "$1'");
  return FORMULA.test(text) ? `'${inner}` : inner;
}
