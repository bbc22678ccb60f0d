import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { httpFile } from '../../../../src/providers/routing/http-file.ts';
import { streetFile } from '../../../../src/providers/routing/street-file.ts';
import { BAD_ANSWERS, type ProviderServer, platform, SHORT, startProvider } from '../../../support/provider-server.ts';
import { cutRange, makeArchive, serveRanges, tilesAround } from '../../../support/street-archive.ts';

/** The archive as browsers read it, from a server. */

const server: ProviderServer = await startProvider();
afterAll(() => server.stop());
const archive = makeArchive(tilesAround(24.7, 46.7, [12]));
let file = { bytes: archive, etag: '"first"' };
beforeEach(() => {
  file = { bytes: archive, etag: '"first"' };
  server.answer = serveRanges(
    () => file.bytes,
    () => file.etag,
  );
});
const open = () => streetFile(httpFile(server.url, platform.fetch), platform, SHORT);

describe('the archive for browsers', () => {
  it('is described once a minute, and read in ranges', async () => {
    const opened = open();
    const found = await opened.find();
    expect(found).toMatchObject({ size: archive.length, etag: '"first"' });
    if (found === undefined) return;
    const asked = server.asked.length;
    expect(await opened.find()).toEqual(found);
    expect(server.asked).toHaveLength(asked);
    const bytes = await opened.read(found, { first: 100, length: 50 });
    expect(bytes).toEqual(new Uint8Array(archive.subarray(100, 150)));
  });

  it.each([
    ['another file of the same size', () => ({ bytes: archive, etag: '"second"' })],
    ['a shorter file', () => ({ bytes: archive.subarray(0, 200), etag: '"second"' })],
  ])('is read from no other file: %s', async (_name, other) => {
    const opened = open();
    const found = await opened.find();
    if (found === undefined) throw new Error('There is no archive');
    file = other();
    expect(await opened.read(found, { first: archive.length - 20, length: 20 })).toBe('replaced');
    expect(await opened.find()).toMatchObject({ etag: '"second"', size: file.bytes.length });
  });

  const answerPart = (
    range: string,
    headers: Record<string, string> = { etag: '"first"' },
  ): (typeof BAD_ANSWERS)[number] => [
    `${range} ${JSON.stringify(headers)}`,
    (response) => response.writeHead(206, { 'content-range': range, ...headers }).end(archive.subarray(0, 127)),
  ];
  it.each([
    ...BAD_ANSWERS,
    ['status 404', (response) => response.writeHead(404).end()],
    ['the whole file', (response) => response.writeHead(200, { etag: '"first"' }).end(archive)],
    ['a connection that closes within the range', cutRange(archive)],
    answerPart('bytes 127-253/1000'),
    answerPart('bytes 0-126/*'),
    answerPart('bytes 0-126/1000', {}),
    answerPart('bytes 0-126/1000', { etag: 'W/"first"' }),
    [
      'a page',
      (response) =>
        response
          .writeHead(206, { etag: '"page"', 'content-range': 'bytes 0-126/500' })
          .end('<!doctype html>'.padEnd(127)),
    ],
  ] satisfies typeof BAD_ANSWERS)('is absent in time after %s', async (_name, answer) => {
    server.answer = answer;
    const startedMs = performance.now();
    expect(await open().find()).toBeUndefined();
    expect(performance.now() - startedMs).toBeLessThan(SHORT.timeoutMs + 2000);
  });
});
