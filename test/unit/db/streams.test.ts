import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../db/database.ts';
import { sendBatch, stepOf } from '../../../db/hrana.ts';
import { StreamPool } from '../../../db/streams.ts';
import { freePort } from '../../../scripts/ports.ts';
import { startSqld } from '../../../scripts/sqld.ts';

const ONCE = { baton: null, isKept: false };
const NEW = { baton: null, isKept: true };

/** A pool that has been asked just now, whose clock stands still until it is moved. */
function poolInUse() {
  const clock = { nowMs: 0 };
  const pool = new StreamPool(() => clock.nowMs);
  expect(pool.take()).toEqual(ONCE);
  return { clock, pool };
}

describe('which streams are kept', () => {
  test('none by whoever asks seldom', () => {
    const { clock, pool } = poolInUse();
    for (let asked = 0; asked < 3; asked += 1) {
      clock.nowMs += 51;
      expect(pool.take()).toEqual(ONCE);
    }
  });

  test('one by whoever asks often, and what came back last is taken first, by one at a time', () => {
    const { pool } = poolInUse();
    const [first, second] = [pool.take(), pool.take()];
    expect([first, second]).toEqual([NEW, NEW]);
    pool.settle(first, 'first-2');
    pool.settle(second, 'second-2');
    expect([pool.take(), pool.take(), pool.take()].map(({ baton }) => baton)).toEqual(['second-2', 'first-2', null]);
  });

  test('at most 48, lost ones among them until the server has ended them', () => {
    const { clock, pool } = poolInUse();
    for (let kept = 0; kept < 48; kept += 1) expect(pool.take()).toEqual(NEW);
    expect(pool.take()).toEqual(ONCE);
    clock.nowMs = 12_000;
    expect(pool.take()).toEqual(ONCE);
    expect(pool.take()).toEqual(NEW);
  });

  test('none that the server may have ended, or that it did not know', () => {
    const { clock, pool } = poolInUse();
    const [one, two, three] = [pool.take(), pool.take(), pool.take()];
    pool.settle(one, 'one');
    clock.nowMs = 9001;
    expect(pool.take()).toEqual(ONCE);
    pool.settle(two, 'two');
    pool.settle(three, 'three');
    pool.forget(pool.take());
    expect(pool.take()).toEqual(NEW);
  });

  test('none that is open no more, and none twice', () => {
    const { pool } = poolInUse();
    const stream = pool.take();
    pool.settle(stream, undefined);
    pool.settle(stream, 'late');
    expect(pool.take()).toEqual(NEW);
  });
});

describe('with a server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mirsal-streams-'));
  const ports = { port: await freePort(), adminPort: await freePort() };
  let sqld = await startSqld({ folder, ...ports });
  afterAll(async () => {
    await sqld.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Sent {
    readonly baton: string | null;
  }
  /** Reads, and what was sent for them and reported. */
  function openReads() {
    const sent: Sent[] = [];
    const reports: string[] = [];
    const connection = {
      ...{ id: 'shard', url: sqld.url, authToken: undefined },
      // All at one moment: that is often.
      monotonicMs: () => 0,
      report: (failure: string) => reports.push(failure),
      fetch: (url: string, init: RequestInit) => {
        sent.push(JSON.parse(init.body as string) as Sent);
        return fetch(url, init);
      },
    };
    return { connection, database: openDatabase(connection), sent, reports };
  }
  const statement = (sql: string) => ({ sql, args: [], decode: ([value]: readonly unknown[]) => value });
  const ONE = statement('select 1');
  const opened = (sent: readonly Sent[]) => sent.filter(({ baton }) => baton === null).length;

  test('reads one after the other share a stream, transactions of several too', async () => {
    const { database, sent, reports } = openReads();
    for (let read = 0; read < 5; read += 1) {
      expect(await database.read(ONE)).toEqual({ ok: true, rows: [1n] });
      expect(await database.readAll([ONE, statement('select 2')])).toEqual({ ok: true, results: [[1n], [2n]] });
    }
    // The first of all, and that of all others.
    expect({ opened: opened(sent), sent: sent.length, reports }).toEqual({ opened: 2, sent: 10, reports: [] });
  });

  test('a stream sees what others commit', async () => {
    const { connection, database } = openReads();
    const write = async (...sql: string[]) => {
      const reply = await sendBatch(
        connection,
        sql.map((one) => stepOf(one, [], false)),
        5000,
      );
      expect(reply).toMatchObject({ status: 'answered', errors: sql.map(() => null) });
    };
    await write('create table if not exists seen (value integer)', 'delete from seen');
    const count = statement('select count(*) from seen');
    for (const rows of [0n, 1n, 2n, 3n]) {
      expect(await database.readAll([count, count])).toEqual({ ok: true, results: [[rows], [rows]] });
      await write('insert into seen (value) values (1)', `alter table seen add column another${rows}`);
    }
  });

  test('a server that was started again knows none of them: the read is answered all the same', async () => {
    const { database, sent, reports } = openReads();
    await Promise.all([1, 2, 3, 4].map(() => database.read(ONE)));
    await sqld.stop();
    sqld = await startSqld({ folder, ...ports });
    sent.length = 0;
    expect(await database.read(ONE)).toEqual({ ok: true, rows: [1n] });
    expect(sent.map(({ baton }) => baton === null)).toEqual([false, true]);
    // The others are not tried.
    expect(await database.read(ONE)).toEqual({ ok: true, rows: [1n] });
    expect(sent).toHaveLength(3);
    expect(reports).toEqual([]);
  });

  test('one in a transaction is not used again', async () => {
    const { connection } = openReads();
    const pool = new StreamPool(() => 0);
    pool.take();
    await sendBatch(connection, [stepOf('BEGIN', [], false)], 5000, pool);
    expect(pool.take()).toEqual(NEW);
  });

  test('a batch that fails is told as before, and its stream goes on', async () => {
    const { database, sent } = openReads();
    await database.read(ONE);
    await expect(database.read(statement('select no_column'))).rejects.toThrow('no such column');
    await expect(database.readAll([ONE, statement('select no_column')])).rejects.toThrow('no such column');
    expect(await database.readAll([ONE, ONE])).toEqual({ ok: true, results: [[1n], [1n]] });
    expect(opened(sent)).toBe(2);
  });
});
