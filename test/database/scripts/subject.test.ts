import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@libsql/client/http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { handleSubject, type SubjectAction } from '../../../scripts/operate/subject.ts';
import { migrate } from '../../../scripts/shared/migrate.ts';
import { freePort } from '../../../scripts/shared/ports.ts';
import { newId } from '../../../scripts/shared/seed-values.ts';
import { type Sqld, startSqld } from '../../../scripts/shared/sqld.ts';
import { insertsOfMarkedShipment, markedColumns } from '../../support/marked-shipment.ts';

/* One person's data over a directory and two shards. */

const PHONE = '+966598765431';
const folder = mkdtempSync(join(tmpdir(), 'mirsal-subject-'));
const servers = new Map<string, { readonly sqld: Sqld; readonly client: Client }>();
beforeAll(async () => {
  for (const id of ['directory', 'shard-1', 'shard-2']) {
    const sqld = await startSqld({ folder: join(folder, id), port: await freePort(), adminPort: await freePort() });
    await migrate({ kind: id === 'directory' ? 'directory' : 'shard', id, deployment: 'local', url: sqld.url });
    servers.set(id, { sqld, client: createClient({ url: sqld.url }) });
  }
}, 60_000);
afterAll(async () => {
  for (const { sqld, client } of servers.values()) {
    client.close();
    await sqld.stop();
  }
  rmSync(folder, { recursive: true, force: true });
});

async function run(id: string, sql: string, args: string[] = []): Promise<unknown[][]> {
  const result = await servers.get(id)?.client.execute({ sql, args });
  return result?.rows.map((row) => result.columns.map((name) => row[name])) ?? [];
}

const subject = (action: SubjectAction, phone = '0598765431') =>
  handleSubject({
    databases: [...servers].map(([id, { sqld }]) => ({
      kind: id === 'directory' ? 'directory' : 'shard',
      id,
      deployment: 'local',
      url: sqld.url,
      adminUrl: sqld.adminUrl,
    })),
    requireDurable: true,
    action,
    phone,
  });

/** An ended or running shipment of a person, with what else holds the recipient's data. */
async function addShipment(shard: string, state: string, recipient = PHONE, alternate: string | null = null) {
  const id = newId();
  const destination = JSON.stringify({
    addressLine: 'Door 7',
    cityCode: 'RUH',
    latitude: '24.794722',
    longitude: '46.6',
  });
  await run(
    shard,
    `insert into shipments (id, company_id, shipment_number, external_reference, state, stage, version, created_at, pickup_city_code, length_centimetres,
       branch_code, pickup_location_code, recipient_name, recipient_folded_name, recipient_phone, alternate_contact_name, alternate_contact_phone, pickup,
       destination, total_weight_kilograms, declared_value, cod_amount, currency, payment_method, pickup_window_start,
       pickup_window_end, items, requirements, delivery_window_start, delivery_window_end, window_status)
     values (?1, 'company', ?1, ?1, ?2, ?2, 4, 1, 'RUH', '1', 'B', 'P', 'Zaynab', 'zaynab', ?3, 'Huda', nullif(?4, ''), '{}', ?5, '1', '1', '0', 'SAR',
       'PREPAID', 1, 2, '[]', '[]', 3, 4, 'MET')`,
    [id, state, recipient, alternate ?? '', destination],
  );
  await run(
    shard,
    `insert into events (id, company_id, type, shipment_id, sequence, occurred_at, correlation_id, body)
     values (?1, 'company', 'shipment.created', ?1, 1, 1, 'x', 'Zaynab')`,
    [id],
  );
  await run(
    shard,
    `insert into idempotency_records (company_id, client_id, operation, key, fingerprint, status, response, etag, location, expires_at)
     values ('company', 'client', 'shipments.create', ?1, '', 201, 'Zaynab', '', '/v2/external/shipments/' || ?1, 1)`,
    [id],
  );
  await run(
    shard,
    "insert into shipment_metadata (shipment_id, company_id, key, value, created_at) values (?, 'company', 'gift', 'For Zaynab', 1)",
    [id],
  );
  await run(
    shard,
    `insert into recipient_replies (shipment_id, company_id, refused_at, refusal_reason, refusal_comment)
     values (?, 'company', 1, 'OTHER', 'Zaynab is away')`,
    [id],
  );
  await run(
    shard,
    `insert into cod_collections (shipment_id, company_id, amount, method, reference, driver_id, collected_at, shipment_version)
     values (?, 'company', '1', 'CARD', 'Card of Zaynab', 'driver', 1, 4)`,
    [id],
  );
  await run(
    shard,
    `insert into cases (id, company_id, shipment_id, number, kind, opened_by, state, answer_by, message_count, created_at, version)
     values (?, 'company', ?, 'CAS-1', 'LATE', 'RECIPIENT', 'OPEN', 1, 1, 1, 0)`,
    [id, id],
  );
  await run(
    shard,
    `insert into case_messages (case_id, number, company_id, shipment_id, author, text, created_at)
     values (?, 1, 'company', ?, 'RECIPIENT', 'Zaynab waited all day', 1)`,
    [id, id],
  );
  await run(
    shard,
    `insert into webhook_deliveries (id, endpoint_id, company_id, event_id, event_type, shipment_id, status, attempt_count, created_at, only_exchange)
     values (?1, 'endpoint', 'company', ?1, 'shipment.created', ?1, 'SUCCEEDED', 2, 1, 'Zaynab')`,
    [id],
  );
  await run(
    shard,
    "insert into webhook_attempts (delivery_id, company_id, number, started_at, duration_ms, exchange) values (?, 'x', 1, 1, 1, 'Zaynab')",
    [id],
  );
  return id;
}

it('finds, exports and erases a recipient in every shard, and leaves others alone', async () => {
  const keptEvent = newId();
  await run(
    'shard-2',
    "insert into events (id, company_id, type, sequence, occurred_at, correlation_id, body) values (?, 'company', 'shipment_batch.completed', 0, 1, 'x', '')",
    [keptEvent],
  );
  const [here, there] = [await addShipment('shard-1', 'DELIVERED'), await addShipment('shard-2', 'CANCELLED')];
  await run('shard-2', "insert into activity_progress (company_id, event_id) values ('company', ?)", [there]);
  const other = await addShipment('shard-2', 'DELIVERED', '+966500000009', PHONE);
  await run(
    'directory',
    "insert into people (id, full_name, email, mobile, created_at) values ('p', 'Zaynab', 'z@x.example', ?, 1)",
    [PHONE],
  );
  const found = await subject('find');
  expect(found.found.map(({ database, kind }) => `${database} ${kind}`)).toEqual([
    'directory person',
    'shard-1 recipient',
    'shard-2 recipient',
    'shard-2 alternate contact',
  ]);
  expect(JSON.stringify(found)).not.toMatch(/Zaynab|Door|598765431/);
  expect(JSON.stringify(await subject('export', '+966598765431'))).toMatch(
    /Zaynab.*Door 7.*delivery_window_start":"3".*Zaynab waited all day.*Card of Zaynab.*Zaynab is away.*gift.*For Zaynab/,
  );
  const erased = await subject('erase');
  expect(erased).toMatchObject({ running: [], erasedShipments: 3, remaining: ['person'] });
  for (const [shard, id] of [
    ['shard-1', here],
    ['shard-2', there],
  ] as const) {
    const row = await run(
      shard,
      'select recipient_name, recipient_folded_name, recipient_phone, delivery_window_start, window_status, version from shipments where id = ?',
      [id],
    );
    expect(row).toEqual([['-', '-', '0000', null, null, 4]]);
    const comment = 'select refusal_comment from recipient_replies where shipment_id = ?';
    expect(await run(shard, comment, [id])).toEqual([[null]]);
    const written = 'select author, text from case_messages where shipment_id = ?';
    expect(await run(shard, written, [id])).toEqual([['RECIPIENT', null]]);
    const collected = 'select amount, reference from cod_collections where shipment_id = ?';
    expect(await run(shard, collected, [id])).toEqual([['1', null]]);
    expect(await run(shard, 'select id from events where shipment_id = ? and body is not null', [id])).toEqual([]);
    expect(await run(shard, 'select key from idempotency_records where key = ?', [id])).toEqual([]);
    const answers = `select only_exchange, exchange from webhook_deliveries join webhook_attempts on delivery_id = id where id = ?`;
    expect(await run(shard, answers, [id])).toEqual([[null, null]]);
  }
  const kept = 'select recipient_name, alternate_contact_name, alternate_contact_phone from shipments where id = ?';
  expect(await run('shard-2', kept, [other])).toEqual([['Zaynab', null, null]]);
  expect(await run('shard-2', 'select count(body) from events')).toEqual([[2]]);
  // The counts of days go on after the event before.
  expect(await run('shard-2', 'select event_id from activity_progress')).toEqual([[keptEvent]]);
  expect(await run('shard-2', 'select shipment_id from shipment_metadata')).toEqual([[other]]);
  expect((await subject('find')).found.map(({ kind }) => kind)).toEqual(['person']);
  const audit = await run('directory', 'select action, client_id, detail from audit_entries order by at');
  expect(audit).toEqual([
    ['subject.exported', 'command', '{"rows":4}'],
    ['subject.erased', 'command', '{"rows":4}'],
  ]);
});

it('finds and erases a person who is in an amendment only', async () => {
  const [old, next] = ['+966598765420', '+966598765421'];
  const shipmentId = await addShipment('shard-1', 'DELIVERED', next);
  await run(
    'shard-1',
    `insert into shipment_amendments (shipment_id, number, id, company_id, actor, state, changes, before, after, amount, vat_amount, shipment_version, requested_at, version)
     values (?1, 1, ?1, 'company', 'MERCHANT', 'APPLIED', '["RECIPIENT_PHONE"]', json_object('recipientPhone', ?2), json_object('recipientPhone', ?3), '0', '0', 3, 1, 0)`,
    [shipmentId, old, next],
  );
  expect((await subject('find', old)).found).toMatchObject([{ kind: 'amendment', row: { id: shipmentId } }]);
  expect(JSON.stringify(await subject('export', old))).toContain(old);
  expect(await subject('erase', old)).toMatchObject({ running: [], erasedShipments: 1, remaining: [] });
  expect(await run('shard-1', 'select before, after from shipment_amendments')).toEqual([['{}', '{}']]);
  expect(await run('shard-1', 'select body from events where shipment_id = ?', [shipmentId])).toEqual([[null]]);
  const kept = 'select recipient_phone from shipments where id = ?';
  expect(await run('shard-1', kept, [shipmentId])).toEqual([[next]]);
  expect((await subject('find', old)).found).toEqual([]);
});

it('erases nothing while a shipment is running, and lists it', async () => {
  const phone = '+966598765400';
  const [ended, running] = [
    await addShipment('shard-1', 'DELIVERED', phone),
    await addShipment('shard-2', 'OFFERED', phone),
  ];
  expect(await subject('erase', phone)).toMatchObject({ running: [running], erasedShipments: 0 });
  expect(await run('shard-1', 'select recipient_name from shipments where id = ?', [ended])).toEqual([['Zaynab']]);
});

/** What carries the parcel of another shipment on. A return begins at the door of the buyer, and its recipient is the merchant. */
async function addFollowUp(shard: string, kind: 'REDELIVERY' | 'RETURN', state: string, preceding: string) {
  const id = await addShipment(shard, state, '+966500000019');
  await run(shard, `update shipments set pickup = (select destination from shipments where id = ?2) where id = ?1`, [
    id,
    preceding,
  ]);
  await run(
    shard,
    `insert into follow_ups (shipment_id, company_id, kind, preceding_id, root_id, attempt) values (?1, 'company', ?2, ?3, ?3, 1)`,
    [id, kind, preceding],
  );
  return id;
}

async function addResolution(shard: string, shipmentId: string, state: string) {
  await run(
    shard,
    `insert into resolutions (shipment_id, company_id, state, reason_code, evidence, payer, attempts, failed_at, decide_by, default_kind)
     values (?1, 'company', ?2, 'OTHER', 'NONE', 'CARRIER', 1, 1, 2, 'RETURN')`,
    [shipmentId, state],
  );
}

it('erases nothing while somebody has to decide about a parcel', async () => {
  const phone = '+966598765450';
  const failed = await addShipment('shard-1', 'DELIVERY_FAILED', phone);
  await addResolution('shard-1', failed, 'OPEN');
  expect(await subject('erase', phone)).toMatchObject({ running: [failed], erasedShipments: 0 });
  await run('shard-1', "update resolutions set state = 'CHOSEN' where shipment_id = ?", [failed]);
  expect(await subject('erase', phone)).toMatchObject({ running: [], erasedShipments: 1 });
});

it('finds, exports and erases the returns that begin at the door of a person', async () => {
  const phone = '+966598765451';
  const delivered = await addShipment('shard-1', 'DELIVERED', phone);
  const first = await addFollowUp('shard-1', 'RETURN', 'DELIVERY_FAILED', delivered);
  const again = await addFollowUp('shard-1', 'RETURN', 'PICKED_UP', first);
  // The parcel of this one went to somebody else.
  const other = await addFollowUp('shard-1', 'REDELIVERY', 'DELIVERED', delivered);
  await addFollowUp('shard-1', 'RETURN', 'PICKED_UP', other);
  const kinds = (await subject('find', phone)).found.map(({ kind, row }) => [kind, row['id']]);
  expect(kinds).toHaveLength(3);
  expect(kinds).toEqual(
    expect.arrayContaining([
      ['recipient', delivered],
      ['sender of a return', first],
      ['sender of a return', again],
    ]),
  );
  const exported = (await subject('export', phone)).found.filter(({ kind }) => kind === 'sender of a return');
  expect(exported.map(({ row }) => row['pickup'])).toEqual([
    expect.stringContaining('Door 7'),
    expect.stringContaining('Door 7'),
  ]);
  // The merchant's contact is another person.
  expect(JSON.stringify(exported)).not.toMatch(/500000019|Zaynab/);
  expect(await subject('erase', phone)).toMatchObject({ running: [again], erasedShipments: 0 });
  await run('shard-1', "update shipments set state = 'DELIVERED' where id = ?", [again]);
  expect(await subject('erase', phone)).toMatchObject({ running: [], erasedShipments: 3 });
  for (const id of [first, again]) {
    const kept =
      "select pickup ->> 'addressLine', pickup ->> 'latitude', forgotten_at is not null from shipments where id = ?";
    expect(await run('shard-1', kept, [id])).toEqual([['-', '24.79', 1]]);
    expect(await run('shard-1', 'select id from events where shipment_id = ? and body is not null', [id])).toEqual([]);
  }
  expect((await subject('find', phone)).found).toEqual([]);
  expect(await run('shard-1', 'select recipient_name from shipments where id = ?', [other])).toEqual([['Zaynab']]);
});

it('finds a person in a running batch, and erases nothing until it has ended', async () => {
  const phone = '+966598765411';
  const ended = await addShipment('shard-1', 'DELIVERED', phone);
  const addItem = (position: number, recipient: object) =>
    run(
      'shard-2',
      `insert into shipment_batch_items (batch_id, position, company_id, key, state, checked, request)
       values ('batch', ?1, 'company', ?1, 'PENDING', 0, ?2)`,
      [String(position), JSON.stringify({ recipient })],
    );
  await addItem(0, { name: 'Zaynab', phone: '0598765411' });
  await addItem(1, { name: 'Huda', phone: '500000009', alternateContactPhone: '966598765411' });
  await addItem(2, { name: 'Huda', phone: ['598765411'] });
  const waiting = ['batch item 0', 'batch item 1'];
  expect(await subject('erase', phone)).toMatchObject({ running: waiting, erasedShipments: 0, remaining: [] });
  expect(await run('shard-1', 'select recipient_name from shipments where id = ?', [ended])).toEqual([['Zaynab']]);
  expect(JSON.stringify(await subject('export', phone))).toMatch(/Zaynab.*Zaynab/);
  await run('shard-2', "update shipment_batch_items set request = null, state = 'SKIPPED'");
  expect(await subject('erase', phone)).toMatchObject({ running: [], erasedShipments: 1 });
});

it('exports and erases every column that holds data of a recipient, and copies of it', async () => {
  const [id, phone] = [newId(), '+966598765441'];
  for (const insert of insertsOfMarkedShipment(id, 'company')) await run('shard-1', insert);
  await run('shard-1', 'update shipments set recipient_phone = ? where id = ?', [phone, id]);
  await addShipment('shard-1', 'DELIVERED', '+966598765442');
  const [exported] = (await subject('export', phone)).found;
  expect(Object.keys(exported?.row ?? {})).toEqual([
    ...[
      'id',
      'company_id',
      'state',
      'decision',
      'shipment_number',
      'case_messages',
      'cod_collections',
      'delivery_proofs',
      'national_addresses',
      'offers',
      'recipient_replies',
      'shipment_amendments',
    ],
    ...['shipment_metadata', 'shipment_terms', 'recipient_name', 'recipient_folded_name', 'recipient_phone'],
    ...['destination', 'place', 'instructions', 'items', 'delivery_window_start', 'delivery_window_end', 'created_at'],
  ]);
  expect(await subject('erase', phone)).toMatchObject({ running: [], erasedShipments: 1 });
  // An item loses both when it ends, and this one has ended without doing so.
  const ofBatch = ['shipment_batch_items.request', 'shipment_batch_items.national_address'];
  expect(await markedColumns((sql) => run('shard-1', sql))).toEqual(ofBatch);
});

it('refuses what is not a mobile', async () => {
  await expect(subject('find', '12345')).rejects.toThrow(/--phone/);
});
