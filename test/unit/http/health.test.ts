import { expect, test } from 'vitest';
import type { Database } from '../../../db/database.ts';
import { handle } from '../../../src/app.ts';
import { noMetrics } from '../../../src/providers/absent.ts';
import { SystemClock, systemRandom } from '../../../src/providers/system.ts';
import type { Services } from '../../../src/service/services.ts';

/** A directory that is away, and says so when the test lets it. */
function openService() {
  const clock = { nowMs: 0 };
  const answers: (() => void)[] = [];
  const database: Database = {
    id: 'directory',
    read: () => Promise.reject(new Error('Readiness asks for all at once')),
    readAll: () => new Promise((resolve) => answers.push(() => resolve({ ok: false }))),
  };
  const services = {
    config: { baseUrl: 'https://mirsal.example', deployment: 'production', durability: 'strong' },
    clock: new SystemClock(),
    metrics: noMetrics,
    monotonicMs: () => clock.nowMs,
    random: systemRandom,
    directory: { database },
    shards: new Map(),
    ...{ routing: {}, messages: {}, documents: {} },
  } as unknown as Services;
  const ask = () =>
    handle(new Request('https://mirsal.example/ready'), services, { address: undefined, later: () => undefined });
  return { clock, answers, ask };
}

test('many who ask for readiness at once are told what was answered last, and ask no database', async () => {
  const { clock, answers, ask } = openService();
  const first = ask();
  answers.shift()?.();
  expect((await first).status).toBe(503);
  const asking = Array.from({ length: 4 }, ask);
  expect(answers).toHaveLength(4);
  expect((await ask()).status).toBe(503);
  expect(answers).toHaveLength(4);
  // What is older is not told.
  clock.nowMs = 2000;
  const late = ask();
  expect(answers).toHaveLength(5);
  for (const answer of answers) answer();
  await Promise.all([...asking, late]);
});
