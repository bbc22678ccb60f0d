import { readFileSync } from 'node:fs';
import { FetchSource, PMTiles } from 'pmtiles';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newKey256, newSigningKey } from '../../scripts/shared/keys.ts';
import { localArchive } from '../../scripts/shared/routing/local-archive.ts';
import { tileAt } from '../../scripts/shared/routing/pmtiles-writer.ts';
import { openWorker } from '../../scripts/shared/service.ts';
import { describeMapFile } from '../support/map-answers.ts';
import { startProvider } from '../support/provider-server.ts';
import { cutRange, makeArchive, serveRanges } from '../support/street-archive.ts';

/* The archive that a Worker gives to the maps of browsers. No database is asked, so there is none. */

const RIYADH = readFileSync(await localArchive());
const { zoom, column, row } = tileAt(24.7, 46.7, 12);
const OTHER = makeArchive([{ zoom, column, row }]);
const KEY = 'riyadh 2026.pmtiles';

const nowhere = { url: 'http://127.0.0.1:1' };
const variables = {
  DEPLOYMENT: 'local',
  BASE_URL: 'http://127.0.0.1:1',
  LIBSQL_DIRECTORY: JSON.stringify(nowhere),
  LIBSQL_SHARDS: JSON.stringify([{ ...nowhere, id: 'shard-1' }]),
  TOKEN_SIGNING_KEYS: JSON.stringify([await newSigningKey()]),
  CREDENTIAL_KEYS: JSON.stringify([newKey256()]),
  CURSOR_KEYS: JSON.stringify([newKey256()]),
  PRICE_LOCK_KEYS: JSON.stringify([newKey256()]),
  WEBHOOK_KEYS: JSON.stringify([{ kid: 'test', key: newKey256() }]),
};

type Worker = Awaited<ReturnType<typeof openWorker>>;
const server = await startProvider();
afterAll(() => server.stop());
/** A Worker of its own for each group, because a failed archive is left alone for half a minute. */
function startWorker(streets: string): () => Worker {
  let worker: Worker | undefined;
  beforeAll(async () => {
    worker = await openWorker({ ...variables, STREETS_URL: streets }, { buckets: ['STREETS_BUCKET'] });
  });
  afterAll(() => worker?.stop());
  return () => {
    if (worker === undefined) throw new Error('The Worker did not start');
    return worker;
  };
}
const asking =
  (worker: () => Worker) =>
  (headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${worker().address}/map/streets.pmtiles`, {
      headers: { 'accept-encoding': 'identity', ...headers },
      method,
    });

describe('answers from a bucket', () => {
  const worker = startWorker(`r2:${encodeURIComponent(KEY)}`);
  const put = async (bytes: Buffer) => {
    const bucket = await worker().miniflare.getR2Bucket('STREETS_BUCKET', 'mirsal');
    await bucket.put(KEY, new Uint8Array(bytes));
  };
  beforeAll(() => put(RIYADH));
  describeMapFile(asking(worker), () => RIYADH);

  it('follow the file that takes its place, in a map that is open', async () => {
    const map = new PMTiles(new FetchSource(`${worker().address}/map/streets.pmtiles`));
    const before = await map.getZxy(zoom, column, row);
    await put(OTHER);
    const after = await map.getZxy(zoom, column, row);
    expect(before?.data.byteLength).toBeGreaterThan(0);
    expect(after?.data).toEqual((await openOther().getZxy(zoom, column, row))?.data);
    expect((await asking(worker)({ range: 'bytes=0-1' })).headers.get('content-range')).toBe(
      `bytes 0-1/${OTHER.length}`,
    );
  });

  const openOther = () =>
    new PMTiles({
      getKey: () => 'other',
      getBytes: async (first, length) => ({ data: new Uint8Array(OTHER.subarray(first, first + length)).buffer }),
    });
});

describe('answers from a server', () => {
  const worker = startWorker(`${server.url}/riyadh.pmtiles`);
  beforeEach(() => {
    server.answer = serveRanges(
      () => RIYADH,
      () => '"riyadh"',
    );
  });
  describeMapFile(asking(worker), () => RIYADH);

  it('are named by the pages that have a map', async () => {
    const page = await (await fetch(`${worker().address}/console`)).text();
    expect(page).toContain('<body data-map="/map/streets.pmtiles">');
    expect(await (await fetch(`${worker().address}/driver`)).text()).not.toContain('data-map');
  });
});

describe('an archive that breaks off', () => {
  const worker = startWorker(`${server.url}/riyadh.pmtiles`);
  it('is 503, and is left alone after three failures', async () => {
    server.answer = cutRange(RIYADH);
    for (let count = 0; count < 3; count += 1) {
      const response = await asking(worker)({ range: 'bytes=0-126' });
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
      expect(await response.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    }
    const asked = server.asked.length;
    expect((await asking(worker)()).status).toBe(503);
    expect(server.asked).toHaveLength(asked);
  });
});

describe('a deployment without an archive', () => {
  const worker = startWorker('');
  it('has no such address, and its pages name none', async () => {
    expect((await asking(worker)()).status).toBe(404);
    expect(await (await fetch(`${worker().address}/console`)).text()).not.toContain('data-map');
  });
});
