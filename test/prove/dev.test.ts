import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type ChildGroup, startChild } from '../../scripts/shared/child-group.ts';
import { freePort, LOOPBACK } from '../../scripts/shared/ports.ts';
import { until } from '../../scripts/shared/until.ts';
import { copySources, type SourceCopy } from '../support/source-copy.ts';

/* `npm run dev` and `npm run dev:deno` while their sources change, each on a copy of the sources. */

/** Bundling and starting a runtime takes seconds, and more on a busy machine. */
const PATIENCE = { withinMs: 120_000 };

const journal = z.looseObject({ entries: z.array(z.looseObject({ idx: z.int(), when: z.int(), tag: z.string() })) });
const SHARD_JOURNAL = 'db/shard/migrations/meta/_journal.json';

describe.each(['worker', 'deno'] as const)('the service that runs on %s while its sources change', (runtime) => {
  const lines: string[] = [];
  let sources: SourceCopy;
  let dev: ChildGroup;
  let baseUrl: string;
  beforeAll(async () => {
    sources = copySources();
    const port = await freePort();
    baseUrl = `http://${LOOPBACK}:${port}`;
    breakSource('src/domain/tracking/words.ts', 'const broken = (;');
    const options = ['--runtime', runtime, '--port', String(port), '--data', `${sources.folder}/.data`];
    dev = startChild({
      command: process.execPath,
      args: ['scripts/dev/dev.ts', ...options],
      cwd: sources.folder,
      env: process.env,
      onLine: (line) => lines.push(line),
    });
  });
  afterAll(async () => {
    dev?.kill('SIGTERM');
    await dev?.exited;
    sources?.remove();
  });

  /** Adds a line to a source. Returns its place, and a function that removes the line. */
  function breakSource(path: string, line: string) {
    const text = sources.read(path);
    sources.write(path, `${text}${line}\n`);
    return { place: `${path}:${text.split('\n').length}`, mend: () => sources.write(path, text) };
  }
  const printed = (text: string) =>
    until(`dev prints ${text}`, () => lines.find((line) => line.includes(text)), PATIENCE);
  /** The text of the first answer with this status. */
  const answered = (status: number, path = '/health') =>
    until(
      `GET ${path} is ${status}`,
      async () => {
        const signal = AbortSignal.timeout(PATIENCE.withinMs);
        const response = await fetch(`${baseUrl}${path}`, { signal }).catch(() => undefined);
        const text = await response?.text().catch(() => undefined);
        return response?.status === status ? text : undefined;
      },
      PATIENCE,
    );

  it('starts with a broken source, names the file and its line, and continues when it is mended', async () => {
    const path = 'src/domain/tracking/words.ts';
    await printed(`${path}:${sources.read(path).split('\n').length - 1}`);
    sources.write(path, sources.read(path).replace('const broken = (;\n', ''));
    await printed('Press Ctrl-C');
    await answered(200);
    await printed('127.0.0.1:');
    expect(lines.some((line) => /Debugger +127\.0\.0\.1:\d+$/.test(line))).toBe(true);
  }, 300_000);

  it.each([
    ['a source that cannot be parsed', 'src/app.ts', 'const broken = (;'],
    ['a page that imports a missing file', 'src/console/main.tsx', "import './missing.ts';"],
    ['a source that throws', 'src/app.ts', "throw new TypeError('broken at start');"],
  ])(
    'answers 503 with the place of %s, and recovers',
    async (_what, path, line) => {
      const { place, mend } = breakSource(path, line);
      expect(await answered(503)).toContain(place);
      await printed(place);
      mend();
      await answered(200);
    },
    300_000,
  );

  it('applies a migration that is added', async () => {
    const { entries, ...rest } = journal.parse(JSON.parse(sources.read(SHARD_JOURNAL)));
    const [last] = entries.slice(-1);
    const added = { ...last, idx: entries.length, tag: '9999_added', when: (last?.when ?? 0) + 1 };
    sources.write('db/shard/migrations/9999_added.sql', 'CREATE TABLE added (id INTEGER PRIMARY KEY);');
    sources.write(SHARD_JOURNAL, JSON.stringify({ ...rest, entries: [...entries, added] }));
    await printed('migrated shard-2: 9999_added');
    await printed('reloaded: db/shard/migrations/');
    await answered(200, '/ready');
    expect(lines).toContain('  migrated shard-1: 9999_added');
  }, 300_000);

  it('prints one line for a reload', async () => {
    const from = lines.length;
    breakSource('src/app.ts', '// unchanged');
    await until('a reload', () => lines.slice(from).find((line) => line.includes('reloaded: src/app.ts')), PATIENCE);
    const ofRequests = /^ {2}\{"level"/;
    expect(lines.slice(from).filter((line) => !ofRequests.test(line))).toEqual(['  reloaded: src/app.ts changed']);
  }, 300_000);

  it.runIf(runtime === 'worker')('keeps no traces of requests', () => {
    const stores = readdirSync(`${sources.folder}/.data/worker/v3`);
    expect([stores.includes('do'), stores.includes('observability')]).toEqual([true, false]);
  });
});
