import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client/http';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CommitMeter } from '../../db/commit-meter.ts';
import { GroupCommitter } from '../../db/group-committer.ts';
import { companySettings } from '../../db/shard/schema/companies.ts';
import { queries, writeRow } from '../../db/statement.ts';
import { migrate } from '../../scripts/shared/migrate.ts';
import { freePort } from '../../scripts/shared/ports.ts';
import { type Sqld, startSqld } from '../../scripts/shared/sqld.ts';
import { noMetrics } from '../../src/providers/absent.ts';

/* Writes of a company that is being moved, in a group with other companies. */

const folder = mkdtempSync(join(tmpdir(), 'mirsal-moving-'));
let sqld: Sqld;
beforeAll(async () => {
  sqld = await startSqld({ folder, port: await freePort(), adminPort: await freePort() });
  await migrate({ kind: 'shard', id: 'shard-1', deployment: 'local', url: sqld.url });
});
afterAll(async () => {
  await sqld.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => run('delete from company_moves', 'delete from company_settings'));

const insertSettings = writeRow(
  queries
    .insert(companySettings)
    .values({ companyId: sql.placeholder('companyId'), approvalPolicy: sql.placeholder('approvalPolicy') }),
);
const settingsOf = (companyId: string) => ({ statements: [insertSettings({ companyId, approvalPolicy: 'MANUAL' })] });

test.each(['FROZEN', 'MOVED'])(
  'a write of a company that is %s is refused at once, without delaying other companies',
  async (state) => {
    await run(`insert into company_moves values ('leaving', '${state}', 'shard-2', null, 'run', 1)`);
    let requests = 0;
    const committer = new GroupCommitter({
      connection: {
        url: sqld.url,
        authToken: undefined,
        requireDurable: true,
        report: () => undefined,
        fetch: (url, init) => {
          requests += 1;
          return fetch(url, init);
        },
      },
      restoreDurability: () => Promise.resolve(false),
      onCommitted: () => undefined,
      monotonicMs: () => performance.now(),
      meter: new CommitMeter(noMetrics, 'shard-1'),
    });
    const outcomes = await Promise.all(['one', 'leaving', 'two'].map((id) => committer.commit(settingsOf(id))));
    expect(outcomes).toEqual([
      { status: 'committed' },
      { status: 'unavailable', reason: 'moving' },
      { status: 'committed' },
    ]);
    // One request for the group, and one for its units separately: none waits for the move.
    expect(requests).toBe(2);
    expect(await run('select company_id from company_settings order by company_id')).toEqual([['one'], ['two']]);
  },
);

test.each(['DRAINING', 'ARRIVED'])('a write of a company that is %s is accepted', async (state) => {
  await run(
    `insert into company_moves values ('staying', '${state}', 'shard-2', null, 'run', 1)`,
    "insert into company_settings (company_id, approval_policy) values ('staying', 'MANUAL')",
    "update company_settings set approval_policy = 'AUTOMATIC'",
  );
  expect(await run('select approval_policy from company_settings')).toEqual([['AUTOMATIC']]);
});

/** Returns the rows of the last statement. */
async function run(...statements: string[]): Promise<unknown[][]> {
  const client = createClient({ url: sqld.url });
  const results = await client.batch(statements, 'write');
  client.close();
  return (results.at(-1)?.rows ?? []).map((row) => Array.from(row));
}
