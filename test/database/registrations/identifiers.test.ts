import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId, requireUuid } from '../../../scripts/shared/seed-values.ts';
import { tokenHashOf } from '../../../src/access/authenticate.ts';
import type { Person } from '../../../src/access/principal.ts';
import { OWNER, requireCompanyOf, scopeWithActor } from '../../../src/access/require.ts';
import { messagesWithin } from '../../../src/domain/challenges/challenge.ts';
import { addPerson, inviteAgain, removePerson } from '../../../src/domain/people/people.ts';
import { startAcceptance, verifyAcceptance } from '../../../src/domain/people/session/acceptance.ts';
import { startElevation, verifyElevation } from '../../../src/domain/people/session/elevation.ts';
import { findSession } from '../../../src/domain/people/session/session.ts';
import { startSignIn, verifySignIn } from '../../../src/domain/people/session/sign-in.ts';
import { completeRegistration } from '../../../src/domain/registrations/completion.ts';
import { enterRegistration } from '../../../src/domain/registrations/entrance.ts';
import { register } from '../../../src/domain/registrations/registration.ts';
import { textOf } from '../../../src/providers/messages/words.ts';
import { applicantsAt, HOUR, newAddress, valueOf } from './applicants.ts';
import { type Desk, newcomer, openDesk } from './desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
}, 30_000);
afterAll(() => desk.close());

const { addDocuments } = applicantsAt(() => desk);
const where = () => ({ address: newAddress(), requestId: newId() });
const onSandbox = () => ({ ...desk.services, config: { ...desk.services.config, deployment: 'sandbox' as const } });

/** Completes a registration with the code that was sent, and returns the company. */
async function registerAt(services: ReturnType<typeof onSandbox> | Desk['services'], request = newcomer()) {
  const draft = valueOf(await register(services, request, newAddress())).registration;
  const otp = desk.sent.findLast(({ recipient }) => recipient === `+966${request.mobileNumber}`)?.code ?? '';
  await addDocuments(draft.registrationId);
  const order = { registrationId: requireUuid(draft.registrationId), otp, ...where() };
  return valueOf(await completeRegistration(services, order)).companyId;
}

/** Completes a registration in the console, and returns the person it signs in, if any. */
async function enterAt(services: ReturnType<typeof onSandbox> | Desk['services'], request = newcomer()) {
  const draft = valueOf(await register(services, request, newAddress())).registration;
  const otp = desk.sent.findLast(({ recipient }) => recipient === `+966${request.mobileNumber}`)?.code ?? '';
  await addDocuments(draft.registrationId);
  const order = { registrationId: requireUuid(draft.registrationId), otp, ...where() };
  const { completed, sessionToken } = valueOf(await enterRegistration(services, order));
  return { ...completed, person: sessionToken === null ? undefined : await personOf(sessionToken) };
}

/** Signs in with the code that was sent; undefined if none was. */
async function signIn(identifier: string): Promise<Person | undefined> {
  const before = desk.sent.length;
  const asked = valueOf(await startSignIn(desk.services, { identifier, deviceReference: newId() }, where()));
  await desk.rest();
  // Notices may be sent in between.
  const code = desk.sent.slice(before).find((message) => message.code !== null)?.code;
  if (code == null) return undefined;
  const order = { challengeId: asked.challengeId, otp: code };
  return personOf(valueOf(await verifySignIn(desk.services, order, where())).sessionToken);
}

async function newOwner(request: ReturnType<typeof newcomer>): Promise<Person> {
  await registerAt(desk.services, request);
  const owner = await signIn(request.mobileNumber);
  if (owner === undefined) throw new Error('The owner signs in');
  return owner;
}

async function personOf(token: string): Promise<Person> {
  const found = await findSession(desk.services, await tokenHashOf(token));
  if (typeof found !== 'object' || found.kind !== 'person') throw new Error('There is no session');
  return found;
}

async function elevate(person: Person): Promise<void> {
  const { elevationId } = valueOf(await startElevation(desk.services, person, where()));
  const otp = desk.sent.at(-1)?.code ?? '';
  valueOf(await verifyElevation(desk.services, person, { elevationId, otp, where: where() }));
}

function scopeOf(person: Person) {
  const company = requireCompanyOf(person, OWNER, desk.clock.now());
  return scopeWithActor(company, { personId: person.personId, clientId: null, ...where() });
}

function add(person: Person, contacts: { readonly email: string; readonly mobile: string }, services = desk.services) {
  return addPerson(services, scopeOf(person), { fullName: 'Saad', ...contacts, role: 'MEMBER' });
}

const invite = async (...order: Parameters<typeof add>) => valueOf(await add(...order));
const newContacts = () => {
  const { email, mobileNumber } = newcomer();
  return { email, mobile: mobileNumber };
};

describe('a code shown by a sandbox', () => {
  it('proves the mobile of a registration for sign-in, but not the e-mail address', async () => {
    const request = newcomer();
    const companyId = await registerAt(onSandbox(), request);
    expect((await signIn(request.mobileNumber))?.companyId).toBe(companyId);
    expect(await signIn(request.email)).toBeUndefined();
  });

  it('takes no mobile from another person: neither proved, shown nor invited', async () => {
    const [proved, shown] = [newcomer(), newcomer()];
    const owner = await newOwner(proved);
    const second = await registerAt(onSandbox(), shown);
    for (const { mobileNumber } of [proved, shown]) await registerAt(onSandbox(), newcomer({ mobileNumber }));
    desk.clock.advance(HOUR);
    expect((await signIn(proved.mobileNumber))?.companyId).toBe(owner.companyId);
    expect((await signIn(shown.mobileNumber))?.companyId).toBe(second);
    const colleague = newcomer();
    await invite(owner, { email: colleague.email, mobile: colleague.mobileNumber });
    await registerAt(onSandbox(), newcomer({ mobileNumber: colleague.mobileNumber }));
    expect(await signIn(colleague.mobileNumber)).toBeUndefined();
  });

  it('is superseded by a code that was sent', async () => {
    const shown = newcomer();
    await registerAt(onSandbox(), shown);
    const owner = await newOwner(newcomer());
    const { personId } = await invite(owner, { email: newcomer().email, mobile: shown.mobileNumber });
    const challenge = { invitationId: requireUuid(personId), deviceReference: newId() };
    const { challengeId } = valueOf(await startAcceptance(desk.services, challenge, where()));
    await desk.rest();
    const otp = desk.sent.at(-1)?.code ?? '';
    const { sessionToken } = valueOf(await verifyAcceptance(desk.services, { challengeId, otp }, where()));
    await elevate(await personOf(sessionToken));
    await vi.waitFor(() =>
      expect(desk.sent.at(-1)).toMatchObject({ recipient: shown.email, purpose: 'IDENTIFIER_TAKEN', code: null }),
    );
    expect((await signIn(shown.mobileNumber))?.personId).toBe(personId);
  });
});

describe('a registration in the console', () => {
  it('signs its owner in by the code, on the device of the registration', async () => {
    const request = newcomer();
    const { companyId, person } = await enterAt(desk.services, request);
    expect(person).toMatchObject({ companyId, role: 'OWNER', channel: 'SMS', assurance: 'AAL1' });
    const rows = await desk.sql('directory', 'select device_reference from sessions where person_id = ?', [
      person?.personId ?? '',
    ]);
    expect(rows).toEqual([[request.deviceReference]]);
    const audit = 'select action from audit_entries where company_id = ? order by action';
    expect(await desk.sql('directory', audit, [companyId])).toEqual([['company.registered'], ['session.signed_in']]);
    expect((await enterAt(onSandbox())).person).toBeDefined();
  });

  it('signs nobody in if the mobile is of another person: proved, shown or invited', async () => {
    const [proved, shown, invited] = [newcomer(), newcomer(), newcomer()];
    const owner = await newOwner(proved);
    await registerAt(onSandbox(), shown);
    await invite(owner, { email: invited.email, mobile: invited.mobileNumber });
    for (const { mobileNumber } of [proved, shown, invited])
      expect((await enterAt(onSandbox(), newcomer({ mobileNumber }))).person).toBeUndefined();
    expect((await enterAt(desk.services, newcomer({ mobileNumber: proved.mobileNumber }))).person).toBeUndefined();
    // A code that was sent takes the mobile from those who have not proved it.
    const taken = await enterAt(desk.services, newcomer({ mobileNumber: invited.mobileNumber }));
    expect(taken.person?.companyId).toBe(taken.companyId);
  });
});

describe('an invitation', () => {
  it('contains the company and the link to accept, and so does its code', async () => {
    const request = newcomer();
    const owner = await newOwner(request);
    const { email, mobileNumber } = newcomer();
    const { personId } = await invite(owner, { email, mobile: mobileNumber });
    await vi.waitFor(() => expect(desk.sent.at(-1)?.purpose).toBe('INVITATION'));
    const message = desk.sent.at(-1);
    expect(message).toMatchObject({ channel: 'EMAIL', recipient: email, code: null });
    const text = message === undefined ? '' : textOf(message, 'https://mirsal.example');
    expect(text).toContain(`“${request.storeName}” invites you`);
    expect(text).toContain(`https://mirsal.example/console/accept/${personId}`);
    const asked = { invitationId: requireUuid(personId), deviceReference: newId() };
    valueOf(await startAcceptance(desk.services, asked, where()));
    await desk.rest();
    const sent = desk.sent.at(-1);
    expect(sent === undefined ? '' : textOf(sent, 'https://mirsal.example')).toContain(
      `the invitation from “${request.storeName}”: ${sent?.code}`,
    );
  });
});

describe('invitations', () => {
  const invitations = () => desk.sent.filter(({ purpose }) => purpose === 'INVITATION').length;

  it('are at most 50 a day of a company, although each person is removed again', async () => {
    const owner = await newOwner(newcomer());
    const before = invitations();
    for (let added = 1; added <= 50; added += 1) {
      const personId = requireUuid((await invite(owner, newContacts())).personId);
      await vi.waitFor(() => expect(invitations() - before).toBe(added));
      valueOf(await removePerson(desk.services, scopeOf(owner), { personId }));
    }
    const refused = { ok: false, code: 'OTP_RATE_LIMITED', retryAfterSeconds: 24 * HOUR };
    expect(await add(owner, newContacts())).toEqual(refused);
    expect(await inviteAgain(desk.services, scopeOf(owner), owner.personId)).toEqual(refused);
    expect(invitations() - before).toBe(50);
    await invite(await newOwner(newcomer()), newContacts());
    desk.clock.advance(24 * HOUR);
  });

  it('are limited for all companies together', async () => {
    const rateLimits = { ...desk.services.config.rateLimits, invitations: 2 };
    const limited = { ...desk.services, config: { ...desk.services.config, rateLimits } };
    const owners = [await newOwner(newcomer()), await newOwner(newcomer())];
    for (const owner of owners) await invite(owner, newContacts(), limited);
    for (const owner of owners)
      expect(await add(owner, newContacts(), limited)).toMatchObject({
        code: 'OTP_RATE_LIMITED',
        retryAfterSeconds: HOUR,
      });
  });

  it('do not leave before the company is approved', async () => {
    desk.setApprovalRequired(true);
    const owner = await newOwner(newcomer());
    desk.setApprovalRequired(false);
    const before = invitations();
    expect(await add(owner, newContacts())).toMatchObject({
      ...{ ok: false, code: 'REGISTRATION_INCOMPLETE' },
      members: { review: 'PENDING' },
    });
    expect(invitations()).toBe(before);
  });
});

describe('the SMS limit of a deployment', () => {
  it('is counted per hour and apart for registrations, and refuses every request alike once it is reached', async () => {
    desk.clock.advance(HOUR);
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const rateLimits = { ...desk.services.config.rateLimits, sms: 2, registrationSms: 2 };
    const limited = { ...desk.services, config: { ...desk.services.config, rateLimits } };
    const messages = messagesWithin(desk.services.messages, limited);
    const services = { ...limited, messages };
    const known = newcomer();
    await registerAt(services, known);
    valueOf(await register(services, newcomer(), newAddress()));
    const refused = { ok: false, code: 'MESSAGE_PROVIDER_UNAVAILABLE', retryAfterSeconds: HOUR };
    expect(await register(services, newcomer(), newAddress())).toEqual(refused);
    // Registrations by strangers do not stop people who sign in by SMS.
    const asked = (identifier: string) => startSignIn(services, { identifier, deviceReference: newId() }, where());
    for (let count = 1; count <= 2; count += 1) {
      const sentBefore = desk.sent.length;
      valueOf(await asked(known.mobileNumber));
      await vi.waitFor(() => expect(desk.sent.slice(sentBefore)).toMatchObject([{ purpose: 'SIGN_IN' }]));
    }
    for (const identifier of [known.mobileNumber, newcomer().mobileNumber])
      expect(await asked(identifier)).toEqual(refused);
    const byEmail = { identifier: newcomer().email, deviceReference: newId() };
    expect((await startSignIn(services, byEmail, where())).ok).toBe(true);
    const sms = { channel: 'SMS', recipient: '+966500000000', purpose: 'SIGN_IN', code: '123456' } as const;
    const before = desk.sent.length;
    expect(await messages.send(sms)).toBe(false);
    expect(desk.sent).toHaveLength(before);
    expect(logged.mock.calls.join()).toContain('limit of 2 an hour');
    logged.mockRestore();
    desk.clock.advance(HOUR);
    expect((await register(services, newcomer(), newAddress())).ok).toBe(true);
  });
});
