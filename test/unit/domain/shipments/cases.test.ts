import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import type { CompanyScope } from '../../../../src/access/require.ts';
import { scopeWithActor } from '../../../../src/access/require.ts';
import { Sealer } from '../../../../src/access/sealer.ts';
import type { CaseKind } from '../../../../src/contract/case-state.ts';
import { ok, type Result } from '../../../../src/core/result.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { unbound } from '../../../../src/domain/idempotency/once.ts';
import { caseQueueSize, casesOwed } from '../../../../src/domain/shipments/case-store.ts';
import { addMessage, answerCase, decideCase } from '../../../../src/domain/shipments/change-case.ts';
import { recipientsForgotten } from '../../../../src/domain/shipments/forget-store.ts';
import { openCase } from '../../../../src/domain/shipments/open-case.ts';
import { listCases, readCase, readRecipientCases } from '../../../../src/domain/shipments/read-cases.ts';
import { systemRandom } from '../../../../src/providers/system.ts';
import { amend } from '../../../support/dispatch/amendments.ts';
import { type MemoryShard, openMemoryShard } from '../../../support/dispatch/memory-shard.ts';
import { addDriver, addShipment, give, offerTo } from '../../../support/dispatch/shipments.ts';

/* Complaints about shipments. The clock stands at 2026-11-21T09:00Z, a Saturday at noon in Riyadh. */

let shard: MemoryShard;
let process: ReturnType<MemoryShard['process']>;
let driverId: Uuid;
beforeEach(async () => {
  shard = openMemoryShard();
  process = shard.process();
  driverId = await addDriver(shard, process);
  return () => shard.close();
});

const DAY = 86_400;
const ANY = { kind: 'any' } as const;
const description = 'The box is torn.';

function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.value;
}
function open(shipmentId: Uuid, kind: CaseKind = 'DAMAGED', openedBy: 'MERCHANT' | 'RECIPIENT' = 'MERCHANT') {
  const order = { shipmentId, kind, description, openedBy, correlationId: newId() };
  return openCase(process, shard.scope, order, unbound);
}
function operator(personId = newId()): CompanyScope {
  return scopeWithActor(shard.scope, { personId, clientId: 'operations', address: null, requestId: newId() });
}
function reply(caseId: Uuid, scope = operator(), text = 'We are sorry.') {
  const order = { caseId, text, outcome: 'EXPLAINED', precondition: ANY, correlationId: newId() } as const;
  return answerCase(process, scope, order);
}
function decide(caseId: Uuid, decision: 'ACCEPT' | 'DISPUTE' | 'WITHDRAW', by: 'MERCHANT' | 'RECIPIENT' = 'MERCHANT') {
  return decideCase(process, shard.scope, { caseId, decision, by, precondition: ANY, correlationId: newId() });
}
const say = (caseId: Uuid, text = 'Please hurry.') =>
  addMessage(process, shard.scope, { caseId, text, correlationId: newId() }, unbound);
const idOf = (made: { readonly caseId: string }) => made.caseId as Uuid;
const shipment = () => addShipment(shard, process);
const refused = (code: string) => ({ ok: false, code });
const caseEvents = () =>
  shard.rows(
    "select type, sequence, json_extract(body, '$.data.case.state') from events where type like 'case.%' order by position",
  );

async function pickedUp() {
  const id = await shipment();
  await give(shard, process, id, { name: 'APPROVE' });
  await give(shard, process, id, offerTo(shard, driverId));
  for (const name of ['ACCEPT', 'PICK_UP'] as const) await give(shard, process, id, { name, driverId });
  return id;
}

describe('a case', () => {
  test('is owed an answer by the fifth business day', async () => {
    const made = valueOf(await open(await shipment()));
    expect(made).toMatchObject({
      number: expect.stringMatching(/^CAS-[0-9A-Z]{11}$/),
      kind: 'DAMAGED',
      openedBy: 'MERCHANT',
      state: 'OPEN',
      outcome: null,
      answerBy: '2026-11-26T15:00:00.000000Z',
      answeredAt: null,
      overdue: false,
      evidence: null,
      evidenceSha256: null,
      messages: [{ author: 'MERCHANT', text: description }],
      version: 0,
    });
  });

  test('that is not answered in time is overdue, to the microsecond', async () => {
    const id = idOf(valueOf(await open(await shipment())));
    const isOverdue = async () => valueOf(await readCase(process, shard.scope, id)).overdue;
    const { clock } = shard;
    clock.advance((Date.parse('2026-11-26T15:00:00Z') - Date.parse('2026-11-21T09:00:00Z')) / 1000 - 1);
    expect(await isOverdue()).toBe(false);
    clock.advance(1);
    expect(await isOverdue()).toBe(true);
    valueOf(await reply(id));
    expect(await isOverdue()).toBe(false);
  });

  test('is one for each shipment and kind, also if twenty are opened at once', async () => {
    const shipmentId = await shipment();
    const answers = await Promise.all(Array.from({ length: 20 }, () => open(shipmentId)));
    const [made, ...others] = answers.filter(({ ok: isOpened }) => isOpened);
    expect(others).toEqual([]);
    const { caseId, number } = valueOf(made ?? refusedNever());
    const existing = { caseId, number, href: `/v2/external/cases/${caseId}` };
    expect(await open(shipmentId)).toMatchObject({ ok: false, code: 'CASE_ALREADY_OPEN', members: { existing } });
    expect(await open(shipmentId, 'LATE')).toMatchObject({ ok: true });
    expect(await shard.rows('select count(*) from cases')).toEqual([[2]]);
    expect(await caseEvents()).toHaveLength(2);
  });

  test('can be opened anew once it is closed, twenty times in all', async () => {
    const shipmentId = await shipment();
    for (let count = 1; count <= 20; count += 1)
      valueOf(await decide(idOf(valueOf(await open(shipmentId))), 'WITHDRAW'));
    expect(await open(shipmentId)).toMatchObject(refused('CASE_LIMIT_REACHED'));
  });

  test('can be opened until 30 days after the end', async () => {
    const shipmentId = await shipment();
    await give(shard, process, shipmentId, { name: 'CANCEL', reasonCode: 'OTHER', comment: null });
    shard.clock.advance(30 * DAY - 1);
    expect(await open(shipmentId)).toMatchObject({ ok: true });
    shard.clock.advance(1);
    expect(await open(shipmentId, 'LATE')).toMatchObject(refused('SHIPMENT_TERMINAL'));
  });

  test('of another company is none', async () => {
    const made = valueOf(await open(await shipment()));
    const other = { ...shard.scope, companyId: newId() };
    expect(await readCase(process, other, idOf(made))).toMatchObject(refused('RESOURCE_NOT_FOUND'));
  });
});

function refusedNever(): never {
  throw new Error('None was opened');
}

describe('the service', () => {
  test.each(['LOST', 'DAMAGED'] as const)(
    'opens a case for a parcel that is %s, in the unit of the failure',
    async (reasonCode) => {
      const shipmentId = await pickedUp();
      await give(shard, process, shipmentId, { name: 'FAIL', driverId, reasonCode, comment: null });
      expect(await shard.rows('select shipment_id, kind, opened_by, state, message_count from cases')).toEqual([
        [shipmentId, reasonCode, 'SYSTEM', 'OPEN', 0],
      ]);
      expect(
        await shard.rows(
          'select type, sequence from events where shipment_id = (select shipment_id from cases) order by position desc limit 2',
        ),
      ).toEqual([
        ['case.opened', 7],
        ['shipment.delivery_failed', 6],
      ]);
    },
  );

  test('owes the answer later if a business day is a holiday', async () => {
    // Tuesday, 21 September 2027. The Thursday of this week is the national day.
    shard.clock.advance(304 * DAY);
    const shipmentId = await pickedUp();
    await give(shard, process, shipmentId, { name: 'FAIL', driverId, reasonCode: 'LOST', comment: null });
    const [row] = await shard.rows(
      "select json_extract(body, '$.data.case.answerBy') from events where type = 'case.opened'",
    );
    expect(row).toEqual(['2027-09-29T15:00:00.000000Z']);
  });

  test('opens none for other failures', async () => {
    const shipmentId = await pickedUp();
    await give(shard, process, shipmentId, { name: 'DEPART', driverId });
    await give(shard, process, shipmentId, {
      name: 'FAIL',
      driverId,
      reasonCode: 'RECIPIENT_UNREACHABLE',
      comment: null,
    });
    expect(await shard.rows('select count(*) from cases')).toEqual([[0]]);
  });

  test('leaves a case alone that somebody has opened before', async () => {
    const shipmentId = await pickedUp();
    valueOf(await open(shipmentId, 'LOST', 'RECIPIENT'));
    await give(shard, process, shipmentId, { name: 'FAIL', driverId, reasonCode: 'LOST', comment: null });
    expect(await shard.rows('select kind, opened_by from cases')).toEqual([['LOST', 'RECIPIENT']]);
  });
});

describe('an answer', () => {
  test('freezes what the service knew', async () => {
    const shipmentId = await pickedUp();
    const id = idOf(valueOf(await open(shipmentId)));
    const answered = valueOf(await reply(id));
    expect(answered).toMatchObject({ state: 'ANSWERED', outcome: 'EXPLAINED', version: 1 });
    expect(answered.evidence).toMatchObject({ proofSha256: null, positions: 0 });
    expect(answered.evidence?.timeline.map(({ type }) => type)).toEqual([
      'shipment.created',
      'shipment.approved',
      'shipment.offered',
      'shipment.accepted',
      'shipment.picked_up',
    ]);
    expect(answered.evidenceSha256).toMatch(/^[0-9a-f]{64}$/);
    await give(shard, process, shipmentId, { name: 'DEPART', driverId });
    const later = valueOf(await readCase(process, shard.scope, id));
    expect([later.evidence, later.evidenceSha256]).toEqual([answered.evidence, answered.evidenceSha256]);
    const decided = valueOf(await decide(id, 'DISPUTE')) && valueOf(await reply(id));
    expect(decided.evidenceSha256).toBe(answered.evidenceSha256);
  });

  test('that is accepted closes the case, and a repeat changes nothing', async () => {
    const id = idOf(valueOf(await open(await shipment())));
    expect(await decide(id, 'ACCEPT')).toMatchObject(refused('INVALID_STATE_TRANSITION'));
    valueOf(await reply(id));
    expect(await decide(id, 'ACCEPT')).toMatchObject({ ok: true, value: { state: 'CLOSED', version: 2 } });
    expect(await decide(id, 'ACCEPT')).toMatchObject({ ok: true, value: { version: 2 } });
    expect(await decide(id, 'DISPUTE')).toMatchObject(refused('INVALID_STATE_TRANSITION'));
    expect(await caseEvents()).toEqual([
      ['case.opened', 2, 'OPEN'],
      ['case.answered', 3, 'ANSWERED'],
      ['case.closed', 4, 'CLOSED'],
    ]);
  });

  test('that is disputed is decided by another person, in two business days, and names 19929', async () => {
    const first = operator();
    const id = idOf(valueOf(await open(await shipment())));
    valueOf(await reply(id, first));
    expect(await decide(id, 'DISPUTE')).toMatchObject({
      ok: true,
      value: { state: 'DISPUTED', answerBy: '2026-11-23T15:00:00.000000Z' },
    });
    expect(await reply(id, first)).toMatchObject({
      ok: false,
      code: 'ACCESS_DENIED',
      members: { reason: 'SAME_PERSON' },
    });
    const decided = valueOf(await reply(id, operator(), 'It stays.'));
    expect(decided).toMatchObject({ state: 'CLOSED', outcome: 'EXPLAINED' });
    expect(decided.messages.at(-1)?.text).toMatch(/^It stays\.\n\n.*19929.*\n.*19929\.$/);
    expect(decided.messages.filter(({ text }) => text?.includes('19929'))).toHaveLength(1);
    expect(await reply(id)).toMatchObject(refused('INVALID_STATE_TRANSITION'));
    // Nothing is left to accept, and nobody can dispute it once more.
    expect(await decide(id, 'ACCEPT')).toMatchObject(ok({ state: 'CLOSED', version: decided.version }));
    expect(await decide(id, 'DISPUTE')).toMatchObject(refused('INVALID_STATE_TRANSITION'));
  });

  test('by two operators at once is one', async () => {
    const id = idOf(valueOf(await open(await shipment())));
    const answers = await Promise.all([reply(id), reply(id)]);
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    expect(await shard.rows("select count(*) from case_messages where author = 'OPERATOR'")).toEqual([[1]]);
  });

  test('is not of a version that somebody has written in meanwhile', async () => {
    const id = idOf(valueOf(await open(await shipment())));
    valueOf(await say(id));
    const order = { caseId: id, text: 'No.', outcome: 'EXPLAINED', correlationId: newId() } as const;
    const precondition = { kind: 'versions', versions: [0] } as const;
    expect(await answerCase(process, operator(), { ...order, precondition })).toMatchObject({
      ok: false,
      code: 'PRECONDITION_FAILED',
      members: { currentVersion: 1 },
    });
  });

  test('accepted and withdrawn at once is one end', async () => {
    const id = idOf(valueOf(await open(await shipment())));
    valueOf(await reply(id));
    const ends = await Promise.all([decide(id, 'ACCEPT'), decide(id, 'WITHDRAW')]);
    expect(ends.filter((end) => end.ok)).toHaveLength(1);
    expect((await caseEvents()).filter(([type]) => type === 'case.closed')).toHaveLength(1);
  });
});

describe('what is written', () => {
  test('has twenty messages at most, also if they come at once', async () => {
    const id = idOf(valueOf(await open(await shipment())));
    for (let count = 2; count < 20; count += 1) valueOf(await say(id));
    const last = await Promise.all([say(id), say(id), say(id)]);
    expect(last.filter((answer) => answer.ok)).toHaveLength(1);
    expect(await say(id)).toMatchObject(refused('CASE_LIMIT_REACHED'));
    expect(await reply(id)).toMatchObject(ok({ state: 'ANSWERED' }));
    valueOf(await decide(id, 'ACCEPT'));
    expect(await say(id)).toMatchObject(refused('INVALID_STATE_TRANSITION'));
  });

  test('is forgotten with the recipient, and nothing is stored after that', async () => {
    const shipmentId = await shipment();
    const id = idOf(valueOf(await open(shipmentId)));
    valueOf(await say(id));
    await process.writer.commit({ statements: recipientsForgotten([shipmentId], process.clock.now()) });
    valueOf(await reply(id, operator(), 'Dear Zaynab'));
    expect(await shard.rows('select author, text from case_messages order by number')).toEqual([
      ['MERCHANT', null],
      ['MERCHANT', null],
      ['OPERATOR', null],
    ]);
    expect(await open(shipmentId, 'LATE')).toMatchObject(refused('SHIPMENT_TERMINAL'));
  });
});

describe('the recipient', () => {
  const theirs = async (shipmentId: Uuid) => valueOf(await readRecipientCases(process, shard.scope, shipmentId));

  test('sees what they wrote and the answer, and nothing of the merchant', async () => {
    const shipmentId = await shipment();
    valueOf(await open(shipmentId, 'WRONG_CHARGE'));
    const id = idOf(valueOf(await open(shipmentId, 'DAMAGED', 'RECIPIENT')));
    valueOf(await say(id, 'This parcel cost us 34.50 SAR.'));
    valueOf(await reply(id));
    const [shown, ...others] = await theirs(shipmentId);
    expect(others).toEqual([]);
    expect(shown).toEqual({
      caseId: id,
      number: expect.any(String),
      kind: 'DAMAGED',
      state: 'ANSWERED',
      outcome: 'EXPLAINED',
      answerBy: '2026-11-26T15:00:00.000000Z',
      answeredAt: expect.any(String),
      overdue: false,
      createdAt: expect.any(String),
      messages: [
        { author: 'RECIPIENT', text: description, createdAt: expect.any(String) },
        { author: 'OPERATOR', text: 'We are sorry.', createdAt: expect.any(String) },
      ],
    });
  });

  test('does not see what the recipient before them wrote', async () => {
    const shipmentId = await shipment();
    valueOf(await open(shipmentId, 'LATE', 'RECIPIENT'));
    valueOf(await amend(shard, process, shipmentId, { recipient: { phone: '+966511111111' } }));
    expect(await theirs(shipmentId)).toEqual([]);
    valueOf(await open(shipmentId, 'OTHER', 'RECIPIENT'));
    expect((await theirs(shipmentId)).map(({ kind }) => kind)).toEqual(['OTHER']);
  });

  test('withdraws only what they opened, and the merchant only the other', async () => {
    const shipmentId = await shipment();
    const their = idOf(valueOf(await open(shipmentId, 'LATE', 'RECIPIENT')));
    expect(await decide(their, 'WITHDRAW')).toMatchObject(refused('ACCESS_DENIED'));
    expect(await decide(their, 'WITHDRAW', 'RECIPIENT')).toMatchObject(ok({ state: 'CLOSED', outcome: 'WITHDRAWN' }));
    const merchants = idOf(valueOf(await open(shipmentId)));
    expect(await decide(merchants, 'WITHDRAW', 'RECIPIENT')).toMatchObject(refused('ACCESS_DENIED'));
    expect(await decide(merchants, 'WITHDRAW')).toMatchObject(ok({ state: 'CLOSED' }));
    expect(await decide(merchants, 'WITHDRAW')).toMatchObject(ok({ version: 1 }));
  });
});

describe('lists', () => {
  const cursors = new Sealer([`${'C'.repeat(42)}A`], systemRandom);
  const list = async (filter: Omit<Parameters<typeof listCases>[2], 'limit'> = {}, limit = 25) =>
    valueOf(await listCases({ ...process, cursors }, shard.scope, { limit, ...filter }));

  test('have the newest first, by state, kind, shipment and time, page by page', async () => {
    const [first, second] = [await shipment(), await shipment()];
    const late = valueOf(await open(first, 'LATE'));
    const damaged = valueOf(await open(first, 'DAMAGED'));
    const other = valueOf(await open(second, 'LATE'));
    valueOf(await reply(idOf(damaged)));
    const ids = async (filter: Parameters<typeof list>[0]) => (await list(filter)).data.map(({ caseId }) => caseId);
    expect(await ids({})).toEqual([other.caseId, damaged.caseId, late.caseId]);
    expect(await ids({ state: 'ANSWERED' })).toEqual([damaged.caseId]);
    expect(await ids({ kind: 'LATE', state: 'OPEN' })).toEqual([other.caseId, late.caseId]);
    expect(await ids({ shipmentId: first })).toEqual([damaged.caseId, late.caseId]);
    expect(await ids({ from: process.clock.now() })).toEqual([]);
    const { data, page } = await list({}, 2);
    expect([data.length, page.hasMore]).toEqual([2, true]);
    const { data: rest } = await list({ cursor: page.nextCursor ?? '' }, 2);
    expect(rest.map(({ caseId }) => caseId)).toEqual([late.caseId]);
  });

  test('of operators have what is owed, the least time left first', async () => {
    const first = valueOf(await open(await shipment()));
    shard.clock.advance(2 * DAY);
    const second = valueOf(await open(await shipment()));
    const answered = idOf(valueOf(await open(await shipment())));
    valueOf(await reply(answered));
    const found = await process.database.read(casesOwed(undefined, 10));
    expect(found.ok && found.rows.map(({ id }) => id)).toEqual([first.caseId, second.caseId]);
    shard.clock.advance(4 * DAY);
    const size = await process.database.read(caseQueueSize(process.clock.now()));
    expect(size.ok && size.rows).toMatchObject([{ owed: 2, overdue: 1 }]);
  });
});
