import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { afterAll, expect, test } from 'vitest';
import { newKey256, newSigningKey } from '../../scripts/shared/keys.ts';

/* The alarms of Durable Objects that workerd evicts from memory while their storage stays, and of those that others have replaced. */

const SOURCE = `
  import { DurableObject } from 'cloudflare:workers';
  import { DatabaseWriter } from './src/platform/cloudflare/database-writer.ts';
  import { objectOf } from './src/platform/cloudflare/placement.ts';
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

  export class ServiceWriter extends DatabaseWriter {
    async fallDue() {
      await this.ctx.storage.put('databaseId', 'shard-1');
      await this.ctx.storage.setAlarm(Date.now());
    }
    async stored() {
      return (await this.ctx.storage.list()).size;
    }
  }

  export default {
    async fetch(request, { WRITER, DATABASE_WRITER }) {
      if (request.method === 'GET') {
        const placed = (hint, generation) => objectOf(DATABASE_WRITER, { hint, generation }, 'shard-1');
        const former = [placed('weur', 1), placed('apac', 2), objectOf(DATABASE_WRITER, undefined, 'shard-1')];
        const current = placed('weur', 2);
        await current.fallDue();
        for (const object of former) await object.fallDue();
        let stored;
        do {
          await scheduler.wait(10);
          stored = await Promise.all(former.map((object) => object.stored()));
        } while (stored.some((count) => count > 0));
        return Response.json({ former: stored, current: await current.stored() });
      }
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
  // The shaper of labels, which writers do not need.
  loader: { '.wasm': 'empty' },
});

const text = (value: string) => ({ type: 'text' as const, value });
const keys = text(JSON.stringify([newKey256()]));
/** A deployment that has moved to Western Europe, and then once more. Its databases do not answer. */
const variables = {
  DEPLOYMENT: text('sandbox'),
  BASE_URL: text('https://sandbox.example'),
  LIBSQL_DIRECTORY: text(JSON.stringify({ url: 'http://127.0.0.1:9' })),
  LIBSQL_SHARDS: text(JSON.stringify([{ id: 'shard-1', url: 'http://127.0.0.1:9' }])),
  TOKEN_SIGNING_KEYS: text(JSON.stringify([await newSigningKey()])),
  CREDENTIAL_KEYS: keys,
  CURSOR_KEYS: keys,
  PRICE_LOCK_KEYS: keys,
  WEBHOOK_KEYS: text(JSON.stringify([{ kid: 'one', key: newKey256() }])),
  LOCATION_HINT: text('weur'),
  LOCATION_GENERATION: text('2'),
};

const worker = new Miniflare({
  // The writer of the current place reports its database.
  handleStructuredLogs: () => undefined,
  workers: [
    {
      config: {
        name: 'writers',
        compatibilityDate: '2026-11-17',
        manifest: {
          mainModule: 'index.js',
          modules: { 'index.js': { type: 'esm', contents: bundle.outputFiles[0]?.text ?? '' } },
        },
        env: {
          ...variables,
          WRITER: { type: 'durable-object', worker: 'writers', exportName: 'Writer' },
          DATABASE_WRITER: { type: 'durable-object', worker: 'writers', exportName: 'ServiceWriter' },
        },
        exports: {
          Writer: { type: 'durable-object', storage: 'sqlite' },
          ServiceWriter: { type: 'durable-object', storage: 'sqlite' },
        },
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

test('objects of a former place or generation end at their next alarm, and the current one keeps its storage', async () => {
  const answer = await worker.dispatchFetch('http://writers.example/');
  expect(await answer.json()).toEqual({ former: [0, 0, 0], current: 1 });
});
