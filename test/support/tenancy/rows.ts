import type { Environment } from '../../../scripts/shared/connection.ts';
import type { DatabaseId } from '../../../scripts/shared/sql.ts';
import { until } from '../../../scripts/shared/until.ts';

/** The owner of rows, and their shard. */
export interface RowOwner {
  readonly companyId: string;
  readonly shard: DatabaseId;
}

/** How rows without company_id belong to a company. */
const BY: Readonly<Record<string, string>> = {
  shipment_id: 'select id from shipments where company_id = ?',
  endpoint_id: 'select id from webhook_endpoints where company_id = ?',
  delivery_id: 'select id from webhook_deliveries where company_id = ?',
  person_id: 'select person_id from company_members where company_id = ?',
  credential_id: 'select id from credentials where company_id = ?',
};

/** Work of a company that is still running has changed a row within this time, unless the machine is very busy. */
const REST_MS = 250;

/** Everything stored of a company in directory and shard, as text, once no work of it is running. */
export async function rowsAtRest(environment: Environment, owner: RowOwner): Promise<string> {
  let last = '';
  let changedMs = 0;
  return until(`the rows of ${owner.companyId} are at rest`, async () => {
    const rows = await rowsOf(environment, owner);
    if (rows === last && performance.now() - changedMs >= REST_MS) return rows;
    if (rows !== last) changedMs = performance.now();
    last = rows;
    return undefined;
  });
}

export async function rowsOf(environment: Environment, { companyId, shard }: RowOwner): Promise<string> {
  const read = async (database: DatabaseId) =>
    Promise.all(
      (await tablesOf(environment, database)).map(async ([table, condition]) => {
        const select = `select * from ${table} where ${condition} order by 1, 2`;
        const rows = await environment.sql(database, select, [companyId]);
        return [`${database} ${table}`, ...rows.map((row) => JSON.stringify(row, withoutPosition))].join('\n');
      }),
    );
  return [...(await read('directory')), ...(await read(shard))].join('\n');
}

/** Leaves out the position of a driver, which is stored up to 15 seconds after its report. */
function withoutPosition(column: string, value: unknown): unknown {
  return ['latitude', 'longitude', 'position_at'].includes(column) ? undefined : value;
}

const tables = new Map<string, readonly (readonly [table: string, condition: string])[]>();

/** Every table with rows of companies, with the column that selects them. */
async function tablesOf(environment: Environment, database: DatabaseId) {
  const key = `${environment.address} ${database}`;
  const known = tables.get(key) ?? (await readTables(environment, database));
  tables.set(key, known);
  return known;
}

async function readTables(environment: Environment, database: DatabaseId): Promise<[string, string][]> {
  const columns = await environment.sql(
    database,
    `select m.name as t, p.name as c from sqlite_master m join pragma_table_info(m.name) p
     where m.type = 'table' and m.name not like '\\_\\_%' escape '\\' and m.name not like 'sqlite%' order by 1, 2`,
  );
  const byTable = Map.groupBy(columns, (row) => String(row['t']));
  return [...byTable].flatMap(([table, own]): [string, string][] => {
    const names = own.map((row) => String(row['c']));
    if (names.includes('company_id')) return [[table, 'company_id = ?']];
    const by = names.find((name) => name in BY && tableNamed(BY[name] ?? '', byTable));
    return by === undefined ? [] : [[table, `${by} in (${BY[by]})`]];
  });
}

/** Whether the table of a query is in this database. */
function tableNamed(query: string, byTable: ReadonlyMap<string, unknown>): boolean {
  return byTable.has(/ from (\w+)/.exec(query)?.[1] ?? '');
}
