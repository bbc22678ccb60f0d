import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, requireUuid } from '../../../scripts/shared/seed-values.ts';
import { tokenHashOf } from '../../../src/access/authenticate.ts';
import type { OperatorPerson } from '../../../src/access/principal.ts';
import { beginRecovery, stopRecovery } from '../../../src/domain/people/recovery/recovery.ts';
import { startAcceptance, verifyAcceptance } from '../../../src/domain/people/session/acceptance.ts';
import { findSession } from '../../../src/domain/people/session/session.ts';
import { startSignIn, verifySignIn } from '../../../src/domain/people/session/sign-in.ts';
import { noDocuments } from '../../../src/providers/absent.ts';
import { textOf } from '../../../src/providers/messages/words.ts';
import { sweepDirectory } from '../../../src/service/sweep.ts';
import { HOUR, newAddress, valueOf } from './applicants.ts';
import { type Desk, newcomer, openDesk } from './desk.ts';

let desk: Desk;
const COMPANY = newId();
beforeAll(async () => {
  desk = await openDesk();
  await desk.sql(
    'directory',
    "insert into companies (id, name, shard, created_at) values (?, 'Taif Roses', 'shard-1', 1)",
    [COMPANY],
  );
}, 30_000);
afterAll(() => desk.close());

const where = () => ({ address: newAddress(), requestId: newId() });
const contacts = () => {
  const { email, mobileNumber } = newcomer();
  return { email, mobile: `+966${mobileNumber}` };
};

async function newOwner() {
  const owner = { personId: newId(), ...contacts() };
  const { personId, email, mobile } = owner;
  await desk.sql('directory', "insert into people values (?, 'Saad', ?, ?, 1, null)", [personId, email, mobile]);
  await desk.sql(
    'directory',
    'insert into sign_in_identifiers (identifier, person_id, proved_at) values (?, ?, 1), (?, ?, 1)',
    [email, personId, mobile, personId],
  );
  await desk.sql('directory', "insert into company_members values (?, ?, 'OWNER', 1)", [COMPANY, personId]);
  return owner;
}

function begin(personId: string, fresh = contacts()) {
  const operator: OperatorPerson = {
    ...{ kind: 'operatorPerson', personId: newId(), sessionId: newId(), channel: 'SMS', assurance: 'AAL2' },
    ...{ freshUntil: desk.clock.now(), signedInAt: desk.clock.now(), heldUntil: null, expiresAt: desk.clock.now() },
    ...{ fullName: 'Huda Al-Amri', email: 'huda@carrier.example' },
  };
  const actor = { personId: operator.personId, clientId: 'operations', ...where() };
  const order = { personId: requireUuid(personId), ...fresh, reason: 'Called from the register' };
  return beginRecovery(desk.services, order, { operator, actor });
}

const sweep = () => sweepDirectory({ ...desk.services, documents: noDocuments });

/** Signs in with the code that was sent; undefined if none was. */
async function signIn(identifier: string): Promise<string | undefined> {
  const before = desk.sent.length;
  const { challengeId } = valueOf(await startSignIn(desk.services, { identifier, deviceReference: newId() }, where()));
  await desk.rest();
  const otp = desk.sent.slice(before).find(({ code }) => code !== null)?.code;
  if (otp == null) return undefined;
  return valueOf(await verifySignIn(desk.services, { challengeId, otp }, where())).sessionToken;
}

const find = async (token: string | undefined) => findSession(desk.services, await tokenHashOf(token ?? ''));

/** The token in the newest message to a recipient. */
function linkTo(recipient: string): string {
  const message = desk.sent.findLast((one) => one.recipient === recipient);
  if (message === undefined) throw new Error('Nothing was sent');
  const address = 'https://mirsal\\.example/console/stop-recovery#';
  const token = new RegExp(`${address}(\\S{43})$`, 'm').exec(textOf(message, 'https://mirsal.example'))?.[1];
  if (token === undefined) throw new Error('The message has no link');
  return token;
}

describe('a recovery', () => {
  it('gives new identifiers after two days, which sign in only after their own code', async () => {
    const [owner, fresh] = [await newOwner(), contacts()];
    const session = await signIn(owner.email);
    valueOf(await begin(owner.personId, fresh));
    desk.clock.advance(48 * HOUR - 1);
    await sweep();
    const last = await signIn(owner.mobile);
    expect(await find(last)).toMatchObject({ personId: owner.personId });
    desk.clock.advance(1);
    await sweep();
    for (const token of [session, last]) expect(await find(token)).toBeUndefined();
    expect(desk.sent.at(-1)).toMatchObject({ recipient: fresh.email, purpose: 'INVITATION' });
    for (const identifier of [owner.email, owner.mobile, fresh.email, fresh.mobile])
      expect(await signIn(identifier)).toBeUndefined();
    const invitation = { invitationId: owner.personId, deviceReference: newId() };
    const { challengeId } = valueOf(await startAcceptance(desk.services, invitation, where()));
    await desk.rest();
    const otp = desk.sent.at(-1)?.code ?? '';
    valueOf(await verifyAcceptance(desk.services, { challengeId, otp }, where()));
    expect(await find(await signIn(fresh.email))).toMatchObject({
      personId: owner.personId,
      heldUntil: expect.any(BigInt),
    });
  });

  it('is stopped by the link in each of its messages, once, and then changes nothing', async () => {
    const owner = await newOwner();
    valueOf(await begin(owner.personId));
    const token = linkTo(owner.email);
    expect(linkTo(owner.mobile)).toBe(token);
    const stop = { by: 'token', token, where: where() } as const;
    expect(await stopRecovery(desk.services, stop)).toMatchObject({ ok: true });
    expect(await stopRecovery(desk.services, stop)).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    desk.clock.advance(49 * HOUR);
    await sweep();
    expect(await find(await signIn(owner.email))).toMatchObject({ personId: owner.personId, heldUntil: null });
    const entries = await desk.sql(
      'directory',
      "select action, person_id, company_id from audit_entries where subject = ? and action = 'recovery.stopped'",
      [owner.personId],
    );
    expect(entries).toEqual([['recovery.stopped', owner.personId, COMPANY]]);
  });

  it('does not begin while nobody can be told', async () => {
    const owner = await newOwner();
    desk.setCarrier({ isDown: true });
    expect(await begin(owner.personId)).toMatchObject({ code: 'MESSAGE_PROVIDER_UNAVAILABLE' });
    desk.setCarrier({});
    valueOf(await begin(owner.personId));
  });

  it('leaves a new identifier that somebody has proved meanwhile with that person', async () => {
    const [owner, other] = [await newOwner(), contacts()];
    valueOf(await begin(owner.personId, other));
    const holder = await newOwner();
    await desk.sql('directory', 'insert into sign_in_identifiers (identifier, person_id, proved_at) values (?, ?, 1)', [
      other.email,
      holder.personId,
    ]);
    desk.clock.advance(48 * HOUR);
    await sweep();
    const rows = await desk.sql('directory', 'select person_id from sign_in_identifiers where identifier = ?', [
      other.email,
    ]);
    expect(rows).toEqual([[holder.personId]]);
  });
});
