import type { ComponentChildren } from 'preact';
import { textsOf } from '../base/locale.ts';
import { addressOf, Link, trailHere } from '../base/navigation.tsx';

export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Times, numbers and codes of few characters: they stay on one line, and leave the room to the others. */
  readonly isShort?: boolean;
}

interface ListingProps<Row> {
  /** The name of the table, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/**
 * A table. On a narrow screen each row becomes a block, with a label beside each cell. The explicit roles keep it a table
 * for screen readers, because browsers drop the table semantics when CSS changes `display`.
 */
export function Listing<Row>({ caption, columns, rows, keyOf }: ListingProps<Row>) {
  return (
    <div class="listing">
      <table role="table" aria-label={caption}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ label }) => (
              <th key={label} role="columnheader" scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map(({ label, cell, isShort = false }) => (
                <td key={label} role="cell" class={isShort ? 'short' : undefined}>
                  <span class="of" aria-hidden="true">
                    {label}
                  </span>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const TEXTS = {
  en: {
    newest: { first: 'Newest', back: 'Newer', next: 'Older' },
    oldest: { first: 'First page', back: 'Previous page', next: 'Next page' },
    pages: 'Pages',
  },
  ar: {
    newest: { first: 'الأحدث', back: 'أحدث', next: 'أقدم' },
    oldest: { first: 'الصفحة الأولى', back: 'الصفحة السابقة', next: 'الصفحة التالية' },
    pages: 'الصفحات',
  },
};

interface PagerProps {
  readonly path: string;
  readonly filters: Readonly<Record<string, string | undefined>>;
  readonly cursor: string | undefined;
  readonly nextCursor: string | null;
  /** Lists begin with the newest, unless they are queues. */
  readonly isOldestFirst?: boolean;
}

/** Links to the next page, to the one before and to the first. A cursor leads onward only, so the entry of the history has the cursors before it. */
export function Pager({ path, filters, cursor, nextCursor, isOldestFirst = false }: PagerProps) {
  const text = textsOf(TEXTS);
  const { first, back, next } = isOldestFirst ? text.oldest : text.newest;
  const trail = trailHere();
  const to = (page: string | undefined) => addressOf(path, { ...filters, cursor: page });
  if (cursor === undefined && nextCursor === null) return null;
  return (
    <nav class="pager" aria-label={text.pages}>
      {cursor === undefined || trail.length === 1 ? null : <Link to={to(undefined)}>{first}</Link>}
      {cursor === undefined || trail.length === 0 ? null : (
        <Link to={to(trail.at(-1))} trail={trail.slice(0, -1)}>
          {back}
        </Link>
      )}
      {nextCursor === null ? null : (
        <Link to={to(nextCursor)} trail={cursor === undefined ? [undefined] : [...trail, cursor]}>
          {next}
        </Link>
      )}
    </nav>
  );
}
