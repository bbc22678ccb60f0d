import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, requireUuid } from '../../../scripts/shared/seed-values.ts';
import { startSignIn } from '../../../src/domain/people/session/sign-in.ts';
import { register, resendCode } from '../../../src/domain/registrations/registration.ts';
import { authorizeUpload } from '../../../src/domain/registrations/upload.ts';
import { applicantsAt, HOUR, newAddress, valueOf } from './applicants.ts';
import { type Desk, newcomer, openDesk } from './desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
}, 30_000);
afterAll(() => desk.close());

const { begin, addDocuments, complete } = applicantsAt(() => desk);

describe('an upload capability', () => {
  it('gives access to its own draft only, for half an hour', async () => {
    const [first, second] = [await begin(), await begin()];
    const { uploadCapability } = first.draft;
    expect(valueOf(await authorizeUpload(desk.services, first.id, uploadCapability))).toMatchObject({
      id: first.id,
      legalBasis: 'COMMERCIAL_ENTITY',
    });
    const refused = { ok: false, code: 'AUTHENTICATION_REQUIRED' };
    expect(await authorizeUpload(desk.services, second.id, uploadCapability)).toEqual(refused);
    expect(await authorizeUpload(desk.services, requireUuid(randomUUID()), uploadCapability)).toEqual(refused);
    expect(await authorizeUpload(desk.services, first.id, '')).toEqual(refused);
    desk.clock.advance(1799);
    expect((await authorizeUpload(desk.services, first.id, uploadCapability)).ok).toBe(true);
    desk.clock.advance(2);
    expect(await authorizeUpload(desk.services, first.id, uploadCapability)).toEqual(refused);
  });

  it('gives no access after completion', async () => {
    const { id, draft, code } = await begin();
    await addDocuments(id);
    expect((await complete(id, code)).ok).toBe(true);
    expect((await authorizeUpload(desk.services, id, draft.uploadCapability)).ok).toBe(false);
  });
});

describe('the code of a registration', () => {
  it('is valid for five minutes', async () => {
    const { id, code } = await begin();
    await addDocuments(id);
    desk.clock.advance(301);
    expect(await complete(id, code)).toEqual({ ok: false, code: 'OTP_EXPIRED' });
  });

  it('can be requested again after a minute, five times in 15 minutes', async () => {
    const { id } = await begin();
    expect(await resendCode(desk.services, id, null)).toMatchObject({
      code: 'OTP_RATE_LIMITED',
      retryAfterSeconds: 60,
    });
    for (let count = 0; count < 4; count += 1) {
      desk.clock.advance(60);
      expect((await resendCode(desk.services, id, null)).ok).toBe(true);
    }
    desk.clock.advance(60);
    expect(await resendCode(desk.services, id, null)).toMatchObject({
      code: 'OTP_RATE_LIMITED',
      retryAfterSeconds: 600,
    });
    desk.clock.advance(600);
    expect((await resendCode(desk.services, id, null)).ok).toBe(true);
  });

  it('is sent to one mobile five times in 15 minutes, for all purposes together', async () => {
    const { request } = await begin();
    const { mobileNumber } = request;
    for (let count = 0; count < 4; count += 1) await begin({ mobileNumber });
    expect(await register(desk.services, newcomer({ mobileNumber }), newAddress())).toMatchObject({
      code: 'OTP_RATE_LIMITED',
      retryAfterSeconds: 900,
    });
    const where = { address: newAddress(), requestId: newId() };
    const order = { identifier: mobileNumber, deviceReference: newId() };
    expect(await startSignIn(desk.services, order, where)).toMatchObject({ code: 'OTP_RATE_LIMITED' });
  });

  it('costs nobody a try that the carrier did not take, and leaves no draft', async () => {
    const request = newcomer();
    desk.setCarrier({ isTaken: false });
    for (let count = 1; count <= 6; count += 1)
      expect(await register(desk.services, request, newAddress())).toMatchObject({
        code: 'MESSAGE_PROVIDER_UNAVAILABLE',
      });
    desk.setCarrier({});
    const drafts = `select count(*) from registrations where email = ? and expires_at > ${desk.clock.now()}`;
    expect(await desk.sql('directory', drafts, [request.email])).toEqual([[0]]);
    expect((await register(desk.services, request, newAddress())).ok).toBe(true);
  });

  it('is refused before anything is counted while the carrier is down, for known and unknown people alike', async () => {
    const { request } = await begin();
    desk.setCarrier({ isDown: true });
    const uses = () => desk.sql('directory', 'select count(*) from security_uses', []);
    const before = await uses();
    const where = { address: newAddress(), requestId: newId() };
    for (const identifier of [request.mobileNumber, newcomer().mobileNumber])
      expect(await startSignIn(desk.services, { identifier, deviceReference: newId() }, where)).toMatchObject({
        code: 'MESSAGE_PROVIDER_UNAVAILABLE',
        retryAfterSeconds: 60,
      });
    expect(await register(desk.services, newcomer(), newAddress())).toMatchObject({
      code: 'MESSAGE_PROVIDER_UNAVAILABLE',
    });
    expect(await uses()).toEqual(before);
    const byEmail = { identifier: request.email, deviceReference: newId() };
    expect((await startSignIn(desk.services, byEmail, where)).ok).toBe(true);
    desk.setCarrier({});
  });

  it('needs a message provider, except on a sandbox, which returns the code', async () => {
    desk.setProvider('none');
    const { config } = desk.services;
    expect(await register(desk.services, newcomer(), null)).toMatchObject({ code: 'MESSAGE_PROVIDER_UNAVAILABLE' });
    const sandbox = { ...desk.services, config: { ...config, deployment: 'sandbox' as const } };
    const { registrationId, sandboxOtp = '' } = valueOf(await register(sandbox, newcomer(), null)).registration;
    await addDocuments(registrationId);
    expect((await complete(registrationId, sandboxOtp)).ok).toBe(true);
    desk.setProvider('carrier');
  });
});

describe('registrations', () => {
  it('are limited to ten an hour from one IPv4 address or /64', async () => {
    for (const addressOf of [() => '198.51.100.7', (count: number) => `2001:db8:1:2::${count}`]) {
      for (let count = 0; count < 10; count += 1) await begin({}, addressOf(count));
      expect(await register(desk.services, newcomer(), addressOf(99))).toMatchObject({
        code: 'RATE_LIMITED',
        retryAfterSeconds: HOUR,
      });
      desk.clock.advance(HOUR);
      await begin({}, addressOf(99));
    }
  });

  it('are limited to forty an hour from one /48', async () => {
    for (let count = 0; count < 40; count += 1) await begin({}, `2001:db8:7:${count}::1`);
    const refused = { code: 'RATE_LIMITED', retryAfterSeconds: HOUR };
    expect(await register(desk.services, newcomer(), '2001:db8:7:99::1')).toMatchObject(refused);
    await begin({}, '2001:db8:8:99::1');
    desk.clock.advance(HOUR);
    await begin({}, '2001:db8:7:99::1');
  });

  it('send three notices a day to one e-mail address', async () => {
    const { email } = newcomer();
    const noticesNow = () => desk.sent.filter(({ recipient }) => recipient === email).length;
    for (let count = 0; count < 5; count += 1) await begin({ email });
    expect(noticesNow()).toBe(3);
    desk.clock.advance(24 * HOUR);
    await begin({ email });
    expect(noticesNow()).toBe(4);
  });

  it('are counted without storing the network address', async () => {
    await begin({}, '203.0.113.77');
    expect(JSON.stringify(await desk.sql('directory', 'select * from security_uses'))).not.toContain('203.0.113.77');
  });

  it('cost the same for a known and an unknown e-mail address', async () => {
    const owner = await begin();
    await addDocuments(owner.id);
    expect((await complete(owner.id, owner.code)).ok).toBe(true);
    for (let sample = 0; sample < 10; sample += 1) {
      // One e-mail address gets three notices a day.
      desk.clock.advance(24 * HOUR);
      desk.trips();
      const before = desk.sent.length;
      await begin();
      const unknown = [desk.trips(), desk.sent.slice(before).map(({ channel }) => channel)];
      await begin({ email: owner.request.email });
      expect([desk.trips(), desk.sent.slice(before + 2).map(({ channel }) => channel)]).toEqual(unknown);
      expect(unknown).toEqual([
        ['read', 'read', 'commit', 'read', 'commit'],
        ['SMS', 'EMAIL'],
      ]);
    }
  });

  it('cost the same when a new code is requested, whether open, completed or unknown', async () => {
    for (let sample = 0; sample < 5; sample += 1) {
      const [live, done] = [await begin(), await begin()];
      await addDocuments(done.id);
      expect((await complete(done.id, done.code)).ok).toBe(true);
      desk.clock.advance(60);
      for (const id of [live.id, done.id, newId()]) {
        desk.trips();
        const answered = valueOf(await resendCode(desk.services, id, newAddress()));
        expect(Object.keys(answered)).toEqual(['expiresAt', 'resendAvailableAt', 'attemptsRemaining']);
        expect(desk.trips()).toEqual(['read', 'read', 'commit']);
      }
    }
  });
});
