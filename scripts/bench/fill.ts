import type { BenchDatabase } from './database.ts';

/** Rows of one statement: some seconds' worth, so that no deadline is met on a slow machine. */
const ROWS_AT_ONCE = 50_000;

/**
 * What is not copied from the sample. Ids are UUIDs of version 7 in the order of creation, as the service makes them;
 * everybody was delivered, so that nothing falls due. One shipment a second, the last ones half a minute ahead of the
 * sample: the first page then holds none that the service may still move on.
 */
const CREATED_AT = '(sample.created_at + 30000000 - (? - i) * 1000000)';

/** A UUID of version 7 made at this instant, another one for each `i`. */
export function idMadeAt(createdAt: string): string {
  const parts = [
    `${createdAt} / 65536000`,
    `${createdAt} / 1000 % 65536`,
    'i % 4096',
    'i * 7 % 4096',
    'i * 2654435761 % 281474976710656',
  ];
  return `printf('%08x-%04x-7%03x-8%03x-%012x', ${parts.join(', ')})`;
}

const MADE: Readonly<Record<string, string>> = {
  id: idMadeAt(CREATED_AT),
  shipment_number: "printf('SHP-%011d', i)",
  external_reference: "printf('history-%09d', i)",
  state: "'DELIVERED'",
  version: '6',
  created_at: CREATED_AT,
  approved_at: `${CREATED_AT} + 500000`,
  due_at: 'NULL',
};

/**
 * Gives the company of a shipment that the service has made `count` more like it. They are rows of its own table in its
 * own form, whatever columns it has by now. `after`: of these it has so many already.
 */
export async function fillShipments(
  database: BenchDatabase,
  sampleId: string,
  count: number,
  after = 0,
): Promise<void> {
  const columns = await columnsOf(database, 'shipments');
  const values = columns
    .map((column) => MADE[column] ?? `sample.${column}`)
    .join(', ')
    .replaceAll('?', String(count));
  await database.setDurable(false);
  for (let from = after; from < count; from += ROWS_AT_ONCE) {
    const to = Math.min(from + ROWS_AT_ONCE, count);
    await database.query(
      `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})
       INSERT INTO shipments (${columns.join(', ')}) SELECT ${values} FROM n, shipments AS sample WHERE sample.id = ?`,
      [sampleId],
    );
  }
  await database.setDurable(true);
}

/** The names of a table's columns, whatever it has by now. */
export async function columnsOf(database: BenchDatabase, table: string): Promise<string[]> {
  return (await database.query('SELECT name FROM pragma_table_info(?)', [table])).map(({ name }) => String(name));
}
