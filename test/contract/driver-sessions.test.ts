import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { driverOf, newSandbox, readChallenge, SANDBOX, sendJson } from '../../scripts/shared/sandbox.ts';
import { identityHmacOf } from '../../src/domain/challenges/code.ts';
import { askForCode, newPhone, signInBySms } from '../support/driver-sign-in.ts';
import { addSignedInDriver, newCity, operatorOf } from '../support/fleet.ts';
import { expectProblem, timelessText } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const sent = z.strictObject({ challengeId: z.uuid(), expiresAt: z.string() });
const session = z.strictObject({ driverToken: z.string(), expiresAt: z.string() });

const ask = (phone: string) => sendJson(environment, 'POST', '/v2/driver/sessions', { phone });
const answer = (challengeId: string, otp: string) =>
  sendJson(environment, 'POST', `/v2/driver/sessions/${challengeId}/verifications`, { otp });
/** Makes all codes requested for a phone so far one minute older. */
async function letMinutePass(phone: string): Promise<void> {
  const bucket = await identityHmacOf(environment.credentialKey, `limit: codes of +966${phone.slice(1)}`);
  await environment.sql('directory', 'update security_uses set used_at = used_at - 60000000 where bucket = ?', [
    bucket,
  ]);
}
const otherThan = (code: string) => (code === '000000' ? '111111' : '000000');

async function codesTo(phone: string): Promise<string[]> {
  const response = await environment.fetch(`/local/one-time-codes?recipient=${encodeURIComponent(phone)}`);
  const { data } = z.object({ data: z.array(z.object({ code: z.string() })) }).parse(await response.json());
  return data.map(({ code }) => code);
}

describe('POST /v2/driver/sessions', () => {
  it('sends a code that signs the driver in once', async () => {
    const { phone, company } = await newSandbox(environment, 'shard-2');
    const asked = await ask(phone);
    expect(asked.status).toBe(202);
    const { challengeId } = sent.parse(await asked.json());
    const [code = ''] = await codesTo(`+966${phone.slice(1)}`);
    const verified = await answer(challengeId, code);
    expect(verified.status).toBe(200);
    const { driverToken, expiresAt } = session.parse(await verified.json());
    expect(driverToken).toMatch(/^drv_shard-2_[A-Za-z0-9_-]{43}$/);
    const hours = (Date.parse(expiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(11.9);
    expect(hours).toBeLessThanOrEqual(12.01);
    expect((await driverOf(environment, driverToken).get('/offers')).status).toBe(200);
    await expectProblem(await answer(challengeId, code), { status: 422, code: 'OTP_EXPIRED' });
    const kept = await environment.sql(company.shard, 'select token_hash from driver_sessions');
    expect(JSON.stringify(kept)).not.toContain(driverToken);
  });

  it('answers an unknown phone alike and sends nothing', async () => {
    const { phone } = await newSandbox(environment);
    const [known, unknown] = await Promise.all([ask(phone), ask('+966500000099')]);
    expect([known.status, unknown.status]).toEqual([202, 202]);
    expect(timelessText(await unknown.text())).toBe(timelessText(await known.text()));
    expect(await codesTo('+966500000099')).toEqual([]);
  });

  it.each([['of a driver'], ['of no driver']])('sends five codes in 15 minutes to the phone %s', async (whose) => {
    const phone = whose === 'of no driver' ? newPhone() : (await newSandbox(environment)).phone;
    const answers = [];
    for (let count = 0; count < 6; count += 1) {
      answers.push(await ask(phone));
      await letMinutePass(phone);
    }
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 429]);
    const last = answers.at(-1);
    if (last === undefined) throw new Error('There were six');
    const seconds = Number(last.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(500);
    expect(seconds).toBeLessThanOrEqual(600);
    await expectProblem(last, { status: 429, code: 'OTP_RATE_LIMITED' });
  });

  it.each([['of a driver'], ['of no driver']])('sends one code a minute to the phone %s', async (whose) => {
    const phone = whose === 'of no driver' ? newPhone() : (await newSandbox(environment)).phone;
    expect((await ask(phone)).status).toBe(202);
    const early = await ask(phone);
    const seconds = Number(early.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    await expectProblem(early, { status: 429, code: 'OTP_RATE_LIMITED' });
    await letMinutePass(phone);
    expect((await ask(phone)).status).toBe(202);
  });

  it.each([['of a driver'], ['of no driver']])('stores nothing that reveals the phone %s', async (whose) => {
    const phone = whose === 'of no driver' ? newPhone() : (await newSandbox(environment)).phone;
    const { challengeId } = sent.parse(await (await ask(phone)).json());
    const rows = [
      ...(await environment.sql('directory', 'select * from challenges where id = ?', [challengeId])),
      ...(await environment.sql('directory', 'select * from security_uses order by used_at desc limit 50')),
    ];
    expect(rows.length).toBeGreaterThan(1);
    expect(rows[0]?.['subject']).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(JSON.stringify(rows)).not.toContain(phone.slice(1));
  });

  it.each([
    [{ phone: '12345' }, 'phone PATTERN_MISMATCH'],
    [{}, 'phone REQUIRED'],
    [{ phone: '0512345678', name: 'x' }, 'name UNKNOWN_PROPERTY'],
  ])('refuses %j', async (body, violation) => {
    const response = await sendJson(environment, 'POST', '/v2/driver/sessions', body);
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations: [violation] });
  });
});

describe('POST verifications', () => {
  it('allows five attempts', async () => {
    const { phone } = await newSandbox(environment);
    const { challengeId } = sent.parse(await (await ask(phone)).json());
    const [code = ''] = await codesTo(`+966${phone.slice(1)}`);
    for (const attemptsRemaining of [4, 3, 2, 1, 0]) {
      const problem = await expectProblem(await answer(challengeId, otherThan(code)), {
        status: 422,
        code: 'OTP_INVALID',
      });
      expect(problem['attemptsRemaining']).toBe(attemptsRemaining);
    }
    await expectProblem(await answer(challengeId, code), { status: 422, code: 'OTP_EXPIRED' });
  });

  it('refuses a code once a newer one was sent to the same phone', async () => {
    const { phone } = await newSandbox(environment);
    const [older, newer] = [await askForCode(environment, phone), await askForCode(environment, phone)];
    await expectProblem(await answer(older.challengeId, older.otp), { status: 422, code: 'OTP_EXPIRED' });
    expect((await answer(newer.challengeId, newer.otp)).status).toBe(200);
  });

  it('counts concurrent attempts one by one', async () => {
    const { phone } = await newSandbox(environment);
    const { challengeId } = sent.parse(await (await ask(phone)).json());
    const [code = ''] = await codesTo(`+966${phone.slice(1)}`);
    const answers = await Promise.all(Array.from({ length: 9 }, () => answer(challengeId, otherThan(code))));
    const codes = await Promise.all(
      answers.map(async (response) => z.object({ code: z.string() }).parse(await response.json()).code),
    );
    expect(codes.filter((one) => one === 'OTP_INVALID')).toHaveLength(5);
    expect(codes.filter((one) => one === 'OTP_EXPIRED')).toHaveLength(4);
  });

  it('answers an expired code exactly like an unknown challenge', async () => {
    const { phone } = await newSandbox(environment);
    const { challengeId } = sent.parse(await (await ask(phone)).json());
    const [code = ''] = await codesTo(`+966${phone.slice(1)}`);
    await environment.sql('directory', 'update challenges set expires_at = 1 where id = ?', [challengeId]);
    const [over, missing] = [await answer(challengeId, code), await answer(randomUUID(), code)];
    expect([over.status, missing.status]).toEqual([422, 422]);
    expect(timelessText(await over.text())).toBe(timelessText(await missing.text()));
  });

  it('stores only an HMAC of the code', async () => {
    const { phone } = await newSandbox(environment);
    const { challengeId } = sent.parse(await (await ask(phone)).json());
    const [code = ''] = await codesTo(`+966${phone.slice(1)}`);
    const [row] = await environment.sql('directory', 'select code_hmac from challenges where id = ?', [challengeId]);
    expect(row?.['code_hmac']).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(row?.['code_hmac']).not.toContain(code);
  });

  it('refuses a malformed code and a malformed id', async () => {
    const bad = await answer(randomUUID(), '12a456');
    await expectProblem(bad, { status: 422, code: 'VALIDATION_FAILED', violations: ['otp PATTERN_MISMATCH'] });
    await expectProblem(await answer('x', '123456'), {
      status: 400,
      code: 'INVALID_PATH_PARAMETER',
      violations: ['challengeId PATTERN_MISMATCH'],
    });
  });
});

describe('a driver’s session', () => {
  it('ends when the driver signs in again, in production or in the sandbox', async () => {
    const sandbox = await newSandbox(environment);
    const stranger = await (await newSandbox(environment, sandbox.company.shard)).signIn();
    const first = await signInBySms(environment, sandbox.phone);
    const second = await sandbox.signIn();
    expect([(await first.get('/offers')).status, (await second.get('/offers')).status]).toEqual([401, 200]);
    const third = await signInBySms(environment, sandbox.phone);
    expect([(await second.get('/offers')).status, (await third.get('/offers')).status]).toEqual([401, 200]);
    expect((await stranger.get('/offers')).status).toBe(200);
  });

  it('survives a wrong code for the next sign-in', async () => {
    const { phone } = await newSandbox(environment);
    const driver = await signInBySms(environment, phone);
    const { challengeId, otp } = await askForCode(environment, phone);
    await expectProblem(await answer(challengeId, otherThan(otp)), { status: 422, code: 'OTP_INVALID' });
    expect((await driver.get('/offers')).status).toBe(200);
  });

  it('ends when the driver signs out, and leaves other drivers signed in', async () => {
    const sandbox = await newSandbox(environment);
    const [driver, stranger] = [await sandbox.signIn(), await (await newSandbox(environment)).signIn()];
    const signOut = () =>
      environment.fetch('/v2/driver/sessions/current', {
        method: 'DELETE',
        headers: { authorization: `Bearer ${driver.token}` },
      });
    const left = await signOut();
    expect([left.status, await left.text()]).toEqual([204, '']);
    await expectProblem(await driver.get('/offers'), { status: 401, code: 'AUTHENTICATION_REQUIRED' });
    await expectProblem(await signOut(), { status: 401, code: 'AUTHENTICATION_REQUIRED' });
    expect((await stranger.get('/offers')).status).toBe(200);
    expect((await (await sandbox.signIn()).get('/offers')).status).toBe(200);
  });

  it('ends when an operator blocks the driver', async () => {
    const { drivers } = await operatorOf(environment);
    const driver = await addSignedInDriver(environment, newCity());
    const [listed] = (await drivers.list.query({ shard: driver.shard, limit: 100 })).data.filter(
      ({ driverId }) => driverId === driver.driverId,
    );
    expect((await driver.get('/offers')).status).toBe(200);
    const { shard, driverId } = driver;
    await drivers.update.mutate({ shard, driverId, version: listed?.version ?? -1, status: 'INACTIVE' });
    await expectProblem(await driver.get('/offers'), { status: 401, code: 'AUTHENTICATION_REQUIRED' });
  });
});

describe('POST sandbox/driver-sessions', () => {
  it('returns the code of the company’s own driver, which works only in the sandbox', async () => {
    const { merchant, phone } = await newSandbox(environment);
    const response = await merchant.post(`${SANDBOX}/driver-sessions`, { phone: `+966${phone.slice(1)}` });
    expect(response.status).toBe(202);
    const { challengeId, sandboxOtp } = await readChallenge(response);
    await expectProblem(await answer(challengeId, sandboxOtp), { status: 422, code: 'OTP_EXPIRED' });
    const wrong = await merchant.post(`${SANDBOX}/driver-sessions/${challengeId}/verifications`, {
      otp: otherThan(sandboxOtp),
    });
    expect((await expectProblem(wrong, { status: 422, code: 'OTP_INVALID' }))['attemptsRemaining']).toBe(4);
    const right = await merchant.post(`${SANDBOX}/driver-sessions/${challengeId}/verifications`, { otp: sandboxOtp });
    expect({ status: right.status, ...session.parse(await right.json()) }).toMatchObject({ status: 200 });
  });

  it('refuses a code that another company requested', async () => {
    const [owner, stranger] = [await newSandbox(environment), await newSandbox(environment)];
    const { challengeId, sandboxOtp } = await readChallenge(
      await owner.merchant.post(`${SANDBOX}/driver-sessions`, { phone: owner.phone }),
    );
    const path = `${SANDBOX}/driver-sessions/${challengeId}/verifications`;
    await expectProblem(await stranger.merchant.post(path, { otp: sandboxOtp }), { status: 422, code: 'OTP_EXPIRED' });
    expect((await owner.merchant.post(path, { otp: sandboxOtp })).status).toBe(200);
  });

  it('refuses a foreign phone and an unknown phone alike, and a company without a sandbox', async () => {
    const [owner, stranger] = [await newSandbox(environment), await newSandbox(environment)];
    const [foreign, missing] = await Promise.all(
      [owner.phone, newPhone()].map((phone) => stranger.merchant.post(`${SANDBOX}/driver-sessions`, { phone })),
    );
    expect([foreign?.status, missing?.status]).toEqual([403, 403]);
    const bare = await merchantOf(environment, await addCompany(environment));
    const response = await bare.post(`${SANDBOX}/driver-sessions`, { phone: owner.phone });
    await expectProblem(response, { status: 409, code: 'SANDBOX_NOT_READY' });
  });
});
