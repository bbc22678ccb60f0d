import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addCompany, nowMicros } from '../../scripts/shared/companies.ts';
import {
  addOperator,
  addPerson,
  addSession,
  answerSignIn,
  askSignIn,
  codesTo,
  elevate,
  newContacts,
  otherThan,
  signIn,
  type TestPerson,
} from '../../scripts/shared/people.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';

const environment = sharedEnvironment();

const newOwner = async () => addPerson(environment, await addCompany(environment));
const callAs = (token: string) => trpcClient(environment, token);

/** Makes the person's sessions older. */
function passMinutes({ personId }: TestPerson, minutes: number) {
  return environment.sql('directory', 'update sessions set created_at = created_at - ? where person_id = ?', [
    minutes * 60e6,
    personId,
  ]);
}

/** Replaces an identifier with the code that was sent to the new one. Answers the new token. */
async function change(token: string, identifier: string) {
  const { challengeId } = await callAs(token).people.startIdentifierChange.mutate({ identifier });
  const [otp = ''] = await codesTo(environment, identifier.toLowerCase());
  return callAs(token).people.changeIdentifier.mutate({ identifier, challengeId, otp });
}

async function noticesTo(recipient: string): Promise<string[]> {
  const response = await environment.fetch(`/local/notices?recipient=${encodeURIComponent(recipient)}`);
  const notices = z.object({ data: z.array(z.object({ purpose: z.string() })) });
  return notices.parse(await response.json()).data.map(({ purpose }) => purpose);
}

async function askedCode(identifier: string) {
  const { challengeId } = z
    .object({ challengeId: z.string() })
    .parse(await (await askSignIn(environment, identifier)).json());
  const [code = ''] = await codesTo(environment, identifier);
  return { challengeId, code };
}

describe('a person who lost the mobile', () => {
  it('replaces it after signing in by e-mail, and the old number is told and signs in nobody', async () => {
    const owner = await newOwner();
    const { mobile } = newContacts();
    const { sessionToken, heldUntil } = await change(await signIn(environment, owner.email), mobile);
    expect((await callAs(sessionToken).sessions.current.query({})).person.personId).toBe(owner.personId);
    const held = (Date.parse(heldUntil) - Date.now()) / 3_600_000;
    expect([held > 23.9, held <= 24]).toEqual([true, true]);
    expect(await noticesTo(owner.mobile)).toEqual(['IDENTIFIER_CHANGED']);
    expect((await askSignIn(environment, owner.mobile)).status).toBe(202);
    expect(await codesTo(environment, owner.mobile)).toEqual([]);
    expect((await callAs(await signIn(environment, mobile)).sessions.current.query({})).person.personId).toBe(
      owner.personId,
    );
    const entries = await environment.sql(
      'directory',
      "select person_id, detail from audit_entries where action = 'identifier.changed' and subject = ?",
      [owner.personId],
    );
    expect(entries).toEqual([{ person_id: owner.personId, detail: '{"channel":"SMS"}' }]);
  });

  it('needs no second factor, but a sign-in of at most ten minutes ago', async () => {
    const owner = await newOwner();
    const token = await signIn(environment, owner.email);
    await passMinutes(owner, 10);
    const { mobile } = newContacts();
    const refused = callAs(token).people.startIdentifierChange.mutate({ identifier: mobile });
    expect(await problemOfCall(refused)).toMatchObject({ code: 'REAUTHENTICATION_REQUIRED', proof: 'SIGN_IN' });
    expect(await codesTo(environment, mobile)).toEqual([]);
  });
});

describe('a person whose e-mail address was mistyped', () => {
  it('replaces it after signing in by the mobile, and signs in with the new one', async () => {
    const owner = await newOwner();
    const { email } = newContacts();
    await change(await signIn(environment, owner.mobile), email.toUpperCase());
    expect((await callAs(await signIn(environment, email)).sessions.current.query({})).person).toMatchObject({
      personId: owner.personId,
      email,
    });
  });

  it('who signed in by that address proves the mobile first, at most ten minutes ago', async () => {
    const owner = await newOwner();
    const identifier = newContacts().email;
    const token = await signIn(environment, owner.email);
    const ask = (session: string) => callAs(session).people.startIdentifierChange.mutate({ identifier });
    expect(await problemOfCall(ask(token))).toMatchObject({ code: 'ASSURANCE_REQUIRED' });
    const stale = await addSession(environment, owner, { assurance: 'AAL2', provedSecondsAgo: 601 });
    expect(await problemOfCall(ask(stale))).toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
    await change(await elevate(environment, token, owner.mobile), identifier);
    expect(await signIn(environment, identifier)).toMatch(/^ses_/);
  });
});

describe('a change of an identifier', () => {
  it('leaves the old one in place until the code is answered', async () => {
    const owner = await newOwner();
    const identifier = newContacts().mobile;
    const call = callAs(await signIn(environment, owner.email));
    const { challengeId } = await call.people.startIdentifierChange.mutate({ identifier });
    const [code = ''] = await codesTo(environment, identifier);
    const wrong = call.people.changeIdentifier.mutate({ identifier, challengeId, otp: otherThan(code) });
    expect(await problemOfCall(wrong)).toMatchObject({ code: 'OTP_INVALID', attemptsRemaining: 4 });
    expect(await signIn(environment, owner.mobile)).toMatch(/^ses_/);
    expect(await noticesTo(owner.mobile)).toEqual([]);
  });

  it('takes the code only for the identifier it was sent to, in the session that asked', async () => {
    const owner = await newOwner();
    const identifier = newContacts().mobile;
    const token = await signIn(environment, owner.email);
    const { challengeId } = await callAs(token).people.startIdentifierChange.mutate({ identifier });
    const [otp = ''] = await codesTo(environment, identifier);
    const other = { identifier: newContacts().mobile, challengeId, otp };
    expect(await problemOfCall(callAs(token).people.changeIdentifier.mutate(other))).toMatchObject({
      code: 'OTP_EXPIRED',
    });
    const elsewhere = callAs(await addSession(environment, owner));
    expect(
      await problemOfCall(elsewhere.people.changeIdentifier.mutate({ identifier, challengeId, otp })),
    ).toMatchObject({ code: 'OTP_EXPIRED' });
    await callAs(token).people.changeIdentifier.mutate({ identifier, challengeId, otp });
  });

  it('ends other sessions and the codes that were sent to the old identifier', async () => {
    const owner = await newOwner();
    const thief = await signIn(environment, owner.mobile);
    const started = await askedCode(owner.mobile);
    const token = await signIn(environment, owner.email);
    await change(token, newContacts().mobile);
    for (const ended of [thief, token])
      expect(await problemOfCall(callAs(ended).sessions.current.query({}))).toMatchObject({
        code: 'AUTHENTICATION_REQUIRED',
      });
    expect((await answerSignIn(environment, started.challengeId, started.code)).status).toBe(422);
  });

  it('leaves an identifier that another person has proved with that person', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const token = await signIn(environment, owner.email);
    expect(await problemOfCall(change(token, other.mobile))).toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect((await callAs(await signIn(environment, other.mobile)).sessions.current.query({})).person.personId).toBe(
      other.personId,
    );
    expect((await callAs(await signIn(environment, owner.mobile)).sessions.current.query({})).person.personId).toBe(
      owner.personId,
    );
    expect(await callAs(token).sessions.list.query({})).toHaveLength(2);
  });

  it('takes an identifier from a person who only entered it, and tells that person', async () => {
    const [owner, colleague] = [await newOwner(), newContacts()];
    const call = callAs(await addSession(environment, await newOwner(), { assurance: 'AAL2' }));
    await call.people.add.mutate({ fullName: 'Saad', ...colleague, role: 'MEMBER' });
    await change(await signIn(environment, owner.email), colleague.mobile);
    expect((await callAs(await signIn(environment, colleague.mobile)).sessions.current.query({})).person.personId).toBe(
      owner.personId,
    );
    expect(await noticesTo(colleague.email)).toEqual(['IDENTIFIER_TAKEN', 'INVITATION']);
  });

  it('to the identifier that the person has is refused', async () => {
    const owner = await newOwner();
    const asked = callAs(await signIn(environment, owner.email)).people.startIdentifierChange.mutate({
      identifier: owner.mobile,
    });
    expect(await problemOfCall(asked)).toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
  });
});

describe('for a day after a change', () => {
  const HELD = { code: 'IDENTIFIER_RECENTLY_CHANGED', status: 403, heldUntil: expect.stringMatching(/Z$/) };

  it('the person gives nothing away, by whatever session, and reads as before', async () => {
    const owner = await newOwner();
    const { mobile, email } = newContacts();
    const { sessionToken } = await change(await signIn(environment, owner.email), mobile);
    for (const token of [
      await elevate(environment, sessionToken, mobile),
      await elevate(environment, await signIn(environment, mobile), owner.email),
    ]) {
      const call = callAs(token);
      const refused = [
        call.merchantApiCredential.rotate.mutate({}),
        call.webhookEndpoints.create.mutate({ url: 'https://example.com/hooks', eventTypes: ['*'] }),
        call.people.add.mutate({ fullName: 'Saad', ...newContacts(), role: 'OWNER' }),
        call.people.startIdentifierChange.mutate({ identifier: email }),
      ];
      for (const problem of await Promise.all(refused.map(problemOfCall))) expect(problem).toMatchObject(HELD);
      expect(await call.people.list.query({})).toHaveLength(1);
      expect(await call.merchantApiCredential.get.query({})).toMatchObject({ clientId: expect.any(String) });
    }
    await environment.sql('directory', 'update people set held_until = ? where id = ?', [nowMicros(), owner.personId]);
    const call = callAs(await addSession(environment, owner, { assurance: 'AAL2' }));
    await call.people.add.mutate({ fullName: 'Saad', ...newContacts(), role: 'OWNER' });
  });

  it('an operator makes no programs, and another owner of the company does everything', async () => {
    const operator = await addOperator(environment);
    const { mobile } = newContacts();
    const { sessionToken } = await change(await signIn(environment, operator.email), mobile);
    const own = callAs(await elevate(environment, sessionToken, mobile));
    expect(await problemOfCall(own.operations.credentials.create.mutate({ name: 'nightly' }))).toMatchObject(HELD);
    expect(await own.operations.companies.list.query({})).toMatchObject({ data: expect.any(Array) });
    const company = await addCompany(environment);
    const [first, second] = [await addPerson(environment, company), await addPerson(environment, company)];
    await change(await signIn(environment, first.email), newContacts().mobile);
    const other = callAs(await addSession(environment, second, { assurance: 'AAL2' }));
    await other.merchantApiCredential.rotate.mutate({});
  });
});
