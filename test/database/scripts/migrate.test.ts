import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@libsql/client/http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { migrate } from '../../../scripts/shared/migrate.ts';
import { freePort } from '../../../scripts/shared/ports.ts';
import { SetupError } from '../../../scripts/shared/setup-error.ts';
import { type Sqld, startSqld } from '../../../scripts/shared/sqld.ts';

vi.setConfig({ testTimeout: 20_000 });

let parent = '';
let sqld: Sqld;
let client: Client;
beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), 'mirsal-migrate-'));
  sqld = await startSqld({ folder: join(parent, 'data'), port: await freePort(), adminPort: await freePort() });
  client = createClient({ url: sqld.url });
});
afterEach(async () => {
  client.close();
  await sqld.stop();
  rmSync(parent, { recursive: true, force: true });
});

test.each(['directory', 'shard'] as const)('a second run on a %s has nothing to do', async (kind) => {
  const applied = await migrate({ kind, url: sqld.url });
  expect(applied[0]).toBe('0000_initial');
  expect(await recorded()).toBe(applied.length);
  expect(await migrate({ kind, url: sqld.url })).toEqual([]);
  expect(await recorded()).toBe(applied.length);
});

test('concurrent runs share the work', async () => {
  const runs = await Promise.all([1, 2, 3, 4].map(() => migrate({ kind: 'shard', url: sqld.url })));
  const applied = runs.flat();
  expect(new Set(applied).size).toBe(applied.length);
  expect(await recorded()).toBe(applied.length);
});

test('a migration that fails is not recorded and leaves nothing', async () => {
  // The first statement succeeds; a later one meets this table.
  await client.execute('CREATE TABLE shipments (id text)');
  const failure = await migrate({ kind: 'shard', url: sqld.url }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SetupError);
  expect(String(failure)).toMatch(/Migration 0000_initial failed and changed nothing: .*shipments.* already exists/);
  expect(await recorded()).toBe(0);
  const { rows } = await client.execute("SELECT name FROM sqlite_schema WHERE type = 'table'");
  expect(rows.map((row) => row.name)).toEqual(['shipments', '__drizzle_migrations']);
  await client.execute('DROP TABLE shipments');
  expect((await migrate({ kind: 'shard', url: sqld.url }))[0]).toBe('0000_initial');
});

test('a migration that was changed after it was applied is reported', async () => {
  await migrate({ kind: 'directory', url: sqld.url });
  await client.execute("UPDATE __drizzle_migrations SET hash = 'of another text'");
  await expect(migrate({ kind: 'directory', url: sqld.url })).rejects.toThrow(
    /^Migration 0000_initial was changed after/,
  );
});

test('an unreachable database is reported, with the advice to run it again', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  await expect(migrate({ kind: 'shard', url })).rejects.toThrow(
    /^The shard at .* is not migrated: .* safe to run again\.$/,
  );
});

async function recorded(): Promise<unknown> {
  const { rows } = await client.execute('SELECT count(*) AS count FROM __drizzle_migrations');
  return rows[0]?.count;
}
