import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { AUTHENTICATION, elevate, otherThan, signIn } from '../../scripts/shared/people.ts';
import { expectFiveGuesses } from '../support/guesses.ts';
import { expectProblem, timelessText } from '../support/problem.ts';
import { addDocuments, complete, draftOf, verify } from '../support/registrations.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();

describe('POST verifications', () => {
  it('creates the company and its owner, who can sign in', async () => {
    const draft = await draftOf(environment, { storeName: 'Wadi Honey' });
    await draft.addDocuments();
    const response = await draft.verify(draft.code);
    expect(response.status).toBe(200);
    const { companyId, ...rest } = z.looseObject({ companyId: z.uuid() }).parse(await response.json());
    expect(rest).toEqual({ state: 'COMPLETED' });
    const [company] = await environment.sql('directory', 'select name, shard from companies where id = ?', [companyId]);
    expect(company?.['name']).toBe('Wadi Honey');
    const shard = company?.['shard'] === 'shard-1' ? 'shard-1' : 'shard-2';
    const settings = await environment.sql(shard, 'select approval_policy from company_settings where company_id = ?', [
      companyId,
    ]);
    expect(settings).toEqual([{ approval_policy: 'AUTOMATIC' }]);
    const token = await signIn(environment, draft.mobile);
    const current = await environment.fetch(`${AUTHENTICATION}/sessions/current`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await current.json()).toMatchObject({
      person: { fullName: 'Noura Al-Qahtani', email: draft.email, role: 'OWNER' },
      company: { companyId, name: 'Wadi Honey' },
    });
    await elevate(environment, token, draft.email);
    expect(await companyOf(await signIn(environment, draft.email))).toBe(companyId);
  });

  it('refuses a code that was used already', async () => {
    const done = await complete(environment);
    await expectProblem(await verify(environment, done.registrationId, done.code), {
      status: 422,
      code: 'OTP_EXPIRED',
    });
  });

  it('creates one company for six concurrent requests with the right code', async () => {
    const draft = await draftOf(environment);
    await draft.addDocuments();
    const answers = await Promise.all(Array.from({ length: 6 }, () => draft.verify(draft.code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
  });

  it('lists the missing documents, and accepts the same code once they are there', async () => {
    const draft = await draftOf(environment);
    await addDocuments(environment, draft.body.registrationId, 'NATIONAL_ADDRESS');
    const problem = await expectProblem(await draft.verify(draft.code), {
      status: 409,
      code: 'REGISTRATION_INCOMPLETE',
    });
    expect(problem['requiredDocuments']).toMatchObject([
      { documentType: 'NATIONAL_ADDRESS', state: 'UPLOADED' },
      { documentType: 'COMMERCIAL_REGISTRATION', state: 'MISSING' },
    ]);
    await addDocuments(environment, draft.body.registrationId, 'COMMERCIAL_REGISTRATION');
    expect((await draft.verify(draft.code)).status).toBe(200);
  });

  it('counts two hundred concurrent guesses as five', async () => {
    const draft = await draftOf(environment);
    await draft.addDocuments();
    const answers = await Promise.all(Array.from({ length: 200 }, () => draft.verify(otherThan(draft.code))));
    const [row] = await environment.sql('directory', 'select attempts from challenges where subject = ?', [
      draft.body.registrationId,
    ]);
    await expectFiveGuesses(answers, row?.['attempts']);
    await expectProblem(await draft.verify(draft.code), { status: 422, code: 'OTP_EXPIRED' });
  });

  it('refuses the code of another registration', async () => {
    const [draft, other] = [await draftOf(environment), await draftOf(environment)];
    await draft.addDocuments();
    if (draft.code === other.code) return;
    const problem = await expectProblem(await draft.verify(other.code), { status: 422, code: 'OTP_INVALID' });
    expect(problem['attemptsRemaining']).toBe(4);
  });

  it('answers an expired draft exactly like an unknown one', async () => {
    const draft = await draftOf(environment);
    await draft.addDocuments();
    await environment.sql('directory', 'update registrations set expires_at = 1 where id = ?', [
      draft.body.registrationId,
    ]);
    const [over, missing] = [await draft.verify(draft.code), await verify(environment, randomUUID(), draft.code)];
    expect([over.status, missing.status]).toEqual([422, 422]);
    expect(timelessText(await over.text())).toBe(timelessText(await missing.text()));
  });

  it('refuses a malformed code', async () => {
    const { body } = await draftOf(environment);
    const response = await verify(environment, body.registrationId, '12a456');
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations: ['otp PATTERN_MISMATCH'] });
  });
});

async function companyOf(token: string): Promise<string> {
  const response = await environment.fetch(`${AUTHENTICATION}/sessions/current`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return z.object({ company: z.object({ companyId: z.string() }) }).parse(await response.json()).company.companyId;
}
