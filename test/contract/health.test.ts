import { expect, it } from 'vitest';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();

it('GET /health answers while the process runs', async () => {
  const response = await environment.fetch('/health');
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: 'ok' });
});

it('GET /ready lists every database and whether it works', async () => {
  const response = await environment.fetch('/ready');
  expect(response.status).toBe(200);
  const good = { answers: true, migrationsCurrent: true, durabilityStrong: true, writable: true };
  expect(await response.json()).toEqual({
    status: 'ready',
    deployment: 'local',
    databases: [
      { database: 'directory', ...good },
      { database: 'shard-1', ...good },
      { database: 'shard-2', ...good },
    ],
    shipments: { possible: true, missing: [] },
    routing: { engine: 'fixture' },
    messages: { provider: 'inbox' },
    documents: { provider: 'r2' },
    requestLog: { kept: true },
  });
});
