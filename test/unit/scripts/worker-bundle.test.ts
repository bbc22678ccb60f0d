import { describe, expect, it } from 'vitest';
import openApiDocument from '../../../docs/openapi.json' with { type: 'json' };
import { measureWorker } from '../../../scripts/build/worker.ts';

/** What a Worker loads when an isolate starts, and what it loads when that is first needed. */

/** Parts that are loaded later. Cloudflare's limit of a whole Worker is 3 MB on its free plan, and 10 MB else. */
const LATER_KILOBYTES_MAX = 475;
/** More than this means that a static import has brought a part into the start. */
const START_KILOBYTES_MAX = 152;

/** HarfBuzz, which shapes the texts of labels. */
const WASM_KILOBYTES_MAX = 180;

const { atStart, later, wasmGzipKilobytes } = await measureWorker();

describe('the Worker', () => {
  it('starts with few kilobytes', () => {
    expect(atStart.gzipKilobytes).toBeLessThan(START_KILOBYTES_MAX);
  });

  it('loads few kilobytes later', () => {
    expect(later.gzipKilobytes).toBeLessThan(LATER_KILOBYTES_MAX);
  });

  it('has little WebAssembly', () => {
    expect(wasmGzipKilobytes).toBeLessThan(WASM_KILOBYTES_MAX);
  });

  it('has no descriptions of members', () => {
    const sentence = 'Whether the shipment can be cancelled now.';
    expect(JSON.stringify(openApiDocument)).toContain(sentence);
    expect(atStart.code + later.code).not.toContain(sentence);
    expect(atStart.code + later.code).not.toContain('.describe(');
  });

  it.each(['pdfkit', 'fontkit', 'bidi-js', 'preact', 'preact-render-to-string', 'uqr', 'jsbarcode', 'aws4fetch'])(
    'starts without %s',
    (name) => {
      const isOfPackage = (source: string) => source.startsWith(`node_modules/${name}/`);
      expect(atStart.sources.filter(isOfPackage)).toEqual([]);
      expect(later.sources.filter(isOfPackage)).not.toEqual([]);
    },
  );

  it.each(['src/http/trpc/', 'src/http/web/site/', 'routers/sandbox.ts', 'routers/operations.ts'])(
    'starts without %s',
    (path) => {
      const isOfPath = (source: string) => source.startsWith(path);
      expect(atStart.sources.filter(isOfPath)).toEqual([]);
      expect(later.sources.filter(isOfPath)).not.toEqual([]);
    },
  );
});
