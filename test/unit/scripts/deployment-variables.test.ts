import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deploymentFaults } from '../../../scripts/shared/deployment-variables.ts';
import { newKey256, newSigningKey } from '../../../scripts/shared/keys.ts';
import { checkContact } from '../../../src/service/checks.ts';
import { parseConfig } from '../../../src/service/config.ts';

/** A token of a Turso group, whose claims are its times and the id of its group. */
function newToken(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  const group = '0b2f6f1e-6d1c-4a54-9a4a-2f1c3f6f1e0b';
  const claims = { a: 'rw', iat: 1_795_000_000, gid: group, rid: randomBytes(18).toString('base64url') };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'EdDSA', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

/** Addresses as `turso db show --http-url` prints them. */
const urlOf = (database: string) => `https://mirsal-production-${database}-mirsal-logistics.aws-eu-west-1.turso.io`;
const shardsOf = (count: number, tokenOf: () => string | undefined = () => undefined) =>
  JSON.stringify(
    Array.from({ length: count }, (_, index) => ({
      ...{ id: `shard-${index + 1}`, url: urlOf(`shard-${index + 1}`), authToken: tokenOf() },
    })),
  );

let whole: Readonly<Record<string, string>>;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mirsal-deployment-'));
  const keys = JSON.stringify([newKey256()]);
  whole = {
    DEPLOYMENT: 'production',
    BASE_URL: 'https://mirsal.example',
    LIBSQL_DIRECTORY: JSON.stringify({ url: urlOf('directory') }),
    LIBSQL_SHARDS: shardsOf(40),
    LIBSQL_TOKEN: newToken(),
    LIBSQL_DURABILITY: 'managed',
    TOKEN_SIGNING_KEYS: JSON.stringify([await newSigningKey()]),
    CREDENTIAL_KEYS: keys,
    CURSOR_KEYS: keys,
    PRICE_LOCK_KEYS: keys,
    WEBHOOK_KEYS: JSON.stringify([{ kid: 'one', key: newKey256() }]),
    LOCATION_HINT: 'weur',
  };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('forty shards of a Turso group fit into the variables, and each gets its token', () => {
  expect(deploymentFaults(whole)).toEqual([]);
  const { directory, shards } = parseConfig(whole, 'workers');
  expect(shards).toHaveLength(40);
  expect(new Set([directory, ...shards].map(({ authToken }) => authToken))).toEqual(new Set([whole['LIBSQL_TOKEN']]));
});

const registryWith = (more: object) => JSON.stringify({ registry: { apiKey: 'key', ...more } });

test('addresses have no source by default, and a key has the quota of a starter', () => {
  expect(parseConfig(whole, 'workers').addresses).toEqual({});
  expect(parseConfig({ ...whole, ADDRESSES: registryWith({}) }, 'workers').addresses).toEqual({
    registry: {
      apiKey: 'key',
      url: 'https://apina.address.gov.sa/NationalAddress',
      quota: [
        { calls: 5, seconds: 60 },
        { calls: 100, seconds: 7 * 24 * 3600 },
      ],
    },
  });
  const unlimited = parseConfig({ ...whole, ADDRESSES: registryWith({ quota: [] }) }, 'workers');
  expect(unlimited.addresses.registry?.quota).toEqual([]);
});

test('the contact of the carrier has a phone, an e-mail address or both', () => {
  const faultsOf = (contact: object) => deploymentFaults({ ...whole, CARRIER_CONTACT: JSON.stringify(contact) });
  expect(parseConfig(whole, 'workers').carrierContact).toBeUndefined();
  for (const contact of [{ phone: '+966920000000' }, { email: 'help@carrier.example' }]) {
    expect(faultsOf(contact)).toEqual([]);
    const given = { ...whole, CARRIER_CONTACT: JSON.stringify(contact) };
    expect(parseConfig(given, 'workers').carrierContact).toEqual(contact);
  }
  expect(faultsOf({})).toEqual(['CARRIER_CONTACT: must have a phone or an email']);
  expect(faultsOf({ phone: '0501234567' })).toEqual(['CARRIER_CONTACT.phone: must be like +966920000000']);
});

test('production without a contact is a fault that the doctor finds', () => {
  const found = (deployment: 'local' | 'production', contact?: object) =>
    checkContact({ deployment, carrierContact: contact }).map(({ isFault, found: text }) => [isFault, text]);
  expect(found('production')).toEqual([[true, 'merchants cannot reach the carrier']]);
  expect(found('local')).toEqual([]);
  expect(found('production', { phone: '+966920000000', email: 'help@carrier.example' })).toEqual([
    [false, 'phone and email'],
  ]);
});

test('drivers see numbers of recipients unless a deployment masks or hides them', () => {
  expect(parseConfig(whole, 'workers').recipientNumbers).toBe('shown');
  expect(parseConfig({ ...whole, RECIPIENT_NUMBERS: 'hidden' }, 'workers').recipientNumbers).toBe('hidden');
  const production = { ...whole, DEPLOYMENT: 'production', RECIPIENT_NUMBERS: 'masked' };
  expect(() => parseConfig(production, 'workers')).toThrow('RECIPIENT_NUMBERS: the exchange is a fixture');
});

test('delivery windows are those of the service, or slots of a day by city', () => {
  expect(parseConfig(whole, 'workers').deliveryWindows).toEqual({});
  const slots = { default: ['08:00-12:00', '12:00-24:00'], JED: ['16:30-22:00'] };
  expect(parseConfig({ ...whole, DELIVERY_WINDOWS: JSON.stringify(slots) }, 'workers').deliveryWindows).toEqual(slots);
});

test.each([
  ['{"RUH":["08:00-12:00","11:00-14:00"]}', 'DELIVERY_WINDOWS.RUH: must be in the order of the day and not overlap'],
  ['{"RUH":["14:00-17:00","08:00-11:00"]}', 'DELIVERY_WINDOWS.RUH: must be in the order of the day and not overlap'],
  ['{"RUH":["12:00-12:00"]}', 'DELIVERY_WINDOWS.RUH: must be in the order of the day and not overlap'],
  ['{"RUH":["22:00-02:00"]}', 'DELIVERY_WINDOWS.RUH: must be in the order of the day and not overlap'],
  ['{"RUH":["8-11"]}', 'DELIVERY_WINDOWS.RUH.0: must be like 08:00-11:00'],
  ['{"RUH":["08:00-24:30"]}', 'DELIVERY_WINDOWS.RUH.0: must be like 08:00-11:00'],
  ['{"RUH":[]}', 'DELIVERY_WINDOWS.RUH: Too small: expected array to have >=1 items'],
  ['{"Riyadh":["08:00-11:00"]}', 'DELIVERY_WINDOWS.Riyadh: Invalid key in record'],
  ['["08:00-11:00"]', 'DELIVERY_WINDOWS: Invalid input: expected record, received array'],
  ['08:00-11:00', 'DELIVERY_WINDOWS: is not JSON'],
])('delivery windows of %s are refused', (value, fault) => {
  expect(deploymentFaults({ ...whole, DELIVERY_WINDOWS: value })).toContain(fault);
});

test('an empty variable is an absent one', () => {
  const empty = {
    ...whole,
    ROUTING_URL: '',
    METRICS_TOKEN: '',
    LIBSQL_LOGS: '',
    RATE_LIMITS: '',
    COMPANY_APPROVAL: '',
  };
  expect(parseConfig(empty, 'workers')).toEqual(parseConfig(whole, 'workers'));
});

test('a shard keeps a token of its own, and with a token each the variable is too large for forty', () => {
  const own = { ...whole, LIBSQL_SHARDS: shardsOf(2, () => 'own-token') };
  const tokens = parseConfig(own, 'workers').shards.map(({ authToken }) => authToken);
  expect(tokens).toEqual(['own-token', 'own-token']);
  expect(deploymentFaults({ ...whole, LIBSQL_SHARDS: shardsOf(12, newToken) })).toEqual([]);
  const [fault, ...others] = deploymentFaults({ ...whole, LIBSQL_SHARDS: shardsOf(40, newToken) });
  expect([fault, others]).toEqual([
    expect.stringMatching(/^LIBSQL_SHARDS: has 1\d{4} bytes, and Cloudflare takes 5000$/),
    [],
  ]);
});

test.each([
  ['a missing hint', { LOCATION_HINT: undefined }, 'LOCATION_HINT: is missing'],
  ['a hint that does not exist', { LOCATION_HINT: 'me' }, 'LOCATION_HINT: Invalid option'],
  ['a generation below one', { LOCATION_GENERATION: '0' }, 'LOCATION_GENERATION: '],
  ['a missing key', { WEBHOOK_KEYS: undefined }, 'WEBHOOK_KEYS: is missing'],
  ['a variable of 6 kB', { STREETS_URL: `https://maps.example/${'a'.repeat(6000)}` }, 'STREETS_URL: has 6021 bytes'],
  ['streets of a file', { STREETS_URL: 'file:///srv/riyadh.pmtiles' }, 'STREETS_URL: must be http, https or r2'],
  ['streets of a bucket with slashes', { STREETS_URL: 'r2://riyadh.pmtiles' }, 'STREETS_URL: must name an object as '],
  ['a misspelt name', { LOCATON_HINT: 'weur' }, 'LOCATON_HINT: is not a variable of the service'],
  ['an address with a path', { BASE_URL: 'https://mirsal.example/api' }, 'BASE_URL: must have no path, query or user'],
  ['an address with a query', { BASE_URL: 'https://mirsal.example?a=1' }, 'BASE_URL: must have no path, query or user'],
  ['an empty variable that is needed', { WEBHOOK_KEYS: '' }, 'WEBHOOK_KEYS: is missing'],
  ['a local deployment', { DEPLOYMENT: 'local' }, 'DEPLOYMENT: must be sandbox or production'],
  [
    'a limit that is not bound',
    { RATE_LIMITS: '{"reads":7}' },
    'RATE_LIMITS.reads: the limit of wrangler.toml is 1200',
  ],
  ['a registry without a key', { ADDRESSES: '{"registry":{}}' }, 'ADDRESSES.registry.apiKey: '],
  ['a quota of no call', { ADDRESSES: registryWith({ quota: [{ calls: 0, seconds: 60 }] }) }, 'quota.0.calls: '],
  [
    'a quota of half a second',
    { ADDRESSES: registryWith({ quota: [{ calls: 5, seconds: 0.5 }] }) },
    'quota.0.seconds: ',
  ],
  [
    'a quota of four windows',
    { ADDRESSES: registryWith({ quota: [1, 2, 3, 4].map((seconds) => ({ calls: 5, seconds })) }) },
    'ADDRESSES.registry.quota: ',
  ],
  ['a geocoder without http', { ADDRESSES: '{"geocoder":{"url":"photon.example"}}' }, 'ADDRESSES.geocoder.url: '],
  ['an unknown source of addresses', { ADDRESSES: '{"google":{}}' }, 'ADDRESSES: '],
  ['a folder for messages on production', { MESSAGES: '{"folder":"/tmp"}' }, 'MESSAGES.folder: production must send'],
])('%s is refused by its name', (_what, changes, fault) => {
  const entries = Object.entries({ ...whole, ...changes }).filter(([, value]) => value !== undefined);
  const faults = deploymentFaults(Object.fromEntries(entries) as Record<string, string>);
  expect(faults).toEqual([expect.stringContaining(fault)]);
});

const COMMAND = resolve(import.meta.dirname, '..', '..', '..', 'scripts', 'operate', 'doctor.ts');
async function check(text: string) {
  const file = join(folder, 'variables');
  writeFileSync(file, text);
  const { stdout, stderr, exitCode } = await execa(process.execPath, [COMMAND, '--workers', file], { reject: false });
  return { lines: stdout.split('\n'), stderr, exitCode };
}

test('the command leaves with 1 and without a value in its lines', async () => {
  const half = {
    DEPLOYMENT: 'sandbox',
    LIBSQL_DIRECTORY: '{"token":"planted-secret"}',
    CREDENTIAL_KEYS: '["planted-secret"]',
  };
  const refused = await check(JSON.stringify(half));
  expect([refused.exitCode, refused.lines.map((line) => /^FAULT {2}variables {2}([\w.]+): /.exec(line)?.[1])]).toEqual([
    1,
    [
      ...['BASE_URL', 'LIBSQL_DIRECTORY.url', 'LIBSQL_DIRECTORY', 'LIBSQL_SHARDS', 'TOKEN_SIGNING_KEYS'],
      ...['CREDENTIAL_KEYS.0', 'CURSOR_KEYS', 'PRICE_LOCK_KEYS', 'WEBHOOK_KEYS', 'LOCATION_HINT'],
    ],
  ]);
  expect(JSON.stringify(refused)).not.toContain('planted-secret');
  expect(await check('{"DEPLOYMENT":7}')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('DEPLOYMENT') });
});
