import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../scripts/shared/until.ts';

/** A Deno process that may open 256 files, with more idle connections than that. */

const ROOT = resolve(import.meta.dirname, '..', '..');
const PROGRAM = join(ROOT, 'node_modules', '.bin', 'deno');
const PROBE = join(import.meta.dirname, 'deno-serve-probe.ts');
const ARGUMENTS = ['run', '--allow-net', '--no-prompt', '--no-lock', PROBE];
const FILES_MAX = 256;
const idle: Socket[] = [];
let deno: ChildProcess;
let port = 0;

beforeAll(async () => {
  deno = spawn('sh', ['-c', `ulimit -n ${FILES_MAX}; exec "$@"`, 'sh', PROGRAM, ...ARGUMENTS], {
    cwd: ROOT,
    env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
    // A process group of its own, because the npm package starts Deno as a child.
    detached: true,
  });
  if (deno.stdout === null) throw new Error('The process has no output');
  for await (const line of createInterface(deno.stdout)) {
    ({ listening: port } = JSON.parse(line) as { listening: number });
    break;
  }
  deno.stdout.resume();
});
afterAll(() => {
  for (const socket of idle) socket.destroy();
  signal('SIGKILL');
});

const ask = (path: number | 'running' | 'signal') =>
  fetch(`http://127.0.0.1:${port}/${path}`).then((response) => response.text());

it('answers running requests at the file limit, and accepts new ones once connections are closed', async () => {
  const slow = ask(2);
  for (let index = 0; index < 2 * FILES_MAX; index += 1)
    idle.push(connect(port, '127.0.0.1').on('error', () => undefined));
  await expect.poll(() => idle.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(0);
  expect(await slow).toBe('ok');
  expect(deno.exitCode).toBeNull();
  for (const socket of idle) socket.destroy();
  await expect.poll(() => ask(0).catch(() => 'refused')).toBe('ok');
});

it('answers running requests after SIGTERM, and accepts no new ones', async () => {
  // Connections of the test above may still end the listener once more: it refuses until it listens again.
  const slow = until('it is accepted', () => ask('signal').catch(() => undefined));
  await expect.poll(() => ask('running').catch(() => 'refused')).toBe('1');
  signal('SIGTERM');
  expect(await slow).toBe('ok');
  await expect.poll(() => ask(0).catch(() => 'refused')).toBe('refused');
});

it('names the address that it cannot listen on', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port: taken } = holder.address() as AddressInfo;
  const { stderr, exitCode } = await execa(PROGRAM, [...ARGUMENTS, String(taken)], { cwd: ROOT, reject: false });
  holder.close();
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringContaining(`127.0.0.1:${taken} cannot be listened on. AddrInUse`),
  ]);
});

function signal(name: NodeJS.Signals): void {
  try {
    process.kill(-(deno.pid ?? 0), name);
  } catch {
    // The process group has ended.
  }
}
