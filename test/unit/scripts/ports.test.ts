import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort, isPortFree, LOOPBACK } from '../../../scripts/ports.ts';

const PORTS = 40;

/** A process that asks for many ports and, while it lives, listens on none of them. */
function startAsker() {
  const program = `import { freePort } from '${import.meta.resolve('../../../scripts/ports.ts')}';
    const ports = [];
    for (let count = 0; count < ${PORTS}; count += 1) ports.push(await freePort());
    console.log(JSON.stringify(ports));
    process.stdin.resume().once('end', () => process.exit());`;
  return spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
}

test('processes that ask at the same time are given different ports, until they end', async () => {
  const askers = Array.from({ length: 4 }, startAsker);
  const told = await Promise.all(
    askers.map(async ({ stdout }) => JSON.parse(String((await once(stdout, 'data'))[0])) as number[]),
  );
  for (const { stdin } of askers) stdin.end();
  await Promise.all(askers.map((asker) => once(asker, 'exit')));
  expect(new Set(told.flat()).size).toBe(askers.length * PORTS);
});

test('a port that somebody listens on is not free', async () => {
  const port = await freePort();
  expect(await isPortFree(port)).toBe(true);
  const server = createServer().listen({ host: LOOPBACK, port });
  await once(server, 'listening');
  expect(await isPortFree(port)).toBe(false);
  server.close();
});
