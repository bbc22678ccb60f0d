import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { afterAll, expect, test } from 'vitest';

/* The alarm of a Durable Object that workerd evicts from memory while its storage stays. */

const SOURCE = `
  import { DurableObject } from 'cloudflare:workers';
  import { storedAlarm } from './src/platform/cloudflare/stored-alarm.ts';
  import { SystemClock } from './src/providers/system.ts';

  export class Writer extends DurableObject {
    made = crypto.randomUUID();
    alarmOfObject = storedAlarm(this.ctx.storage, new SystemClock(), ['name', 'one']);
    async set(atMs) {
      await this.alarmOfObject.set(atMs);
      return [this.made, await this.ctx.storage.getAlarm()];
    }
    alarm() {}
  }

  export default {
    async fetch(request, { WRITER }) {
      return Response.json(await WRITER.getByName('one').set(Number(await request.text())));
    },
  };
`;

const bundle = await build({
  stdin: { contents: SOURCE, resolveDir: `${import.meta.dirname}/../..`, loader: 'ts' },
  bundle: true,
  write: false,
  format: 'esm',
  external: ['cloudflare:workers'],
});

const worker = new Miniflare({
  workers: [
    {
      config: {
        name: 'writers',
        compatibilityDate: '2026-11-17',
        manifest: {
          mainModule: 'index.js',
          modules: { 'index.js': { type: 'esm', contents: bundle.outputFiles[0]?.text ?? '' } },
        },
        env: { WRITER: { type: 'durable-object', worker: 'writers', exportName: 'Writer' } },
        exports: { Writer: { type: 'durable-object', storage: 'sqlite' } },
      },
    },
  ],
});
afterAll(() => worker.dispose());

async function set(atMs: number): Promise<{ made: unknown; alarmMs: unknown }> {
  const response = await worker.dispatchFetch('http://writers.example/', { method: 'POST', body: String(atMs) });
  const [made, alarmMs] = (await response.json()) as unknown[];
  return { made, alarmMs };
}

test('an evicted object keeps its earlier alarm when it gets a later due time, and takes an earlier one', async () => {
  const soonMs = Date.now() + 60_000;
  const first = await set(soonMs);
  expect(first.alarmMs).toBe(soonMs);
  await worker.unsafeEvictDurableObject('writers', 'Writer', { name: 'one' });
  const second = await set(soonMs + 60_000);
  expect(second.made).not.toBe(first.made);
  expect(second.alarmMs).toBe(soonMs);
  await worker.unsafeEvictDurableObject('writers', 'Writer', { name: 'one' });
  expect((await set(soonMs - 30_000)).alarmMs).toBe(soonMs - 30_000);
});
