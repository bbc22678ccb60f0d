import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../db/database.ts';
import type { CommitOutcome } from '../../../db/writer.ts';
import { newId } from '../../../scripts/shared/seed-values.ts';
import {
  type ChallengeAnswer,
  type ChallengeOrder,
  commitWithinLimits,
  makeChallenge,
  messagesUnavailable,
  messagesWithin,
  quietly,
  sendNotice,
  smsRefusal,
  tryChallenge,
} from '../../../src/domain/challenges/challenge.ts';
import {
  codesOfAddress,
  codesOfShipment,
  noticesTo,
  refusalOf,
  registrationsOfAddress,
  secretsOf,
  smsOfDeployment,
  uploadsOfRegistration,
  useStatements,
} from '../../../src/domain/challenges/limit.ts';
import {
  codesOf,
  compileTrial,
  driverCodeTrial,
  noticesOf,
  oneTimeCodeInsert,
  personCodeTrial,
} from '../../../src/domain/challenges/store.ts';
import { valueOf } from './applicants.ts';
import { type Desk, openDesk } from './desk.ts';

/* One-time codes: how often they may be tried, what is told about them, and what happens if the directory does not answer. */

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
}, 30_000);
afterAll(() => desk.close());

const make = (changes: Partial<ChallengeOrder> = {}) =>
  makeChallenge(desk.services, {
    ...{ purpose: 'SIGN_IN', subject: newId(), channel: 'EMAIL', personId: newId(), limits: [] },
    ...changes,
  });

const answer = (
  challengeId: ChallengeAnswer['challengeId'],
  otp: string,
  changes: Partial<ChallengeAnswer> = {},
): ChallengeAnswer => ({
  ...{ challengeId, purpose: 'SIGN_IN', subject: null, otp, answerHash: newId() },
  statementsOf: (trial) => [personCodeTrial(trial)],
  ...changes,
});

const wrongTo = (code: string) => (code === '000000' ? '000001' : '000000');
const expired = { ok: false, code: 'OTP_EXPIRED' };
const invalid = (attemptsRemaining: number) => ({ ok: false, code: 'OTP_INVALID', members: { attemptsRemaining } });

/** The directory, whose commits end with this outcome, whether or not they were done. */
function directoryThat(outcome: CommitOutcome, isDone: boolean) {
  const { directory } = desk.services;
  const commit: typeof directory.writer.commit = async (unit) => {
    if (isDone) await directory.writer.commit(unit);
    return outcome;
  };
  return { ...desk.services, directory: { ...directory, writer: { commit } } };
}

/** The directory, which does not answer reads after the first `answered`. */
function directoryLostAfter(answered: number) {
  const { directory } = desk.services;
  let left = answered;
  const lost = { ok: false } as const;
  const database = {
    id: 'directory',
    read: (...statement: Parameters<Database['read']>) => (left-- > 0 ? directory.database.read(...statement) : lost),
    readAll: () => lost,
  } as unknown as Database;
  return { ...desk.services, directory: { ...directory, database } };
}

describe('a code', () => {
  it('is right once', async () => {
    const { id, code } = valueOf(await make());
    const right = answer(id, code);
    expect(await tryChallenge(desk.services, right)).toMatchObject({
      ok: true,
      value: { id, answerHash: right.answerHash },
    });
    desk.trips();
    expect(await tryChallenge(desk.services, answer(id, code))).toEqual(expired);
    expect(desk.trips()).toEqual(['read']);
  });

  it('has five tries, and tells how many remain', async () => {
    const { id, code } = valueOf(await make());
    for (const remaining of [4, 3, 2, 1, 0])
      expect(await tryChallenge(desk.services, answer(id, wrongTo(code)))).toEqual(invalid(remaining));
    desk.trips();
    expect(await tryChallenge(desk.services, answer(id, code))).toEqual(expired);
    expect(desk.trips()).toEqual(['read']);
  });

  it('has five tries also when more come at once', async () => {
    const { id, code } = valueOf(await make());
    const tries = Array.from({ length: 8 }, () => tryChallenge(desk.services, answer(id, wrongTo(code))));
    const codes = (await Promise.all(tries)).map((told) => (told.ok ? 'ok' : told.code));
    expect(codes.filter((told) => told === 'OTP_INVALID')).toHaveLength(5);
    expect(codes.filter((told) => told === 'OTP_EXPIRED')).toHaveLength(3);
    expect(await desk.sql('directory', 'select attempts from challenges where id = ?', [id])).toEqual([[5]]);
  });

  it('is valid for five minutes, and nothing is written afterwards', async () => {
    const [first, second] = [valueOf(await make()), valueOf(await make())];
    desk.clock.advance(299);
    expect((await tryChallenge(desk.services, answer(first.id, first.code))).ok).toBe(true);
    desk.clock.advance(1);
    desk.trips();
    expect(await tryChallenge(desk.services, answer(second.id, second.code))).toEqual(expired);
    expect(await tryChallenge(desk.services, answer(newId(), second.code))).toEqual(expired);
    expect(desk.trips()).toEqual(['read', 'read']);
  });

  it('counts only for its purpose and subject', async () => {
    const { id, code } = valueOf(await make({ subject: 'one' }));
    for (const changes of [{ purpose: 'ELEVATION' }, { subject: 'another' }] as const)
      expect(await tryChallenge(desk.services, answer(id, code, changes))).toEqual(expired);
    expect((await tryChallenge(desk.services, answer(id, code, { subject: 'one' }))).ok).toBe(true);
  });

  it('for an unknown identifier is wrong like any other', async () => {
    const { id, code } = valueOf(
      await makeChallenge(desk.services, {
        ...{ purpose: 'SIGN_IN', subject: newId(), channel: 'EMAIL', identifier: 'nobody@people.example', limits: [] },
      }),
    );
    expect(await tryChallenge(desk.services, answer(id, code))).toEqual(invalid(4));
  });

  it('that may not be answered yet is recognised as right, and stays unanswered', async () => {
    const notYet = compileTrial(sql`false`);
    const statementsOf: ChallengeAnswer['statementsOf'] = (trial) => [notYet(trial)];
    const named = valueOf(await make());
    expect(await tryChallenge(desk.services, answer(named.id, named.code, { statementsOf }))).toMatchObject({
      value: { answerHash: null, attempts: 1 },
    });
    const draft = valueOf(
      await makeChallenge(desk.services, {
        ...{ purpose: 'REGISTRATION', subject: newId(), channel: 'SMS', limits: [] },
      }),
    );
    const order = { purpose: 'REGISTRATION', statementsOf } as const;
    expect((await tryChallenge(desk.services, answer(draft.id, draft.code, order))).ok).toBe(true);
    expect(await tryChallenge(desk.services, answer(draft.id, wrongTo(draft.code), order))).toEqual(invalid(3));
  });

  it('of a driver is right only for a phone that is known', async () => {
    const [driverId, driverPhone] = [newId(), '+966500000077'];
    await desk.sql('directory', "insert into driver_phones values (?, ?, 'shard-1', 1)", [driverPhone, driverId]);
    const purpose = 'DRIVER_SIGN_IN';
    const statementsOf: ChallengeAnswer['statementsOf'] = (trial) => [driverCodeTrial(trial)];
    const order = { purpose, channel: 'EMAIL', limits: [] } as const;
    const known = valueOf(await makeChallenge(desk.services, { ...order, subject: newId(), driverPhone }));
    const told = await tryChallenge(desk.services, answer(known.id, known.code, { purpose, statementsOf }));
    expect(told).toMatchObject({ value: { driverId, shard: 'shard-1' } });
    const unknown = valueOf(
      await makeChallenge(desk.services, { ...order, subject: newId(), driverPhone: '+966500000078' }),
    );
    expect(await tryChallenge(desk.services, answer(unknown.id, unknown.code, { purpose, statementsOf }))).toEqual(
      invalid(4),
    );
  });
});

describe('without the answer of the directory, a code', () => {
  const unavailable = { ok: false, code: 'SERVICE_UNAVAILABLE' };

  it('is right if it is found to have been answered', async () => {
    const { id, code } = valueOf(await make());
    const services = directoryThat({ status: 'unknown' }, true);
    expect((await tryChallenge(services, answer(id, code))).ok).toBe(true);
  });

  it('is neither right nor wrong if it is not found so', async () => {
    const { id, code } = valueOf(await make());
    for (const otp of [code, wrongTo(code)])
      expect(await tryChallenge(directoryThat({ status: 'unknown' }, false), answer(id, otp))).toMatchObject(
        unavailable,
      );
    expect(await tryChallenge(directoryThat({ status: 'unknown' }, true), answer(id, wrongTo(code)))).toMatchObject(
      unavailable,
    );
  });

  it('is not tried, or has no result, if a read fails', async () => {
    const { id, code } = valueOf(await make());
    for (const answered of [0, 1])
      expect(await tryChallenge(directoryLostAfter(answered), answer(id, code))).toMatchObject(unavailable);
  });

  it('is not tried while another unit is in progress', async () => {
    const { id, code } = valueOf(await make());
    const services = directoryThat({ status: 'in_progress' }, false);
    expect(await tryChallenge(services, answer(id, code))).toMatchObject({ code: 'IDEMPOTENCY_REQUEST_IN_PROGRESS' });
  });

  it('is not made, and its limits stay unknown', async () => {
    const order = { purpose: 'SIGN_IN', subject: newId(), channel: 'EMAIL', limits: [] } as const;
    expect(await makeChallenge(directoryThat({ status: 'unknown' }, true), order)).toMatchObject(unavailable);
    const limit = await smsOfDeployment(desk.services.config, 'SIGN_IN');
    expect(await refusalOf(directoryLostAfter(0).directory.database, [limit], desk.clock.now())).toMatchObject(
      unavailable,
    );
    expect(await smsRefusal(directoryLostAfter(0), 'SIGN_IN')).toMatchObject(unavailable);
  });
});

it('reports a kept unit as kept', async () => {
  const made = valueOf(await make());
  expect(await commitWithinLimits(desk.services, [], { made, statements: [] })).toEqual({ ok: true, value: true });
});

describe('SMS of a deployment', () => {
  const few = () => ({
    ...desk.services,
    config: { ...desk.services.config, rateLimits: { ...desk.services.config.rateLimits, sms: 1 } },
  });
  const sms = { channel: 'SMS', recipient: '+966500000000', purpose: 'SIGN_IN', code: '123456' } as const;

  it('end at the limit: no code is made for one, except a code that a sandbox shows', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const messages = messagesWithin(desk.services.messages, few());
    expect([await messages.send(sms), await messages.send(sms)]).toEqual([true, false]);
    log.mockRestore();
    const told = (changes: Partial<ChallengeOrder>) =>
      makeChallenge(few(), { purpose: 'SIGN_IN', subject: newId(), channel: 'SMS', limits: [], ...changes });
    expect(await told({})).toMatchObject({ code: 'MESSAGE_PROVIDER_UNAVAILABLE', retryAfterSeconds: 3600 });
    expect((await told({ channel: 'EMAIL' })).ok).toBe(true);
    expect((await told({ purpose: 'SANDBOX_DRIVER_SIGN_IN' })).ok).toBe(true);
    // The limit of registrations is another one.
    expect(await smsRefusal(few(), 'REGISTRATION')).toBeUndefined();
  });

  it('are not sent if they cannot be counted', async () => {
    const before = desk.sent.length;
    const messages = messagesWithin(desk.services.messages, directoryThat({ status: 'unknown' }, false));
    expect(await messages.send(sms)).toBe(false);
    expect(desk.sent).toHaveLength(before);
  });
});

describe('messages', () => {
  it('to a local inbox are sent before the answer, others after it', async () => {
    const later = vi.fn<(work: Promise<unknown>) => void>();
    const order: string[] = [];
    for (const provider of ['inbox', 'carriers'] as const) {
      const work = new Promise<void>((resolve) => setTimeout(resolve, 5)).then(() => order.push(`${provider} sent`));
      await quietly({ messages: { ...desk.services.messages, provider }, later }, work);
      order.push(`${provider} answered`);
    }
    expect(order).toEqual(['inbox sent', 'inbox answered', 'carriers answered']);
    expect(later).toHaveBeenCalledTimes(1);
  });

  it('are not counted without a provider that sends them', async () => {
    desk.setProvider('none');
    desk.trips();
    await sendNotice(desk.services, { channel: 'EMAIL', recipient: 'a@people.example', purpose: 'INVITATION' });
    expect(desk.trips()).toEqual([]);
    desk.setProvider('carrier');
    expect(messagesUnavailable()).toMatchObject({ code: 'MESSAGE_PROVIDER_UNAVAILABLE', retryAfterSeconds: 60 });
  });

  it('of an inbox are found by their recipient, codes apart from notices, newest first', async () => {
    const { directory } = desk.services;
    const rowOf = (recipient: string, code: string) => ({
      ...({ id: newId(), channel: 'EMAIL', purpose: 'SIGN_IN', recipient, code, createdAt: desk.clock.now() } as const),
    });
    const rows = ['1', '', '2', ''].map((code) => rowOf('mine@people.example', code));
    for (const row of [...rows, rowOf('other@people.example', '3')])
      await directory.writer.commit({ statements: [oneTimeCodeInsert(row)] });
    const [first, notice, second, last] = rows;
    expect(await directory.database.read(codesOf('mine@people.example'))).toMatchObject({ rows: [second, first] });
    expect(await directory.database.read(noticesOf('mine@people.example'))).toMatchObject({ rows: [last, notice] });
  });
});

describe('a limit', () => {
  const settings = () => ({
    ...desk.services.config,
    rateLimits: { ...desk.services.config.rateLimits, secrets: 7, registrationSms: 90 },
  });

  it('has a bucket of its own', async () => {
    const limits = [
      ...(await codesOfAddress(settings(), '2001:db8:1:2::3')),
      ...(await registrationsOfAddress(settings(), '2001:db8:1:2::3')),
      await noticesTo(settings(), 'a@people.example', 'INVITATION'),
      await smsOfDeployment(settings(), 'SIGN_IN'),
      await smsOfDeployment(settings(), 'REGISTRATION'),
      await uploadsOfRegistration(settings(), newId()),
      await uploadsOfRegistration(settings(), newId()),
      await secretsOf(settings(), newId()),
      await secretsOf(settings(), newId()),
      await codesOfShipment(settings(), newId(), 60),
      await codesOfShipment(settings(), newId(), 60),
    ];
    expect(new Set(limits.map(({ bucket }) => bucket)).size).toBe(13);
    expect(limits.map(({ max, windowSeconds, code }) => [max, windowSeconds, code])).toEqual([
      [30, 900, 'OTP_RATE_LIMITED'],
      [120, 900, 'OTP_RATE_LIMITED'],
      [10, 3600, 'RATE_LIMITED'],
      [40, 3600, 'RATE_LIMITED'],
      [3, 86_400, 'RATE_LIMITED'],
      [100, 3600, 'MESSAGE_PROVIDER_UNAVAILABLE'],
      [90, 3600, 'MESSAGE_PROVIDER_UNAVAILABLE'],
      [30, 3600, 'RATE_LIMITED'],
      [30, 3600, 'RATE_LIMITED'],
      [7, 3600, 'RATE_LIMITED'],
      [7, 3600, 'RATE_LIMITED'],
      [3, 3600, 'OTP_RATE_LIMITED'],
      [3, 3600, 'OTP_RATE_LIMITED'],
    ]);
  });

  it('by address is one for an IPv4 address, and none without an address', async () => {
    expect(await codesOfAddress(settings(), '192.0.2.200')).toHaveLength(1);
    expect(await codesOfAddress(settings(), null)).toEqual([]);
  });

  it('that is missing is reported as a rate limit', async () => {
    const { database } = desk.services.directory;
    expect(await refusalOf(database, [], desk.clock.now())).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 1,
    });
  });

  it('without spacing may be used up at once', async () => {
    const limit = { bucket: newId(), max: 3, windowSeconds: 60, code: 'RATE_LIMITED' } as const;
    const now = desk.clock.now();
    const use = () => desk.services.directory.writer.commit({ statements: useStatements([limit], now) });
    const outcomes = [await use(), await use(), await use(), await use()].map(({ status }) => status);
    expect(outcomes).toEqual(['committed', 'committed', 'committed', 'refused']);
  });
});
