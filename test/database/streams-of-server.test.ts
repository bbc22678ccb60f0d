import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../db/database.ts';
import { restoreDurability } from '../../db/durability.ts';
import { sendBatch, stepOf } from '../../db/hrana.ts';
import { readinessOf } from '../../db/readiness.ts';
import { ONCE, StreamPool } from '../../db/streams.ts';
import { migrate } from '../../scripts/shared/migrate.ts';
import { type SqldServer, startSqldServer } from '../../scripts/shared/mortal-sqld.ts';

/* Streams kept open, with a real server. */

/** After this many requests, the next one keeps its stream. */
const FIRST_READS = 9;
const folder = mkdtempSync(join(tmpdir(), 'mirsal-streams-'));
let sqld: SqldServer;
beforeAll(async () => {
  sqld = await startSqldServer(folder, 'shard-1');
});
afterAll(async () => {
  await sqld.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Sent {
  readonly baton: string | null;
}
/** A database with frequent reads, and the requests and reports it made. `change` may replace responses. */
async function openReads(change = (answer: Response): Promise<Response> => Promise.resolve(answer)) {
  const sent: Sent[] = [];
  const reports: string[] = [];
  const connection = {
    ...{ id: 'shard', authToken: undefined, url: 'http://the-server' },
    monotonicMs: () => 0,
    report: (failure: string) => reports.push(failure),
    fetch: async (url: string, init: RequestInit) => {
      sent.push(JSON.parse(init.body as string) as Sent);
      return change(await fetch(url.replace(connection.url, sqld.url), init));
    },
  };
  const database = openDatabase(connection);
  for (let read = 0; read < FIRST_READS; read += 1) await database.read(ONE);
  sent.length = 0;
  return { connection, database, sent, reports };
}
const statement = (sql: string) => ({ sql, args: [], decode: ([value]: readonly unknown[]) => value });
const ONE = statement('select 1');
const opened = (sent: readonly Sent[]) => sent.filter(({ baton }) => baton === null).length;

test('consecutive reads and transactions share a stream', async () => {
  const { database, sent, reports } = await openReads();
  for (let read = 0; read < 5; read += 1) {
    expect(await database.read(ONE)).toEqual({ ok: true, rows: [1n] });
    expect(await database.readAll([ONE, statement('select 2')])).toEqual({ ok: true, results: [[1n], [2n]] });
  }
  expect({ opened: opened(sent), sent: sent.length, reports }).toEqual({ opened: 1, sent: 10, reports: [] });
});

test('concurrent reads never share a stream', async () => {
  const { database, sent, reports } = await openReads();
  for (let round = 0; round < 3; round += 1)
    expect(await Promise.all(Array.from({ length: 20 }, () => database.read(ONE)))).toHaveLength(20);
  const batons = sent.flatMap(({ baton }) => baton ?? []);
  expect(new Set(batons).size).toBe(batons.length);
  expect({ opened: opened(sent), reports }).toEqual({ opened: 20, reports: [] });
});

test('a stream sees the commits of others', async () => {
  const { connection, database, sent } = await openReads();
  const write = async (sql: string) => {
    const reply = await sendBatch(connection, [stepOf(sql, [], false)], 5000);
    expect(reply).toMatchObject({ status: 'answered', errors: [null] });
  };
  await write('create table seen (value integer)');
  const count = statement('select count(*) from seen');
  for (const rows of [0n, 1n, 2n, 3n]) {
    expect(await database.readAll([count, count])).toEqual({ ok: true, results: [[rows], [rows]] });
    await write('insert into seen (value) values (1)');
    await write(`alter table seen add column another${rows}`);
  }
  expect(sent.filter(({ baton }) => baton !== null)).toHaveLength(3);
});

test('after a restart of the server, a read on an unknown stream is retried on a new one', async () => {
  const { database, sent, reports } = await openReads();
  await Promise.all([1, 2, 3, 4].map(() => database.read(ONE)));
  await sqld.restart();
  sent.length = 0;
  expect(await database.read(ONE)).toEqual({ ok: true, rows: [1n] });
  expect(sent.map(({ baton }) => baton === null)).toEqual([false, true]);
  // The other unknown streams are not tried.
  expect(await database.read(ONE)).toEqual({ ok: true, rows: [1n] });
  expect(sent).toHaveLength(3);
  expect(reports).toEqual([]);
});

test('a stream in a transaction is not reused, but counts', async () => {
  const { connection } = await openReads();
  const pool = new StreamPool(() => 0);
  for (let asked = 0; asked < FIRST_READS; asked += 1) pool.take();
  for (let kept = 0; kept < 48; kept += 1) await sendBatch(connection, [stepOf('BEGIN', [], false)], 5000, pool);
  expect(pool.take()).toEqual(ONCE);
});

test('a stream with another base URL is not reused, and no further ones are kept', async () => {
  const elsewhere = async (answer: Response) =>
    Response.json({ ...((await answer.json()) as object), base_url: 'http://elsewhere' });
  const { database, sent } = await openReads(elsewhere);
  for (let read = 0; read < 3; read += 1) expect(await database.read(ONE)).toEqual({ ok: true, rows: [1n] });
  expect(sent).toEqual([1, 2, 3].map(() => expect.objectContaining({ baton: null })));
  expect(sent.slice(1)).toEqual(
    [1, 2].map(() => expect.objectContaining({ requests: [expect.anything(), { type: 'close' }] })),
  );
});

test('429 is reported, and no further streams are kept', async () => {
  let isFull = false;
  const { database, sent, reports } = await openReads((answer) =>
    Promise.resolve(isFull ? new Response(null, { status: 429 }) : answer),
  );
  isFull = true;
  expect(await database.read(ONE)).toEqual({ ok: false });
  isFull = false;
  expect(await database.read(ONE)).toEqual({ ok: true, rows: [1n] });
  expect(sent.at(-1)).toMatchObject({ baton: null, requests: [expect.anything(), { type: 'close' }] });
  expect(reports).toEqual(['HTTP 429']);
});

test.each([
  ['is lost', () => Promise.reject(new TypeError('cut'))],
  ['is an error of the server', () => Promise.resolve(new Response(null, { status: 500 }))],
])('a stream whose response %s counts until the server has closed it', async (_what, change) => {
  const { connection } = await openReads();
  const pool = new StreamPool(() => 0);
  for (let asked = 0; asked < FIRST_READS; asked += 1) pool.take();
  const broken = { ...connection, fetch: change };
  for (let kept = 0; kept < 48; kept += 1) await sendBatch(broken, [stepOf('SELECT 1', [], true)], 5000, pool);
  expect(pool.take()).toEqual(ONCE);
});

test('no stream is kept if the server does not report the state of the transaction', async () => {
  const silent = async (answer: Response) => {
    const body = (await answer.json()) as { results: unknown[] };
    return Response.json({ ...body, results: body.results.slice(0, 1) });
  };
  const { database, sent } = await openReads(silent);
  for (let read = 0; read < 3; read += 1) expect(await database.read(ONE)).toEqual({ ok: true, rows: [1n] });
  expect(sent.at(-1)).toMatchObject({ baton: null, requests: [expect.anything(), { type: 'close' }] });
});

test('a failed batch throws as without streams, and its stream is reused', async () => {
  const { database, sent } = await openReads();
  await expect(database.read(statement('select no_column'))).rejects.toThrow('no such column');
  await expect(database.readAll([ONE, statement('select no_column')])).rejects.toThrow('no such column');
  expect(await database.readAll([ONE, ONE])).toEqual({ ok: true, results: [[1n], [1n]] });
  expect(opened(sent)).toBe(1);
});

test('durability is read on a new connection', async () => {
  await migrate({ kind: 'shard', id: 'shard-1', deployment: 'local', url: sqld.url });
  await sqld.restart();
  const { database, sent } = await openReads();
  // Keeps a stream from before the change.
  await database.readAll([ONE, ONE]);
  const ready = { database: 'shard', answers: true, migrationsCurrent: true, writable: true };
  const expected = { kind: 'shard', requireDurable: true, isWritable: () => Promise.resolve(true) } as const;
  expect(await readinessOf(database, expected)).toEqual({ ...ready, durabilityStrong: false });
  expect(await restoreDurability({ url: sqld.adminUrl }, fetch)).toBe(true);
  expect(await readinessOf(database, expected)).toEqual({ ...ready, durabilityStrong: true });
  expect(sent.at(-1)).toMatchObject({ baton: null, requests: [expect.anything(), { type: 'close' }] });
});

test('durability is not asked of a database whose provider guarantees it', async () => {
  const { database, sent } = await openReads();
  const managed = { kind: 'shard', requireDurable: false, isWritable: () => Promise.resolve(true) } as const;
  expect(await readinessOf(database, managed)).toMatchObject({ answers: true, durabilityStrong: true });
  expect([sent.length, JSON.stringify(sent).includes('synchronous')]).toEqual([1, false]);
});
