import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { drawStreets, type Street } from '../../../../src/domain/tracking/street-paths.ts';
import { STREETS_WAIT_MS } from '../../../../src/ports/streets.ts';
import { httpFile } from '../../../../src/providers/routing/http-file.ts';
import { streetArchive } from '../../../../src/providers/routing/street-archive.ts';
import { BAD_ANSWERS, type ProviderServer, platform, startProvider } from '../../../support/provider-server.ts';
import {
  makeArchive,
  serveRanges,
  TILE_EXTENT,
  type TileStreet,
  tilesAround,
} from '../../../support/street-archive.ts';

/** Streets of an archive that an operator provides, read from a server with the real timeouts. */

const server: ProviderServer = await startProvider();
afterAll(() => server.stop());
const archive = makeArchive(tilesAround(24.7, 46.7));
let file = { bytes: archive, etag: '"first"' };
const ranges = serveRanges(
  () => file.bytes,
  () => file.etag,
);

beforeEach(() => {
  file = { bytes: archive, etag: '"first"' };
  server.answer = ranges;
  server.asked.length = 0;
});

const openStreets = () => streetArchive(httpFile(server.url, platform.fetch), platform);

/** The rectangle of one tile at zoom 12. */
const [COLUMN, ROW, ZOOM] = [2579, 1757, 12];
const longitudeAt = (column: number) => (column / 2 ** ZOOM) * 360 - 180;
const latitudeAt = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / 2 ** ZOOM))) * 180) / Math.PI;
/** Nearly a tile: its last tenth of a meter belongs to the next one. */
const NEAR = 1e-6;
const bounds = {
  west: longitudeAt(COLUMN),
  east: longitudeAt(COLUMN + 1) - NEAR,
  north: latitudeAt(ROW),
  south: latitudeAt(ROW + 1) + NEAR,
};
/** The same in another place, so that it is another drawing. */
const elsewhere = (east: number) => ({ ...bounds, west: bounds.west + east, east: bounds.east + east });

/** Finds streets and waits until everything is read. */
async function findWhole(streets: ReturnType<typeof streetArchive>, at = bounds) {
  const work: Promise<unknown>[] = [];
  const first = await streets.find(at, (later) => work.push(later));
  await Promise.all(work);
  return { first, again: await streets.find(at, () => undefined) };
}

describe('the streets of an archive', () => {
  it('are where they are on the map, and railways are not among them', async () => {
    const { again } = await findWhole(openStreets());
    // Zoom 13 fits two tiles across. Each has a main road through its middle and a side street at a quarter.
    const [half, quarter, eighth] = [360, 180, 90];
    expect(again?.width).toBe(720);
    expect(again?.height).toBeGreaterThan(715);
    expect(again?.major).toContain(`M0 ${quarter}l${quarter} 0 ${quarter} 0`);
    expect(again?.major).toContain(`M${half} ${quarter}l`);
    const [first, second] = [`M${eighth} `, `M${half + eighth} `];
    const north = `0l0 ${half}`;
    const south = `${half}l0 ${half}`;
    expect(again?.minor).toBe([first + north, second + north, first + south, second + south].join(''));
  });

  it('are read once for a drawing, and the directory once for all', async () => {
    const streets = openStreets();
    await findWhole(streets);
    const asked = server.asked.length;
    await findWhole(streets);
    expect(server.asked).toHaveLength(asked);
    await findWhole(streets, elsewhere(0.001));
    const starts = server.asked.map(({ headers }) => headers.range).filter((range) => range === 'bytes=0-16383');
    expect(starts).toHaveLength(1);
  });

  it('are none outside the archive', async () => {
    const { again } = await findWhole(openStreets(), elsewhere(-20));
    expect(again).toMatchObject({ major: '', minor: '' });
  });

  it('are read again from the start when the archive was replaced', async () => {
    const streets = openStreets();
    await findWhole(streets);
    file = {
      bytes: makeArchive(tilesAround(24.7, 46.7), [
        {
          kind: 'highway',
          line: [
            [0, 1024],
            [TILE_EXTENT, 1024],
          ],
        },
      ]),
      etag: '"second"',
    };
    const { again } = await findWhole(streets, elsewhere(0.001));
    expect(again?.major).toContain(' 90l');
    expect(again?.minor).toBe('');
  });

  it('come with a later view when the archive is slow, and no second reading starts meanwhile', async () => {
    const streets = openStreets();
    const held: (() => void)[] = [];
    server.answer = (response, asked) => void held.push(() => ranges(response, asked));
    const startedMs = performance.now();
    const work: Promise<unknown>[] = [];
    expect(await streets.find(bounds, (later) => work.push(later))).toBeUndefined();
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(STREETS_WAIT_MS - 50);
    expect(await streets.find(bounds, (later) => work.push(later))).toBeUndefined();
    expect([work.length, held.length]).toEqual([1, 1]);
    server.answer = ranges;
    for (const release of held) release();
    await Promise.all(work);
    expect(await streets.find(bounds, () => undefined)).toMatchObject({ major: expect.stringContaining('M') });
  });

  it('are read with at most four requests at a time', async () => {
    const held: (() => void)[] = [];
    let most = 0;
    server.answer = (response, asked) => {
      held.push(() => ranges(response, asked));
      most = Math.max(most, held.length);
    };
    // Released one by one, so that every request comes in that does not wait for another one.
    const releasing = setInterval(() => held.shift()?.(), 20);
    // Six tiles: three across, because the rectangle is as wide as two and begins inside one.
    await findWhole(openStreets(), elsewhere(0.02));
    clearInterval(releasing);
    expect(most).toBe(4);
  });

  /** The first bytes of a file that has no more of them. */
  function answerPart(
    bytes: Buffer,
    range = `bytes 0-${bytes.length - 1}/${bytes.length}`,
  ): (typeof BAD_ANSWERS)[number][1] {
    return (response) => response.writeHead(206, { etag: '"first"', 'content-range': range }).end(bytes);
  }
  const DAMAGED: typeof BAD_ANSWERS = [
    ['the whole file', (response) => response.writeHead(200).end(archive)],
    ['another file', answerPart(Buffer.from('<html>'))],
    ['a file that is no archive', answerPart(Buffer.alloc(627))],
    ['more than the range', answerPart(Buffer.alloc(20_000))],
    ['another range', answerPart(archive.subarray(0, 500), 'bytes 500-999/1000')],
    [
      'no entity tag',
      (response) => response.writeHead(206, { 'content-range': 'bytes 0-499/500' }).end(archive.subarray(0, 500)),
    ],
    ['a directory that is not gzip', answerPart(Buffer.concat([archive.subarray(0, 127), Buffer.alloc(500)]))],
  ];
  it.each([...BAD_ANSWERS, ...DAMAGED])('are absent after %s', async (name, answer) => {
    server.answer = answer;
    const streets = openStreets();
    expect(await streets.find(bounds, () => undefined)).toBeUndefined();
    if (name === 'no answer') return;
    // After three failures the archive is left alone for a while.
    for (let count = 0; count < 4; count += 1)
      expect((await findWhole(streets, elsewhere(count))).first).toBeUndefined();
    const asked = server.asked.length;
    server.answer = ranges;
    expect(await streets.find(bounds, () => undefined)).toBeUndefined();
    expect(server.asked).toHaveLength(asked);
  });

  it('are absent if a tile unpacks to more than any real one', async () => {
    const huge: TileStreet = {
      kind: 'x'.repeat(3 * 1024 * 1024),
      line: [
        [0, 0],
        [9, 9],
      ],
    };
    file = { bytes: makeArchive(tilesAround(24.7, 46.7), [huge]), etag: '"first"' };
    expect((await findWhole(openStreets())).again).toBeUndefined();
  });
});

describe('a drawing of streets', () => {
  /** A city with more streets than fit, drawn in lines that hardly compress. */
  const crowd = Array.from({ length: 20_000 }, (_, index): Street => {
    const share = (step: number) => ((index * 7919 + step * 104_729) % 9973) / 9973;
    const at = (step: number) => ({
      longitude: bounds.west + (bounds.east - bounds.west) * share(step),
      latitude: bounds.south + (bounds.north - bounds.south) * share(step + 5),
    });
    return { isMajor: index % 50 === 0, line: [at(0), at(1), at(2)] };
  });

  it('has at most 12 kB, and main roads before side streets', () => {
    const drawn = drawStreets(crowd, bounds);
    expect(gzipSync(drawn.major + drawn.minor).length).toBeLessThan(12_000);
    expect(drawn.major.match(/M/g)).toHaveLength(400);
    expect(drawn.minor).not.toBe('');
  });

  it('has only what can be seen in its rectangle', () => {
    const outside = crowd.map(({ isMajor, line }) => ({
      isMajor,
      line: line.map(({ longitude, latitude }) => ({ longitude: longitude + 1, latitude })),
    }));
    expect(drawStreets(outside, bounds)).toMatchObject({ major: '', minor: '' });
  });
});
