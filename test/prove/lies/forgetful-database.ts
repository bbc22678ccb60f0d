import { cp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../../../scripts/prove/chaos/cluster/cluster.ts';
import { LOOPBACK } from '../../../scripts/shared/ports.ts';

/* Databases that lose what they have acknowledged. */

const SHARD = 'shard-1';
/** During the load. */
const AFTER_MS = 2000;

/** Restores the shard to its state from the start of the load, like a restore from a copy that is too old. */
export async function loseCommits(cluster: Cluster): Promise<void> {
  const server = cluster.database(SHARD);
  const copy = `${server.folder}-copy`;
  await server.kill();
  await cp(server.folder, copy, { recursive: true });
  await server.restart();
  await delay(AFTER_MS);
  await server.kill();
  await rm(server.folder, { recursive: true });
  await cp(copy, server.folder, { recursive: true });
  await server.restart();
}

/** For a while the shard answers every second creation as committed, and stores nothing. */
export async function pretendToCommit(cluster: Cluster): Promise<void> {
  const { url } = cluster.database(SHARD);
  let creations = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      if (/insert into \\"shipments\\"/.test(body)) creations += 1;
      const isLie = /insert into \\"shipments\\"/.test(body) && creations % 2 === 0;
      const answering = isLie ? Promise.resolve(successOf(body)) : pass(`${url}${request.url ?? ''}`, body);
      void answering.then(
        ({ status, text }) => response.writeHead(status, { 'content-type': 'application/json' }).end(text),
        () => response.destroy(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const proxy = cluster.proxy(SHARD);
  proxy.aim((server.address() as AddressInfo).port);
  proxy.cut();
  await delay(AFTER_MS);
  proxy.aim(Number(new URL(url).port));
  proxy.cut();
  server.closeAllConnections();
  server.close();
}

/** An answer as if every step of the batch had succeeded. */
function successOf(body: string): { status: number; text: string } {
  const { requests } = JSON.parse(body) as { requests: [{ batch: { steps: unknown[] } }] };
  const { steps } = requests[0].batch;
  const done = { cols: [], rows: [], affected_row_count: 1, last_insert_rowid: null };
  const result = { step_results: steps.map(() => done), step_errors: steps.map(() => null) };
  const text = JSON.stringify({
    results: [
      { type: 'ok', response: { type: 'batch', result } },
      { type: 'ok', response: { type: 'close' } },
    ],
  });
  return { status: 200, text };
}

async function pass(url: string, body: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return { status: response.status, text: await response.text() };
}
