import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();

const PACKAGE = resolve(import.meta.dirname, '..', '..', 'package.json');

it('GET /health answers while the process runs, with the version of package.json', async () => {
  const response = await environment.fetch('/health');
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    status: 'ok',
    version: JSON.parse(readFileSync(PACKAGE, 'utf8')).version,
  });
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
    addresses: { registry: 'fixture', geocoder: 'fixture' },
    messages: { provider: 'inbox' },
    documents: { provider: 'r2' },
    lastCalls: expect.any(Object),
    requestLog: { kept: true },
    forwardedEntries: 0,
  });
});
