import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CommitMeter } from '../../db/commit-meter.ts';
import { restoreDurability } from '../../db/durability.ts';
import { GroupCommitter } from '../../db/group-committer.ts';
import { startChild } from '../../scripts/shared/child-group.ts';
import { freePort, LOOPBACK } from '../../scripts/shared/ports.ts';
import { requireSqldBinary, startSqld } from '../../scripts/shared/sqld.ts';
import { until } from '../../scripts/shared/until.ts';
import { noMetrics } from '../../src/providers/absent.ts';

vi.setConfig({ testTimeout: 20_000 });

/** A server with a table, and a committer whose clock the test controls. */
async function openServer(folder = newFolder()) {
  const sqld = await startSqld({ folder, port: await freePort(), adminPort: await freePort() });
  onTestFinished(() => sqld.stop());
  const clock = { nowMs: 0 };
  const requests = { count: 0 };
  const send = (url: string, init: RequestInit) => {
    requests.count += 1;
    return fetch(url, init);
  };
  const committer = new GroupCommitter({
    connection: { url: sqld.url, authToken: undefined, requireDurable: true, fetch: send, report: () => undefined },
    restoreDurability: () => restoreDurability({ url: sqld.adminUrl }, fetch),
    onCommitted: () => undefined,
    monotonicMs: () => clock.nowMs,
    meter: new CommitMeter(noMetrics, 'shard-1'),
  });
  const commit = (sql: string) => committer.commit({ statements: [{ sql, args: [] }] });
  const address = `${sqld.adminUrl}/v1/namespaces/default/config`;
  const readConfig = async () => (await (await fetch(address)).json()) as Readonly<Record<string, unknown>>;
  const configure = async (changes: Readonly<Record<string, unknown>>) => {
    const body = JSON.stringify({ ...(await readConfig()), ...changes });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(200);
  };
  expect(await commit('CREATE TABLE parcels (content BLOB)')).toEqual({ status: 'committed' });
  return { committer, commit, clock, requests, configure, readConfig, adminUrl: sqld.adminUrl };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mirsal-writability-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const INSERT = 'INSERT INTO parcels VALUES (zeroblob(30000))';
const COMMITTED = { status: 'committed' };

test('blocked writes are seen, and found to work again by one probe in ten seconds that changes nothing', async () => {
  const { committer, commit, clock, requests, configure } = await openServer();
  await configure({ block_writes: true });
  // Nobody has written yet.
  expect(await committer.isWritable()).toBe(true);
  expect(await commit(INSERT)).toEqual({ status: 'unavailable', reason: 'failed' });
  const sent = requests.count;
  expect(await committer.isWritable()).toBe(false);
  await configure({ block_writes: false });
  clock.nowMs = 9999;
  expect(await committer.isWritable()).toBe(false);
  expect(requests.count).toBe(sent + 1);
  clock.nowMs = 10_000;
  expect(await committer.isWritable()).toBe(true);
  expect(await committer.isWritable()).toBe(true);
  expect(requests.count).toBe(sent + 2);
  expect(await commit('CREATE TABLE writable_probe (was_rolled_back INTEGER)')).toEqual(COMMITTED);
});

test('a commit that succeeds says so at once', async () => {
  const { committer, commit, configure } = await openServer();
  await configure({ block_writes: true });
  await commit(INSERT);
  expect(await committer.isWritable()).toBe(false);
  await configure({ block_writes: false });
  expect(await commit(INSERT)).toEqual(COMMITTED);
  expect(await committer.isWritable()).toBe(true);
});

test('a unit that is refused for a reason of its own says nothing about the database', async () => {
  const { committer, commit } = await openServer();
  expect(await commit('INSERT INTO parcels SELECT json(1, 2')).toMatchObject({
    status: expect.not.stringMatching('committed'),
  });
  expect(await commit("SELECT json('no JSON')")).toMatchObject({ status: 'refused' });
  expect(await committer.isWritable()).toBe(true);
});

test('a database at its size limit is not writable, though a small change would find room in its cache', async () => {
  const { committer, commit, clock, configure } = await openServer();
  await configure({ max_db_size: '64KB' });
  await commit(INSERT);
  expect(await commit(INSERT)).toEqual({ status: 'unavailable', reason: 'failed' });
  expect(await committer.isWritable()).toBe(false);
  await configure({ max_db_size: '64MB' });
  clock.nowMs = 10_000;
  expect(await committer.isWritable()).toBe(true);
  expect(await commit(INSERT)).toEqual(COMMITTED);
});

test('a database on a full disk is not writable until there is space', async ({ skip }) => {
  const disk = newFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    skip('This user cannot mount a small disk');
  }
  onTestFinished(() => void execFileSync('umount', ['-l', disk]));
  mkdirSync(join(disk, 'data'));
  const { committer, commit, clock } = await openServer(join(disk, 'data'));
  const filler = join(disk, 'filler');
  fillUp(filler);
  // The server keeps some space in its files.
  await expect
    .poll(async () => (await commit('INSERT INTO parcels VALUES (randomblob(300000))')).status)
    .toBe('unknown');
  expect(await committer.isWritable()).toBe(false);
  rmSync(filler);
  clock.nowMs = 10_000;
  expect(await committer.isWritable()).toBe(true);
  expect(await commit(INSERT)).toEqual(COMMITTED);
});

function fillUp(path: string): void {
  for (const size of [1_000_000, 4096]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' });
    }
  }
}

test('restoring durability keeps the write block and the limit that an operator has set', async () => {
  const { configure, readConfig, adminUrl } = await openServer();
  await configure({ block_writes: true, block_reason: 'maintenance', max_db_size: '1GB', durability_mode: 'relaxed' });
  const before = await readConfig();
  expect(await restoreDurability({ url: adminUrl }, fetch)).toBe(true);
  expect(await readConfig()).toEqual({ ...before, durability_mode: 'strong', txn_timeout_s: 5 });
});

test('restoring durability keeps the key of the tokens, and brings the key of the admin address', async () => {
  const folder = newFolder();
  const [port, adminPort] = [await freePort(), await freePort()];
  const admin = { url: `http://${LOOPBACK}:${adminPort}`, key: 'key-of-the-operator' };
  const query = async () => {
    const body = JSON.stringify({ requests: [{ type: 'execute', stmt: { sql: 'select 1' } }] });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`http://${LOOPBACK}:${port}/v3/pipeline`, { method: 'POST', headers, body })).status;
  };
  const sqld = await startSqld({ folder, port, adminPort, adminKey: admin.key });
  onTestFinished(() => sqld.stop());
  expect(await query()).toBe(200);
  const config = `${admin.url}/v1/namespaces/default/config`;
  const headers = { 'content-type': 'application/json', authorization: `Basic ${admin.key}` };
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  const settings = {
    block_reads: false,
    block_writes: true,
    block_reason: 'maintenance',
    jwt_key: x,
    allow_attach: true,
  };
  const set = await fetch(config, { method: 'POST', headers, body: JSON.stringify(settings) });
  expect([set.status, await query()]).toEqual([200, 401]);

  const told: string[] = [];
  const report = (failure: string) => told.push(failure);
  expect(await restoreDurability({ url: admin.url }, fetch, report)).toBe(false);
  expect(await restoreDurability({ url: `http://${LOOPBACK}:9` }, fetch, report)).toBe(false);
  expect(await restoreDurability(undefined, fetch, report)).toBe(false);
  expect(told).toEqual([
    expect.stringMatching(/adminUrl answered HTTP 40[13]$/),
    expect.stringMatching(/adminUrl: TypeError: fetch failed: /),
    expect.stringMatching(/adminUrl is missing$/),
  ]);
  expect(await restoreDurability(admin, fetch)).toBe(true);
  expect(await query()).toBe(401);
  expect(await (await fetch(config, { headers })).json()).toMatchObject({ ...settings, durability_mode: 'strong' });
});

test('durability is restored after a restart with authentication on, and clients still need their token', async () => {
  const folder = newFolder();
  const [port, adminPort] = [await freePort(), await freePort()];
  const admin = { url: `http://${LOOPBACK}:${adminPort}`, key: 'key-of-the-operator' };
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keyFile = join(folder, 'key-of-tokens.pem');
  writeFileSync(keyFile, publicKey.export({ type: 'spki', format: 'pem' }));
  const start = async () => {
    const listen = ['--http-listen-addr', `${LOOPBACK}:${port}`, '--admin-listen-addr', `${LOOPBACK}:${adminPort}`];
    const keys = ['--auth-jwt-key-file', keyFile, '--admin-auth-key', admin.key];
    const args = ['--no-welcome', '-d', join(folder, 'data'), ...listen, ...keys];
    const child = startChild({ command: requireSqldBinary(), args, cwd: folder, env: process.env });
    onTestFinished(() => child.stop());
    await until(
      'sqld answers',
      async () => (await fetch(`http://${LOOPBACK}:${port}/health`).catch(() => undefined))?.ok,
    );
    return child;
  };
  const token = await new SignJWT({ a: 'rw' }).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey);
  const query = async (headers: Readonly<Record<string, string>>) => {
    const stmt = { sql: 'SELECT synchronous FROM pragma_synchronous' };
    const body = JSON.stringify({ requests: [{ type: 'execute', stmt }] });
    const answer = await fetch(`http://${LOOPBACK}:${port}/v3/pipeline`, { method: 'POST', headers, body });
    return [answer.status, /"value":"(\d)"/.exec(await answer.text())?.[1]];
  };
  const withToken = { authorization: `Bearer ${token}` };
  const config = `${admin.url}/v1/namespaces/default/config`;
  const headers = { 'content-type': 'application/json', authorization: `Basic ${admin.key}` };
  const readConfig = async () => (await fetch(config, { headers })).json();

  const first = await start();
  const block = JSON.stringify({ block_reads: false, block_writes: true, block_reason: 'maintenance' });
  expect((await fetch(config, { method: 'POST', headers, body: block })).status).toBe(200);
  await first.stop();
  await start();
  const before = await readConfig();
  // As docs/deploy.md says: sqld has forgotten what was set at its admin address.
  expect(before).toMatchObject({ block_writes: false, durability_mode: 'relaxed' });
  expect([await query({}), await query(withToken)]).toEqual([
    [401, undefined],
    [200, '1'],
  ]);
  expect(await restoreDurability(admin, fetch)).toBe(true);
  expect([await query({}), await query(withToken)]).toEqual([
    [401, undefined],
    [200, '2'],
  ]);
  expect(await readConfig()).toEqual({ ...Object(before), durability_mode: 'strong', txn_timeout_s: 5 });
});
