import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { columnsIn, DIRECTORY_COLUMNS, SHARD_COLUMNS } from '../../db/personal-columns.ts';
import type { SqlValue, WriteStatement } from '../../db/statement.ts';
import { addMicros, instantFromMillis } from '../../src/core/instant.ts';
import { SAUDI_MOBILE, toE164 } from '../../src/core/phone.ts';
import type { Uuid } from '../../src/core/uuid.ts';
import { auditInsert } from '../../src/domain/audit/store.ts';
import { recipientsForgotten } from '../../src/domain/shipments/forget-store.ts';
import { systemRandom } from '../../src/providers/system.ts';
import { failWith, isCommand } from '../shared/command.ts';
import { nowMicros } from '../shared/companies.ts';
import { type DatabaseOfService, requireDatabases } from '../shared/database-addresses.ts';
import { requireIdentity } from '../shared/require-identity.ts';
import { requireUuid } from '../shared/seed-values.ts';
import { SetupError } from '../shared/setup-error.ts';
import { type End, openEnd } from './moving/end.ts';

const USAGE = `Finds, exports or erases the personal data of one person, by mobile, in the directory and every shard.

  npm run -s subject -- find --phone 05XXXXXXXX
  npm run -s subject -- export --phone 05XXXXXXXX > person.json
  npm run -s subject -- erase --phone 05XXXXXXXX

Prints a report in JSON. Erasing forgets the person as a recipient, and is refused while a shipment of theirs is running,
waits in a batch or waits for a decision about its parcel.
LIBSQL_DIRECTORY, LIBSQL_SHARDS and LIBSQL_DURABILITY are those of the service. docs/operations.md says when.`;

const ACTIONS = ['find', 'export', 'erase'] as const;
export type SubjectAction = (typeof ACTIONS)[number];

/** Rows that have a phone. `shown` is in every report, `data` only in an export. */
interface Place {
  readonly kind: string;
  readonly table: string;
  /** An expression of the phone. */
  readonly phone: string;
  readonly shown: readonly string[];
  readonly data: readonly string[];
}
/** Whether somebody still has to decide what becomes of the parcel. */
const decisionOf = (id: string) => `(select r.state from resolutions r where r.shipment_id = ${id}) as decision`;
const SHIPMENT = ['id', 'company_id', 'state', decisionOf('shipments.id')];
/** A shipment that begins at the door of this person, who is not its recipient. */
const RETURN = 'sender of a return';
const BATCH_ITEM = 'shipment of a running batch';
/** Of a recipient or an alternate contact, also one who is no longer that of the shipment. */
const AMENDMENT = 'amendment';
/** In `shipments`, and in each table with rows of a shipment. The alternate contact and a former recipient are other persons. */
const OF_RECIPIENT = Object.keys(SHARD_COLUMNS).flatMap((table) => {
  const columns = columnsIn(SHARD_COLUMNS, table, 'recipient');
  if (table === 'shipments') return columns.filter((column) => !column.startsWith('alternate_contact'));
  const members = columns.map(
    (column) => `'${column}', ${table === 'shipment_amendments' ? withoutPeople(column) : column}`,
  );
  const rows = `select json_group_array(json_object(${members.join(', ')})) from ${table} where shipment_id = shipments.id`;
  return members.length === 0 ? [] : [`(${rows}) as ${table}`];
});
/** The phone of the recipient who gives a return to its driver, of the shipment before it that is no return. */
const SENDER = `(with recursive earlier(id, kind) as (
    select f.preceding_id, f.kind from follow_ups f where f.shipment_id = shipments.id and f.kind = 'RETURN'
    union all select f.preceding_id, f.kind from earlier join follow_ups f on f.shipment_id = earlier.id where f.kind = 'RETURN')
  select s.recipient_phone from earlier join shipments s on s.id = earlier.id
    where not exists (select 1 from follow_ups f where f.shipment_id = earlier.id and f.kind = 'RETURN'))`;
const SHARD_PLACES: readonly Place[] = [
  {
    kind: 'recipient',
    table: 'shipments',
    phone: 'recipient_phone',
    shown: SHIPMENT,
    data: ['shipment_number', ...OF_RECIPIENT, 'items', 'delivery_window_start', 'delivery_window_end', 'created_at'],
  },
  {
    kind: 'alternate contact',
    table: 'shipments',
    phone: 'alternate_contact_phone',
    shown: SHIPMENT,
    data: ['shipment_number', 'alternate_contact_name', 'alternate_contact_phone', 'created_at'],
  },
  {
    kind: RETURN,
    table: 'shipments',
    phone: SENDER,
    shown: SHIPMENT,
    data: [
      'shipment_number',
      'pickup',
      'items',
      'created_at',
      '(select return_reason from follow_ups where shipment_id = shipments.id) as return_reason',
      '(select geometry from shipment_terms where shipment_id = shipments.id) as geometry',
      '(select json_group_array(pickup_arrival) from offers where shipment_id = shipments.id) as pickup_arrivals',
    ],
  },
  ...['before', 'after'].flatMap((values) =>
    ['recipientPhone', 'alternateContactPhone'].map((member) => ({
      kind: AMENDMENT,
      table: 'shipment_amendments',
      phone: `json_extract(${values}, '$.${member}')`,
      shown: [
        'shipment_id as id',
        'company_id',
        '(select state from shipments where shipments.id = shipment_id) as state',
        decisionOf('shipment_amendments.shipment_id'),
        'number',
      ],
      data: [values, 'requested_at'],
    })),
  ),
  ...['phone', 'alternateContactPhone'].map((member) => ({
    kind: BATCH_ITEM,
    table: 'shipment_batch_items',
    // As the merchant wrote it. The request is deleted as soon as the item ends.
    phone: `'+966' || substr(json_extract(request, '$.recipient.${member}'), -9)`,
    shown: ['batch_id', 'position', 'company_id', 'state'],
    data: columnsIn(SHARD_COLUMNS, 'shipment_batch_items', 'passing'),
  })),
  {
    kind: 'contact of a pickup location',
    table: 'pickup_locations',
    phone: 'contact_phone',
    shown: ['company_id', 'pickup_location_code'],
    data: columnsIn(SHARD_COLUMNS, 'pickup_locations', 'account'),
  },
  {
    kind: 'driver',
    table: 'drivers',
    phone: 'phone',
    shown: ['id', 'status'],
    data: [...columnsIn(SHARD_COLUMNS, 'drivers', 'account'), 'created_at'],
  },
];
const DIRECTORY_PLACES: readonly Place[] = [
  {
    kind: 'person',
    table: 'people',
    phone: 'mobile',
    shown: ['id'],
    data: [...columnsIn(DIRECTORY_COLUMNS, 'people', 'account'), 'created_at'],
  },
  {
    kind: 'registration',
    table: 'registrations',
    phone: 'mobile',
    shown: ['id', 'state'],
    data: [...columnsIn(DIRECTORY_COLUMNS, 'registrations', 'account'), 'created_at'],
  },
];

/** The values of an amendment but for names and phones, which are in the report of the person whose phone it is. */
function withoutPeople(values: string): string {
  const people = ['recipientName', 'recipientPhone', 'alternateContactName', 'alternateContactPhone'];
  return `json(json_remove(${values}, ${people.map((member) => `'$.${member}'`).join(', ')}))`;
}

interface Found {
  readonly database: string;
  readonly kind: string;
  readonly row: Readonly<Record<string, string | null>>;
}
export interface SubjectReport {
  readonly reportId: string;
  readonly action: SubjectAction;
  readonly found: readonly Found[];
  /**
   * Shipments that have not ended or whose parcel waits for a decision, and items of batches that may become shipments. Nothing is
   * erased while there are any.
   */
  readonly running: readonly string[];
  readonly erasedShipments: number;
  /** What this command never erases: accounts, drivers and contacts have their own operations. */
  readonly remaining: readonly string[];
}

export interface SubjectOptions {
  readonly databases: readonly DatabaseOfService[];
  readonly requireDurable: boolean;
  readonly action: SubjectAction;
  readonly phone: string;
}

const ENDED = ['DELIVERED', 'DELIVERY_FAILED', 'CANCELLED'];
const RECIPIENT_KINDS = ['recipient', 'alternate contact', RETURN, AMENDMENT];
/** What is left is for other operations. A running batch ends within a day. */
const OWN_KINDS = [...RECIPIENT_KINDS, BATCH_ITEM];

/** Runs the action, and answers its report. Throws if the phone is not a mobile or a database does not answer. */
export async function handleSubject({
  databases,
  requireDurable,
  action,
  phone,
}: SubjectOptions): Promise<SubjectReport> {
  if (!SAUDI_MOBILE.test(phone)) throw new SetupError('--phone must be a Saudi mobile number.');
  const mobile = toE164(phone);
  const reportId = systemRandom.uuid();
  for (const database of databases) await requireIdentity(database);
  const ends = databases.map((database) => ({ kind: database.kind, end: openEnd(database, requireDurable) }));
  const found: Found[] = [];
  for (const { kind, end } of ends)
    for (const place of kind === 'directory' ? DIRECTORY_PLACES : SHARD_PLACES)
      found.push(...(await rowsAt(end, place, mobile, action === 'export')));
  const shipments = found.filter(({ kind }) => RECIPIENT_KINDS.includes(kind));
  const running = [
    ...shipments.filter(isRunning).map(({ row }) => row['id'] ?? ''),
    ...found.filter(({ kind }) => kind === BATCH_ITEM).map(({ row }) => `${row['batch_id']} item ${row['position']}`),
  ];
  const mayErase = action === 'erase' && running.length === 0;
  if (mayErase)
    for (const { kind, end } of ends)
      if (kind === 'shard')
        await erase(
          end,
          shipments.filter(({ database }) => database === end.id),
          mobile,
        );
  // The directory always has the entry, so that it is kept even if nothing was found.
  const [directory] = ends;
  if (directory !== undefined && (action === 'export' || mayErase)) {
    const entry = auditOf(reportId, `subject.${action === 'export' ? 'exported' : 'erased'}`, found.length);
    await commit(directory.end, [entry]);
  }
  return {
    reportId,
    action,
    found,
    running,
    erasedShipments: mayErase ? new Set(shipments.map(({ row }) => row['id'])).size : 0,
    remaining: [...new Set(found.map(({ kind }) => kind))].filter((kind) => !OWN_KINDS.includes(kind)),
  };
}

function isRunning({ row: { state, decision } }: Found): boolean {
  return !ENDED.includes(state ?? '') || decision === 'OPEN';
}

async function rowsAt(end: End, { kind, table, phone, shown, data }: Place, mobile: string, isWhole: boolean) {
  const columns = isWhole ? [...shown, ...data] : shown;
  const rows = await end.read(`select ${columns.join(', ')} from ${table} where ${phone} = ?`, [mobile]);
  return rows.map((values) => ({
    database: end.id,
    kind,
    row: Object.fromEntries(columns.map((column, index) => [nameOf(column), textOf(values[index])])),
  }));
}

function nameOf(column: string): string {
  return column.split(' as ').at(-1) ?? column;
}

function textOf(value: SqlValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** The unit of one shard: it forgets the recipient, and deletes what else holds the same data until it expires. */
async function erase(end: End, shipments: readonly Found[], mobile: string): Promise<void> {
  if (shipments.length === 0) return;
  const idsOf = (kind: string): Uuid[] =>
    shipments.filter((one) => one.kind === kind).map(({ row }) => requireUuid(row['id'] ?? ''));
  const recipient = [...idsOf('recipient'), ...idsOf(RETURN)];
  const amended = idsOf(AMENDMENT);
  const ids = JSON.stringify([...recipient, ...amended]);
  const now = addMicros(instantFromMillis(0), nowMicros());
  await commit(end, [
    ...recipientsForgotten(recipient, now),
    {
      sql: `update shipment_amendments set before = '{}', after = '{}' where shipment_id in (select value from json_each(?1)) and (?2 in
          (json_extract(before, '$.recipientPhone'), json_extract(after, '$.recipientPhone'))
        or ?2 in (json_extract(before, '$.alternateContactPhone'), json_extract(after, '$.alternateContactPhone')))`,
      args: [JSON.stringify(amended), mobile],
    },
    {
      // The counts of days continue after this event, so the one before it takes its place.
      sql: `update activity_progress set event_id = coalesce((select e.id from events as e
          where e.company_id = activity_progress.company_id and e.body is not null
            and e.position < (select position from events where id = activity_progress.event_id and body is not null)
            and (e.shipment_id is null or e.shipment_id not in (select value from json_each(?1)))
          order by e.position desc limit 1), event_id)
        where event_id in (select id from events where shipment_id in (select value from json_each(?1)))`,
      args: [ids],
    },
    {
      sql: `delete from events where shipment_id in (select value from json_each(?)) and step is null
        and position < (select max(position) from events)`,
      args: [ids],
    },
    { sql: 'update events set body = null where shipment_id in (select value from json_each(?))', args: [ids] },
    {
      // A receiver may have repeated the data in its answer.
      sql: 'update webhook_deliveries set only_exchange = null where shipment_id in (select value from json_each(?))',
      args: [ids],
    },
    {
      sql: `update webhook_attempts set exchange = null where delivery_id in
        (select id from webhook_deliveries where shipment_id in (select value from json_each(?)))`,
      args: [ids],
    },
    {
      sql: "delete from idempotency_records where location in (select '/v2/external/shipments/' || value from json_each(?))",
      args: [ids],
    },
    {
      sql: `update shipments set alternate_contact_name = null, alternate_contact_phone = null
        where id in (select value from json_each(?)) and alternate_contact_phone = ?`,
      args: [JSON.stringify(idsOf('alternate contact')), mobile],
    },
  ]);
}

async function commit(end: End, statements: readonly WriteStatement[]): Promise<void> {
  if (!(await end.commit(statements)))
    throw new SetupError(
      `${end.id} refused the change, perhaps because a company is being moved. Run the command again.`,
    );
}

/** Without the phone: the audit keeps only that it was done, and how much was found. */
function auditOf(reportId: Uuid, action: string, rows: number): WriteStatement {
  const actor = { personId: null, clientId: 'command', address: null, requestId: requireUuid(randomUUID()) };
  const at = addMicros(instantFromMillis(0), nowMicros());
  return auditInsert(undefined, actor, { id: systemRandom.uuid(), action, subject: reportId, at, detail: { rows } });
}

async function runFromCommandLine(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { phone: { type: 'string' } }, allowPositionals: true });
  const action = ACTIONS.find((known) => known === positionals[0]);
  if (action === undefined || values.phone === undefined) throw new SetupError(USAGE);
  const requireDurable = process.env['LIBSQL_DURABILITY'] !== 'managed';
  const options = { databases: requireDatabases(process.env), requireDurable, action, phone: values.phone };
  const report = await handleSubject(options);
  console.log(JSON.stringify(report, null, 2));
  if (action === 'erase' && report.running.length > 0)
    throw new SetupError('Nothing was erased: shipments of this person are running. The report lists them.');
}

if (isCommand(import.meta.filename)) await runFromCommandLine().catch(failWith);
