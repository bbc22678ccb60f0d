import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { columnsIn, SHARD_COLUMNS } from '../../db/personal-columns.ts';
import { OWNED_TABLES } from '../../db/shard/ownership.ts';

/* An ended shipment with a row in each table that may know its recipient. */

const MARK = 'planted-zafaran';
/** Valid JSON, as some of the columns hold, and valid text. */
const MARKED = JSON.stringify(MARK);

/** What the service reads of such a row; every other column without a default holds 1, and every id is that of the shipment. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  shipments: {
    state: 'CANCELLED',
    stage: 'CANCELLED',
    ended_at: '1',
    destination: `{"addressLine":"${MARK}","cityCode":"RUH","latitude":"24.794722","longitude":"46.626111"}`,
  },
  delivery_proofs: { record: `{"signedBy":"${MARK}","place":"${MARK}"}` },
  drivers: { status: 'ACTIVE', active_count: '0' },
  offers: { state: 'COMPLETED' },
  events: { type: 'shipment.created' },
  idempotency_records: { operation: 'shipments.create' },
  webhook_endpoints: { state: 'ENABLED' },
  webhook_deliveries: { status: 'SUCCEEDED' },
  shipment_batches: { state: 'COMPLETED' },
  shipment_batch_items: { state: 'CREATED' },
};

/** The SQL that inserts them. The rows that others refer to are among them, such as the driver of the offer. */
export function insertsOfMarkedShipment(shipmentId: string, companyId: string): string[] {
  return OWNED_TABLES.flatMap(({ table, renumbered }) => {
    const { name, columns } = getTableConfig(table);
    const personal = (['recipient', 'passing'] as const).flatMap((list) => columnsIn(SHARD_COLUMNS, name, list));
    const known = VALUES[name];
    if (personal.length === 0 && known === undefined) return [];
    const valueOf = (column: (typeof columns)[number]) => {
      const value = known?.[column.name];
      if (value !== undefined) return value;
      if (personal.includes(column.name)) return MARKED;
      if (column.name === 'company_id') return companyId;
      if (column.name === 'location') return `/v2/external/shipments/${shipmentId}`;
      if (/(?:^|_)id$/.test(column.name)) return shipmentId;
      return column.notNull && column.name !== renumbered ? '1' : undefined;
    };
    const filled = columns.flatMap((column) => {
      const value = valueOf(column);
      return value === undefined ? [] : [{ name: `"${column.name}"`, value: `'${value}'` }];
    });
    const names = filled.map((column) => column.name).join(', ');
    return [`insert into ${name} (${names}) values (${filled.map(({ value }) => value).join(', ')})`];
  });
}

/** Each column of each table that has a mark. */
export async function markedColumns(rowsOf: (sql: string) => Promise<unknown[][]>): Promise<string[]> {
  const found: string[] = [];
  const textsOf = async (sql: string) => (await rowsOf(sql)).map((row) => row.map(String));
  for (const [table] of await textsOf(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
  )) {
    const names = (await textsOf(`select name from pragma_table_info('${table}')`)).flat();
    for (const row of await textsOf(`select * from ${table}`))
      found.push(...names.flatMap((name, index) => (row[index]?.includes(MARK) === true ? [`${table}.${name}`] : [])));
  }
  return found;
}
