import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import type { DriverActionRequest } from '../../../../src/contract/driver.ts';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { actOnShipment } from '../../../../src/domain/drivers/act.ts';
import { monotonicMs } from '../../../../src/providers/system.ts';
import { ShipmentLanes } from '../../../../src/service/shipment-lanes.ts';
import { amend } from '../../../support/dispatch/amendments.ts';
import { type MemoryShard, openMemoryShard } from '../../../support/dispatch/memory-shard.ts';
import { addDriver, addShipment, give, offerTo } from '../../../support/dispatch/shipments.ts';

/* What a driver collects at the door, with the delivery. */

const decimal = literalDecimal;
const CARD = { amount: decimal('150'), method: 'CARD', reference: 'RRN 4711' } as const;

let shard: MemoryShard;
let process: ReturnType<MemoryShard['process']>;
let driverId: Uuid;
beforeEach(async () => {
  shard = openMemoryShard();
  process = shard.process();
  driverId = await addDriver(shard, process);
  return () => shard.close();
});

/** A shipment at the door, at version 5. */
async function atTheDoor(codAmount = '150') {
  const paymentMethod = codAmount === '0' ? 'PREPAID' : 'COD';
  const id = await addShipment(shard, process, { codAmount: decimal(codAmount), paymentMethod });
  await give(shard, process, id, { name: 'APPROVE' });
  await give(shard, process, id, offerTo(shard, driverId));
  for (const name of ['ACCEPT', 'PICK_UP', 'DEPART'] as const) await give(shard, process, id, { name, driverId });
  return id;
}

function act(id: Uuid, order: Omit<DriverActionRequest, 'position'>) {
  const lane = new ShipmentLanes(() => process, monotonicMs);
  return actOnShipment(
    { ...process, lane, later: () => undefined },
    { driverId, shard: 'shard-1', companyId: null },
    { ...order, shipmentId: id, correlationId: newId() },
  );
}

const collections = () =>
  shard.rows('select shipment_id, amount, method, reference, driver_id, shipment_version from cod_collections');
const refused = (field: string, code: string) => ({
  ok: false,
  code: 'VALIDATION_FAILED',
  violations: [{ field, code }],
});

describe('a delivery', () => {
  test('without more collects the exact amount in cash', async () => {
    const id = await atTheDoor('150.5');
    expect(await act(id, { action: 'DELIVER' })).toMatchObject({
      ok: true,
      value: { shipment: { state: 'DELIVERED' } },
    });
    expect(await collections()).toEqual([[id, '150.5', 'CASH', null, driverId, 6]]);
  });

  test('stores how the recipient paid', async () => {
    const id = await atTheDoor();
    expect(await act(id, { action: 'DELIVER', collected: CARD })).toMatchObject({ ok: true });
    expect(await collections()).toEqual([[id, '150', 'CARD', 'RRN 4711', driverId, 6]]);
  });

  test('happens at the instant of its collection', async () => {
    const id = await atTheDoor();
    await act(id, { action: 'DELIVER' });
    const [[collectedAt] = []] = await shard.rows('select collected_at from cod_collections');
    expect(await shard.rows(`select ended_at from shipments where id = '${id}'`)).toEqual([[collectedAt]]);
  });

  test.each(['149.99', '150.01', '0', '1500'])(
    'of 150 with %s collected is refused, and nothing changes',
    async (amount) => {
      const id = await atTheDoor();
      const collected = { amount: decimal(amount), method: 'CASH' } as const;
      expect(await act(id, { action: 'DELIVER', collected })).toMatchObject(
        refused('collected.amount', 'COD_AMOUNT_MISMATCH'),
      );
      expect(await collections()).toEqual([]);
      expect(await shard.rows(`select state, version from shipments where id = '${id}'`)).toEqual([
        ['OUT_FOR_DELIVERY', 5],
      ]);
    },
  );

  test('of a shipment without an amount to collect takes no money, and writes no row', async () => {
    const id = await atTheDoor('0');
    const collected = { amount: decimal('0'), method: 'CASH' } as const;
    expect(await act(id, { action: 'DELIVER', collected })).toMatchObject(refused('collected', 'FORBIDDEN_FIELD'));
    expect(await act(id, { action: 'DELIVER' })).toMatchObject({ ok: true });
    expect(await collections()).toEqual([]);
  });

  test('collects what an amendment has made of the amount', async () => {
    const id = await atTheDoor();
    expect(await amend(shard, process, id, { codAmount: decimal('99.5') })).toMatchObject({ ok: true });
    expect(await act(id, { action: 'DELIVER', collected: CARD })).toMatchObject(
      refused('collected.amount', 'COD_AMOUNT_MISMATCH'),
    );
    expect(await act(id, { action: 'DELIVER' })).toMatchObject({ ok: true });
    expect(await collections()).toEqual([[id, '99.5', 'CASH', null, driverId, 7]]);
  });

  test.each([true, false])(
    'and an amendment at once agree on one amount (the driver names it: %s)',
    async (isNamed) => {
      const id = await atTheDoor();
      const [amended, delivered] = await Promise.all([
        amend(shard, process, id, { codAmount: decimal('20') }),
        act(id, { action: 'DELIVER', ...(isNamed ? { collected: CARD } : {}) }),
      ]);
      const [[amount, version] = []] = await shard.rows(`select cod_amount, version from shipments where id = '${id}'`);
      const [row] = await collections();
      if (delivered.ok) expect([row?.[1], row?.[5]]).toEqual([amount, version]);
      else expect([row, amended.ok]).toEqual([undefined, true]);
      expect(amended.ok || delivered.ok).toBe(true);
    },
  );

  test('that is repeated answers as before, and collects once', async () => {
    const id = await atTheDoor();
    const order = { action: 'DELIVER', collected: CARD, actionId: newId() } as const;
    await act(id, order);
    expect(await act(id, order)).toMatchObject({
      ok: true,
      value: { isReplayed: true, shipment: { state: 'DELIVERED', version: 6 } },
    });
    expect(await act(id, { ...order, collected: { ...CARD, method: 'CASH' } })).toMatchObject({
      ok: false,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await collections()).toHaveLength(1);
  });
});

test('no other action takes money', async () => {
  const id = await atTheDoor();
  for (const order of [
    { action: 'FAIL', reasonCode: 'COD_NOT_PAID' },
    { action: 'ARRIVE' },
    { action: 'PICK_UP' },
  ] as const) {
    expect(await act(id, { ...order, collected: CARD })).toMatchObject(refused('collected', 'FORBIDDEN_FIELD'));
  }
  await act(id, { action: 'FAIL', reasonCode: 'COD_NOT_PAID' });
  expect(await collections()).toEqual([]);
});
