import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OWNED_TABLES } from '../../../db/shard/ownership.ts';
import { idempotencyRecords } from '../../../db/shard/schema/shipments.ts';
import { readTable } from '../../../scripts/operate/moving/copy.ts';
import { type End, openEnd } from '../../../scripts/operate/moving/end.ts';
import { migrate } from '../../../scripts/shared/migrate.ts';
import { type SqldServer, startSqldServer } from '../../../scripts/shared/mortal-sqld.ts';

/* How a move reads rows beyond sqld's response limit of ten megabytes. */

const folder = mkdtempSync(join(tmpdir(), 'mirsal-long-rows-'));
let sqld: SqldServer;
let end: End;
beforeAll(async () => {
  sqld = await startSqldServer(folder, 'shard-1');
  await migrate({ kind: 'shard', id: 'shard-1', deployment: 'local', url: sqld.url });
  end = openEnd({ kind: 'shard', deployment: 'local', ...sqld }, true);
});
afterAll(async () => {
  await sqld.stop();
  rmSync(folder, { recursive: true, force: true });
});

const INSERT = `insert into idempotency_records
  select ?, 'client', 'create', value, 'f', 201, hex(zeroblob(?)), '"1"', '/', 9 from json_each(?)`;

test('long rows are read in parts, and none is skipped', async () => {
  const keys = JSON.stringify(Array.from({ length: 30 }, (_, index) => index));
  await end.commit([{ sql: INSERT, args: ['many', 200_000n, keys] }]);
  const select = 'select response from idempotency_records where company_id = ?';
  await expect(end.read(select, ['many'])).rejects.toThrow('more rows than it sends at once');
  expect(await readTable(end, records(), 'many')).toMatchObject({ rows: 30 });
});

test('a row that sqld never sends is reported, without endless requests', async () => {
  // sqld sends every stored row alone, but does not document that.
  const mean = { ...end, readIfItFits: () => Promise.resolve(undefined) };
  await expect(readTable(mean, records(), 'many')).rejects.toThrow('does not send a single row');
});

function records() {
  const owned = OWNED_TABLES.find(({ table }) => table === idempotencyRecords);
  if (owned === undefined) throw new Error('Idempotency records are not moved');
  return owned;
}
