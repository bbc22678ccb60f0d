import type { ComponentChildren } from 'preact';
import { textsOf } from '../base/locale.ts';
import { addressOf, Link } from '../base/navigation.tsx';

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
  en: { first: 'Newest', next: 'Older', start: 'First page', onward: 'Next page', pages: 'Pages' },
  ar: { first: 'الأحدث', next: 'الأقدم', start: 'الصفحة الأولى', onward: 'الصفحة التالية', pages: 'الصفحات' },
};

interface PagerProps {
  readonly path: string;
  readonly filters: Readonly<Record<string, string | undefined>>;
  readonly cursor: string | undefined;
  readonly nextCursor: string | null;
  /** Lists begin with the newest, unless they are queues. */
  readonly isOldestFirst?: boolean;
}

/** Links to the next page and to the first. For the previous page people use the browser's Back button. */
export function Pager({ path, filters, cursor, nextCursor, isOldestFirst = false }: PagerProps) {
  const text = textsOf(TEXTS);
  const [first, next] = isOldestFirst ? [text.start, text.onward] : [text.first, text.next];
  if (cursor === undefined && nextCursor === null) return null;
  return (
    <nav class="pager" aria-label={text.pages}>
      {cursor === undefined ? null : <Link to={addressOf(path, filters)}>{first}</Link>}
      {nextCursor === null ? null : <Link to={addressOf(path, { ...filters, cursor: nextCursor })}>{next}</Link>}
    </nav>
  );
}
