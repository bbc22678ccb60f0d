import { randomInt, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The only address anything here listens on: what runs locally is nobody else's. */
export const LOOPBACK = '127.0.0.1';

/** Whether nobody answers on this port and it can be listened on. */
export async function isPortFree(port: number): Promise<boolean> {
  // macOS lets one listen on 127.0.0.1 beside somebody who listens on every address: asking is the surer half.
  return (await canListen(port)) && !(await isAnswered(port));
}

/*
 * Ports of servers that may be anywhere lie between those of `choosePorts` and those that systems give to outgoing
 * connections (32768 and up), so that neither takes one before its server listens. Of processes that look for one at the
 * same time, files that name port and process let one have it.
 */
export const FIRST_PORT = 30_500;
export const LAST_PORT = 32_699;
export const CLAIMS = join(tmpdir(), 'mirsal-ports');
const TRIES_MAX = 200;

/** A port that nobody listens on, and that no other process of this project is given while this one lives. */
export async function freePort(): Promise<number> {
  mkdirSync(CLAIMS, { recursive: true });
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (claim(port) && (await isPortFree(port))) return port;
  }
  throw new Error(`No port of ${FIRST_PORT} to ${LAST_PORT} is free`);
}

/** Files of this process. What it leaves when it is killed the next one that asks takes away. */
const claimed = new Set<string>();

/**
 * Says first that it wants the port, then looks who else does: of two at the same time one at least sees the other, and
 * perhaps both give way. No name is used twice, so that what is taken away is never what somebody has just written.
 */
function claim(port: number): boolean {
  const own = `${port}.${process.pid}.${randomUUID()}`;
  if (claimed.size === 0) process.once('exit', () => claimed.forEach(removeClaim));
  claimed.add(own);
  writeFileSync(join(CLAIMS, own), '');
  const others = readdirSync(CLAIMS).filter((name) => name !== own);
  const left = new Set(others.filter((name) => !isAlive(Number(name.split('.')[1]))));
  // All of them: the longer they stay, the likelier another process gets the number of the one that left them.
  left.forEach(removeClaim);
  if (!others.some((name) => name.startsWith(`${port}.`) && !left.has(name))) return true;
  removeClaim(own);
  return false;
}

function removeClaim(name: string): void {
  rmSync(join(CLAIMS, name), { force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Ports that go with a service's own port. The same ones each time as long as they are free, so that a tool stays
 * connected over a restart; others, free ones, in place of those that are not. They lie below the ports that systems
 * give to outgoing connections (32768 and up).
 */
export async function choosePorts(port: number, count: number): Promise<number[]> {
  const first = 10_000 + ((port * 8) % 20_000);
  const chosen = new Set<number>();
  for (let candidate = first; candidate < first + count; candidate += 1) {
    let taken = candidate !== port && (await isPortFree(candidate)) ? candidate : await freePort();
    while (chosen.has(taken)) taken = await freePort();
    chosen.add(taken);
  }
  return [...chosen];
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: LOOPBACK, port }, () => server.close(() => resolve(true)));
  });
}

/** Long enough for a connection on the same machine, which is made or refused at once. */
const ANSWER_TIMEOUT_MS = 500;

function isAnswered(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: LOOPBACK, port, timeout: ANSWER_TIMEOUT_MS });
    const answer = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });
}
