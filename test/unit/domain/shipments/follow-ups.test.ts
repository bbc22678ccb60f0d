import { beforeEach, describe, expect, test, vi } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import type { Evidence } from '../../../../src/contract/proof-state.ts';
import type { ResolutionKind } from '../../../../src/contract/resolution-state.ts';
import type { ShipmentRequest } from '../../../../src/contract/shipment.ts';
import type { FailureReason } from '../../../../src/contract/shipment-state.ts';
import { addSeconds } from '../../../../src/core/instant.ts';
import type { Result } from '../../../../src/core/result.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { attemptAgain } from '../../../../src/domain/drivers/attempt.ts';
import { unbound } from '../../../../src/domain/idempotency/once.ts';
import { tellPin } from '../../../../src/domain/proof/tell-pin.ts';
import { recipientsForgotten } from '../../../../src/domain/shipments/forget-store.ts';
import { readResolution } from '../../../../src/domain/shipments/resolution.ts';
import { choose } from '../../../../src/domain/shipments/resolution-choice.ts';
import { type ReturnOrder, returnItems } from '../../../../src/domain/shipments/returns.ts';
import { isForgotten, presentShipment } from '../../../../src/domain/shipments/view.ts';
import type { Message } from '../../../../src/ports/message.ts';
import { type MemoryShard, openMemoryShard } from '../../../support/dispatch/memory-shard.ts';
import { addDriver, addShipment, give, offerTo } from '../../../support/dispatch/shipments.ts';

/* What follows a failed delivery, where a test needs to reach into the databases. */

let shard: MemoryShard;
let process: ReturnType<MemoryShard['process']>;
let driverId: Uuid;
beforeEach(async () => {
  shard = openMemoryShard();
  process = shard.process();
  driverId = await addDriver(shard, process);
  return () => shard.close();
});

function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.value;
}

async function onTheWay(changes: Partial<ShipmentRequest> = {}) {
  const id = await addShipment(shard, process, changes);
  await give(shard, process, id, { name: 'APPROVE' });
  await give(shard, process, id, offerTo(shard, driverId));
  for (const name of ['ACCEPT', 'PICK_UP', 'DEPART'] as const) await give(shard, process, id, { name, driverId });
  return id;
}
async function failed(reasonCode: FailureReason, changes: Partial<ShipmentRequest> = {}) {
  const id = await onTheWay(changes);
  await give(shard, process, id, { name: 'FAIL', driverId, reasonCode });
  return id;
}
const decide = (shipmentId: Uuid, kind: ResolutionKind) =>
  choose(process, shard.scope, { shipmentId, kind, actor: 'MERCHANT', correlationId: newId(), bind: unbound });
const resolutionOf = async (id: Uuid) => valueOf(await readResolution(process.database, shard.scope, id));

test('a parcel is not brought again to a recipient whose data was deleted, and can go back', async () => {
  const id = await failed('RECIPIENT_REFUSED');
  await process.writer.commit({ statements: recipientsForgotten([id], process.clock.now()) });
  expect((await resolutionOf(id)).options.map(({ kind, code }) => [kind, code])).toEqual([
    ['REDELIVER', 'RECIPIENT_FORGOTTEN'],
    ['RETURN', null],
    ['DISPOSE', null],
  ]);
  expect(await decide(id, 'REDELIVER')).toMatchObject({
    ok: false,
    code: 'RESOLUTION_NOT_OPEN',
    members: { reason: 'RECIPIENT_FORGOTTEN' },
  });
  expect(await decide(id, 'RETURN')).toMatchObject({ ok: true });
});

test('a driver’s own new attempt is shown at the cost of the carrier', async () => {
  const id = await failed('RECIPIENT_REFUSED');
  const driver = { driverId, shard: 'shard-1', companyId: null };
  const order = { shipmentId: id, correlationId: newId() };
  expect(await attemptAgain(process, driver, order)).toMatchObject({ ok: true });
  const { options } = await resolutionOf(id);
  expect(options.map(({ kind, code, payer, price }) => [kind, code, payer, price.totalAmount])).toMatchObject([
    ['REDELIVER', 'DECIDED', 'CARRIER', '0'],
    ['RETURN', 'DECIDED', 'MERCHANT', expect.stringMatching(/^[1-9]/)],
    ['DISPOSE', 'DECIDED', 'MERCHANT', '0'],
  ]);
});

function giveBack(
  shipmentId: Uuid,
  changes: Partial<ReturnOrder> = {},
  by: Parameters<typeof returnItems>[0] = process,
) {
  const now = shard.clock.now();
  return returnItems(by, shard.scope, {
    shipmentId,
    externalReference: newId(),
    reasonCode: 'CHANGED_MIND',
    items: [{ index: 0, quantity: 1 }],
    pickupWindowStart: now,
    pickupWindowEnd: addSeconds(now, 3600),
    correlationId: newId(),
    priceLimit: undefined,
    bind: unbound,
    ...changes,
  });
}

/** The failure of a shipment that is on its way, with so much evidence. */
async function fail(id: Uuid, reasonCode: FailureReason, evidence: Evidence = 'NONE') {
  const proof = { evidence, sha256: newId(), record: '{}' };
  await give(shard, process, id, { name: 'DEPART', driverId });
  expect(await give(shard, process, id, { name: 'FAIL', driverId, reasonCode, proof })).toMatchObject({ ok: true });
}
async function follow(id: Uuid, kind: 'REDELIVER' | 'RETURN') {
  const { followUp } = valueOf(await decide(id, kind));
  if (followUp === null) throw new Error('Nothing follows');
  return followUp.id;
}
const payerAfter = async (id: Uuid) => (await resolutionOf(id)).options.map(({ payer }) => payer);
/** The net amounts of the lines of a shipment, those of later charges last. */
async function linesOf(id: Uuid) {
  const frozen =
    "select line.value ->> 'code', line.value ->> 'amount' from shipment_terms, json_each(lines) as line where shipment_id = ?";
  const later = 'select code, amount from later_charges where shipment_id = ? order by number';
  return [...(await shard.rows(frozen, [id])), ...(await shard.rows(later, [id]))];
}

describe('a return that fails', () => {
  async function returning() {
    return follow(await failed('RECIPIENT_REFUSED'), 'RETURN');
  }

  test.each([
    ['RECIPIENT_REFUSED', 'NONE', 'CARRIER'],
    ['RECIPIENT_REFUSED', 'PARTIAL', 'CARRIER'],
    ['WRONG_ADDRESS', 'NONE', 'CARRIER'],
    ['RECIPIENT_REFUSED', 'COMPLETE', 'MERCHANT'],
    ['OTHER', 'COMPLETE', 'MERCHANT'],
    ['DAMAGED', 'COMPLETE', 'CARRIER'],
  ] as const)('for %s with the evidence %s is paid by the %s', async (reason, evidence, payer) => {
    const back = await returning();
    await fail(back, reason, evidence);
    expect(await payerAfter(back)).toEqual([payer, payer, payer]);
    const isCredited = (await linesOf(back)).some(([code]) => code === 'CREDIT');
    expect(isCredited).toBe(payer === 'CARRIER');
  });

  test('is billed three times at most', async () => {
    let back = await returning();
    const seen: unknown[] = [];
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await fail(back, 'RECIPIENT_REFUSED', 'COMPLETE');
      const { attemptsMade, options } = await resolutionOf(back);
      seen.push([attemptsMade, options[1]?.payer, (await linesOf(back)).map(([, amount]) => amount === '0')]);
      back = await follow(back, 'RETURN');
    }
    expect(seen).toEqual([
      [1, 'MERCHANT', [false]],
      [2, 'MERCHANT', [false]],
      [3, 'CARRIER', [false]],
      [4, 'CARRIER', [true]],
    ]);
  });
});

describe('a parcel that the carrier lost', () => {
  const creditOf = (lines: readonly (readonly unknown[])[]) =>
    lines.filter(([code]) => code === 'CREDIT').map(([, amount]) => amount);
  const netOf = (lines: readonly (readonly unknown[])[]) =>
    lines.reduce((sum, [, amount]) => sum + Math.round(Number(amount) * 100), 0);

  test('is credited on its whole way, and nothing twice', async () => {
    const first = await failed('RECIPIENT_REFUSED');
    const second = await follow(first, 'REDELIVER');
    await fail(second, 'RECIPIENT_UNREACHABLE');
    const third = await follow(second, 'REDELIVER');
    await fail(third, 'RECIPIENT_REFUSED', 'COMPLETE');
    expect(netOf(await linesOf(first))).toBeGreaterThan(0);
    expect(netOf(await linesOf(second))).toBe(0);
    const back = await follow(third, 'RETURN');
    await fail(back, 'LOST');
    for (const id of [first, second, back]) {
      const lines = await linesOf(id);
      expect([netOf(lines), creditOf(lines).length]).toEqual([0, 1]);
    }
    // The carrier paid for it from the beginning.
    expect(creditOf(await linesOf(third))).toEqual([]);
  });

  test('after the delivery is not credited for the way there', async () => {
    const first = await onTheWay();
    await give(shard, process, first, { name: 'DELIVER', driverId });
    const { id: back } = valueOf(await giveBack(first));
    await give(shard, process, back, { name: 'APPROVE' });
    await give(shard, process, back, offerTo(shard, driverId));
    for (const name of ['ACCEPT', 'PICK_UP'] as const) await give(shard, process, back, { name, driverId });
    await fail(back, 'DAMAGED');
    expect(netOf(await linesOf(back))).toBe(0);
    expect(creditOf(await linesOf(first))).toEqual([]);
  });
});

describe('a return after the delivery', () => {
  async function delivered() {
    const id = await onTheWay();
    await give(shard, process, id, { name: 'DELIVER', driverId });
    return id;
  }
  test('is refused for a return, and for a recipient whose data was deleted', async () => {
    const first = await delivered();
    const { id: back } = valueOf(await giveBack(first));
    await give(shard, process, back, { name: 'APPROVE' });
    await give(shard, process, back, offerTo(shard, driverId));
    for (const name of ['ACCEPT', 'PICK_UP', 'DEPART', 'DELIVER'] as const)
      await give(shard, process, back, { name, driverId });
    const refused = { ok: false, code: 'INVALID_STATE_TRANSITION', members: { currentState: 'DELIVERED' } };
    expect(await giveBack(back)).toMatchObject(refused);
    const second = await delivered();
    await process.writer.commit({ statements: recipientsForgotten([second], process.clock.now()) });
    expect(await giveBack(second)).toMatchObject(refused);
  });

  test('is refused like a creation: of a company that is not approved, and to an inactive branch', async () => {
    const id = await delivered();
    shard.run('shard-1', "update branches set status = 'INACTIVE'");
    expect(await giveBack(id)).toMatchObject({ ok: false, code: 'BRANCH_INACTIVE' });
    shard.run(
      'shard-1',
      "insert into company_settings (company_id, approval_policy, review) values (?, 'AUTOMATIC', 'PENDING') on conflict do update set review = excluded.review",
      [shard.scope.companyId],
    );
    expect(await giveBack(id)).toMatchObject({ ok: false, code: 'REGISTRATION_INCOMPLETE' });
  });

  test('asks for its way once, however often something is faster', async () => {
    const id = await delivered();
    const findRoute = vi.fn<typeof process.routing.findRoute>(process.routing.findRoute.bind(process.routing));
    let commits = 0;
    const commit: typeof process.writer.commit = (unit) => {
      commits += 1;
      return commits === 1 ? Promise.resolve({ status: 'refused', constraint: 'CHECK' }) : process.writer.commit(unit);
    };
    const by = { ...process, writer: { commit }, routing: { engine: process.routing.engine, findRoute } };
    expect(await giveBack(id, {}, by)).toMatchObject({ ok: true });
    expect([commits, findRoute.mock.calls.length]).toEqual([2, 1]);
  });

  test('goes to the pickup location as it is when the unit is written', async () => {
    const id = await delivered();
    let units = 0;
    const move = () => {
      units += 1;
      if (units === 1)
        shard.run('shard-1', "update pickup_locations set address_line = 'Moved', version = version + 1");
    };
    const { destination } = valueOf(await giveBack(id, { bind: (unit) => Promise.resolve(unit).finally(move) }));
    expect([JSON.parse(destination), units]).toMatchObject([{ addressLine: 'Moved' }, 2]);
  });

  test('is held if the sandbox holds the next shipment', async () => {
    const id = await delivered();
    shard.run(
      'shard-1',
      `insert into sandboxes (company_id, generation, dispatch_held, driver_id, relief_driver_id, created_at) values (?1, 1, 1, ?2, ?2, 1)`,
      [shard.scope.companyId, driverId],
    );
    const { id: back } = valueOf(await giveBack(id));
    expect(await shard.rows('select held from shipments where id = ?', [back])).toEqual([[1]]);
    expect(await shard.rows('select dispatch_held from sandboxes')).toEqual([[0]]);
  });
});

describe('a return to a contact without a phone', () => {
  async function returned() {
    shard.run('shard-1', 'update pickup_locations set contact_name = null, contact_phone = null');
    shard.run('directory', "update people set mobile = ''");
    const id = await failed('RECIPIENT_REFUSED', { requirements: ['PROOF_PIN'] });
    const { followUp } = valueOf(await decide(id, 'RETURN'));
    if (followUp === null) throw new Error('Nothing follows');
    return followUp;
  }

  test('is not taken for forgotten', async () => {
    const followUp = await returned();
    expect(isForgotten(followUp)).toBe(false);
    expect(presentShipment(followUp)).toMatchObject({ maskedRecipientPhone: '********' });
  });

  test('has a PIN that is noted as unsent, without a try', async () => {
    const followUp = await returned();
    const sent: Message[] = [];
    const messages = {
      provider: 'carriers',
      isDown: () => false,
      send: (message: Message) => Promise.resolve(sent.push(message) > 0),
    } as const;
    await tellPin({ ...process, messages }, shard.scope, { ...followUp, proofTerms: null });
    expect(sent).toEqual([]);
    const progress = 'select sent_at is null, unsent_at is null from proof_progress where shipment_id = ?';
    expect(await shard.rows(progress, [followUp.id])).toEqual([[1, 0]]);
  });
});
