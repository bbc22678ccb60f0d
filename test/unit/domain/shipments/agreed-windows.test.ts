import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import type { DriverActionRequest } from '../../../../src/contract/driver.ts';
import type { AmendmentRequest } from '../../../../src/contract/shipment-amendment.ts';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { addSeconds, formatInstant, type Instant, parseInstant } from '../../../../src/core/instant.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { CompanyNames } from '../../../../src/domain/companies/company.ts';
import { actOnShipment } from '../../../../src/domain/drivers/act.ts';
import { listOffers } from '../../../../src/domain/drivers/lists.ts';
import { readDeliveryWindows } from '../../../../src/domain/shipments/read-windows.ts';
import { monotonicMs } from '../../../../src/providers/system.ts';
import { ShipmentLanes } from '../../../../src/service/shipment-lanes.ts';
import { amend, previewOf } from '../../../support/dispatch/amendments.ts';
import { type MemoryShard, openMemoryShard, WELL } from '../../../support/dispatch/memory-shard.ts';
import { addDriver, addShipment, give, offerTo } from '../../../support/dispatch/shipments.ts';

/* What becomes of a delivery window, from the wish to the door. The clock starts on 21 November 2026 at noon in Riyadh. */

const at = (text: string): Instant => {
  const instant = parseInstant(text);
  if (instant === undefined) throw new Error(`No instant: ${text}`);
  return instant;
};
/** From five in the afternoon until eight, in Riyadh. */
const START = at('2026-11-21T14:00:00Z');
const END = at('2026-11-21T17:00:00Z');
/** From eight until eleven. */
const LATER_START = at('2026-11-21T17:00:00Z');
const ASK: AmendmentRequest = { windowStart: START };

let shard: MemoryShard;
let process: ReturnType<MemoryShard['process']>;
let driverId: Uuid;
let id: Uuid;
beforeEach(async () => {
  shard = openMemoryShard();
  process = shard.process();
  driverId = await addDriver(shard, process);
  id = await addShipment(shard, process);
  await give(shard, process, id, { name: 'APPROVE' });
  return () => shard.close();
});

const ask = (request: AmendmentRequest = ASK) => amend(shard, process, id, request);
const offer = (to = driverId) => give(shard, process, id, offerTo(shard, to));
const until = (instant: Instant, seconds = 0) =>
  shard.clock.advance(Number(addSeconds(instant, seconds) - shard.clock.now()) / 1_000_000);

async function act(action: DriverActionRequest['action'], more: Partial<DriverActionRequest> = {}, by = driverId) {
  const lane = new ShipmentLanes(() => process, monotonicMs);
  const done = await actOnShipment(
    { ...process, lane, later: () => undefined },
    { driverId: by, shard: 'shard-1', companyId: null },
    { action, ...more, shipmentId: id, correlationId: newId() },
  );
  if (!done.ok) throw new Error(`${action}: ${done.code}`);
  return done.value.shipment.deliveryWindow?.status ?? null;
}

async function windows() {
  const found = await readDeliveryWindows(process, shard.scope, id);
  if (!found.ok) throw new Error(found.code);
  return found.value;
}
const agreements = () =>
  shard.rows(
    `select body ->> '$.data.deliveryWindow.start', body ->> '$.data.deliveryWindow.status', body ->> '$.data.shipment.state'
     from events where type = 'delivery_window.agreed'`,
  );
const status = async () => (await windows()).window?.status ?? null;

async function accepted() {
  await ask();
  await offer();
  return act('ACCEPT');
}

async function outForDelivery() {
  await accepted();
  await act('PICK_UP');
  await act('DEPART');
}

describe('asking', () => {
  test('stores a window that is offered, in one amendment', async () => {
    expect((await windows()).window).toBeNull();
    expect(await ask()).toMatchObject({ ok: true, value: { shipment: { version: 2 } } });
    const window = { start: formatInstant(START), end: formatInstant(END), part: 'EVENING' };
    expect((await windows()).window).toEqual({ ...window, status: 'ASKED' });
    expect(await shard.rows('select changes, before, after from shipment_amendments')).toEqual([
      ['["DELIVERY_WINDOW"]', '{"deliveryWindow":null}', JSON.stringify({ deliveryWindow: window })],
    ]);
  });

  test('for the same window again changes nothing', async () => {
    await ask();
    expect(await ask()).toMatchObject({ ok: true, value: { shipment: { version: 2 } } });
  });

  test.each(['2026-11-21T13:00:00Z', '2026-11-21T08:00:00Z', '2026-11-24T14:00:00Z', '2026-11-21T14:00:00.000001Z'])(
    'for %s, which is not offered, is refused',
    async (start) => {
      const refused = { ok: false, violations: [{ field: 'windowStart', code: 'WINDOW_NOT_OFFERED' }] };
      expect(await ask({ windowStart: at(start) })).toMatchObject(refused);
    },
  );

  test('for a window that has begun is refused, unless the shipment has it already', async () => {
    await ask();
    until(START);
    expect(await ask()).toMatchObject({ ok: true, value: { shipment: { version: 2 } } });
    await ask({ windowStart: LATER_START });
    expect(await ask()).toMatchObject({ ok: false, code: 'VALIDATION_FAILED' });
  });

  test('is previewed until the window begins', async () => {
    expect(await previewOf(shard, process, id, ASK)).toMatchObject({
      allowed: true,
      changes: ['DELIVERY_WINDOW'],
      priceEffect: { lines: [] },
      validUntil: '2026-11-21T14:00:00.000000Z',
      endsWith: ['shipment.out_for_delivery', 'shipment.delivery_failed', 'shipment.cancelled'],
    });
  });
});

describe('a later pickup', () => {
  const pickup = (end: string) => ({ pickupWindowStart: addSeconds(at(end), -3600), pickupWindowEnd: at(end) });

  test('removes a window that it leaves no room for, and names that change', async () => {
    await ask();
    await ask(pickup('2026-11-21T13:30:00Z'));
    expect((await windows()).window).toBeNull();
    expect(
      await shard.rows("select changes, after ->> '$.deliveryWindow' from shipment_amendments where number = 2"),
    ).toEqual([['["PICKUP_WINDOW","DELIVERY_WINDOW"]', null]]);
    expect(await shard.rows('select delivery_window_start, delivery_window_end, window_status from shipments')).toEqual(
      [[null, null, null]],
    );
  });

  test('keeps one that it leaves room for', async () => {
    await ask();
    await ask(pickup('2026-11-21T12:30:00Z'));
    expect(await status()).toBe('ASKED');
  });

  test('may ask for another one, of those that the new pickup offers', async () => {
    await ask();
    const both = { ...pickup('2026-11-21T13:30:00Z'), windowStart: LATER_START };
    expect(await ask({ ...both, windowStart: START })).toMatchObject({ code: 'VALIDATION_FAILED' });
    await ask(both);
    expect((await windows()).window).toMatchObject({ start: '2026-11-21T17:00:00.000000Z', status: 'ASKED' });
  });
});

describe('a driver', () => {
  test('sees the window in the offer, and agrees to it by accepting', async () => {
    await ask();
    await offer();
    const offers = await listOffers(
      { ...process, cursors: process.priceLocks, companyNames: new CompanyNames(monotonicMs) },
      { driverId, shard: 'shard-1', companyId: null },
      { limit: 10, cursor: undefined },
    );
    expect(offers).toMatchObject({
      value: { data: [{ deliveryWindow: { start: '2026-11-21T14:00:00.000000Z', status: 'ASKED' } }] },
    });
    expect(await act('ACCEPT')).toBe('AGREED');
    expect(await status()).toBe('AGREED');
    expect(await agreements()).toEqual([['2026-11-21T14:00:00.000000Z', 'AGREED', 'ACCEPTED']]);
  });

  test.each([
    ['releases it', () => give(shard, process, id, { name: 'RELEASE', driverId })],
    [
      'loses it to an operator',
      () => give(shard, process, id, { name: 'REASSIGN', reasonCode: 'OTHER', comment: null }),
    ],
  ] as const)('who %s before the pickup no longer agrees', async (_does, leave) => {
    expect(await accepted()).toBe('AGREED');
    expect(await leave()).toMatchObject({ ok: true });
    expect(await status()).toBe('ASKED');
  });

  test('who takes over a parcel keeps what was agreed', async () => {
    await outForDelivery();
    const other = await addDriver(shard, process);
    const command = {
      name: 'TAKE_OVER',
      offerId: newId(),
      toDriverId: other,
      reasonCode: 'OTHER',
      comment: null,
    } as const;
    expect(await give(shard, process, id, command)).toMatchObject({ ok: true });
    until(START, 60);
    expect(await act('ARRIVE', {}, other)).toBe('MET');
  });

  test('agrees to a later wish by acknowledging it', async () => {
    await offer();
    await act('ACCEPT');
    await ask();
    expect(await status()).toBe('ASKED');
    expect(await act('ACKNOWLEDGE', { version: 3 })).toBe('ASKED');
    expect(await agreements()).toEqual([]);
    expect(await act('ACKNOWLEDGE', { version: 4 })).toBe('AGREED');
    expect(await act('ACKNOWLEDGE', { version: 4 })).toBe('AGREED');
    expect(await agreements()).toEqual([['2026-11-21T14:00:00.000000Z', 'AGREED', 'ACCEPTED']]);
    await ask({ windowStart: LATER_START });
    expect(await status()).toBe('ASKED');
  });

  test('who sets out on another device meanwhile agrees all the same', async () => {
    await offer();
    await act('ACCEPT');
    await act('PICK_UP');
    await ask();
    shard.wire.carry = async ({ isWrite }, run) => {
      if (!isWrite) return run();
      shard.wire.carry = WELL;
      await give(shard, shard.process(), id, { name: 'DEPART', driverId });
      return run();
    };
    expect(await act('ACKNOWLEDGE')).toBe('AGREED');
    expect(await agreements()).toEqual([['2026-11-21T14:00:00.000000Z', 'AGREED', 'OUT_FOR_DELIVERY']]);
  });

  test('does not agree to a window that is asked for while they read another', async () => {
    await offer();
    await act('ACCEPT');
    await ask();
    shard.wire.carry = async ({ isWrite }, run) => {
      if (!isWrite) return run();
      shard.wire.carry = WELL;
      await amend(shard, shard.process(), id, { windowStart: LATER_START });
      return run();
    };
    expect(await act('ACKNOWLEDGE')).toBe('ASKED');
    expect(await agreements()).toEqual([]);
    expect(await act('ACKNOWLEDGE')).toBe('AGREED');
    expect(await agreements()).toEqual([['2026-11-21T17:00:00.000000Z', 'AGREED', 'ACCEPTED']]);
  });

  test('agrees to nothing at the door any more', async () => {
    await offer();
    await act('ACCEPT');
    await act('PICK_UP');
    await ask();
    await act('DEPART');
    await act('ARRIVE');
    expect(await act('ACKNOWLEDGE')).toBe('ASKED');
    expect(await act('DELIVER')).toBe('ASKED');
    expect(await agreements()).toEqual([]);
  });
});

describe('at the door', () => {
  test.each([
    [START, 0, 'MET'],
    [END, -1, 'MET'],
    [START, -1, 'MISSED'],
    [END, 1, 'MISSED'],
  ])('the first arrival decides (%# %s)', async (instant, seconds, expected) => {
    await outForDelivery();
    until(instant, seconds);
    expect(await act('ARRIVE')).toBe(expected);
    until(START, 2 * 24 * 3600);
    expect(await act('ARRIVE')).toBe(expected);
    expect(await act('DELIVER')).toBe(expected);
    expect(await status()).toBe(expected);
  });

  test.each([
    [START, 60, 'MET'],
    [END, 60, 'MISSED'],
    [START, -60, 'MISSED'],
  ])('the delivery decides without an arrival (%# %s)', async (instant, seconds, expected) => {
    await outForDelivery();
    until(instant, seconds);
    expect(await act('DELIVER')).toBe(expected);
  });

  test.each([
    ['an arrival', 'ARRIVE'],
    ['a delivery without an arrival', 'DELIVER'],
  ] as const)('%s that waited for a connection counts when the driver tapped', async (_name, action) => {
    await outForDelivery();
    until(END, 1800);
    expect(await act(action, { takenAt: addSeconds(END, -60) })).toBe('MET');
    expect(await status()).toBe('MET');
  });

  test('a delivery that is refused decides nothing', async () => {
    await outForDelivery();
    until(END, 1800);
    const collected = { amount: literalDecimal('5'), method: 'CASH' } as const;
    await expect(act('DELIVER', { takenAt: addSeconds(END, -60), collected })).rejects.toThrow('VALIDATION_FAILED');
    expect(await status()).toBe('AGREED');
  });

  test.each([
    ['more than two hours ago', -2 * 3600 - 1],
    ['in the future', 60],
  ])('what was tapped %s counts when it came', async (_name, seconds) => {
    await outForDelivery();
    until(END, 3600);
    expect(await act('ARRIVE', { takenAt: addSeconds(shard.clock.now(), seconds) })).toBe('MISSED');
    expect(await act('DELIVER', { takenAt: addSeconds(shard.clock.now(), seconds) })).toBe('MISSED');
  });

  test('a change of something else does not take back what was met', async () => {
    await outForDelivery();
    until(START, 60);
    await act('ARRIVE');
    expect(await ask({ instructions: 'Ring twice' })).toMatchObject({ ok: true });
    expect(await status()).toBe('MET');
  });

  test('a delivery that fails before it decides nothing', async () => {
    await outForDelivery();
    await give(shard, process, id, { name: 'FAIL', driverId, reasonCode: 'RECIPIENT_REFUSED' });
    expect(await status()).toBe('AGREED');
  });
});

test('nothing is offered once the driver has set out, and nothing can be asked for', async () => {
  await outForDelivery();
  expect((await windows()).windowsOffered).toEqual([]);
  const members = { change: 'DELIVERY_WINDOW', reason: 'TOO_LATE', currentState: 'OUT_FOR_DELIVERY' };
  expect(await ask({ windowStart: LATER_START })).toEqual({ ok: false, code: 'AMENDMENT_NOT_ALLOWED', members });
});
