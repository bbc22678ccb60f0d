import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import type { DriverActionRequest } from '../../../../src/contract/driver.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { actOnShipment } from '../../../../src/domain/drivers/act.ts';
import { changeOwnDuty } from '../../../../src/domain/drivers/standing.ts';
import { monotonicMs } from '../../../../src/providers/system.ts';
import { ShipmentLanes } from '../../../../src/service/shipment-lanes.ts';
import { openCommander } from '../../../support/dispatch/commander.ts';
import { AWAY, broken } from '../../../support/dispatch/creator.ts';
import { type Carry, WELL } from '../../../support/dispatch/memory-shard.ts';
import { addDriver, addShipment, give, offerTo } from '../../../support/dispatch/shipments.ts';

/* A driver's actions on a shipment that is being withdrawn from them, with lost answers of the database. */

type Commander = Awaited<ReturnType<typeof openCommander>>;
let commander: Commander;
let driverId: Uuid;
beforeEach(async () => {
  commander = await openCommander();
  await commander.approve();
  driverId = await addDriver(commander.shard, commander.process);
  await offer(driverId);
});
afterEach(() => commander.shard.close());

async function offer(to: Uuid, by = commander.process): Promise<void> {
  await commander.give(offerTo(commander.shard, to), by);
}

async function act(action: DriverActionRequest['action'], actionId?: Uuid) {
  const { process, id } = commander;
  const lane = new ShipmentLanes(() => process, monotonicMs);
  const dependencies = { ...process, lane, later: () => undefined };
  return actOnShipment(
    dependencies,
    { driverId, shard: 'shard-1', companyId: null },
    { action, actionId, shipmentId: id, correlationId: newId() },
  );
}

test('a driver who was blocked after the request was admitted does not go on duty', async () => {
  const { shard, process } = commander;
  const principal = { driverId, shard: 'shard-1', companyId: null };
  expect(await changeOwnDuty(process, principal, false)).toMatchObject({ ok: true, value: { onDuty: false } });
  await shard.rows("UPDATE drivers SET status = 'INACTIVE'");
  expect(await changeOwnDuty(process, principal, true)).toEqual({ ok: true, value: undefined });
  expect(await shard.rows('SELECT on_duty FROM drivers')).toEqual([[0]]);
});

test('an ARRIVE that meets a changed state stores nothing and is 503, and then 409', async () => {
  const { shard, give } = commander;
  await give({ name: 'ACCEPT', driverId });
  shard.wire.carry = async ({ isWrite }, run) => {
    if (!isWrite) return run();
    shard.wire.carry = WELL;
    await give({ name: 'PICK_UP', driverId }, shard.process());
    return run();
  };
  expect(await act('ARRIVE')).toEqual(AWAY);
  expect(await act('ARRIVE')).toMatchObject({
    code: 'INVALID_STATE_TRANSITION',
    members: { currentState: 'PICKED_UP' },
  });
  expect(await shard.rows('SELECT pickup_arrival FROM offers')).toEqual([[null]]);
});

test('the record of a report has only the state and version, because an app reports every few seconds', async () => {
  const { shard, give } = commander;
  await give({ name: 'ACCEPT', driverId });
  const actionId = newId();
  expect(await act('ARRIVE', actionId)).toMatchObject({ ok: true, value: { isReplayed: false } });
  const [[length] = []] = await shard.rows(
    "SELECT length(response) FROM idempotency_records WHERE operation = 'driver.act'",
  );
  expect(length).toBeLessThan(200);
  const shipment = expect.objectContaining({ state: 'ACCEPTED', version: 3 });
  expect(await act('ARRIVE', actionId)).toEqual({ ok: true, value: { shipment, isReplayed: true } });
});

const DECLINED = ['READY_FOR_DISPATCH', 3, 'created', 'approved', 'offered', 'offer_declined'];

test('a DECLINE with unknown outcome is 503, and 403 when it is repeated', async () => {
  const { shard, told } = commander;
  let isDone = false;
  shard.wire.carry = ({ isWrite }, run) => {
    // Neither the commit nor the read of its event is answered; then the database works again.
    if (isDone) {
      shard.wire.carry = WELL;
      return broken();
    }
    const response = run();
    isDone = isWrite;
    return isWrite ? broken() : response;
  };
  expect(await act('DECLINE')).toEqual(AWAY);
  expect(await told()).toEqual(DECLINED);
  expect(await act('DECLINE')).toEqual({ ok: false, code: 'ACCESS_DENIED' });
  expect(await told()).toEqual(DECLINED);
});

test('an action whose answer was lost is repeated under its id, and changes nothing', async () => {
  const { shard, told } = commander;
  const actionId = newId();
  let isDone = false;
  shard.wire.carry = ({ isWrite }, run) => {
    if (isDone) {
      shard.wire.carry = WELL;
      return broken();
    }
    const response = run();
    isDone = isWrite;
    return isWrite ? broken() : response;
  };
  const shipment = expect.objectContaining({ state: 'READY_FOR_DISPATCH', version: 3 });
  // The action cannot tell whether it was done, so it looks for its id again.
  for (let time = 1; time <= 2; time += 1)
    expect(await act('DECLINE', actionId)).toEqual({ ok: true, value: { shipment, isReplayed: true } });
  expect(await told()).toEqual(DECLINED);
});

/** Offers the shipment to another driver before this driver's write arrives; the connection is `after` from then on. */
function offerToAnotherBeforeWrite(after: Carry): void {
  const { shard } = commander;
  shard.wire.carry = async ({ isWrite }, run) => {
    if (!isWrite) return run();
    shard.wire.carry = WELL;
    const rival = shard.process();
    await commander.give({ name: 'EXPIRE_OFFER' }, rival);
    await offer(await addDriver(shard, rival), rival);
    shard.wire.carry = after;
    return run();
  };
}

test('an action is 403 after the shipment was offered to another driver', async () => {
  offerToAnotherBeforeWrite(WELL);
  expect(await act('ACCEPT')).toEqual({ ok: false, code: 'ACCESS_DENIED' });
  expect(await commander.told()).toEqual([
    ...['OFFERED', 4, 'created', 'approved'],
    ...['offered', 'offer_expired', 'offered'],
  ]);
});

test("an action is 503 if the other driver's offer cannot be read", async () => {
  const isLook = (sql: string | undefined) => sql?.startsWith('select "id" from "offers"') ?? false;
  let looks = 0;
  offerToAnotherBeforeWrite(({ steps }, run) => {
    if (!steps.some(({ stmt }) => isLook(stmt.sql))) return run();
    looks += 1;
    return broken();
  });
  expect(await act('ACCEPT')).toEqual(AWAY);
  expect(looks).toBeGreaterThan(0);
});

test('an action that loses every race is 503, and then 409 with the final state', async () => {
  const { shard, give } = commander;
  await give({ name: 'ACCEPT', driverId });
  let races = 0;
  shard.wire.carry = async ({ isWrite }, run) => {
    if (!isWrite) return run();
    races += 1;
    shard.wire.carry = WELL;
    const rival = shard.process();
    if (races < 3) await shard.rows('UPDATE shipments SET version = version + 1');
    else await give({ name: 'CANCEL', reasonCode: 'PRICE', comment: null }, rival);
    if (races < 3) shard.wire.carry = again;
    return run();
  };
  const again = shard.wire.carry;
  expect(await act('PICK_UP')).toEqual(AWAY);
  expect(races).toBe(3);
  expect(await act('PICK_UP')).toMatchObject({
    code: 'INVALID_STATE_TRANSITION',
    members: { currentState: 'CANCELLED' },
  });
});

const PRINCIPAL = { shard: 'shard-1', companyId: null };

test('a driver who leaves while an offer is made to them has no open offer', async () => {
  const { shard, process, told } = commander;
  const other = await addShipment(shard, process);
  await give(shard, process, other, { name: 'APPROVE' });
  shard.wire.carry = async ({ isWrite }, run) => {
    if (!isWrite) return run();
    shard.wire.carry = WELL;
    await give(shard, shard.process(), other, offerTo(shard, driverId));
    return run();
  };
  expect(await changeOwnDuty(process, { ...PRINCIPAL, driverId }, false)).toMatchObject({ ok: true });
  expect(await shard.rows('SELECT on_duty, active_count FROM drivers')).toEqual([[0, 0]]);
  expect(await shard.rows('SELECT state FROM offers')).toEqual([['DECLINED'], ['DECLINED']]);
  expect(await told()).toEqual(DECLINED);
});

test('a driver who leaves while an offer is accepted keeps the shipment', async () => {
  const { shard, process, give: giveTo } = commander;
  shard.wire.carry = async ({ isWrite }, run) => {
    if (!isWrite) return run();
    shard.wire.carry = WELL;
    await giveTo({ name: 'ACCEPT', driverId }, shard.process());
    return run();
  };
  expect(await changeOwnDuty(process, { ...PRINCIPAL, driverId }, false)).toMatchObject({
    ...{ ok: true, value: { onDuty: false, activeCount: 1 } },
  });
  expect(await shard.rows('SELECT state FROM offers')).toEqual([['ACCEPTED']]);
});
