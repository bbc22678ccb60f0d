import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addCompany } from '../../scripts/shared/companies.ts';
import { addOperator, addPerson, addSession, newContacts, signIn } from '../../scripts/shared/people.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient, trpcClientWith } from '../support/trpc.ts';

const environment = sharedEnvironment();
const REASON = 'Called from the number in the commercial register';
const callAs = (token: string) => trpcClient(environment, token);
const nobody = trpcClientWith(environment, {});
const operator = await addOperator(environment);
const operate = callAs(await addSession(environment, operator, { assurance: 'AAL2' }));

/** An owner who has lost both factors, and a recovery that gives new ones. */
async function newRecovery() {
  const company = await addCompany(environment);
  const owner = await addPerson(environment, company);
  const fresh = newContacts();
  const begun = await operate.operations.people.recover.mutate({ personId: owner.personId, ...fresh, reason: REASON });
  return { company, owner, fresh, begun };
}

async function noticesTo(recipient: string): Promise<string[]> {
  const response = await environment.fetch(`/local/notices?recipient=${encodeURIComponent(recipient)}`);
  const notices = z.object({ data: z.array(z.object({ purpose: z.string() })) });
  return notices.parse(await response.json()).data.map(({ purpose }) => purpose);
}

const isWaiting = async (recoveryId: string) =>
  (await operate.operations.people.recoveries.query({})).some((one) => one.recoveryId === recoveryId);

async function auditOf(personId: string): Promise<unknown[]> {
  const rows = await environment.sql(
    'directory',
    "select action, person_id, client_id from audit_entries where subject = ? and action like 'recovery.%' order by at, id",
    [personId],
  );
  return rows.map((row) => [row['action'], row['person_id'], row['client_id']]);
}

describe('a person who has neither factor', () => {
  it('is found by an identifier that is theirs, and not by one that another person has proved', async () => {
    const company = await addCompany(environment);
    const owner = await addPerson(environment, company);
    const found = {
      personId: owner.personId,
      fullName: 'Noura Al-Qahtani',
      role: 'OWNER',
      companyId: company.companyId,
      companyName: company.name,
      hasAccepted: true,
    };
    for (const identifier of [owner.email.toUpperCase(), owner.mobile.replace('+966', '0')])
      expect(await operate.operations.people.find.query({ identifier })).toEqual([found]);
    const stranger = callAs(
      await addSession(environment, await addPerson(environment, await addCompany(environment)), { assurance: 'AAL2' }),
    );
    await stranger.people.add.mutate({ fullName: 'Saad', email: owner.email, mobile: owner.mobile, role: 'MEMBER' });
    expect(await operate.operations.people.find.query({ identifier: owner.email })).toEqual([found]);
  });
});

describe('a recovery', () => {
  it('tells every identifier of the person', async () => {
    const { owner, fresh } = await newRecovery();
    for (const recipient of [owner.email, owner.mobile]) expect(await noticesTo(recipient)).toEqual(['RECOVERY_BEGUN']);
    for (const recipient of [fresh.email, fresh.mobile]) expect(await noticesTo(recipient)).toEqual([]);
  });

  it('is stopped by no other token than that of its message', async () => {
    expect(await problemOfCall(nobody.sessions.stopRecovery.mutate({ token: 'unknown' }))).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
  });

  it('is shown to the person and stopped in a session, and nobody else’s', async () => {
    const { owner, begun } = await newRecovery();
    const other = await newRecovery();
    const own = callAs(await signIn(environment, owner.mobile));
    expect(await own.people.recovery.query({})).toEqual(begun);
    await own.people.stopRecovery.mutate({});
    expect(await own.people.recovery.query({})).toBeNull();
    expect(await problemOfCall(own.people.stopRecovery.mutate({}))).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    expect([await isWaiting(begun.recoveryId), await isWaiting(other.begun.recoveryId)]).toEqual([false, true]);
  });

  it('is listed for operators and stopped by one', async () => {
    const { company, owner, begun } = await newRecovery();
    expect(await operate.operations.people.recoveries.query({})).toContainEqual({
      ...begun,
      fullName: 'Noura Al-Qahtani',
      companyName: company.name,
      reason: REASON,
    });
    await operate.operations.people.stopRecovery.mutate({ recoveryId: begun.recoveryId });
    expect(await isWaiting(begun.recoveryId)).toBe(false);
    expect((await auditOf(owner.personId)).at(-1)).toEqual(['recovery.stopped', operator.personId, 'operations']);
  });

  it('is one at a time, and gives nobody an identifier that another person has proved', async () => {
    const { owner } = await newRecovery();
    const [personId, reason] = [owner.personId, REASON];
    const again = operate.operations.people.recover.mutate({ personId, ...newContacts(), reason });
    expect(await problemOfCall(again)).toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    const victim = await addPerson(environment, await addCompany(environment));
    const taken = operate.operations.people.recover.mutate({
      personId: victim.personId,
      email: newContacts().email,
      mobile: owner.mobile,
      reason,
    });
    expect(await problemOfCall(taken)).toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect(await noticesTo(victim.email)).toEqual([]);
  });

  it('is refused for an operator, and ends with the person', async () => {
    const asked = { personId: operator.personId, ...newContacts(), reason: REASON };
    expect(await problemOfCall(operate.operations.people.recover.mutate(asked))).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
    const { company, owner, begun } = await newRecovery();
    const other = callAs(await addSession(environment, await addPerson(environment, company), { assurance: 'AAL2' }));
    await other.people.remove.mutate({ personId: owner.personId });
    expect(await isWaiting(begun.recoveryId)).toBe(false);
  });
});
