import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { addCompany, nowMicros } from '../../scripts/shared/companies.ts';
import {
  AUTHENTICATION,
  acceptInvitation,
  addPerson,
  addSession,
  askSignIn,
  codesTo,
  elevate,
  newContacts,
  signIn,
} from '../../scripts/shared/people.ts';
import { sendJson } from '../../scripts/shared/sandbox.ts';
import { NAMES } from '../support/cast.ts';
import { draftOf } from '../support/registrations.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';

const environment = sharedEnvironment();

/** The owner of a new company, with a fresh second factor. */
async function newOwner() {
  const company = await addCompany(environment);
  const owner = await addPerson(environment, company);
  const call = trpcClient(environment, await addSession(environment, owner, { assurance: 'AAL2' }));
  return { company, owner, call };
}

const newPerson = () => ({ fullName: 'Saad Al-Dossary', ...newContacts(), role: 'MEMBER' as const });

/** Registers a company with contacts that may already belong to somebody, and proves the mobile. */
async function registerWith(email: string, mobile: string): Promise<unknown> {
  const draft = await draftOf(environment, { email, mobileNumber: mobile.slice(4) });
  await draft.addDocuments();
  const [code = ''] = await codesTo(environment, mobile);
  const response = await draft.verify(code);
  expect(response.status).toBe(200);
  return Reflect.get(Object(await response.json()), 'companyId');
}

describe('the name of a person', () => {
  it('may be any that people have', async () => {
    const { call } = await newOwner();
    const others = ["Seán O'Brien", 'عبد الرحمن', 'می‌خواهم', 'مـحـمـد', 'M. St. Clair (Jr.)', 'Äli-Reza & Söhne'];
    for (const fullName of [...NAMES.map(({ name }) => name), ...others])
      expect(await call.people.add.mutate({ ...newPerson(), fullName })).toMatchObject({ fullName });
  });

  it.each([
    'Your account is blocked. Sign in: https://evil.example',
    'Sign in at WWW.evil.example',
    'GET A BONUS 👉 https://bonus.example',
    'Saad\nYour code is 111111',
    'Saad\u2028Al-Dossary',
    'Saad \u202Egnissoda',
    '\u200Fسعد',
    'Saad\u0007',
  ])('must not look like a message of the service: %j', async (fullName) => {
    const { call } = await newOwner();
    expect(await problemOfCall(call.people.add.mutate({ ...newPerson(), fullName }))).toMatchObject({
      code: 'VALIDATION_FAILED',
      violations: [
        { field: 'fullName', code: 'PATTERN_MISMATCH', message: expect.stringContaining('a name in one line') },
      ],
    });
  });
});

describe('people', () => {
  it('are added, listed, changed and removed by an owner', async () => {
    const { owner, call } = await newOwner();
    const asked = newPerson();
    const added = await call.people.add.mutate({ ...asked, email: asked.email.toUpperCase() });
    expect(added).toEqual({
      personId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      fullName: 'Saad Al-Dossary',
      email: asked.email,
      maskedMobile: `********${asked.mobile.slice(-4)}`,
      role: 'MEMBER',
      hasAccepted: false,
      createdAt: expect.any(String),
    });
    const { personId } = added;
    const accepted = async () =>
      (await call.people.list.query({})).map((one) => [one.personId, one.hasAccepted] as const);
    expect(await accepted()).toEqual([
      [owner.personId, true],
      [personId, false],
    ]);
    const token = await acceptInvitation(environment, personId, asked.email);
    expect(await accepted()).toEqual([
      [owner.personId, true],
      [personId, true],
    ]);
    const own = trpcClient(environment, token);
    expect(await own.sessions.list.query({})).toMatchObject([
      { isCurrent: true, channel: 'EMAIL', assuranceLevel: 'AAL1' },
    ]);
    await call.people.changeRole.mutate({ personId, role: 'OWNER' });
    expect((await own.people.list.query({})).map(({ role }) => role)).toEqual(['OWNER', 'OWNER']);
    expect(await call.people.remove.mutate({ personId })).toEqual({ setUp: [] });
    expect(await problemOfCall(own.people.list.query({}))).toMatchObject({ code: 'AUTHENTICATION_REQUIRED' });
    expect(await call.people.list.query({})).toHaveLength(1);
    const left = await environment.sql(
      'directory',
      'select id from people where id = ? union select identifier from sign_in_identifiers where person_id = ?',
      [personId, personId],
    );
    expect(left).toEqual([]);
  });

  it('have the code of their invitation in the inbox of a local service, by the id of the invitation', async () => {
    const { owner, call } = await newOwner();
    const { email, personId } = await call.people.add.mutate(newPerson());
    await trpcClient(environment, '').sessions.startAcceptance.mutate({
      invitationId: personId,
      deviceReference: v7(),
    });
    const [code] = await codesTo(environment, email ?? '');
    expect(code).toMatch(/^[0-9]{6}$/);
    expect((await codesTo(environment, personId))[0]).toBe(code);
    // Somebody who can sign in has no invitation.
    expect(await codesTo(environment, owner.personId)).toEqual([]);
  });

  it('are shown to owners with where they are signed in, and from where', async () => {
    const [{ company, owner, call }, stranger] = [await newOwner(), await newOwner()];
    const member = await addPerson(environment, company, 'MEMBER');
    const asked = await askSignIn(environment, member.email);
    const path = `${AUTHENTICATION}/sign-ins/${String(Reflect.get(Object(await asked.json()), 'challengeId'))}/verifications`;
    const [otp = ''] = await codesTo(environment, member.email);
    await sendJson(environment, 'POST', path, { otp }, { 'cf-connecting-ip': '192.0.2.7' });
    const { sessions, last } = await call.people.signIns.query({});
    expect(sessions).toMatchObject([
      { personId: member.personId, isCurrent: false, channel: 'EMAIL', address: '192.0.2.7' },
      { personId: owner.personId, isCurrent: true, address: null },
    ]);
    expect(last).toEqual([{ personId: member.personId, at: sessions[0]?.createdAt }]);
    expect(await stranger.call.people.signIns.query({})).toMatchObject({ sessions: [{ isCurrent: true }], last: [] });
    await environment.sql(
      'directory',
      'update sessions set last_seen_at = last_seen_at - 1801000000 where person_id = ?',
      [member.personId],
    );
    const ended = await call.people.signIns.query({});
    expect([ended.sessions.length, ended.last]).toEqual([1, last]);
  });

  it('lose an unproved mobile to a registration that proves it', async () => {
    const { call } = await newOwner();
    const { email, mobile } = newContacts();
    await call.people.add.mutate({ fullName: 'Somebody else’s', email, mobile, role: 'MEMBER' });
    const companyId = await registerWith(email, mobile);
    const [member] = await environment.sql(
      'directory',
      `select m.company_id, m.role from sign_in_identifiers i join company_members m on m.person_id = i.person_id
       where i.identifier = ? and i.proved_at is not null`,
      [mobile],
    );
    expect(member).toEqual({ company_id: companyId, role: 'OWNER' });
  });

  it('keep an identifier that they proved', async () => {
    const { call } = await newOwner();
    const { email, mobile } = newContacts();
    const { personId } = await call.people.add.mutate({ fullName: 'Saad', email, mobile, role: 'MEMBER' });
    await elevate(environment, await acceptInvitation(environment, personId, email), mobile);
    await registerWith(newContacts().email, mobile);
    const rows = await environment.sql('directory', 'select person_id from sign_in_identifiers where identifier = ?', [
      mobile,
    ]);
    expect(rows).toEqual([{ person_id: personId }]);
  });

  it('are removed, and the answer lists what they set up', async () => {
    const { company, call } = await newOwner();
    const second = await addPerson(environment, company);
    const other = trpcClient(environment, await addSession(environment, second, { assurance: 'AAL2' }));
    await other.merchantApiCredential.rotate.mutate({});
    const branch = { branchCode: 'OLD-1', name: 'Old', cityCode: 'RUH' };
    await other.branches.create.mutate(branch);
    await call.branches.create.mutate({ ...branch, branchCode: 'NEW-1' });
    const { setUp } = await call.people.remove.mutate({ personId: second.personId });
    expect(setUp.map(({ action, subject }) => `${action} ${subject}`)).toEqual([
      'branch.created OLD-1',
      expect.stringMatching(/^credential\.rotated [0-9a-f-]{36}$/),
    ]);
  });

  it('always include an owner', async () => {
    const { owner, call } = await newOwner();
    const { personId } = owner;
    const code = 'INVALID_STATE_TRANSITION';
    expect(await problemOfCall(call.people.changeRole.mutate({ personId, role: 'MEMBER' }))).toMatchObject({ code });
    expect(await problemOfCall(call.people.remove.mutate({ personId }))).toMatchObject({ code });
    await call.people.changeRole.mutate({ personId, role: 'OWNER' });
  });

  it('always include an owner, even when two owners remove themselves at once', async () => {
    const { company, owner, call } = await newOwner();
    const second = await addPerson(environment, company);
    const other = trpcClient(environment, await addSession(environment, second, { assurance: 'AAL2' }));
    const ends = await Promise.allSettled([
      call.people.remove.mutate({ personId: owner.personId }),
      other.people.remove.mutate({ personId: second.personId }),
    ]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('always include an owner who can sign in: one who has not accepted yet does not count', async () => {
    const { owner, call } = await newOwner();
    const invited = { ...newPerson(), role: 'OWNER' as const };
    const { personId } = await call.people.add.mutate(invited);
    const leave = { personId: owner.personId };
    const code = 'INVALID_STATE_TRANSITION';
    expect(await problemOfCall(call.people.changeRole.mutate({ ...leave, role: 'MEMBER' }))).toMatchObject({ code });
    expect(await problemOfCall(call.people.remove.mutate(leave))).toMatchObject({ code });
    await acceptInvitation(environment, personId, invited.email);
    await call.people.changeRole.mutate({ ...leave, role: 'MEMBER' });
  });

  it('always include an owner who can sign in, even when two owners demote themselves beside an invited one', async () => {
    const { company, owner, call } = await newOwner();
    const second = await addPerson(environment, company);
    const other = trpcClient(environment, await addSession(environment, second, { assurance: 'AAL2' }));
    await call.people.add.mutate({ ...newPerson(), role: 'OWNER' });
    const ends = await Promise.allSettled([
      call.people.changeRole.mutate({ personId: owner.personId, role: 'MEMBER' }),
      other.people.changeRole.mutate({ personId: second.personId, role: 'MEMBER' }),
    ]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('may lose an owner who never accepted', async () => {
    const { call } = await newOwner();
    const { personId } = await call.people.add.mutate({ ...newPerson(), role: 'OWNER' });
    await call.people.remove.mutate({ personId });
    expect(await call.people.list.query({})).toHaveLength(1);
  });

  it('can be added while they belong to another company, and still sign in there', async () => {
    const [{ call }, stranger] = [await newOwner(), await newOwner()];
    const { email, mobile } = stranger.owner;
    const added = await call.people.add.mutate({ fullName: 'Saad', email, mobile, role: 'MEMBER' });
    expect(added).toMatchObject({ email, role: 'MEMBER' });
    const own = trpcClient(environment, await signIn(environment, email));
    expect((await own.sessions.current.query({})).company?.companyId).toBe(stranger.company.companyId);
    const { personId } = added;
    await call.people.remove.mutate({ personId });
    expect(await signIn(environment, mobile)).toMatch(/^ses_/);
  });
});

describe('sessions', () => {
  it('are ended one by one, and only by the person they belong to', async () => {
    const [{ owner, call }, stranger] = [await newOwner(), await newOwner()];
    const token = await addSession(environment, owner);
    const listed = await call.sessions.list.query({});
    expect(listed.map(({ isCurrent }) => isCurrent)).toEqual([false, true]);
    const [other] = listed;
    const sessionId = other?.sessionId ?? '';
    expect(await problemOfCall(stranger.call.sessions.end.mutate({ sessionId }))).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
    await call.sessions.end.mutate({ sessionId });
    const ended = trpcClient(environment, token);
    expect(await problemOfCall(ended.sessions.list.query({}))).toMatchObject({ code: 'AUTHENTICATION_REQUIRED' });
    expect(await call.sessions.list.query({})).toHaveLength(1);
  });
});

describe('a session of another person', () => {
  it('is ended by an owner of the company with a second factor, and by nobody else', async () => {
    const [{ company, owner, call }, stranger] = [await newOwner(), await newOwner()];
    const member = await addPerson(environment, company, 'MEMBER');
    const own = trpcClient(environment, await addSession(environment, member, { assurance: 'AAL2' }));
    const { sessions } = await call.people.signIns.query({});
    const sessionOf = (personId: string) => sessions.find((one) => one.personId === personId)?.sessionId ?? '';
    const [theirs, owners] = [sessionOf(member.personId), sessionOf(owner.personId)];
    expect(await problemOfCall(stranger.call.people.endSession.mutate({ sessionId: theirs }))).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
    expect(await problemOfCall(own.people.endSession.mutate({ sessionId: owners }))).toMatchObject({
      code: 'ACCESS_DENIED',
    });
    await call.people.endSession.mutate({ sessionId: theirs });
    expect(await problemOfCall(own.shipments.list.query({}))).toMatchObject({ code: 'AUTHENTICATION_REQUIRED' });
    expect((await call.people.signIns.query({})).sessions.map(({ sessionId }) => sessionId)).toEqual([owners]);
    const [newest] = (await call.audit.list.query({})).data;
    expect(newest).toMatchObject({ action: 'session.ended', subject: theirs, personId: owner.personId });
    expect(newest?.detail).toEqual({ personId: member.personId });
    expect(await problemOfCall(call.people.endSession.mutate({ sessionId: theirs }))).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
  });
});

describe('the audit', () => {
  it('lists who did what in directory and shard as one list, page by page', async () => {
    const { company, owner, call } = await newOwner();
    const { personId } = await call.people.add.mutate(newPerson());
    await call.people.changeRole.mutate({ personId, role: 'OWNER' });
    await environment.sql(
      company.shard,
      `insert into audit_entries (id, company_id, person_id, client_id, action, subject, at, address, request_id, detail)
       values (?, ?, ?, null, 'branch.changed', 'ABHA-1', ?, null, ?, '{"version":4}')`,
      [v7(), company.companyId, owner.personId, nowMicros(), v7()],
    );
    await call.people.remove.mutate({ personId });
    const whole = await call.audit.list.query({});
    expect(whole.data.map(({ action, subject }) => `${action} ${subject}`)).toEqual([
      `person.removed ${personId}`,
      'branch.changed ABHA-1',
      `person.role_changed ${personId}`,
      `person.added ${personId}`,
    ]);
    expect(whole.data[2]).toMatchObject({ personId: owner.personId, clientId: null, detail: { role: 'OWNER' } });
    expect(whole.page).toEqual({ nextCursor: null, hasMore: false });
    const paged = [];
    let cursor: string | undefined;
    for (let page = 0; page < 4; page += 1) {
      const { data, page: next } = await call.audit.list.query({
        limit: 1,
        ...(cursor === undefined ? {} : { cursor }),
      });
      paged.push(...data);
      cursor = next.nextCursor ?? undefined;
    }
    expect([paged, cursor]).toEqual([whole.data, undefined]);
  });

  it('returns the entries of one company only, and binds its cursors to that company', async () => {
    const [{ call }, stranger] = [await newOwner(), await newOwner()];
    await call.people.add.mutate(newPerson());
    await call.people.add.mutate(newPerson());
    const { page } = await call.audit.list.query({ limit: 1 });
    expect(await stranger.call.audit.list.query({})).toMatchObject({ data: [] });
    const refused = stranger.call.audit.list.query({ limit: 1, cursor: page.nextCursor ?? '' });
    expect(await problemOfCall(refused)).toMatchObject({ code: 'INVALID_CURSOR' });
  });

  it('contains no names or contacts of people', async () => {
    const { company, call } = await newOwner();
    const person = newPerson();
    await call.people.add.mutate(person);
    const rows = await environment.sql('directory', 'select * from audit_entries where company_id = ?', [
      company.companyId,
    ]);
    const text = JSON.stringify(rows);
    for (const word of [person.email, person.mobile.slice(-9), person.fullName]) expect(text).not.toContain(word);
  });
});
