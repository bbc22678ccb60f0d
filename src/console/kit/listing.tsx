import type { ComponentChildren } from 'preact';
import './listing.css';

export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Times, numbers and codes of few characters: they stay on one line, and leave the room to the others. */
  readonly isShort?: boolean;
}

interface ListingProps<Row> {
  /** What is listed, for those who hear the table. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/**
 * A table. Where there is no room for its columns, each row stands for itself, and each cell under its own label: so the
 * roles are said, as browsers forget them with the layout.
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
