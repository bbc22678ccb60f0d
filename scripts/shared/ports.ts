import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The only address that local programs listen on, so that other machines cannot reach them. */
export const LOOPBACK = '127.0.0.1';

/** Whether a program can listen on this port, and none answers there. */
export async function isPortFree(port: number): Promise<boolean> {
  // On macOS a program can listen on 127.0.0.1 although another listens on all addresses, so the port is also asked.
  return (await canListen(port)) && !(await isAnswered(port));
}

/*
 * Random ports lie between those of `choosePorts` and those that systems use for outgoing connections (32768 and up), so
 * that neither takes one before its server listens. Several test processes look for ports at the same time. Packages such
 * as get-port reserve ports within one process only, so files with the port and the process id reserve them here.
 */
export const FIRST_PORT = 30_500;
export const LAST_PORT = 32_699;
export const CLAIMS = join(tmpdir(), 'mirsal-ports');
const TRIES_MAX = 200;

/** A free port that no other process of this project gets while this one runs. */
export async function freePort(): Promise<number> {
  mkdirSync(CLAIMS, { recursive: true });
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (claim(port) && (await isPortFree(port))) return port;
  }
  throw new Error(`No port of ${FIRST_PORT} to ${LAST_PORT} is free`);
}

/** The files of this process. If it is killed, the next process that looks for a port removes them. */
const claimed = new Set<string>();

/**
 * Writes its own file first and then looks for others. Of two processes at the same time at least one sees the other, and
 * perhaps both give up. No file name is used twice, so a process never removes a file that was just written.
 */
function claim(port: number): boolean {
  const own = `${port}.${process.pid}.${randomUUID()}`;
  if (claimed.size === 0) process.once('exit', () => claimed.forEach(removeClaim));
  claimed.add(own);
  writeFileSync(join(CLAIMS, own), '');
  const others = readdirSync(CLAIMS).filter((name) => name !== own);
  const left = new Set(others.filter((name) => !isAlive(Number(name.split('.')[1]))));
  // All of them, because the system may give the process id to another process later.
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
 * Ports that belong to a service's own port. They are the same at each start if they are free, so that a tool stays
 * connected over a restart. They lie below the ports that systems use for outgoing connections (32768 and up).
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

/** Listens on a port that the system chooses, and answers the address. */
export async function listenLocally(server: Server): Promise<string> {
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port');
  return `http://${LOOPBACK}:${address.port}`;
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: LOOPBACK, port }, () => server.close(() => resolve(true)));
  });
}

/** On the same machine a connection is accepted or refused at once. */
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
