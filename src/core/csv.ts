import type { SavedTable } from './workbook.ts';

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

/**
 * A table as a file. A negative amount is a number there: as a text it would get the apostrophe of a formula, and no sum would
 * count it.
 */
export function csvOfTable({ columns, amounts = [], rows }: SavedTable): string {
  const isAmount = columns.map((column) => amounts.includes(column));
  const isNegative = (cell: unknown, index: number) =>
    isAmount[index] === true && typeof cell === 'string' && cell.startsWith('-');
  return csvText([
    columns,
    ...rows.map((cells) => cells.map((cell, index) => (isNegative(cell, index) ? Number(cell) : cell))),
  ]);
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

/*
 * Spreadsheets run a text that begins with a sign of a formula, so that a name could send the whole sheet to a stranger. With an
 * apostrophe before the sign it is text. A text also begins where a reader with another separator starts a cell: after a
 * semicolon, a tab, a comma, a line end or a quotation mark within it. Readers ignore invisible characters before the sign.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */

const NEEDS_QUOTES = /[",\r\n]/;
const SIGN = /[=+\-@＝＋－＠﹦﹢﹣﹫]/;
const UNSEEN = String.raw`\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}`;
/** What may stand between the beginning of a cell and its sign. An apostrophe of the text itself is doubled, so that it can be read back. */
const RUNS = new RegExp(`^[${UNSEEN};,"']*|[${UNSEEN};,"']+`, 'gu');
/** Where a cell begins with a tab or a line end. Within a text a tab begins a cell, and a line end only ends a line. */
const FIRST = guardAt('^()', `[${UNSEEN}']*[\\t\\r\\n]`);
const INNER = guardAt('([;,"\\r\\n])', `(?:(?![\\r\\n])[${UNSEEN}'])*\\t`);

/** Two patterns: a place that needs an apostrophe, and one that has it. */
function guardAt(before: string, next: string) {
  return { bare: new RegExp(`${before}(?=${next})`, 'gu'), guarded: new RegExp(`${before}'(?=${next})`, 'gu') };
}

/** The text with an apostrophe before what makes a formula of a cell. */
export function inertText(text: string): string {
  return atSigns(text.replace(FIRST.bare, "'").replace(INNER.bare, "$1'"), (run) => `${run}'`);
}

/** The text of which `inertText` made this one. */
export function textOfInert(inert: string): string {
  return atSigns(inert, (run) => run.replace(/'$/, ''))
    .replace(INNER.guarded, '$1')
    .replace(FIRST.guarded, '');
}

/** Changes the run before each sign that may begin a cell. A closing quotation mark may begin one too. */
function atSigns(text: string, change: (run: string) => string): string {
  const isQuoted = NEEDS_QUOTES.test(text);
  return text.replace(RUNS, (run: string, at: number) => {
    const next = text.charAt(at + run.length);
    const mayBegin = next === '' ? isQuoted && /[;\t\r\n]/.test(run) : at === 0 || /[;,"\t\r\n]/.test(run);
    return mayBegin && (next === '' || SIGN.test(next)) ? change(run) : run;
  });
}

/** Numbers are as in JSON, with every digit. Lists are JSON in one cell, and nothing is an empty cell. */
function cellOf(value: unknown, index: number): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? inertText(value) : JSON.stringify(value, inertMember);
  // A reader with another separator takes the line as one cell. A negative number alone is not a formula, but a line is.
  const safe = index === 0 && text.startsWith('-') ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A member of JSON whose texts are inert: each of them follows a quotation mark. Numbers keep their digits. */
function inertMember(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return inertText(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || JSON.isRawJSON(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [inertText(name), member]));
}
