import { afterAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../db/database.ts';
import { Dice } from '../../scripts/shared/dice.ts';
import { newKey256, newSigningKey } from '../../scripts/shared/keys.ts';
import { DatabaseServer } from '../../scripts/shared/memory/database-server.ts';
import { EndpointSecrets } from '../../src/domain/webhooks/secret.ts';
import { noMetrics } from '../../src/providers/absent.ts';
import { monotonicMs, SystemClock, systemRandom } from '../../src/providers/system.ts';
import { parseConfig } from '../../src/service/config.ts';
import { openCommitter } from '../../src/service/database-writer-core.ts';
import { keyFaults } from '../../src/service/key-check.ts';
import type { Services } from '../../src/service/services.ts';
import { fetchFrom, WELL } from '../support/dispatch/memory-shard.ts';

/* Keys that are tried at the start, against the directory and a shard that has a sealed secret. */

type Variables = Readonly<Record<string, string>>;
const endpointId = '0190d0c8-7a6b-7c3d-8e4f-0123456789ab';
const servers = new Map<string, DatabaseServer>();
let first: Variables;
afterAll(() => servers.forEach((server) => server.close()));
beforeEach(async () => {
  for (const server of servers.values()) server.close();
  for (const [id, kind] of [
    ['directory', 'directory'],
    ['shard-1', 'shard'],
  ] as const) {
    const server = new DatabaseServer({ kind, id, dice: new Dice(1), onCommit: () => undefined });
    server.run("update database_identity set deployment = 'sandbox'");
    servers.set(id, server);
  }
  first = {
    DEPLOYMENT: 'sandbox',
    BASE_URL: 'https://sandbox.example',
    LIBSQL_DIRECTORY: JSON.stringify({ url: 'http://directory.sim' }),
    LIBSQL_SHARDS: JSON.stringify([{ id: 'shard-1', url: 'http://shard-1.sim' }]),
    TOKEN_SIGNING_KEYS: JSON.stringify([await newSigningKey()]),
    CREDENTIAL_KEYS: JSON.stringify([newKey256()]),
    CURSOR_KEYS: JSON.stringify([newKey256()]),
    PRICE_LOCK_KEYS: JSON.stringify([newKey256()]),
    WEBHOOK_KEYS: JSON.stringify([{ kid: 'one', key: newKey256() }]),
  };
  expect(await faultsWith({})).toEqual([]);
  await addEndpoint();
});

function servicesWith(changes: Variables): Services {
  const config = parseConfig({ ...first, ...changes });
  const send = fetchFrom(servers, { carry: WELL });
  const report = (...failure: readonly string[]) => expect.unreachable(failure.join(': '));
  const storeOf = (address: typeof config.directory) => ({
    database: openDatabase({ ...address, fetch: send, monotonicMs, report: (failure) => report(failure) }),
    writer: openCommitter({ address, requireDurable: false, fetch: send, monotonicMs, report, metrics: noMetrics }),
  });
  const shards = new Map(config.shards.map((address) => [address.id, storeOf(address)]));
  return {
    config,
    random: systemRandom,
    clock: new SystemClock(),
    directory: storeOf(config.directory),
    shards,
  } as unknown as Services;
}
const faultsWith = async (changes: Variables) =>
  (await keyFaults(servicesWith(changes))).map(({ list, found, mend }) => `${list}: ${found}. ${mend}`);

async function addEndpoint() {
  const secret = await new EndpointSecrets(servicesWith({}).config.webhookKeys, systemRandom).seal(
    endpointId,
    'whsec_AA==',
  );
  const columns =
    servers
      .get('shard-1')
      ?.rows('select name, type, "notnull" as needed from pragma_table_info(\'webhook_endpoints\')') ?? [];
  const known: Record<string, string> = { id: endpointId, company_id: endpointId, state: 'ENABLED', secret };
  const needed = columns.filter(({ name, needed: isNeeded }) => isNeeded === 1 || String(name) in known);
  const values = needed.map(({ name, type }) => known[String(name)] ?? (type === 'integer' ? 0 : ''));
  servers
    .get('shard-1')
    ?.run(
      `insert into webhook_endpoints (${needed.map(({ name }) => `"${String(name)}"`).join(', ')}) values (${needed.map(() => '?').join(', ')})`,
      values,
    );
}
const listOf = (name: string): unknown[] => JSON.parse(first[name] ?? '[]');
const withList = (name: string, list: readonly unknown[]) => ({ [name]: JSON.stringify(list) });

test('keys may be added, promoted and, when no value needs them, removed', async () => {
  for (const name of ['CREDENTIAL_KEYS', 'CURSOR_KEYS', 'PRICE_LOCK_KEYS']) {
    const [old] = listOf(name);
    const next = newKey256();
    expect(await faultsWith(withList(name, [old, next]))).toEqual([]);
    expect(await faultsWith(withList(name, [next, old]))).toEqual([]);
    expect(await faultsWith(withList(name, [next]))).toEqual([]);
    first = { ...first, ...withList(name, [next]) };
  }
  const [signer] = listOf('TOKEN_SIGNING_KEYS');
  const next = await newSigningKey();
  for (const keys of [[signer, next], [next, signer], [next]])
    expect(await faultsWith(withList('TOKEN_SIGNING_KEYS', keys))).toEqual([]);
});

// https://github.com/nextcloud/mail/issues/1041 and https://github.com/ProtossBlaster/leapmotor-mate/issues/227: a database with
// the keys of another environment file.
test.each(['CREDENTIAL_KEYS', 'CURSOR_KEYS', 'PRICE_LOCK_KEYS'])(
  '%s of another deployment are refused',
  async (name) => {
    const faults = await faultsWith(withList(name, [newKey256()]));
    expect(faults).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${name}: the key with the fingerprint [0-9a-f]{8}, which is in use, is missing; .* invalid. Put it back`,
        ),
      ),
    ]);
    for (const key of listOf(name)) expect(faults.join()).not.toContain(String(key));
    // Nothing was noted, so the right keys still start.
    expect(await faultsWith({})).toEqual([]);
  },
);

test('a lost key of webhooks is named by its kid, also after it was replaced properly', async () => {
  const [one] = listOf('WEBHOOK_KEYS');
  const two = { kid: 'two', key: newKey256() };
  expect(await faultsWith(withList('WEBHOOK_KEYS', [two]))).toEqual([
    expect.stringContaining('which is in use, is missing'),
    expect.stringContaining('WEBHOOK_KEYS: the key one is missing; without it signing secrets'),
  ]);
  expect(await faultsWith(withList('WEBHOOK_KEYS', [two, one]))).toEqual([]);
  expect(await faultsWith(withList('WEBHOOK_KEYS', [two]))).toEqual([
    expect.stringContaining('the key one is missing'),
  ]);
  expect(await faultsWith(withList('WEBHOOK_KEYS', [two, { kid: 'one', key: newKey256() }]))).toEqual([
    expect.stringContaining('the key one is another one than that of the stored values'),
  ]);
});

test('an older key of client secrets may not go before the last of them', async () => {
  const [old] = listOf('CREDENTIAL_KEYS');
  const next = newKey256();
  const directory = servers.get('directory');
  directory?.run("insert into credentials (id, client_id, scopes, created_at) values ('c', 'c', '', 1)");
  directory?.run(
    "insert into credential_secrets (id, credential_id, secret_hmac, secret_hint, created_at) values ('s', 'c', '', '', ?)",
    [Date.now() * 1000],
  );
  expect(await faultsWith(withList('CREDENTIAL_KEYS', [next, old]))).toEqual([]);
  expect(await faultsWith(withList('CREDENTIAL_KEYS', [next]))).toEqual([
    expect.stringContaining('without it 1 client secrets become invalid'),
  ]);
  directory?.run('update credential_secrets set expires_at = 1');
  expect(await faultsWith(withList('CREDENTIAL_KEYS', [next]))).toEqual([]);
});

test('signing keys that are malformed, or have the public part of another, are refused before anything is noted', async () => {
  const [key, other] = [await newSigningKey(), await newSigningKey()];
  const mixed = { ...key, x: other.x };
  expect(await faultsWith(withList('TOKEN_SIGNING_KEYS', [...listOf('TOKEN_SIGNING_KEYS'), mixed]))).toEqual([
    expect.stringContaining(`TOKEN_SIGNING_KEYS: the key ${key.kid} does not verify what it signs`),
  ]);
  expect(await faultsWith(withList('TOKEN_SIGNING_KEYS', [{ ...key, d: 'AAAA' }]))).toEqual([
    expect.stringContaining('does not verify what it signs'),
  ]);
  expect(await faultsWith({})).toEqual([]);
});

test('a loss that is accepted is noted', async () => {
  const changes = withList('CURSOR_KEYS', [newKey256()]);
  expect(await faultsWith(changes)).not.toEqual([]);
  expect(await keyFaults(servicesWith(changes), 'accept')).toEqual([]);
  expect(await faultsWith(changes)).toEqual([]);
});
