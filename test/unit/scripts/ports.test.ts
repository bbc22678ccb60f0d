import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CLAIMS, FIRST_PORT, freePort, isPortFree, LAST_PORT, LOOPBACK } from '../../../scripts/shared/ports.ts';

const PORTS = 100;

/** A process that reserves ports, and listens on none of them. */
function startAsker() {
  const program = `import { freePort } from '${import.meta.resolve('../../../scripts/shared/ports.ts')}';
    const ports = [];
    for (let count = 0; count < ${PORTS}; count += 1) ports.push(await freePort());
    console.log(JSON.stringify(ports));
    process.stdin.resume().once('end', () => process.exit());`;
  return spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** What a killed process leaves behind: its ports can be taken over. */
async function leaveClaims() {
  await freePort();
  const { pid } = spawnSync(process.execPath, ['--version']);
  const ports = Array.from({ length: LAST_PORT - FIRST_PORT + 1 }, (_, index) => FIRST_PORT + index);
  const files = ports.map((port) => join(CLAIMS, `${port}.${pid}.left`));
  onTestFinished(() => files.forEach((file) => rmSync(file, { force: true })));
  for (const file of files) writeFileSync(file, '');
}

function claimsOf(pids: readonly (number | undefined)[]): string[] {
  return readdirSync(CLAIMS).filter((name) => pids.includes(Number(name.split('.')[1])));
}

test('concurrent processes get different ports while they run', async () => {
  await leaveClaims();
  const askers = Array.from({ length: 4 }, startAsker);
  const told = await Promise.all(
    askers.map(async ({ stdout }) => JSON.parse(String((await once(stdout, 'data'))[0])) as number[]),
  );
  const pids = askers.map(({ pid }) => pid);
  expect(new Set(told.flat()).size).toBe(askers.length * PORTS);
  expect(claimsOf(pids).length).toBeGreaterThanOrEqual(askers.length * PORTS);
  for (const { stdin } of askers) stdin.end();
  await Promise.all(askers.map((asker) => once(asker, 'exit')));
  expect(claimsOf(pids)).toEqual([]);
});

test('a port in use is not free', async () => {
  const port = await freePort();
  expect(await isPortFree(port)).toBe(true);
  const server = createServer().listen({ host: LOOPBACK, port });
  await once(server, 'listening');
  expect(await isPortFree(port)).toBe(false);
  server.close();
});
