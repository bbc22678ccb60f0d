import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newKey, shipmentBody } from '../../scripts/shared/shipments.ts';

/* A service that is given the addresses of other databases. */

const addresses = z.array(z.object({ id: z.string(), url: z.string(), adminUrl: z.string() }));
let environment: OwnEnvironment;
let shards: z.output<typeof addresses>;

function swapped() {
  const [first, second] = shards;
  return {
    LIBSQL_SHARDS: JSON.stringify([
      { ...second, id: first?.id },
      { ...first, id: second?.id },
    ]),
  };
}
const shipments = () =>
  Promise.all(
    (['shard-1', 'shard-2'] as const).map((id) => environment.sql(id, 'select count(*) as rows from shipments')),
  );

describe('the Worker', () => {
  beforeAll(async () => {
    environment = await startEnvironment('worker');
    shards = addresses.parse(JSON.parse(environment.variables['LIBSQL_SHARDS'] ?? ''));
  });
  afterAll(() => environment.stop());

  it('with swapped shards is not ready, names both, and writes into neither', async () => {
    const [company] = environment.companies;
    const before = await shipments();
    await environment.restart(swapped());
    const headers = {
      authorization: `Bearer ${await environment.token(company)}`,
      'content-type': 'application/json',
      'idempotency-key': newKey(),
    };
    const body = JSON.stringify(shipmentBody(company));
    expect((await environment.fetch(SHIPMENTS, { method: 'POST', headers, body })).status).toBe(503);
    expect(await shipments()).toEqual(before);
    const ready = await environment.fetch('/ready');
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      databases: [
        { database: 'directory', migrationsCurrent: true },
        { mismatch: 'expected the shard shard-1 of local, found the shard shard-2 of local', writable: false },
        { mismatch: 'expected the shard shard-2 of local, found the shard shard-1 of local', writable: false },
      ],
    });
    expect(environment.service.logs().join('\n')).toContain('found the shard shard-2 of local');
  });
});

describe('Deno', () => {
  beforeAll(async () => {
    environment = await startEnvironment('deno');
    shards = addresses.parse(JSON.parse(environment.variables['LIBSQL_SHARDS'] ?? ''));
  });
  afterAll(() => environment.stop());

  it.each([
    ['swapped shards', () => swapped(), 'expected the shard shard-1 of local, found the shard shard-2 of local'],
    [
      'a renamed shard',
      () => ({ LIBSQL_SHARDS: JSON.stringify([{ ...shards[0], id: 'riyadh' }, shards[1]]) }),
      'expected the shard riyadh of local, found the shard shard-1 of local',
    ],
    [
      'a shard as the directory',
      () => ({ LIBSQL_DIRECTORY: JSON.stringify({ url: shards[0]?.url }) }),
      'expected the directory of local, found the shard shard-1 of local',
    ],
    [
      'the databases of another deployment',
      () => ({ DEPLOYMENT: 'sandbox' }),
      'expected the directory of sandbox, found the directory of local',
    ],
  ])('does not start with %s, and names both', async (_what, changes, told) => {
    const before = environment.variables;
    await expect(environment.restart(changes())).rejects.toThrow(told);
    await environment.restart(Object.fromEntries(Object.keys(changes()).map((name) => [name, before[name] ?? ''])));
  });
});
