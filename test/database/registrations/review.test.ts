import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../scripts/shared/seed-values.ts';
import { decideRegistration } from '../../../src/domain/registrations/review.ts';
import { sweepRegistrations } from '../../../src/domain/registrations/sweep/sweep.ts';
import { applicantsAt, HOUR, valueOf } from './applicants.ts';
import { type Desk, openDesk } from './desk.ts';

/* The approval of companies, when writes to the shard are lost and when documents are kept no longer. */

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
}, 30_000);
afterAll(() => desk.close());

const { begin, addDocuments, complete } = applicantsAt(() => desk);
const by = {
  operator: {
    kind: 'operator',
    clientId: 'operator-review',
    secretId: newId(),
    tokenId: newId(),
    scopes: new Set(['operations'] as const),
  },
  actor: { personId: null, clientId: 'operator-review', address: null, requestId: newId() },
} as const;
const sweep = (removeAll: (keys: readonly string[]) => Promise<'removed' | 'unavailable'>) =>
  sweepRegistrations({ ...desk.services, documents: { removeAll } });
const reviewOf = async (companyId: string) =>
  (await desk.sql('shard-1', 'select review from company_settings where company_id = ?', [companyId])).flat();

async function waiting() {
  desk.setApprovalRequired(true);
  const { id, code } = await begin();
  await addDocuments(id);
  const { companyId } = valueOf(await complete(id, code));
  desk.setApprovalRequired(false);
  return { id, companyId };
}

describe('where approval is required', () => {
  it('the shard knows that a company waits before the company exists', async () => {
    desk.setApprovalRequired(true);
    const { id, code } = await begin();
    await addDocuments(id);
    desk.setShardLost(true);
    expect(await complete(id, code)).toMatchObject({ ok: false, code: 'SERVICE_UNAVAILABLE' });
    expect(await desk.sql('directory', 'select state, review from registrations where id = ?', [id])).toEqual([
      ['DRAFT', null],
    ]);
    desk.setShardLost(false);
    const { companyId } = valueOf(await complete(id, code));
    desk.setApprovalRequired(false);
    expect(await reviewOf(companyId)).toEqual(['PENDING']);
  });

  it('a decision that the shard has missed is repeated by the sweep, in the shard where the company is now', async () => {
    const { id, companyId } = await waiting();
    desk.setShardLost(true);
    const decision = { registrationId: id, review: 'APPROVED', reason: 'Right' } as const;
    expect((await decideRegistration(desk.services, decision, by)).ok).toBe(true);
    expect(await reviewOf(companyId)).toEqual(['PENDING']);
    desk.setShardLost(false);
    await desk.sql('directory', "update registrations set shard = 'shard-of-its-youth' where id = ?", [id]);
    await sweep(() => Promise.resolve('removed'));
    expect(await reviewOf(companyId)).toEqual(['APPROVED']);
  });

  it('a late repeat of the registration does not undo a decision', async () => {
    const { id, companyId } = await waiting();
    const decide = (review: 'APPROVED' | 'REJECTED') =>
      decideRegistration(desk.services, { registrationId: id, review, reason: 'Seen' }, by);
    await decide('REJECTED');
    const late =
      "insert into company_settings (company_id, approval_policy, review) values (?, 'AUTOMATIC', 'PENDING') on conflict do nothing";
    await desk.sql('shard-1', late, [companyId]);
    expect(await reviewOf(companyId)).toEqual(['REJECTED']);
    await decide('APPROVED');
    expect(await reviewOf(companyId)).toEqual(['APPROVED']);
  });

  it('tells the person by SMS, with the reason of a rejection', async () => {
    const { id } = await waiting();
    desk.sent.length = 0;
    await decideRegistration(desk.services, { registrationId: id, review: 'REJECTED', reason: 'Unreadable' }, by);
    await expect
      .poll(() => desk.sent)
      .toEqual([
        expect.objectContaining({
          channel: 'SMS',
          purpose: 'COMPANY_REJECTED',
          companyName: 'Taif Roses',
          reason: 'Unreadable',
          code: null,
        }),
      ]);
  });
});

it('deletes documents of a rejected registration after 30 days, and keeps those of others', async () => {
  const [rejected, approved] = [await waiting(), await waiting()];
  await decideRegistration(
    desk.services,
    { registrationId: rejected.id, review: 'REJECTED', reason: 'Unreadable' },
    by,
  );
  await decideRegistration(desk.services, { registrationId: approved.id, review: 'APPROVED', reason: 'Right' }, by);
  const removed: string[] = [];
  const remove = (keys: readonly string[]) => (removed.push(...keys), Promise.resolve('removed' as const));
  const left = async (id: string) =>
    (await desk.sql('directory', 'select count(*) from registration_documents where registration_id = ?', [id])).flat();
  desk.clock.advance(30 * 24 * HOUR - 60);
  await sweep(remove);
  expect([await left(rejected.id), removed.filter((key) => key.includes(rejected.id))]).toEqual([[2], []]);
  desk.clock.advance(120);
  await sweep(() => Promise.resolve('unavailable'));
  expect(await left(rejected.id)).toEqual([2]);
  await sweep(remove);
  expect([await left(rejected.id), await left(approved.id)]).toEqual([[0], [2]]);
  expect(removed.filter((key) => key.includes(rejected.id)).toSorted()).toEqual(
    ['COMMERCIAL_REGISTRATION', 'NATIONAL_ADDRESS'].map((type) => `key/${rejected.id}/${type}`),
  );
  expect(
    await desk.sql('directory', 'select state, review, documents_until from registrations where id = ?', [rejected.id]),
  ).toEqual([['COMPLETED', 'REJECTED', null]]);
});
