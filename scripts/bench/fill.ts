import type { BenchDatabase } from './database.ts';

/** Rows in one statement. It takes some seconds, so that a slow machine still meets the deadline. */
const ROWS_AT_ONCE = 50_000;

/**
 * Columns that are not copied from the sample. Ids are UUIDs of version 7 in the order of creation, as in the service.
 * All shipments are delivered, so that none has due work. They are a second apart and the last ones are half a minute
 * newer than the sample, so that the first page has no shipment that the service may still change.
 */
const CREATED_AT = '(sample.created_at + 30000000 - (? - i) * 1000000)';

/** A UUID of version 7 with this time, different for each `i`. */
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
  stage: "'DELIVERED'",
  version: '6',
  created_at: CREATED_AT,
  approved_at: `${CREATED_AT} + 500000`,
  due_at: 'NULL',
  ended_at: `${CREATED_AT} + 900000`,
};

/** Copies a shipment of the service `count` times within its company, with all columns that the table now has. */
export async function fillShipments(database: BenchDatabase, sampleId: string, count: number): Promise<void> {
  const columns = await columnsOf(database, 'shipments');
  const values = columns
    .map((column) => MADE[column] ?? `sample.${column}`)
    .join(', ')
    .replaceAll('?', String(count));
  await database.setDurable(false);
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    const to = Math.min(from + ROWS_AT_ONCE, count);
    await database.query(
      `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})
       INSERT INTO shipments (${columns.join(', ')}) SELECT ${values} FROM n, shipments AS sample WHERE sample.id = ?`,
      [sampleId],
    );
  }
  await database.setDurable(true);
}

/** The names of all present columns of a table. */
export async function columnsOf(database: BenchDatabase, table: string): Promise<string[]> {
  return (await database.query('SELECT name FROM pragma_table_info(?)', [table])).map(({ name }) => String(name));
}
