import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AmendmentChange } from '../../../../src/contract/amendment-state.ts';
import type { AmendmentRequest } from '../../../../src/contract/shipment-amendment.ts';
import type { ShipmentState } from '../../../../src/contract/shipment-state.ts';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { addSeconds, formatInstant, instantFromMillis } from '../../../../src/core/instant.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { amend, pin, previewOf } from '../../../support/dispatch/amendments.ts';
import { type MemoryShard, openMemoryShard } from '../../../support/dispatch/memory-shard.ts';
import { addDriver, addShipment, give, offerTo } from '../../../support/dispatch/shipments.ts';

/* What can be amended, until when, and what an amendment leaves as it is. */

vi.setConfig({ testTimeout: 20_000 });

let shard: MemoryShard;
let process: ReturnType<MemoryShard['process']>;
let driverId: Uuid;
beforeAll(async () => {
  shard = openMemoryShard();
  process = shard.process();
  driverId = await addDriver(shard, process, { activeMax: 500 });
});
afterAll(() => shard.close());

const decimal = literalDecimal;
const STATES = [
  'PENDING_APPROVAL',
  'READY_FOR_DISPATCH',
  'DISPATCH_UNRESOLVED',
  'OFFERED',
  'ACCEPTED',
  'PICKED_UP',
  'OUT_FOR_DELIVERY',
  'DELIVERED',
  'DELIVERY_FAILED',
  'CANCELLED',
] as const satisfies readonly ShipmentState[];

/** A shipment of 50 SAR to collect, in a state. */
async function shipmentIn(state: ShipmentState): Promise<Uuid> {
  const id = await addShipment(shard, process, { codAmount: decimal('50'), paymentMethod: 'COD' });
  const steps: Readonly<Record<ShipmentState, string>> = {
    PENDING_APPROVAL: '',
    READY_FOR_DISPATCH: 'APPROVE',
    DISPATCH_UNRESOLVED: 'APPROVE GIVE_UP',
    OFFERED: 'APPROVE OFFER',
    ACCEPTED: 'APPROVE OFFER ACCEPT',
    PICKED_UP: 'APPROVE OFFER ACCEPT PICK_UP',
    OUT_FOR_DELIVERY: 'APPROVE OFFER ACCEPT PICK_UP DEPART',
    DELIVERED: 'APPROVE OFFER ACCEPT PICK_UP DEPART DELIVER',
    DELIVERY_FAILED: 'APPROVE OFFER ACCEPT PICK_UP DEPART FAIL',
    CANCELLED: 'CANCEL',
  };
  for (const name of steps[state].split(' ').filter((step) => step !== '')) await take(id, name);
  return id;
}

async function take(id: Uuid, name: string): Promise<void> {
  const done = await give(
    shard,
    process,
    id,
    name === 'OFFER'
      ? offerTo(shard, driverId)
      : name === 'GIVE_UP'
        ? { name, reasonCode: 'NO_DRIVER' }
        : name === 'FAIL'
          ? { name, driverId, reasonCode: 'RECIPIENT_REFUSED' }
          : name === 'CANCEL'
            ? { name, reasonCode: 'OTHER', comment: null }
            : name === 'APPROVE'
              ? { name }
              : { name: name as 'ACCEPT', driverId },
  );
  if (!done.ok) throw new Error(`${name}: ${done.code}`);
}

/** The states in which each change is allowed, written by hand. */
const ANY = STATES.slice(0, 7);
const BEFORE_DEPARTURE = STATES.slice(0, 6);
const BEFORE_PICK_UP = STATES.slice(0, 5);
const BEFORE_OFFER = STATES.slice(0, 3);
const window = (seconds: number) => ({
  pickupWindowStart: addSeconds(shard.clock.now(), seconds),
  pickupWindowEnd: addSeconds(shard.clock.now(), seconds + 3600),
});
const ROWS: readonly (readonly [AmendmentChange, () => AmendmentRequest, readonly ShipmentState[]])[] = [
  ['PLACE', () => ({ place: { kind: 'DOOR', note: 'behind the plant' } }), ANY],
  ['INSTRUCTIONS', () => ({ instructions: 'The bell is broken' }), ANY],
  ['LOCATION', () => pin('24.77'), BEFORE_DEPARTURE],
  ['SHORT_ADDRESS', () => ({ shortAddress: 'RRRD2929' }), BEFORE_DEPARTURE],
  ['ADDRESS_LINE', () => ({ addressLine: '2 King Fahd Road' }), BEFORE_DEPARTURE],
  ['RECIPIENT_NAME', () => ({ recipient: { name: 'Noura' } }), BEFORE_PICK_UP],
  ['RECIPIENT_PHONE', () => ({ recipient: { phone: '0511111111' } }), BEFORE_PICK_UP],
  ['ALTERNATE_CONTACT', () => ({ recipient: { alternateContactPhone: '0522222222' } }), BEFORE_PICK_UP],
  ['PICKUP_WINDOW', () => window(7200), BEFORE_OFFER],
  // Five in the afternoon in Riyadh, on the day of the clock.
  ['DELIVERY_WINDOW', () => ({ windowStart: instantFromMillis(Date.parse('2026-11-21T14:00:00Z')) }), BEFORE_DEPARTURE],
  ['COD_AMOUNT_LOWERED', () => ({ codAmount: decimal('0') }), ANY],
  ['COD_AMOUNT_RAISED', () => ({ codAmount: decimal('50.5') }), BEFORE_PICK_UP],
];
const CELLS = ROWS.flatMap(([change, request, allowed]) =>
  STATES.map((state) => ({ change, request, state, isAllowed: allowed.includes(state) })),
);

interface Snapshot {
  readonly state: string;
  readonly version: number;
  readonly due: unknown;
  readonly driver: unknown;
  readonly ready: unknown;
  readonly events: number;
}

async function snapshot(id: Uuid): Promise<Snapshot> {
  const [[state, version, due, driver, ready] = []] = await shard.rows(
    'select state, version, due_at, driver_id, ready_since from shipments where id = ?',
    [id],
  );
  const [[events] = []] = await shard.rows('select count(*) from shipment_events where shipment_id = ?', [id]);
  return { state: String(state), version: Number(version), due, driver, ready, events: Number(events) };
}

describe.each(CELLS)('$change in $state', ({ change, request, state, isAllowed }) => {
  test(isAllowed ? 'is allowed, and nothing but the version and one event tells of it' : 'is refused', async () => {
    const id = await shipmentIn(state);
    const before = await snapshot(id);
    const wish = request();
    const preview = await previewOf(shard, process, id, wish);
    const done = await amend(shard, process, id, wish);
    if (!isAllowed) {
      expect(preview).toMatchObject({ allowed: false, violations: [{ change, reason: 'TOO_LATE' }], endsWith: [] });
      const members = { change, reason: 'TOO_LATE', currentState: state };
      expect(done).toEqual({ ok: false, code: 'AMENDMENT_NOT_ALLOWED', members });
      expect(await snapshot(id)).toEqual(before);
      return;
    }
    expect(preview).toMatchObject({ allowed: true, changes: [change], violations: [], version: before.version });
    expect(done).toMatchObject({ ok: true, value: { shipment: { state, version: before.version + 1 } } });
    expect(await snapshot(id)).toEqual({ ...before, version: before.version + 1, events: before.events + 1 });
    const [[type, previous, after, note] = []] = await shard.rows(
      'select type, previous_state, state, note from shipment_events where shipment_id = ? order by sequence desc limit 1',
      [id],
    );
    expect([type, previous, after, note]).toEqual(['shipment.amended', state, state, change]);
  });
});

test('a repeat changes nothing, whatever version it names', async () => {
  const id = await shipmentIn('ACCEPTED');
  const wish: AmendmentRequest = { instructions: 'Ring twice', recipient: { alternateContactName: 'Huda' } };
  expect(await amend(shard, process, id, wish)).toMatchObject({ ok: true, value: { shipment: { version: 4 } } });
  const before = await snapshot(id);
  for (const versions of [[3], [4]]) {
    const repeat = await amend(shard, process, id, wish, { precondition: { kind: 'versions', versions } });
    expect(repeat).toMatchObject({ ok: true, value: { shipment: { version: 4 } } });
  }
  expect(await snapshot(id)).toEqual(before);
});

test('null and an empty text remove what was there', async () => {
  const id = await shipmentIn('PENDING_APPROVAL');
  await amend(shard, process, id, { instructions: 'Ring', recipient: { alternateContactName: 'Huda' } });
  const removed = await amend(shard, process, id, { instructions: '', recipient: { alternateContactName: null } });
  expect(removed).toMatchObject({ ok: true, value: { shipment: { instructions: null, alternateContactName: null } } });
});

test.each([
  [{}, ['body REQUIRED']],
  [{ reasonCode: 'OTHER' } as const, ['body REQUIRED']],
  [{ pickupWindowStart: -3600 }, ['pickupWindowEnd REQUIRED']],
  [{ pickupWindowEnd: 3600 }, ['pickupWindowStart REQUIRED']],
  [{ pickupWindowStart: 3600, pickupWindowEnd: 3600 }, ['pickupWindowEnd WINDOW_ORDER_INVALID']],
  [{ pickupWindowStart: -7200, pickupWindowEnd: -3600 }, ['pickupWindowEnd WINDOW_IN_PAST']],
  [{ codAmount: decimal('0.005') }, ['codAmount SCALE_EXCEEDED', 'codAmount COD_METHOD_REQUIRED']],
])(
  'a request that breaks a rule is 422: %o',
  async ({ pickupWindowStart, pickupWindowEnd, ...rest }: Wish, expected) => {
    const id = await addShipment(shard, process);
    const now = shard.clock.now();
    const at = (seconds: number | undefined) => (seconds === undefined ? undefined : addSeconds(now, seconds));
    const wish = { ...rest, pickupWindowStart: at(pickupWindowStart), pickupWindowEnd: at(pickupWindowEnd) };
    const refused = await amend(shard, process, id, wish);
    if (refused.ok || refused.violations === undefined) throw new Error(`Not refused: ${JSON.stringify(refused)}`);
    expect(refused.violations.map(({ field, code }) => `${field} ${code}`)).toEqual(expected);
  },
);
interface Wish extends Omit<AmendmentRequest, 'pickupWindowStart' | 'pickupWindowEnd'> {
  readonly pickupWindowStart?: number;
  readonly pickupWindowEnd?: number;
}

test('a preview holds until the pickup window that it asks for has ended', async () => {
  const id = await shipmentIn('PENDING_APPROVAL');
  const wish = window(7200);
  const told = await previewOf(shard, process, id, wish);
  expect(told).toMatchObject({ allowed: true, validUntil: formatInstant(wish.pickupWindowEnd) });
  expect(await previewOf(shard, process, id, { instructions: 'Ring' })).toMatchObject({ validUntil: null });
});

test('one change that is too late refuses all of them', async () => {
  const id = await shipmentIn('OUT_FOR_DELIVERY');
  const before = await snapshot(id);
  const refused = await amend(shard, process, id, { instructions: 'Ring', addressLine: '3 Olaya Street' });
  expect(refused).toMatchObject({ code: 'AMENDMENT_NOT_ALLOWED', members: { change: 'ADDRESS_LINE' } });
  expect(await snapshot(id)).toEqual(before);
});

test('the twenty-first amendment is refused', async () => {
  const id = await shipmentIn('ACCEPTED');
  for (let number = 1; number <= 20; number += 1) {
    expect(await amend(shard, process, id, { instructions: `Number ${number}` })).toMatchObject({ ok: true });
  }
  const members = { change: 'INSTRUCTIONS', reason: 'LIMIT_REACHED', currentState: 'ACCEPTED' };
  const refused = await amend(shard, process, id, { instructions: 'Number 21' });
  expect(refused).toEqual({ ok: false, code: 'AMENDMENT_NOT_ALLOWED', members });
  expect(await amend(shard, process, id, { instructions: 'Number 20' })).toMatchObject({ ok: true });
});

test('a change that another one overtakes is planned anew, three times at most', async () => {
  const id = await shipmentIn('READY_FOR_DISPATCH');
  let left = 2;
  let made = 0;
  const before = async () => {
    if (left === 0) return;
    left -= 1;
    made += 1;
    await amend(shard, process, id, { instructions: `Meanwhile ${made}` });
  };
  const done = await amend(shard, process, id, pin('24.76'), { before });
  expect(done).toMatchObject({ ok: true, value: { shipment: { version: 4, instructions: 'Meanwhile 2' } } });
  left = 3;
  expect(await amend(shard, process, id, pin('24.77'), { before })).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  left = 1;
  const precondition = { kind: 'versions', versions: [7] } as const;
  const stale = await amend(shard, process, id, pin('24.77'), { before, precondition });
  expect(stale).toMatchObject({ code: 'PRECONDITION_FAILED', members: { currentVersion: 8 } });
});

describe('a search that begins before the pickup window', () => {
  const LEAD = 600;
  /** Begins its search in 6,600 s, ten minutes before its window. */
  async function scheduled(state: ShipmentState): Promise<Uuid> {
    const id = await addShipment(shard, process, window(7200));
    await shard.rows(`update shipments set search_from = pickup_window_start - ${LEAD} * 1000000 where id = '${id}'`);
    if (state === 'READY_FOR_DISPATCH') await take(id, 'APPROVE');
    return id;
  }
  const searchOf = async (id: Uuid) => {
    const [row = []] = await shard.rows(
      `select pickup_window_start - search_from, due_at - search_from, ready_since - search_from, search_since - search_from
       from shipments where id = ?`,
      [id],
    );
    return row.map((value) => (value === null ? null : Math.round(Number(value) / 1_000_000)));
  };

  test.each([3600, 20_000])('moves with it to a window in %i s', async (seconds) => {
    const id = await scheduled('READY_FOR_DISPATCH');
    expect(await searchOf(id)).toEqual([LEAD, 0, 0, 0]);
    expect(await amend(shard, process, id, window(seconds))).toMatchObject({ ok: true });
    expect(await searchOf(id)).toEqual([LEAD, 0, 0, 0]);
  });

  test('begins at once if the new window has begun', async () => {
    const id = await scheduled('READY_FOR_DISPATCH');
    expect(await amend(shard, process, id, window(-60))).toMatchObject({ ok: true });
    expect(await searchOf(id)).toEqual([LEAD, 660, 660, 660]);
  });

  test('does not approve a shipment sooner', async () => {
    const id = await scheduled('PENDING_APPROVAL');
    const before = await snapshot(id);
    expect(await amend(shard, process, id, window(-60))).toMatchObject({ ok: true });
    expect(await snapshot(id)).toMatchObject({ due: before.due, ready: null });
  });
});
