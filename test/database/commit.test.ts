import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commitGroup, type Unit, type WriteConnection } from '../../db/commit.ts';
import { restoreDurability } from '../../db/durability.ts';
import { sendBatch, stepOf, valuesOf } from '../../db/hrana.ts';
import { freePort } from '../../scripts/shared/ports.ts';
import { type Sqld, startSqld } from '../../scripts/shared/sqld.ts';
import { startTcpProxy } from '../../scripts/shared/tcp-proxy.ts';

const TIMEOUT_MS = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'mirsal-commit-'));
const plainFetch = (url: string, init: RequestInit) => fetch(url, init);
let sqld: Sqld;

function connection(over: Partial<WriteConnection> = {}): WriteConnection {
  return {
    url: sqld.url,
    authToken: undefined,
    requireDurable: true,
    report: () => undefined,
    fetch: plainFetch,
    ...over,
  };
}

const insert = (id: number, name = `n${id}`): Unit => ({
  statements: [
    { sql: 'INSERT INTO parcel (id, name) VALUES (?, ?)', args: [id, name] },
    { sql: 'INSERT INTO note (parcel_id) VALUES (?)', args: [id] },
  ],
});

async function names(): Promise<unknown[]> {
  const reply = await sendBatch(connection(), [stepOf('SELECT name FROM parcel ORDER BY id', [], true)], TIMEOUT_MS);
  if (reply.status !== 'answered') throw new Error(`The database ${reply.status}`);
  return (reply.results[0]?.rows ?? []).map((row) => valuesOf(row)[0]);
}

async function run(...statements: string[]): Promise<void> {
  const reply = await sendBatch(
    connection(),
    statements.map((sql) => stepOf(sql, [], false)),
    TIMEOUT_MS,
  );
  if (reply.status !== 'answered' || reply.errors.some((error) => error !== null))
    throw new Error(JSON.stringify(reply));
}

beforeAll(async () => {
  sqld = await startSqld({ folder, port: await freePort(), adminPort: await freePort() });
  await run(
    'CREATE TABLE parcel (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT',
    'CREATE TABLE note (parcel_id INTEGER NOT NULL REFERENCES parcel (id)) STRICT',
  );
});
beforeEach(() => run('DELETE FROM note', 'DELETE FROM parcel'));
afterAll(async () => {
  await sqld.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('units fail alone', () => {
  test('a constraint refuses its own unit completely, and no other', async () => {
    const doubled: Unit = { statements: [...insert(3).statements, ...insert(4, 'n1').statements] };
    const outcomes = await commitGroup(connection(), [insert(1), doubled, insert(2)], TIMEOUT_MS);
    expect(outcomes).toEqual([
      { status: 'committed' },
      { status: 'refused', constraint: 'SQLite error: UNIQUE constraint failed: parcel.name' },
      { status: 'committed' },
    ]);
    expect(await names()).toEqual(['n1', 'n2']);
  });

  test('an update that changes no row refuses its unit', async () => {
    const lost: Unit = {
      statements: [
        { sql: 'INSERT INTO parcel (id, name) VALUES (8, ?)', args: ['before'] },
        { sql: 'UPDATE parcel SET name = ? WHERE id = 99', args: ['x'], mustChange: true },
        { sql: 'INSERT INTO parcel (id, name) VALUES (9, ?)', args: ['after'] },
      ],
    };
    const [first, second] = await commitGroup(connection(), [lost, insert(1)], TIMEOUT_MS);
    expect(first?.status).toBe('refused');
    expect(second).toEqual({ status: 'committed' });
    expect(await names()).toEqual(['n1']);
  });

  test('wrong SQL is invalid, and the other units commit', async () => {
    const wrong: Unit = { statements: [{ sql: 'INSERT INTO nowhere VALUES (1)', args: [] }] };
    const [first, second] = await commitGroup(connection(), [wrong, insert(1)], TIMEOUT_MS);
    expect(first?.status).toBe('invalid');
    expect(second).toEqual({ status: 'committed' });
  });

  test('a statement that rolls back the transaction undoes every unit, and none is reported as committed', async () => {
    const rollsBack: Unit = {
      statements: [{ sql: "INSERT OR ROLLBACK INTO parcel (id, name) VALUES (5, 'n1')", args: [] }],
    };
    const outcomes = await commitGroup(connection(), [insert(1), rollsBack, insert(2)], TIMEOUT_MS);
    expect(outcomes.map(({ status }) => status)).toEqual(['unavailable', 'refused', 'unavailable']);
    expect(await names()).toEqual([]);
  });

  test('64-bit integers and all text are stored unchanged', async () => {
    const odd = 'ثلاثة \u{1F4E6} "\\';
    await commitGroup(
      connection(),
      [{ statements: [{ sql: 'INSERT INTO parcel (id, name) VALUES (?, ?)', args: [9223372036854775807n, odd] }] }],
      TIMEOUT_MS,
    );
    const reply = await sendBatch(connection(), [stepOf('SELECT id, name FROM parcel', [], true)], TIMEOUT_MS);
    expect(reply.status === 'answered' && valuesOf(reply.results[0]?.rows[0] ?? [])).toEqual([
      9223372036854775807n,
      odd,
    ]);
  });
});

describe('when the server fails', () => {
  test('a lock that is not granted is unavailable, and nothing is stored', async () => {
    const locked = async (_url: string, init: RequestInit) => {
      const { requests } = JSON.parse(textOf(init)) as { requests: { batch?: { steps: unknown[] } }[] };
      const nothing = (requests[0]?.batch?.steps ?? []).map(() => null);
      const busy = { message: 'SQLite error: database is locked', code: 'SQLITE_BUSY' };
      const result = {
        step_results: [{ rows: [] }, ...nothing.slice(1)],
        step_errors: [null, busy, ...nothing.slice(2)],
      };
      return Promise.resolve(Response.json({ results: [{ type: 'ok', response: { result } }] }));
    };
    const outcomes = await commitGroup(connection({ fetch: locked }), [insert(1), insert(2)], TIMEOUT_MS);
    expect(outcomes).toEqual([
      { status: 'unavailable', reason: 'busy' },
      { status: 'unavailable', reason: 'busy' },
    ]);
  });

  test('a write lock held by another client: the outcome is unknown, and the unit commits once the lock is free', async () => {
    const holder = await openTransaction();
    const outcomes = await commitGroup(connection(), [insert(1)], 300);
    await holder.rollback();
    expect(outcomes).toEqual([{ status: 'unknown' }]);
    await expect.poll(names, { timeout: TIMEOUT_MS }).toEqual(['n1']);
  });

  test('429 is unavailable, because nothing ran', async () => {
    const refusing = () => Promise.resolve(new Response('too many', { status: 429 }));
    const outcomes = await commitGroup(connection({ fetch: refusing }), [insert(1), insert(2)], TIMEOUT_MS);
    expect(outcomes).toEqual([
      { status: 'unavailable', reason: 'overloaded' },
      { status: 'unavailable', reason: 'overloaded' },
    ]);
  });

  test('a connection cut after the batch was sent is unknown, although it committed', async () => {
    const proxy = await startTcpProxy(Number(new URL(sqld.url).port));
    proxy.cutAnswerAfter(0);
    const outcomes = await commitGroup(connection({ url: proxy.url }), [insert(1)], TIMEOUT_MS);
    expect(outcomes).toEqual([{ status: 'unknown' }]);
    await expect.poll(names, { timeout: TIMEOUT_MS }).toEqual(['n1']);
    proxy.close();
  });

  test('an incomplete answer is unknown', async () => {
    const half = () =>
      Promise.resolve(Response.json({ results: [{ type: 'ok', response: { result: { step_results: [null] } } }] }));
    expect(await commitGroup(connection({ fetch: half }), [insert(1)], TIMEOUT_MS)).toEqual([{ status: 'unknown' }]);
  });

  test('a server that does not sync its commits gets no units until it does', async () => {
    await fetch(`${sqld.adminUrl}/v1/namespaces/default/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ block_reads: false, block_writes: false, durability_mode: 'relaxed' }),
    });
    expect(await commitGroup(connection(), [insert(1)], TIMEOUT_MS)).toEqual([
      { status: 'unavailable', reason: 'not_durable' },
    ]);
    expect(await names()).toEqual([]);
    expect(await restoreDurability({ url: sqld.adminUrl }, plainFetch)).toBe(true);
    expect(await commitGroup(connection(), [insert(1)], TIMEOUT_MS)).toEqual([{ status: 'committed' }]);
  });

  // The last test, because nothing tells when the server has dealt with a request whose client has gone.
  test('no answer before the deadline is unknown', async () => {
    sqld.kill('SIGSTOP');
    const outcomes = await commitGroup(connection(), [insert(1)], 300);
    sqld.kill('SIGCONT');
    expect(outcomes).toEqual([{ status: 'unknown' }]);
    // The first unit may hold the write lock meanwhile: a busy database is asked again.
    await expect
      .poll(() => commitGroup(connection(), [insert(2)], TIMEOUT_MS), { timeout: TIMEOUT_MS })
      .toEqual([{ status: 'committed' }]);
    // Depending on the server, the first unit committed completely or not at all.
    expect([['n2'], ['n1', 'n2']]).toContainEqual(await names());
  });
});

/** Holds the write lock, as an abandoned interactive transaction does. */
async function openTransaction() {
  const post = async (body: unknown) => {
    const response = await fetch(`${sqld.url}/v3/pipeline`, { method: 'POST', body: JSON.stringify(body) });
    return (await response.json()) as { baton: string };
  };
  const execute = (sql: string) => ({ type: 'execute', stmt: { sql } });
  const { baton } = await post({ baton: null, requests: [execute('BEGIN IMMEDIATE')] });
  return { rollback: () => post({ baton, requests: [execute('ROLLBACK'), { type: 'close' }] }) };
}

function textOf({ body }: RequestInit): string {
  if (typeof body !== 'string') throw new Error('The body is no text');
  return body;
}
