import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createClient } from '@libsql/client/http';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { keepDatabase } from '../../../scripts/shared/local-database.ts';
import { freePort, LOOPBACK } from '../../../scripts/shared/ports.ts';
import { findProcess, markOf } from '../../../scripts/shared/processes.ts';
import { SetupError } from '../../../scripts/shared/setup-error.ts';
import { type Sqld, startSqld } from '../../../scripts/shared/sqld.ts';

vi.setConfig({ testTimeout: 20_000 });

let parent = '';
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'mirsal-sqld-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

describe('startSqld', () => {
  test('syncs commits, and leaves nothing behind when it stops', async () => {
    const folder = join(parent, 'new', 'folder');
    const sqld = await start({ folder });
    expect(await run(sqld.url, 'PRAGMA synchronous')).toEqual([[2]]);
    expect(existsSync(join(folder, 'sqld.pid.json'))).toBe(true);
    await sqld.stop();
    expect(await sqld.exited).toBe('code 0');
    expect(findProcess(sqld.pid)).toBeUndefined();
    expect(existsSync(join(folder, 'sqld.pid.json'))).toBe(false);
    await sqld.stop();
  });

  test('keeps commits after a kill, and syncs again after the restart', async () => {
    const folder = join(parent, 'data');
    const first = await start({ folder });
    await run(first.url, 'CREATE TABLE kept (value text)');
    first.kill('SIGKILL');
    expect(await first.exited).toBe('SIGKILL');
    const second = await start({ folder });
    expect(await run(second.url, 'SELECT name FROM sqlite_schema')).toEqual([['kept']]);
    expect(await run(second.url, 'PRAGMA synchronous')).toEqual([[2]]);
  });

  test.each(['port', 'adminPort'] as const)('reports that the %s is in use', async (name) => {
    const port = await freePort();
    const server = createServer().listen({ host: LOOPBACK, port });
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const message = `Port ${port} is taken; end the program that listens on it or choose another port.`;
    await expect(start({ folder: join(parent, 'data'), [name]: port })).rejects.toThrow(new SetupError(message));
  });

  test('reports a folder that is not writable', async () => {
    const folder = join(parent, 'file');
    writeFileSync(folder, '');
    await expect(start({ folder })).rejects.toThrow(
      /cannot hold a database .*; choose a folder that you may write to\.$/,
    );
  });

  test('reports a folder with another kind of database', async () => {
    const folder = join(parent, 'data');
    mkdirSync(join(folder, 'dbs'), { recursive: true });
    writeFileSync(join(folder, '.version'), 'unknown');
    await expect(start({ folder })).rejects.toThrow(SetupError);
  });

  test('refuses a folder that another running process uses', async () => {
    const folder = join(parent, 'data');
    const sqld = await start({ folder });
    await expect(start({ folder })).rejects.toThrow(`in use by sqld ${sqld.pid} of process ${process.pid}`);
    expect(findProcess(sqld.pid)).toBeDefined();
  });

  test('ends an sqld whose owner was killed, and takes over its folder and ports', async () => {
    const folder = join(parent, 'data');
    const ports = { port: await freePort(), adminPort: await freePort() };
    const left = await startAndKillStarter({ folder, ...ports });
    expect(findProcess(left)).toBeDefined();
    const notes: string[] = [];
    const sqld = await start({ folder, ...ports, log: (line) => notes.push(line) });
    expect(findProcess(left)).toBeUndefined();
    expect(notes).toEqual([`stopped sqld ${left} of an earlier run on ${folder}`]);
    expect(await run(sqld.url, 'SELECT 1')).toEqual([[1]]);
  });

  test('does not end a process that only has the id of a former sqld', async () => {
    const folder = join(parent, 'data');
    mkdirSync(folder);
    const other = spawn('sleep', ['60']);
    onTestFinished(() => void other.kill('SIGKILL'));
    const recorded = { ...markOf(other.pid ?? 0), owner: { pid: other.pid, startedAt: 'before' } };
    writeFileSync(join(folder, 'sqld.pid.json'), JSON.stringify(recorded));
    await start({ folder });
    expect(findProcess(other.pid ?? 0)).toBeDefined();
  });
});

test('a database that has stopped is restarted on the same ports, and syncs commits', async () => {
  const log: string[] = [];
  const started: number[] = [];
  const database = await keepDatabase({
    id: 'shard-1',
    folder: join(parent, 'data'),
    port: await freePort(),
    adminPort: await freePort(),
    log: (line) => log.push(line),
    onStarted: (pid) => started.push(pid),
    onLost: (error) => log.push(error.message),
  });
  onTestFinished(() => database.stop());
  await run(database.url, 'CREATE TABLE kept (value text)');
  database.kill('SIGKILL');
  await vi.waitUntil(() => log.length === 2, { timeout: 10_000 });
  expect(log).toEqual([
    'sqld of shard-1 stopped (SIGKILL); restarting it',
    `sqld of shard-1 runs again on ${database.url}`,
  ]);
  expect(await run(database.url, 'SELECT name FROM sqlite_schema')).toEqual([['kept']]);
  expect(await run(database.url, 'PRAGMA synchronous')).toEqual([[2]]);
  await database.stop();
  expect(started).toHaveLength(2);
  for (const pid of started) expect(findProcess(pid)).toBeUndefined();
});

async function start(options: { folder: string; port?: number; adminPort?: number; log?: (line: string) => void }) {
  const sqld = await startSqld({ port: await freePort(), adminPort: await freePort(), ...options });
  onTestFinished(() => sqld.stop());
  return sqld satisfies Sqld;
}

async function run(url: string, sql: string): Promise<unknown[][]> {
  const client = createClient({ url });
  try {
    const { columns, rows } = await client.execute(sql);
    return rows.map((row) => columns.map((name) => row[name]));
  } finally {
    client.close();
  }
}

/** The pid of an sqld whose starting process has ended. */
async function startAndKillStarter(options: { folder: string; port: number; adminPort: number }): Promise<number> {
  const program = `
    const { startSqld } = await import(${JSON.stringify(resolve(import.meta.dirname, '../../../scripts/shared/sqld.ts'))});
    const { pid } = await startSqld(${JSON.stringify(options)});
    console.log(pid);
    setInterval(() => undefined, 1000);`;
  const starter = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(starter.stdout, 'data');
  starter.kill('SIGKILL');
  await once(starter, 'exit');
  return Number(line);
}
