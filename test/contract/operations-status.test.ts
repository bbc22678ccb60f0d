import { expect, it } from 'vitest';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { trpcClient } from '../support/trpc.ts';

const environment = sharedEnvironment();
const operator = trpcClient(environment, await environment.token(environment.operator));

it('answers how each database, its waiting work and the providers are', async () => {
  const status = await operator.operations.status.query({});
  const good = {
    answers: true,
    migrationsCurrent: true,
    durabilityStrong: true,
    writable: true,
    latencyMs: expect.any(Number),
  };
  const work = { webhooksWaiting: expect.any(Number) };
  expect(status).toMatchObject({
    deployment: 'local',
    databases: [
      { database: 'directory', kind: 'DIRECTORY', ...good, work: null },
      { database: 'shard-1', kind: 'SHARD', ...good, work },
      { database: 'shard-2', kind: 'SHARD', ...good, work },
    ],
    routing: { engine: 'fixture', answers: true },
    messages: { provider: 'inbox' },
    documents: { provider: 'r2' },
    shipments: { possible: true, missing: [] },
  });
});
