import { expect, test } from 'vitest';
import type { Database } from '../../../db/database.ts';
import { handle } from '../../../src/app.ts';
import { loadParts } from '../../../src/core/part.ts';
import { pause } from '../../../src/core/timer.ts';
import { noMetrics } from '../../../src/providers/absent.ts';
import { ProviderReports } from '../../../src/providers/provider-reports.ts';
import { SystemClock, systemRandom } from '../../../src/providers/system.ts';
import type { Services } from '../../../src/service/services.ts';

await loadParts();

/** A directory that fails when the test lets it answer. */
function openService() {
  const clock = { nowMs: 0 };
  const answers: (() => void)[] = [];
  const database: Database = {
    id: 'directory',
    read: () => Promise.reject(new Error('Readiness asks for all at once')),
    mismatch: () => undefined,
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
    writerReports: { isWritable: () => Promise.resolve(true) },
    ...{
      routing: {},
      addresses: {},
      messages: {},
      documents: {},
      providerReports: new ProviderReports(() => clock.nowMs),
    },
  } as unknown as Services;
  const ask = () =>
    handle(new Request('https://mirsal.example/ready'), services, { address: undefined, later: () => undefined });
  return { clock, answers, ask };
}

test('concurrent requests for readiness share one check, whose result is cached for two seconds', async () => {
  const { clock, answers, ask } = openService();
  const asking = Array.from({ length: 50 }, ask);
  await pause(50);
  expect(answers).toHaveLength(1);
  answers[0]?.();
  for (const response of await Promise.all(asking)) expect(response.status).toBe(503);
  clock.nowMs = 1999;
  expect((await ask()).status).toBe(503);
  expect(answers).toHaveLength(1);
  clock.nowMs = 2000;
  const late = ask();
  await expect.poll(() => answers.length).toBe(2);
  // A check that the runtime ended without notice does not block later ones.
  clock.nowMs = 7000;
  const later = ask();
  await expect.poll(() => answers.length).toBe(3);
  for (const answer of answers) answer();
  await Promise.all([late, later]);
});
