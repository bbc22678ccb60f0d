import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '../../scripts/shared/seed-values.ts';
import { scopeForService } from '../../src/access/require.ts';
import type { Uuid } from '../../src/core/uuid.ts';
import { DenoChangeSockets } from '../../src/platform/deno/change-sockets.ts';

/*
 * The most sockets of one Durable Object and of one Deno process. So many shipments would take minutes to create, so these
 * tests open sockets without a service around them: in workerd's real object, and in Deno's map with sockets that do nothing.
 */

const SHIPMENTS = 250;
/** What a page of each shipment gets when it opens eight sockets and one more, and a page of another shipment after them. */
const EXPECTED = { opened: 2000, refused: 250, another: 503, afterClose: 101 };

const SOURCE = `
  export { ShipmentLane } from './src/platform/cloudflare/shipment-lane.ts';

  const now = Date.now;
  let aheadMs = 0;
  Date.now = () => now() + aheadMs;

  export default {
    async fetch(request, { LANE }) {
      const { pathname } = new URL(request.url);
      const lane = LANE.getByName('shard-1' + pathname);
      const sockets = [];
      const open = async (shipment) => {
        const answer = await lane.fetch('https://lane.invalid/company/' + shipment + '?link=one', { headers: { upgrade: 'websocket' } });
        answer.webSocket?.accept();
        if (answer.webSocket) sockets.push(answer.webSocket);
        return answer.status;
      };
      const times = async (count, shipment) => {
        const statuses = [];
        for (let page = 0; page < count; page += 1) statuses.push(await open(shipment));
        return statuses;
      };
      if (pathname === '/silent') {
        aheadMs = -61_000;
        const before = await times(8, 'one');
        const answered = new Promise((resolve) => sockets[0].addEventListener('message', resolve));
        sockets[0].send('ping');
        await answered;
        const silent = sockets.slice(1).map((socket) => new Promise((resolve) => socket.addEventListener('close', resolve)));
        aheadMs = 0;
        const after = await times(8, 'one');
        return Response.json({ before, closed: (await Promise.all(silent)).length, after });
      }
      let refused = 0;
      for (let shipment = 0; shipment < ${SHIPMENTS}; shipment += 1)
        refused += (await times(9, shipment)).filter((status) => status === 503).length;
      const opened = sockets.length;
      const another = await open('another');
      const closed = new Promise((resolve) => sockets[0].addEventListener('close', resolve));
      sockets[0].close(1000);
      await closed;
      return Response.json({ opened, refused, another, afterClose: await open('another') });
    },
  };
`;

describe('a Durable Object', () => {
  let worker: Miniflare;
  afterAll(() => worker.dispose());
  beforeAll(async () => {
    const bundle = await build({
      stdin: { contents: SOURCE, resolveDir: `${import.meta.dirname}/../..`, loader: 'ts' },
      bundle: true,
      write: false,
      format: 'esm',
      external: ['cloudflare:workers'],
      // The shaper of labels, which sockets do not need.
      loader: { '.wasm': 'empty' },
    });
    worker = new Miniflare({
      workers: [
        {
          config: {
            name: 'lanes',
            compatibilityDate: '2026-11-17',
            manifest: {
              mainModule: 'index.js',
              modules: { 'index.js': { type: 'esm', contents: bundle.outputFiles[0]?.text ?? '' } },
            },
            env: { LANE: { type: 'durable-object', worker: 'lanes', exportName: 'ShipmentLane' } },
            exports: { ShipmentLane: { type: 'durable-object', storage: 'sqlite' } },
          },
        },
      ],
    });
  });

  it('holds 2,000 sockets, and 8 of a shipment', async () => {
    const answer = await worker.dispatchFetch('http://lanes.example/0');
    expect(await answer.json()).toEqual(EXPECTED);
  });

  it('closes sockets that have sent no ping for a minute, if others need their places', async () => {
    const answer = await worker.dispatchFetch('http://lanes.example/silent');
    const eight = [101, 101, 101, 101, 101, 101, 101, 101];
    // The socket that has sent a ping keeps its place.
    expect(await answer.json()).toEqual({ before: eight, closed: 7, after: [...eight.slice(1), 503] });
  });
});

describe('a Deno process', () => {
  afterAll(() => vi.unstubAllGlobals());

  it('holds 2,000 sockets, and 8 of a shipment', async () => {
    const made: { onclose: (() => void) | null }[] = [];
    const upgradeWebSocket = () => {
      const socket = { onclose: null, readyState: WebSocket.OPEN };
      made.push(socket);
      return { socket, response: new Response() };
    };
    vi.stubGlobal('Deno', { upgradeWebSocket, unrefTimer: clearTimeout });
    const sockets = new DenoChangeSockets(() => 0);
    const [scope, linkId] = [scopeForService('shard-1', newId()), newId()];
    const open = async (shipmentId: Uuid) => {
      const link = { shipmentId, linkId };
      const answer = await sockets.open(new Request('http://x/'), scope, link);
      return answer === undefined ? 503 : 101;
    };
    let refused = 0;
    for (let shipment = 0; shipment < SHIPMENTS; shipment += 1) {
      const id = newId();
      for (let page = 0; page < 9; page += 1) if ((await open(id)) === 503) refused += 1;
    }
    const opened = made.length;
    const last = newId();
    const another = await open(last);
    made[0]?.onclose?.();
    expect({ opened, refused, another, afterClose: await open(last) }).toEqual(EXPECTED);
  });
});
