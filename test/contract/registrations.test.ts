import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { AUTHENTICATION, codesTo, elevate, newContacts, signIn } from '../../scripts/shared/people.ts';
import { expectProblem, timelessText } from '../support/problem.ts';
import { addDocuments, complete, draftOf, register, resend, verify } from '../support/registrations.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const notices = z.object({ data: z.array(z.object({ purpose: z.string(), channel: z.string() })) });

async function noticesTo(recipient: string): Promise<string[]> {
  const response = await environment.fetch(`/local/notices?recipient=${encodeURIComponent(recipient)}`);
  return notices.parse(await response.json()).data.map(({ channel, purpose }) => `${channel} ${purpose}`);
}
/** The body with its upload capability masked, which is new each time. */
const hideCapability = (text: string) => timelessText(text).replace(/upl_[A-Za-z0-9_-]{43}/, '<capability>');

describe('POST /v2/merchant-registrations', () => {
  it('returns a draft with the required documents, and sends a code', async () => {
    const { email, mobile } = newContacts();
    const response = await register(environment, { email, mobileNumber: mobile.slice(4) });
    expect(response.status).toBe(201);
    const contentTypes = ['application/pdf', 'image/jpeg', 'image/png'];
    expect(await response.json()).toEqual({
      registrationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      uploadCapability: expect.stringMatching(/^upl_[A-Za-z0-9_-]{43}$/),
      uploadCapabilityExpiresAt: expect.any(String),
      state: 'DRAFT',
      requiredDocuments: [
        { documentType: 'NATIONAL_ADDRESS', state: 'MISSING', maxBytes: 1048576, contentTypes },
        { documentType: 'COMMERCIAL_REGISTRATION', state: 'MISSING', maxBytes: 1048576, contentTypes },
      ],
      verification: {
        channel: 'SMS',
        maskedDestination: `********${mobile.slice(-4)}`,
        expiresAt: expect.any(String),
        resendAvailableAt: expect.any(String),
        attemptsRemaining: 5,
      },
      expiresAt: expect.any(String),
    });
    expect(await codesTo(environment, mobile)).toEqual([expect.stringMatching(/^[0-9]{6}$/)]);
    expect(await noticesTo(email)).toEqual(['EMAIL REGISTRATION_BEGUN']);
  });

  it('sets lifetimes of 30 minutes, 5 minutes, a minute and 7 days', async () => {
    const draft = await draftOf(environment);
    const inSeconds = (text: string) => Math.round((Date.parse(text) - Date.now()) / 10_000) * 10;
    const { uploadCapabilityExpiresAt, verification, expiresAt } = draft.body;
    expect(
      [uploadCapabilityExpiresAt, verification.expiresAt, verification.resendAvailableAt, expiresAt].map(inSeconds),
    ).toEqual([1800, 300, 60, 604_800]);
  });

  it('requires a certificate from a freelancer instead', async () => {
    const { body } = await draftOf(environment, {
      legalBasis: 'FREELANCER',
      commercialRegistrationNumber: undefined,
    });
    expect(body.requiredDocuments.map(({ documentType }) => documentType)).toEqual([
      'NATIONAL_ADDRESS',
      'FREELANCE_CERTIFICATE',
    ]);
  });

  it('stores capability and code as hashes only', async () => {
    const { body, code } = await draftOf(environment);
    const [row] = await environment.sql('directory', 'select * from registrations where id = ?', [body.registrationId]);
    expect(Object.values(row ?? {})).not.toContain(body.uploadCapability);
    const [challenge] = await environment.sql('directory', 'select * from challenges where subject = ?', [
      body.registrationId,
    ]);
    expect(Object.values(challenge ?? {})).not.toContain(code);
  });

  it.each([
    [
      'a company without a registration number',
      { commercialRegistrationNumber: undefined },
      ['commercialRegistrationNumber REQUIRED'],
    ],
    [
      'a freelancer with a registration number',
      { legalBasis: 'FREELANCER' },
      ['commercialRegistrationNumber FORBIDDEN_FIELD'],
    ],
    [
      'a registration number of nine digits',
      { commercialRegistrationNumber: '101012345' },
      ['commercialRegistrationNumber PATTERN_MISMATCH'],
    ],
    [
      'null as registration number',
      { commercialRegistrationNumber: null },
      ['commercialRegistrationNumber NULL_NOT_ALLOWED'],
    ],
    ['a mobile with a leading zero', { mobileNumber: '0512345678' }, ['mobileNumber PATTERN_MISMATCH']],
    ['an unknown legal basis', { legalBasis: 'CHARITY' }, ['legalBasis NOT_IN_ENUM']],
    ['a malformed e-mail address', { email: 'noura@localhost' }, ['email PATTERN_MISMATCH']],
    ['an empty name', { storeName: '' }, ['storeName TOO_SHORT']],
    ['an unknown property', { vatNumber: '3' }, ['vatNumber UNKNOWN_PROPERTY']],
    ['a device reference that is not a UUID', { deviceReference: 'phone' }, ['deviceReference PATTERN_MISMATCH']],
  ])('refuses %s', async (_case, changes, violations) => {
    const response = await register(environment, changes);
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations });
  });

  it("answers a known e-mail address alike, notifies its owner, and leaves the owner's sign-in unchanged", async () => {
    const owner = await complete(environment);
    await elevate(environment, await signIn(environment, owner.mobile), owner.email);
    const [mobile, fresh] = [newContacts().mobile, newContacts()];
    // The same last digits of the mobile, which the answer shows.
    const [known, unknown] = [
      await register(environment, { email: owner.email, mobileNumber: mobile.slice(4) }),
      await register(environment, {
        email: fresh.email,
        mobileNumber: `${fresh.mobile.slice(4, 9)}${mobile.slice(-4)}`,
      }),
    ];
    expect([known.status, unknown.status]).toEqual([201, 201]);
    const [knownText, unknownText] = [await known.text(), await unknown.text()];
    expect(hideCapability(knownText)).toBe(hideCapability(unknownText));
    expect(await noticesTo(owner.email)).toEqual(['EMAIL ALREADY_REGISTERED', 'EMAIL REGISTRATION_BEGUN']);
    expect(await noticesTo(fresh.email)).toEqual(['EMAIL REGISTRATION_BEGUN']);
    const { registrationId } = z.object({ registrationId: z.string() }).parse(JSON.parse(knownText));
    await addDocuments(environment, registrationId, 'NATIONAL_ADDRESS', 'COMMERCIAL_REGISTRATION');
    const [code = ''] = await codesTo(environment, mobile);
    const second = await verify(environment, registrationId, code);
    expect(second.status).toBe(200);
    const { companyId } = z.object({ companyId: z.string() }).parse(await second.json());
    expect(companyId).not.toBe(owner.companyId);
    expect(await companyOf(await signIn(environment, owner.email))).toBe(owner.companyId);
    expect(await companyOf(await signIn(environment, mobile))).toBe(companyId);
  });
});

describe('POST verification-requests', () => {
  it('sends a new code that replaces the last one, after a minute', async () => {
    const draft = await draftOf(environment);
    const early = await resend(environment, draft.body.registrationId);
    const seconds = Number(early.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    await expectProblem(early, { status: 429, code: 'OTP_RATE_LIMITED' });
    await draft.passMinute();
    const response = await resend(environment, draft.body.registrationId);
    expect(response.status).toBe(202);
    const [second = '', first = ''] = await codesTo(environment, draft.mobile);
    expect(first).toBe(draft.code);
    if (second !== first) await expectProblem(await draft.verify(first), { status: 422, code: 'OTP_INVALID' });
    await draft.addDocuments();
    expect((await draft.verify(second)).status).toBe(200);
  });

  it('answers an unknown and a completed registration like an open one', async () => {
    const [live, done] = [await draftOf(environment), await complete(environment)];
    await live.passMinute();
    const answers = [];
    for (const id of [live.body.registrationId, done.registrationId, randomUUID()])
      answers.push(await resend(environment, id));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    const [first, ...others] = await Promise.all(answers.map(async (response) => timelessText(await response.text())));
    expect(first).toBe('{"expiresAt":"<instant>","resendAvailableAt":"<instant>","attemptsRemaining":5}');
    expect(others).toEqual([first, first]);
    expect(await codesTo(environment, done.mobile)).toHaveLength(1);
  });

  it('refuses a malformed id', async () => {
    const response = await resend(environment, 'x');
    await expectProblem(response, {
      status: 400,
      code: 'INVALID_PATH_PARAMETER',
      violations: ['registrationId PATTERN_MISMATCH'],
    });
  });
});

async function companyOf(token: string): Promise<string> {
  const response = await environment.fetch(`${AUTHENTICATION}/sessions/current`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return z.object({ company: z.object({ companyId: z.string() }) }).parse(await response.json()).company.companyId;
}
