import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addCompany } from '../../scripts/shared/companies.ts';
import {
  AUTHENTICATION,
  addPerson,
  answerSignIn,
  askSignIn,
  codesTo,
  elevate,
  newContacts,
  otherThan,
  signIn,
} from '../../scripts/shared/people.ts';
import { sendJson } from '../../scripts/shared/sandbox.ts';
import { expectFiveGuesses } from '../support/guesses.ts';
import { expectProblem, timelessText } from '../support/problem.ts';
import { complete } from '../support/registrations.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment, 'shard-2');

const sent = z.strictObject({ challengeId: z.uuid(), expiresAt: z.string() });
const signedIn = z.strictObject({
  sessionToken: z.string().regex(/^ses_[A-Za-z0-9_-]{43}$/),
  expiresAt: z.string(),
  assuranceLevel: z.literal('AAL1'),
});

const ask = (identifier: string) => askSignIn(environment, identifier);
const answer = (challengeId: string, otp: string) => answerSignIn(environment, challengeId, otp);
async function challengeOf(identifier: string): Promise<{ readonly challengeId: string; readonly code: string }> {
  const { challengeId } = sent.parse(await (await ask(identifier)).json());
  const [code = ''] = await codesTo(environment, identifier);
  return { challengeId, code };
}

describe('an address under an Arabic domain', () => {
  it('is taken in both spellings, and both are one address', async () => {
    const domain = (ascii: boolean) => (ascii ? 'xn--pgbep1f.xn--mgberp4a5d4ar' : 'متجر.السعودية');
    const local = randomUUID();
    const owner = await complete(environment, { email: `${local}@${domain(false)}` });
    await elevate(environment, await signIn(environment, owner.mobile), `${local}@${domain(true)}`);
    for (const ascii of [true, false]) {
      const asked = await askSignIn(environment, `${local.toUpperCase()}@${domain(ascii)}`);
      const { challengeId } = z.object({ challengeId: z.string() }).parse(await asked.json());
      const [code = ''] = await codesTo(environment, `${local}@${domain(true)}`);
      expect((await answerSignIn(environment, challengeId, code)).status).toBe(200);
    }
  });
});

describe('POST sign-ins', () => {
  it('signs a person in by e-mail address, ignoring case', async () => {
    const person = await addPerson(environment, company);
    const asked = await ask(person.email.toUpperCase());
    expect(asked.status).toBe(202);
    const { challengeId, expiresAt } = sent.parse(await asked.json());
    const seconds = (Date.parse(expiresAt) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(290);
    expect(seconds).toBeLessThanOrEqual(301);
    const [code = ''] = await codesTo(environment, person.email);
    const response = await answer(challengeId, code);
    expect(response.status).toBe(200);
    const { sessionToken, expiresAt: end } = signedIn.parse(await response.json());
    expect(response.headers.get('set-cookie')).toBe(
      `__Host-session=${sessionToken}; Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Lax`,
    );
    const hours = (Date.parse(end) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(11.9);
    expect(hours).toBeLessThanOrEqual(12.01);
    const current = await environment.fetch(`${AUTHENTICATION}/sessions/current`, {
      headers: { authorization: `Bearer ${sessionToken}` },
    });
    expect(await current.json()).toEqual({
      sessionId: expect.any(String),
      person: { personId: person.personId, fullName: 'Noura Al-Qahtani', email: person.email, role: 'OWNER' },
      company: { companyId: company.companyId, name: 'Tihama Spices' },
      assuranceLevel: 'AAL1',
      freshUntil: null,
      expiresAt: end,
    });
    const kept = await environment.sql('directory', 'select token_hash from sessions where person_id = ?', [
      person.personId,
    ]);
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(sessionToken);
  });

  it.each([
    ['E.164', (mobile: string) => mobile],
    ['966…', (mobile: string) => mobile.slice(1)],
    ['05…', (mobile: string) => `0${mobile.slice(4)}`],
    ['5…', (mobile: string) => mobile.slice(4)],
  ])('signs a person in by mobile written as %s', async (_form, spell) => {
    const { mobile } = await addPerson(environment, company, 'MEMBER');
    const { challengeId } = sent.parse(await (await ask(spell(mobile))).json());
    const [code = ''] = await codesTo(environment, mobile);
    expect((await answer(challengeId, code)).status).toBe(200);
  });

  it('answers an unknown identifier alike and sends nothing', async () => {
    for (const name of ['email', 'mobile'] as const) {
      const [known, unknown] = [(await addPerson(environment, company))[name], newContacts()[name]];
      const answers = await Promise.all([ask(known), ask(unknown)]);
      expect(answers.map(({ status }) => status)).toEqual([202, 202]);
      const [first = '', second] = await Promise.all(answers.map((response) => response.text()));
      expect(timelessText(String(second))).toBe(timelessText(first));
      expect(await codesTo(environment, unknown)).toEqual([]);
    }
  });

  it('refuses a wrong code alike for a person and for an unknown identifier', async () => {
    const { email } = await addPerson(environment, company);
    const { challengeId, code } = await challengeOf(email);
    const ofNobody = sent.parse(await (await ask(newContacts().email)).json());
    const [wrong, nobodys] = [
      await answer(challengeId, otherThan(code)),
      await answer(ofNobody.challengeId, otherThan(code)),
    ];
    expect([wrong.status, nobodys.status]).toEqual([422, 422]);
    expect(timelessText(await nobodys.text())).toBe(timelessText(await wrong.text()));
  });

  it('sends five codes in 15 minutes, and limits an unknown identifier alike', async () => {
    for (const { email } of [await addPerson(environment, company), newContacts()]) {
      const answers = [];
      for (let count = 0; count < 6; count += 1) answers.push(await ask(email));
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 429]);
      const last = answers.at(-1);
      if (last === undefined) throw new Error('There were six');
      const seconds = Number(last.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(800);
      expect(seconds).toBeLessThanOrEqual(900);
      await expectProblem(last, { status: 429, code: 'OTP_RATE_LIMITED' });
    }
  });

  it.each([
    [{ identifier: 'noura', deviceReference: randomUUID() }, ['identifier PATTERN_MISMATCH']],
    [{ identifier: 'a@b', deviceReference: randomUUID() }, ['identifier PATTERN_MISMATCH']],
    [{ identifier: '0112345678', deviceReference: randomUUID() }, ['identifier PATTERN_MISMATCH']],
    [{ identifier: `${'a'.repeat(260)}@b.sa`, deviceReference: randomUUID() }, ['identifier TOO_LONG']],
    [{ identifier: '0512345678', deviceReference: 'x' }, ['deviceReference PATTERN_MISMATCH']],
    [{}, ['identifier REQUIRED', 'deviceReference REQUIRED']],
    [{ identifier: '0512345678', deviceReference: randomUUID(), otp: '1' }, ['otp UNKNOWN_PROPERTY']],
  ])('refuses %j', async (body, violations) => {
    const response = await sendJson(environment, 'POST', `${AUTHENTICATION}/sign-ins`, body);
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations });
  });
});

describe('POST sign-ins/{challengeId}/verifications', () => {
  it('allows five attempts', async () => {
    const { challengeId, code } = await challengeOf((await addPerson(environment, company)).email);
    for (const attemptsRemaining of [4, 3, 2, 1, 0]) {
      const wrong = await answer(challengeId, otherThan(code));
      const problem = await expectProblem(wrong, { status: 422, code: 'OTP_INVALID' });
      expect(problem['attemptsRemaining']).toBe(attemptsRemaining);
    }
    await expectProblem(await answer(challengeId, code), { status: 422, code: 'OTP_EXPIRED' });
  });

  it('counts two hundred concurrent guesses as five', async () => {
    const { challengeId, code } = await challengeOf((await addPerson(environment, company)).email);
    const answers = await Promise.all(Array.from({ length: 200 }, () => answer(challengeId, otherThan(code))));
    const [row] = await environment.sql('directory', 'select attempts from challenges where id = ?', [challengeId]);
    await expectFiveGuesses(answers, row?.['attempts']);
    await expectProblem(await answer(challengeId, code), { status: 422, code: 'OTP_EXPIRED' });
  });

  it('accepts the right code once among eight concurrent requests', async () => {
    const { challengeId, code } = await challengeOf((await addPerson(environment, company)).email);
    const answers = await Promise.all(Array.from({ length: 8 }, () => answer(challengeId, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = await Promise.all(answers.filter(({ status }) => status !== 200).map(codeOf));
    expect(new Set(refused)).toEqual(new Set(['OTP_EXPIRED']));
    await expectProblem(await answer(challengeId, code), { status: 422, code: 'OTP_EXPIRED' });
  });

  it('accepts only the newest code', async () => {
    const { email } = await addPerson(environment, company);
    const first = await challengeOf(email);
    const second = await challengeOf(email);
    await expectProblem(await answer(first.challengeId, first.code), { status: 422, code: 'OTP_EXPIRED' });
    expect((await answer(second.challengeId, second.code)).status).toBe(200);
  });

  it('refuses the code of another challenge', async () => {
    const [first, second] = [
      await challengeOf((await addPerson(environment, company)).email),
      await challengeOf((await addPerson(environment, company)).email),
    ];
    // One pair of codes in a million is equal.
    if (first.code === second.code) return;
    await expectProblem(await answer(first.challengeId, second.code), { status: 422, code: 'OTP_INVALID' });
  });

  it('answers an expired code exactly like an unknown challenge', async () => {
    const { challengeId, code } = await challengeOf((await addPerson(environment, company)).email);
    await environment.sql('directory', 'update challenges set expires_at = 1 where id = ?', [challengeId]);
    const [over, missing] = [await answer(challengeId, code), await answer(randomUUID(), code)];
    expect([over.status, missing.status]).toEqual([422, 422]);
    expect(timelessText(await over.text())).toBe(timelessText(await missing.text()));
  });

  it('refuses a person who was removed after the code was sent', async () => {
    const person = await addPerson(environment, company);
    const { challengeId, code } = await challengeOf(person.email);
    await environment.sql('directory', 'delete from company_members where person_id = ?', [person.personId]);
    await expectProblem(await answer(challengeId, code), { status: 422, code: 'OTP_EXPIRED' });
  });

  it('stores only an HMAC of the code', async () => {
    const { challengeId, code } = await challengeOf((await addPerson(environment, company)).email);
    const [row] = await environment.sql('directory', 'select * from challenges where id = ?', [challengeId]);
    expect(row?.['code_hmac']).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(Object.values(row ?? {})).not.toContain(code);
  });

  it('writes an audit entry without personal data', async () => {
    const person = await addPerson(environment, company);
    await signIn(environment, person.email);
    const entries = await environment.sql(
      'directory',
      'select company_id, client_id, action, detail from audit_entries where person_id = ?',
      [person.personId],
    );
    expect(entries).toEqual([
      { company_id: company.companyId, client_id: null, action: 'session.signed_in', detail: '{}' },
    ]);
  });
});

async function codeOf(response: Response): Promise<string> {
  return z.object({ code: z.string() }).parse(await response.json()).code;
}
