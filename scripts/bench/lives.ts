import { createHash, randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import type { BenchDatabase } from './database.ts';
import { columnsOf, idMadeAt } from './fill.ts';

/*
 * Copies of a shipment of the service with all rows that commands need. They are older than any first page, and none
 * has due work.
 */

/** The database and the shipment to copy. */
export interface Origin {
  readonly database: BenchDatabase;
  readonly sampleId: string;
}

/** The number of series in a database and of shipments in a series. Their numbers must not overlap. */
const SERIES = 1_000_000;
const DAY = 86_400_000_000;
const CREATED_AT = `(sample.created_at - ${DAY} - i * 1000000)`;
const ID = idMadeAt(CREATED_AT);

/** Columns that are not copied, by table. */
const MADE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  shipments: {
    id: ID,
    shipment_number: "printf('SHP-8%010d', i)",
    external_reference: "printf('life-%09d', i)",
    created_at: CREATED_AT,
    due_at: 'NULL',
    event_count: '1',
    driver_id: 'NULL',
    last_refused_driver_id: 'NULL',
    ended_at: 'NULL',
  },
  shipment_terms: { shipment_id: ID },
  events: { position: 'NULL', shipment_id: ID, id: ID, body: 'NULL' },
};

/** Shipments that wait for approval by their merchant. Returns their ids. */
export async function addWaiting(origin: Origin, series: number, count: number): Promise<string[]> {
  const standing = { state: "'PENDING_APPROVAL'", stage: "'PENDING_APPROVAL'", version: '0', approved_at: 'NULL' };
  return addLives(origin, { series, count, standing });
}

export interface Assignment {
  readonly driverToken: string;
  readonly shipmentId: string;
}

/** A driver usually has up to some dozens of shipments. */
const DRIVERS = 50;

/** Shipments that drivers have accepted, and the tokens of those drivers. */
export async function addAccepted(origin: Origin, series: number, count: number): Promise<Assignment[]> {
  const { database } = origin;
  const standing = { state: "'ACCEPTED'", stage: "'WITH_DRIVER'", version: '3', approved_at: CREATED_AT };
  const ids = await addLives(origin, { series, count, standing });
  const drivers = await addDrivers(database, Math.ceil(count / DRIVERS));
  const now = Date.now() * 1000;
  const own = ids.map((shipmentId, index) => ({ shipmentId, driver: drivers[index % DRIVERS] ?? drivers[0] }));
  const rows = own.map(({ shipmentId, driver }) => [v7(), shipmentId, driver?.id]);
  await database.query(
    `INSERT INTO offers (id, shipment_id, driver_id, state, offered_at, expires_at)
     SELECT value ->> 0, value ->> 1, value ->> 2, 'ACCEPTED', ?, ? FROM json_each(?)`,
    [now, now + DAY, JSON.stringify(rows)],
  );
  const pairs = own.map(({ shipmentId, driver }) => [shipmentId, driver?.id]);
  await database.query(
    `UPDATE shipments SET driver_id = given.driver_id
     FROM (SELECT value ->> 0 AS shipment_id, value ->> 1 AS driver_id FROM json_each(?)) AS given
     WHERE shipments.id = given.shipment_id`,
    [JSON.stringify(pairs)],
  );
  return own.map(({ shipmentId, driver }) => ({ shipmentId, driverToken: driver?.token ?? '' }));
}

interface Order {
  readonly series: number;
  readonly count: number;
  readonly standing: Readonly<Record<string, string>>;
}

async function addLives({ database, sampleId }: Origin, { series, count, standing }: Order): Promise<string[]> {
  if (count > SERIES) throw new Error(`A series has at most ${SERIES} shipments`);
  const from = series * SERIES;
  await database.setDurable(false);
  for (const [table, made] of Object.entries(MADE)) {
    const columns = await columnsOf(database, table);
    const own = table === 'shipments' ? { ...made, ...standing } : made;
    const values = columns.map((column) => own[column] ?? `copied.${column}`).join(', ');
    const isFirst = table === 'events' ? 'AND copied.step = 1' : '';
    const key = table === 'shipments' ? 'id' : 'shipment_id';
    await database.query(
      `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${from + count})
       INSERT INTO ${table} (${columns.join(', ')})
       SELECT ${values} FROM n, shipments AS sample, ${table} AS copied
       WHERE sample.id = ? AND copied.${key} = sample.id ${isFirst}`,
      [sampleId],
    );
  }
  await database.setDurable(true);
  const rows = await database.query(
    `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${from + count})
     SELECT ${ID} AS id FROM n, shipments AS sample WHERE sample.id = ?`,
    [sampleId],
  );
  return rows.map(({ id }) => String(id));
}

interface Driver {
  readonly id: string;
  readonly token: string;
}

/** Drivers on duty in a city without searches, each with a session and without free capacity. */
async function addDrivers(database: BenchDatabase, shipmentsEach: number): Promise<Driver[]> {
  const now = Date.now() * 1000;
  const drivers = Array.from({ length: DRIVERS }, () => ({
    id: v7(),
    token: `drv_${database.name}_${randomBytes(32).toString('base64url')}`,
  }));
  const rows = drivers.map(({ id, token }) => [id, createHash('sha256').update(token).digest('base64url')]);
  await database.query(
    `INSERT INTO drivers (id, phone, first_name, vehicle_type, capabilities, weight_kilograms_max, length_centimetres_max,
       city_code, status, on_duty, active_count, active_max, idle_since, created_at, updated_at, version)
     SELECT value ->> 0, 'bench ' || (value ->> 0), 'Bench', 'VAN', '[]', '1', '1', 'NOWHERE', 'ACTIVE', 1, ?, ?, ?, ?, ?, 0
     FROM json_each(?)`,
    [shipmentsEach, shipmentsEach, now, now, now, JSON.stringify(rows)],
  );
  await database.query(
    `INSERT INTO driver_sessions (token_hash, driver_id, created_at, expires_at)
     SELECT value ->> 1, value ->> 0, ?, ? FROM json_each(?)`,
    [now, now + DAY, JSON.stringify(rows)],
  );
  return drivers;
}
