import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addCompany } from '../../scripts/shared/companies.ts';
import {
  acceptInvitation,
  addPerson,
  addSession,
  answerSignIn,
  askSignIn,
  codesTo,
  elevate,
  newContacts,
  signIn,
} from '../../scripts/shared/people.ts';
import { sendJson } from '../../scripts/shared/sandbox.ts';
import type { JsonObject } from '../../scripts/shared/shipments.ts';
import { addDocuments, complete, draftOf, register, verify } from '../support/registrations.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient, trpcClientWith } from '../support/trpc.ts';

const environment = sharedEnvironment();
const publicCall = trpcClientWith(environment, {});

/** The owner of a new company, with a fresh second factor. */
async function newOwner() {
  const company = await addCompany(environment);
  const owner = await addPerson(environment, company);
  const call = trpcClient(environment, await addSession(environment, owner, { assurance: 'AAL2' }));
  return { company, owner, call };
}

describe('an identifier that nobody proved', () => {
  it('gets no sign-in code when another company added it as a person', async () => {
    const { call } = await newOwner();
    const victim = newContacts();
    await call.people.add.mutate({ fullName: 'Saad Al-Dossary', ...victim, role: 'MEMBER' });
    for (const identifier of [victim.email, victim.mobile]) {
      expect((await askSignIn(environment, identifier)).status).toBe(202);
      expect(await codesTo(environment, identifier)).toEqual([]);
    }
  });

  it('gets no sign-in code when somebody registered with it but proved another mobile', async () => {
    const victim = newContacts();
    await complete(environment, { email: victim.email });
    expect((await askSignIn(environment, victim.email)).status).toBe(202);
    expect(await codesTo(environment, victim.email)).toEqual([]);
  });

  it('passes to the person who proves it by an elevation, and the previous holder is notified', async () => {
    const [mobile, victim] = [newContacts().mobile, newContacts()];
    await registered({ email: victim.email, mobileNumber: mobile.slice(4) });
    const own = await registered({ email: victim.email, mobileNumber: victim.mobile.slice(4) });
    await elevate(environment, await signIn(environment, victim.mobile), victim.email);
    expect(await companyOf(await signIn(environment, victim.email))).toBe(own);
    expect(await noticesTo(mobile)).toEqual(['SMS IDENTIFIER_TAKEN']);
  });

  it('passes to a registration that proves the mobile', async () => {
    const { call } = await newOwner();
    const [victim, invited] = [newContacts(), newContacts()];
    await call.people.add.mutate({ fullName: 'Saad', email: invited.email, mobile: victim.mobile, role: 'MEMBER' });
    const own = await registered({ email: victim.email, mobileNumber: victim.mobile.slice(4) });
    expect(await companyOf(await signIn(environment, victim.mobile))).toBe(own);
    expect(await noticesTo(invited.email)).toEqual(['EMAIL IDENTIFIER_TAKEN', 'EMAIL INVITATION']);
  });
});

describe('a person who lost an identifier', () => {
  it('to somebody who proved it sees and uses it no more, and gets no second factor by it', async () => {
    const [mobile, victim] = [newContacts().mobile, newContacts()];
    await registered({ email: victim.email, mobileNumber: mobile.slice(4) });
    const call = trpcClient(environment, await signIn(environment, mobile));
    expect((await call.sessions.current.query({})).person.email).toBe(victim.email);
    const asked = await call.sessions.startElevation.mutate({});
    const [early = ''] = await codesTo(environment, victim.email);
    await registered({ email: victim.email, mobileNumber: victim.mobile.slice(4) });
    await elevate(environment, await signIn(environment, victim.mobile), victim.email);
    const codes = await codesTo(environment, victim.email);
    expect((await call.sessions.current.query({})).person.email).toBeNull();
    expect(await call.people.list.query({})).toMatchObject([{ email: null, maskedMobile: expect.any(String) }]);
    const { elevationId } = asked;
    expect(await problemOfCall(call.sessions.verifyElevation.mutate({ elevationId, otp: early }))).toMatchObject({
      code: 'OTP_EXPIRED',
    });
    expect(await problemOfCall(call.sessions.startElevation.mutate({}))).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    expect(await codesTo(environment, victim.email)).toEqual(codes);
    const { email: identifier } = newContacts();
    const { challengeId } = await call.people.startIdentifierChange.mutate({ identifier });
    const [otp = ''] = await codesTo(environment, identifier);
    const { sessionToken } = await call.people.changeIdentifier.mutate({ identifier, challengeId, otp });
    const own = trpcClient(environment, sessionToken);
    expect((await own.sessions.current.query({})).person.email).toBe(identifier);
  });

  it('to an acceptance, a registration or an operator neither', async () => {
    const { call } = await newOwner();
    const [accepted, proved] = [newContacts(), newContacts()];
    const add = (email: string, mobile: string) =>
      call.people.add.mutate({ fullName: 'Saad', email, mobile, role: 'MEMBER' });
    await add(accepted.email, newContacts().mobile);
    const { personId } = await (await newOwner()).call.people.add.mutate({
      fullName: 'Saad',
      ...accepted,
      role: 'MEMBER',
    });
    await acceptInvitation(environment, personId, accepted.email);
    await add(newContacts().email, proved.mobile);
    await registered({ email: proved.email, mobileNumber: proved.mobile.slice(4) });
    const freed = await add(newContacts().email, newContacts().mobile);
    const operator = trpcClient(environment, await environment.token(environment.operator));
    await operator.operations.identifiers.free.mutate({ identifier: freed.email ?? '' });
    expect((await call.people.list.query({})).slice(1)).toMatchObject([
      { email: null, maskedMobile: expect.any(String) },
      { email: expect.any(String), maskedMobile: null },
      { email: null, maskedMobile: expect.any(String) },
    ]);
  });

  it('never learns that an address they registered with was somebody else’s all along', async () => {
    const owner = await addPerson(environment, await addCompany(environment));
    const { mobile } = newContacts();
    await registered({ email: owner.email, mobileNumber: mobile.slice(4) });
    const call = trpcClient(environment, await signIn(environment, mobile));
    expect((await call.sessions.current.query({})).person.email).toBe(owner.email);
    expect(await call.sessions.startElevation.mutate({})).toMatchObject({ channel: 'EMAIL' });
  });
});

describe('a registration in the console', () => {
  it('signs its owner in by the cookie of the answer, and by REST it begins no session', async () => {
    const draft = await draftOf(environment);
    await draft.addDocuments();
    const { registrationId } = draft.body;
    const entered = await sendJson(environment, 'POST', '/trpc/sessions.enterRegistration', {
      registrationId,
      otp: draft.code,
    });
    expect(await entered.json()).toMatchObject({ result: { data: { state: 'COMPLETED', isSignedIn: true } } });
    const token = /^__Host-session=(ses_[^;]+); Path=\/;/.exec(entered.headers.get('set-cookie') ?? '')?.[1] ?? '';
    const [row] = await environment.sql('directory', 'select company_id from registrations where id = ?', [
      registrationId,
    ]);
    expect(await companyOf(token)).toBe(row?.['company_id']);
    const program = await draftOf(environment);
    await program.addDocuments();
    const completed = await program.verify(program.code);
    expect([completed.status, completed.headers.get('set-cookie')]).toEqual([200, null]);
  });

  it('signs nobody in if its mobile signs in another person', async () => {
    const owner = await complete(environment);
    const second = await draftOf(environment, { mobileNumber: owner.mobile.slice(4) });
    await second.addDocuments();
    const [otp = ''] = await codesTo(environment, owner.mobile);
    const { registrationId } = second.body;
    const entered = await publicCall.sessions.enterRegistration.mutate({ registrationId, otp });
    expect(entered.isSignedIn).toBe(false);
    expect(entered.companyId).not.toBe(owner.companyId);
  });
});

describe('an invited person', () => {
  it('accepts with a code of their own and can sign in from then on', async () => {
    const { company, call } = await newOwner();
    const person = newContacts();
    const { personId } = await call.people.add.mutate({ fullName: 'Saad', ...person, role: 'MEMBER' });
    expect(await noticesTo(person.email)).toEqual(['EMAIL INVITATION']);
    const token = await acceptInvitation(environment, personId, person.email);
    expect(await companyOf(token)).toBe(company.companyId);
    expect(await companyOf(await signIn(environment, person.email))).toBe(company.companyId);
    expect((await askSignIn(environment, person.mobile)).status).toBe(202);
    expect(await codesTo(environment, person.mobile)).toEqual([]);
    const elevated = await elevate(environment, await signIn(environment, person.email), person.mobile);
    expect(await companyOf(elevated)).toBe(company.companyId);
    expect(await companyOf(await signIn(environment, person.mobile))).toBe(company.companyId);
  });

  it('chooses between two companies, after which the other invitation sends no code', async () => {
    const [first, second] = [await newOwner(), await newOwner()];
    const person = newContacts();
    const added = { fullName: 'Saad', ...person, role: 'MEMBER' } as const;
    const { personId: refused } = await first.call.people.add.mutate(added);
    const { personId } = await second.call.people.add.mutate(added);
    await acceptInvitation(environment, personId, person.email);
    expect(await companyOf(await signIn(environment, person.email))).toBe(second.company.companyId);
    const before = await codesTo(environment, person.email);
    await publicCall.sessions.startAcceptance.mutate({ invitationId: refused, deviceReference: randomUUID() });
    expect(await codesTo(environment, person.email)).toEqual(before);
  });

  it('does not lose a proved identifier to an acceptance that was started before the proof', async () => {
    const { call } = await newOwner();
    const person = newContacts();
    const { personId } = await call.people.add.mutate({ fullName: 'Saad', ...person, role: 'MEMBER' });
    const challenge = await publicCall.sessions.startAcceptance.mutate({
      invitationId: personId,
      deviceReference: randomUUID(),
    });
    const [otp = ''] = await codesTo(environment, person.email);
    const own = await registered({ email: person.email, mobileNumber: person.mobile.slice(4) });
    await elevate(environment, await signIn(environment, person.mobile), person.email);
    const { challengeId } = challenge;
    const refused = publicCall.sessions.verifyAcceptance.mutate({ challengeId, otp });
    expect(await problemOfCall(refused)).toMatchObject({ code: 'OTP_EXPIRED' });
    expect(await companyOf(await signIn(environment, person.email))).toBe(own);
  });

  it('cannot be guessed: an unknown invitation is answered alike, sends nothing and accepts no code', async () => {
    const asked = { invitationId: randomUUID(), deviceReference: randomUUID() };
    const { challengeId } = await publicCall.sessions.startAcceptance.mutate(asked);
    const refused = publicCall.sessions.verifyAcceptance.mutate({ challengeId, otp: '000000' });
    expect(await problemOfCall(refused)).toMatchObject({ code: 'OTP_INVALID' });
  });
});

describe('inviting again', () => {
  it('sends the invitation to a person who never signed in, three times a day, and is in the audit', async () => {
    const { owner, call } = await newOwner();
    const person = newContacts();
    const { personId } = await call.people.add.mutate({ fullName: 'Saad', ...person, role: 'MEMBER' });
    for (let count = 0; count < 3; count += 1) expect(await call.people.invite.mutate({ personId })).toBeNull();
    expect(await noticesTo(person.email)).toEqual(['EMAIL INVITATION', 'EMAIL INVITATION', 'EMAIL INVITATION']);
    const [entry] = (await call.audit.list.query({ limit: 1 })).data;
    expect(entry).toMatchObject({ action: 'person.invited', subject: personId, personId: owner.personId });
    const token = await acceptInvitation(environment, personId, person.email);
    expect((await trpcClient(environment, token).sessions.current.query({})).person.personId).toBe(personId);
  });

  it('sends nothing to a person who can sign in, or whose e-mail address another person proved', async () => {
    const [{ company, call }, stranger] = [await newOwner(), await newOwner()];
    const colleague = await addPerson(environment, company);
    expect(await call.people.invite.mutate({ personId: colleague.personId })).toBeNull();
    const contacts = { email: stranger.owner.email, mobile: newContacts().mobile };
    const { personId } = await call.people.add.mutate({ fullName: 'Saad', ...contacts, role: 'MEMBER' });
    expect(await call.people.invite.mutate({ personId })).toBeNull();
    for (const { email } of [colleague, contacts]) expect(await noticesTo(email)).toEqual([]);
  });

  it('answers 404 for a person of another company', async () => {
    const [{ call }, stranger] = [await newOwner(), await newOwner()];
    const refused = call.people.invite.mutate({ personId: stranger.owner.personId });
    expect(await problemOfCall(refused)).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });
});

describe('an owner who registers with a mobile that another person proved', () => {
  it('gets an invitation by e-mail, and joins the new company by accepting it', async () => {
    const { company, owner: other } = await newOwner();
    const { email } = newContacts();
    const own = await registered({ email, mobileNumber: other.mobile.slice(4) });
    expect(await companyOf(await signIn(environment, other.mobile))).toBe(company.companyId);
    expect(await noticesTo(email)).toEqual(['EMAIL INVITATION', 'EMAIL REGISTRATION_BEGUN']);
    const [owner] = await environment.sql('directory', 'select person_id from company_members where company_id = ?', [
      own,
    ]);
    const token = await acceptInvitation(environment, String(owner?.['person_id']), email);
    expect(await companyOf(token)).toBe(own);
    expect(await companyOf(await signIn(environment, email))).toBe(own);
    expect(await companyOf(await elevate(environment, token, other.mobile))).toBe(own);
  });

  it('gets no invitation if the mobile signs them in, or if the e-mail address is another person’s too', async () => {
    const [{ owner: other }, usual] = [await newOwner(), newContacts()];
    await registered({ email: usual.email, mobileNumber: usual.mobile.slice(4) });
    expect(await noticesTo(usual.email)).toEqual(['EMAIL REGISTRATION_BEGUN']);
    await registered({ email: other.email, mobileNumber: other.mobile.slice(4) });
    expect(await noticesTo(other.email)).toEqual(['EMAIL ALREADY_REGISTERED']);
  });
});

describe('an operator', () => {
  it('frees an identifier, which ends its sessions and prevents sign-in with it', async () => {
    const { company, owner } = await newOwner();
    const token = await signIn(environment, owner.email);
    const operator = trpcClient(environment, await environment.token(environment.operator));
    await operator.operations.identifiers.free.mutate({ identifier: owner.email.toUpperCase() });
    expect(await problemOfCall(trpcClient(environment, token).sessions.current.query({}))).toMatchObject({
      code: 'AUTHENTICATION_REQUIRED',
    });
    const before = await codesTo(environment, owner.email);
    await askSignIn(environment, owner.email);
    expect(await codesTo(environment, owner.email)).toEqual(before);
    const entries = await environment.sql(
      'directory',
      "select company_id, person_id, subject, client_id is not null as is_client from audit_entries where action = 'identifier.freed' and subject = ?",
      [owner.personId],
    );
    expect(entries).toEqual([
      { company_id: company.companyId, person_id: null, subject: owner.personId, is_client: 1 },
    ]);
    const again = operator.operations.identifiers.free.mutate({ identifier: owner.email });
    expect(await problemOfCall(again)).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });
});

describe('a sign-in whose identifier was freed after the code was sent', () => {
  it('starts no session and is not audited', async () => {
    const { owner } = await newOwner();
    const asked = await askSignIn(environment, owner.email);
    const { challengeId } = z.object({ challengeId: z.string() }).parse(await asked.json());
    const [code = ''] = await codesTo(environment, owner.email);
    const operator = trpcClient(environment, await environment.token(environment.operator));
    await operator.operations.identifiers.free.mutate({ identifier: owner.email });
    expect((await answerSignIn(environment, challengeId, code)).status).toBe(422);
    const entries = await environment.sql('directory', 'select action from audit_entries where person_id = ?', [
      owner.personId,
    ]);
    expect(entries).toEqual([]);
  });
});

describe('notices', () => {
  it('are limited to three for forty registrations with one e-mail address', async () => {
    const { email } = newContacts();
    const answers = [];
    for (let count = 0; count < 40; count += 1) answers.push(await register(environment, { email }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await noticesTo(email)).toHaveLength(3);
  });
});

async function registered(changes: JsonObject): Promise<string> {
  const response = await register(environment, changes);
  const { registrationId } = z.object({ registrationId: z.string() }).parse(await response.json());
  await addDocuments(environment, registrationId, 'NATIONAL_ADDRESS', 'COMMERCIAL_REGISTRATION');
  const [code = ''] = await codesTo(environment, `+966${String(changes['mobileNumber'])}`);
  const verified = await verify(environment, registrationId, code);
  return z.object({ companyId: z.string() }).parse(await verified.json()).companyId;
}

async function companyOf(token: string): Promise<string | undefined> {
  return (await trpcClient(environment, token).sessions.current.query({})).company?.companyId;
}

async function noticesTo(recipient: string): Promise<string[]> {
  const response = await environment.fetch(`/local/notices?recipient=${encodeURIComponent(recipient)}`);
  const notices = z.object({ data: z.array(z.object({ purpose: z.string(), channel: z.string() })) });
  return notices.parse(await response.json()).data.map(({ channel, purpose }) => `${channel} ${purpose}`);
}
