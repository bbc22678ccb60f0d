import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client/http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Demo } from '../../../scripts/shared/local-files.ts';
import { migrate } from '../../../scripts/shared/migrate.ts';
import { freePort } from '../../../scripts/shared/ports.ts';
import { seed } from '../../../scripts/shared/seed.ts';
import { type Sqld, startSqld } from '../../../scripts/shared/sqld.ts';
import { hmacOf } from '../../../src/core/crypto.ts';

vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 });

const parent = mkdtempSync(join(tmpdir(), 'mirsal-seed-'));
const credentialKey = randomBytes(32).toString('base64url');
const databases: Record<string, Sqld> = {};
let first: Demo;

beforeAll(async () => {
  for (const id of ['directory', 'shard-1', 'shard-2']) {
    const sqld = await startSqld({ folder: join(parent, id), port: await freePort(), adminPort: await freePort() });
    databases[id] = sqld;
    await migrate({ kind: id === 'directory' ? 'directory' : 'shard', id, deployment: 'local', url: sqld.url });
  }
  first = await seedAgain({});
});
afterAll(async () => {
  await Promise.all(Object.values(databases).map((sqld) => sqld.stop()));
  rmSync(parent, { recursive: true, force: true });
});

test('creates two companies in two shards, each with a pickup location and a client', async () => {
  const [najd, hijaz] = first.companies;
  expect(najd).toMatchObject({
    name: 'Najd Coffee Roasters',
    branchCode: 'RUH-MAIN',
    pickupLocationCode: 'RUH-ROASTERY',
  });
  expect(hijaz).toMatchObject({ name: 'Hijaz Books', branchCode: 'JED-MAIN', pickupLocationCode: 'JED-WAREHOUSE' });
  expect(await run('directory', 'SELECT name, shard FROM companies ORDER BY name')).toEqual([
    ['Hijaz Books', 'shard-2'],
    ['Najd Coffee Roasters', 'shard-1'],
  ]);
  const places = 'SELECT company_id, branch_code, city_code, latitude, contact_phone, version FROM pickup_locations';
  expect(await run('shard-1', places)).toEqual([[najd?.companyId, 'RUH-MAIN', 'RUH', '24.694969', '+966500000001', 0]]);
  expect(await run('shard-2', places)).toEqual([
    [hijaz?.companyId, 'JED-MAIN', 'JED', '21.543333', '+966500000002', 0],
  ]);
  expect(await run('shard-2', 'SELECT approval_policy FROM company_settings')).toEqual([['AUTOMATIC']]);
  for (const { clientId, clientSecret } of [...first.companies, first.operator]) {
    expect(clientId).toMatch(/^mcl_[\w-]{22,}$/);
    expect(clientSecret).toMatch(/^msk_test_[\w-]{43}$/);
  }
});

test('creates an owner for each company, who can sign in by e-mail address and mobile', async () => {
  const owners = `SELECT c.name, p.full_name, m.role, p.email, p.mobile FROM company_members m
    JOIN people p ON p.id = m.person_id JOIN companies c ON c.id = m.company_id ORDER BY c.name`;
  expect(await run('directory', owners)).toEqual([
    ['Hijaz Books', 'Omar Al-Harbi', 'OWNER', 'owner@hijaz-books.example', '+966500000012'],
    ['Najd Coffee Roasters', 'Noura Al-Qahtani', 'OWNER', 'owner@najd-coffee.example', '+966500000011'],
  ]);
  expect(await run('directory', 'SELECT identifier FROM sign_in_identifiers ORDER BY identifier')).toEqual([
    ['+966500000011'],
    ['+966500000012'],
    ['owner@hijaz-books.example'],
    ['owner@najd-coffee.example'],
  ]);
  expect(first.companies[0]?.owner).toEqual({ email: 'owner@najd-coffee.example', mobile: '+966500000011' });
});

test('the directory stores an HMAC of each secret, never the secret', async () => {
  const kept = await run('directory', 'SELECT secret_hmac, secret_hint FROM credential_secrets ORDER BY secret_hmac');
  const clients = [...first.companies, first.operator];
  const expected = await Promise.all(
    clients.map(async ({ clientSecret }) => [await hmacOf(credentialKey, clientSecret), clientSecret.slice(-4)]),
  );
  expect(kept).toEqual(expected.sort(([left = ''], [right = '']) => (left < right ? -1 : 1)));
  expect(await run('directory', 'SELECT company_id, scopes FROM credentials WHERE company_id IS NULL')).toEqual([
    [null, 'operations'],
  ]);
});

test('adds a tariff, and service levels and drivers in every shard', async () => {
  const tariff = 'SELECT version, effective_from, base_amount, kilometre_amount, city_surcharges FROM tariffs';
  expect(await run('directory', tariff)).toEqual([
    [1, 1_767_225_600_000_000, '12', '1.25', '{"RUH":"0","JED":"0","DMM":"5","MED":"5","MKK":"3"}'],
  ]);
  for (const [id, phones] of [
    ['shard-1', ['+966500101001', '+966500101002', '+966500101003']],
    ['shard-2', ['+966500102001', '+966500102002', '+966500102003']],
  ] as const) {
    const levels = 'SELECT code, weight_kilograms_max, length_centimetres_max, rank FROM service_levels ORDER BY rank';
    expect(await run(id, levels)).toEqual([
      ['STANDARD', '50', '150', 10],
      ['HEAVY', '1000', '400', 20],
    ]);
    const drivers = await run(id, 'SELECT id, phone, city_code, on_duty, active_max FROM drivers ORDER BY phone');
    expect(drivers.map(([, ...rest]) => rest)).toEqual([
      [phones[0], 'RUH', 1, 5],
      [phones[1], 'RUH', 1, 5],
      [phones[2], 'JED', 1, 5],
    ]);
    const registered = await run(
      'directory',
      `SELECT driver_id, phone FROM driver_phones WHERE shard = '${id}' ORDER BY phone`,
    );
    expect(registered).toEqual(drivers.map(([driverId, phone]) => [driverId, phone]));
  }
});

test('a second run changes nothing', async () => {
  const before = await contents();
  expect(await seedAgain({ known: first })).toEqual(first);
  expect(await contents()).toEqual(before);
});

test('lost secrets are replaced, and the clients remain', async () => {
  const second = await seedAgain({});
  const clientIds = (demo: Demo) => [...demo.companies, demo.operator].map(({ clientId }) => clientId);
  expect(clientIds(second)).toEqual(clientIds(first));
  expect(second.companies[0]?.clientSecret).not.toBe(first.companies[0]?.clientSecret);
  expect(await run('directory', 'SELECT count(*) FROM credential_secrets')).toEqual([[3]]);
  // The replaced secrets are no longer valid.
  const third = await seedAgain({ known: first });
  expect(third.operator.clientSecret).not.toBe(first.operator.clientSecret);
});

test('secrets stored with another key are replaced', async () => {
  const known = await seedAgain({});
  const after = await seedAgain({ known, credentialKey: randomBytes(32).toString('base64url') });
  expect(after.operator.clientId).toBe(known.operator.clientId);
  expect(after.operator.clientSecret).not.toBe(known.operator.clientSecret);
});

function seedAgain(options: { known?: Demo; credentialKey?: string }): Promise<Demo> {
  const shards = ['shard-1', 'shard-2'].map((id) => ({ id, url: urlOf(id) }));
  return seed({ directoryUrl: urlOf('directory'), shards, deployment: 'local', credentialKey, ...options });
}

async function contents(): Promise<unknown> {
  const tables = {
    directory: [
      'companies',
      'credentials',
      'credential_secrets',
      'tariffs',
      'driver_phones',
      'people',
      'company_members',
    ],
    'shard-1': ['branches', 'pickup_locations', 'service_levels', 'drivers'],
  };
  return Promise.all(
    Object.entries(tables).flatMap(([id, names]) =>
      names.map((name) => run(id, `SELECT * FROM ${name} ORDER BY 1, 2`)),
    ),
  );
}

async function run(id: string, sql: string): Promise<unknown[][]> {
  const client = createClient({ url: urlOf(id) });
  try {
    const { columns, rows } = await client.execute(sql);
    return rows.map((row) => columns.map((name) => row[name]));
  } finally {
    client.close();
  }
}

function urlOf(id: string): string {
  return databases[id]?.url ?? '';
}
