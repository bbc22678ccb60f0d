import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Carry, WELL } from '../../../scripts/shared/dispatch/memory-shard.ts';
import { newId } from '../../../scripts/shared/seed-values.ts';
import type { DriverActionRequest } from '../../../src/contract/driver.ts';
import type { Uuid } from '../../../src/core/uuid.ts';
import { actOnShipment } from '../../../src/domain/drivers/act.ts';
import { LocalShipmentLanes } from '../../../src/platform/deno/shipment-lane.ts';
import { monotonicMs } from '../../../src/providers/system.ts';
import { openCommander } from '../../support/dispatch/commander.ts';
import { AWAY, broken } from '../../support/dispatch/creator.ts';
import { addDriver, offerTo } from '../../support/dispatch/shipments.ts';

/* A driver's actions on a shipment that is being taken from him, and over a wire that loses answers. */

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

async function act(action: DriverActionRequest['action']) {
  const { process, id } = commander;
  const dependencies = { ...process, lane: new LocalShipmentLanes(() => process, monotonicMs) };
  return actOnShipment(
    dependencies,
    { driverId, shard: 'shard-1' },
    { action, shipmentId: id, correlationId: newId() },
  );
}

const WITHOUT_HIM = ['READY_FOR_DISPATCH', 3, 'created', 'approved', 'offered', 'offer_declined'];

test('what gave the shipment back is not refused as if it were none of his, when nobody can say that it was done', async () => {
  const { shard, told } = commander;
  let isDone = false;
  shard.wire.carry = ({ isWrite }, run) => {
    // Neither the end of the commit is heard nor the look for its event; then all is well again.
    if (isDone) {
      shard.wire.carry = WELL;
      return broken();
    }
    const response = run();
    isDone = isWrite;
    return isWrite ? broken() : response;
  };
  expect(await act('DECLINE')).toEqual(AWAY);
  expect(await told()).toEqual(WITHOUT_HIM);
  expect(await act('DECLINE')).toEqual({ ok: false, code: 'ACCESS_DENIED' });
  expect(await told()).toEqual(WITHOUT_HIM);
});

/** Somebody else is asked before a write of his arrives; the wire is `after` from then on. */
function offerToAnotherBeforeHisWrite(after: Carry): void {
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

test('a shipment that went to somebody else in between is none of his', async () => {
  offerToAnotherBeforeHisWrite(WELL);
  expect(await act('ACCEPT')).toEqual({ ok: false, code: 'ACCESS_DENIED' });
  expect(await commander.told()).toEqual([
    ...['OFFERED', 4, 'created', 'approved'],
    ...['offered', 'offer_expired', 'offered'],
  ]);
});

test('nor is that said when it cannot be read', async () => {
  const isLook = (sql: string | undefined) => sql?.startsWith('select "id" from "offers"') ?? false;
  let looks = 0;
  offerToAnotherBeforeHisWrite(({ steps }, run) => {
    if (!steps.some(({ stmt }) => isLook(stmt.sql))) return run();
    looks += 1;
    return broken();
  });
  expect(await act('ACCEPT')).toEqual(AWAY);
  expect(looks).toBeGreaterThan(0);
});

test('what lost every race to the end of the shipment is to be repeated, and then told how it ended', async () => {
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
