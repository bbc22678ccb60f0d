import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepRegistrations } from '../../../src/domain/registrations/sweep/sweep.ts';
import { noDocuments } from '../../../src/providers/absent.ts';
import { sweepDirectory } from '../../../src/service/sweep.ts';
import { applicantsAt, HOUR, valueOf } from './applicants.ts';
import { type Desk, openDesk } from './desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
}, 30_000);
afterAll(() => desk.close());

const { begin, addDocuments, complete } = applicantsAt(() => desk);

describe('the sweep of the directory', () => {
  const sweep = (removeDocuments: (keys: readonly string[]) => Promise<boolean>) =>
    sweepRegistrations({
      ...desk.services,
      documents: { removeAll: async (keys) => ((await removeDocuments(keys)) ? 'removed' : 'unavailable') },
    });

  it('creates missing settings of a company in its shard, without overwriting others', async () => {
    const { id, code } = await begin();
    await addDocuments(id);
    desk.setShardLost(true);
    const { companyId } = valueOf(await complete(id, code));
    const settings = () =>
      desk.sql('shard-1', 'select approval_policy from company_settings where company_id = ?', [companyId]);
    expect(await settings()).toEqual([]);
    await sweepDirectory({ ...desk.services, documents: noDocuments });
    expect(await settings()).toEqual([]);
    desk.setShardLost(false);
    await sweepDirectory({ ...desk.services, documents: noDocuments });
    expect(await settings()).toEqual([['AUTOMATIC']]);
    await desk.sql('shard-1', "update company_settings set approval_policy = 'MANUAL'");
    await desk.sql('directory', 'update registrations set provisioned_at = null where id = ?', [id]);
    await sweepDirectory({ ...desk.services, documents: noDocuments });
    expect(await settings()).toEqual([['MANUAL']]);
    expect(await desk.sql('directory', 'select provisioned_at is null from registrations where id = ?', [id])).toEqual([
      [0],
    ]);
  });

  it('removes objects that are not listed an hour after their upload', async () => {
    const at = desk.services.clock.now();
    const insert = 'insert into unlisted_objects (object_key, since) values (?, ?)';
    await desk.sql('directory', insert, ['old', String(at - 3_601_000_000n)]);
    await desk.sql('directory', insert, ['young', String(at - 3_599_000_000n)]);
    const left = () => desk.sql('directory', 'select object_key from unlisted_objects order by object_key');
    await sweep(() => Promise.resolve(false));
    expect(await left()).toEqual([['old'], ['young']]);
    const removed: string[] = [];
    await sweep((keys) => {
      removed.push(...keys);
      return Promise.resolve(true);
    });
    expect(removed).toEqual(['old']);
    expect(await left()).toEqual([['young']]);
  });

  it('deletes an eight days old draft once its documents are removed', async () => {
    const [old, done] = [await begin(), await begin()];
    await addDocuments(old.id, ['NATIONAL_ADDRESS']);
    await addDocuments(done.id);
    expect((await complete(done.id, done.code)).ok).toBe(true);
    desk.clock.advance(8 * 24 * HOUR);
    const young = await begin();
    const removed: string[] = [];
    await sweep((keys) => {
      removed.push(...keys);
      return Promise.resolve(false);
    });
    expect(removed).toContain(`key/${old.id}/NATIONAL_ADDRESS`);
    expect(removed.filter((key) => key.includes(done.id) || key.includes(young.id))).toEqual([]);
    const left = async () =>
      (
        await desk.sql('directory', 'select id from registrations where id in (?, ?, ?)', [old.id, done.id, young.id])
      ).flat();
    expect(new Set(await left())).toEqual(new Set([old.id, done.id, young.id]));
    await sweep(() => Promise.resolve(true));
    expect(new Set(await left())).toEqual(new Set([done.id, young.id]));
    expect(
      await desk.sql('directory', 'select count(*) from registration_documents where registration_id = ?', [old.id]),
    ).toEqual([[0]]);
    await sweepDirectory({ ...desk.services, documents: noDocuments });
    expect(await desk.sql('directory', 'select count(*) from challenges where subject = ?', [old.id])).toEqual([[0]]);
  });
});

describe('expired rows of the directory', () => {
  const ROWS = 1200;
  const PAST = {
    token_revocations: 'expires_at',
    security_uses: 'used_at',
    one_time_codes: 'created_at',
    registry_addresses: 'expires_at',
    registry_calls: 'called_at',
  } as const;
  const OTHERS = ['security_uses', 'one_time_codes', 'registry_addresses', 'registry_calls'] as const;
  const fill = (insert: string) =>
    desk.sql(
      'directory',
      `with recursive many(n) as (select 1 union all select n + 1 from many where n < ${ROWS}) ${insert}`,
    );
  const count = async (table: keyof typeof PAST) =>
    (await desk.sql('directory', `select count(*) from ${table} where ${PAST[table]} = 1`)).flat();

  it('are deleted in batches, even if the deletion of one kind fails', async () => {
    await fill("insert into token_revocations select 'token-' || n, 1 from many");
    await fill("insert into security_uses select 'bucket', 1 from many");
    await fill("insert into one_time_codes select 'code-' || n, 'SMS', '+966500000000', 'SIGN_IN', '1', 1 from many");
    await fill("insert into registry_addresses (short_address, expires_at) select 'ABCD' || n, 1 from many");
    await fill('insert into registry_calls select 1 from many');
    await desk.sql(
      'directory',
      "create trigger stuck before delete on token_revocations begin select raise(abort, 'stuck'); end",
    );
    const units: number[] = [];
    const { database, writer } = desk.services.directory;
    const counting = {
      commit: (unit: Parameters<typeof writer.commit>[0]) => (units.push(unit.statements.length), writer.commit(unit)),
    };
    const sweep = () =>
      sweepDirectory({ ...desk.services, directory: { database, writer: counting }, documents: noDocuments });
    await sweep();
    expect(await count('token_revocations')).toEqual([ROWS]);
    expect(await Promise.all(OTHERS.map(count))).toEqual(OTHERS.map(() => [0]));
    // One statement per unit, so that kinds do not block each other.
    expect(new Set(units)).toEqual(new Set([1]));
    await desk.sql('directory', 'drop trigger stuck');
    await sweep();
    expect(await count('token_revocations')).toEqual([0]);
  });
});
