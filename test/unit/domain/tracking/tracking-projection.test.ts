import { describe, expect, it } from 'vitest';
import { SHIPMENT_STATES, type ShipmentState } from '../../../../src/contract/shipment-state.ts';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { addSeconds, instantFromMillis } from '../../../../src/core/instant.ts';
import { encodePolyline } from '../../../../src/core/polyline.ts';
import { viewTracking } from '../../../../src/domain/tracking/page-view.ts';
import {
  projectForMerchant,
  projectTracking,
  type Reader,
  type Tracked,
  type TrackedStep,
} from '../../../../src/domain/tracking/projection.ts';

const NOW = instantFromMillis(Date.parse('2026-11-21T09:00:00Z'));
const READER: Reader = {
  merchantName: 'Najd Coffee Roasters',
  baseUrl: 'https://api.example.com',
  locale: 'en',
  now: NOW,
};
const UNRATED = { stars: 0, ratedAt: null };
const before = (seconds: number) => addSeconds(NOW, -seconds);

const trackedIn = (state: ShipmentState, changes: Partial<Tracked> = {}): Tracked => ({
  shipmentNumber: 'SHP-7ZQ4N0K2RD5',
  state,
  destinationCity: 'RUH',
  paymentMethod: 'COD',
  codAmount: literalDecimal('94.5'),
  currency: 'SAR',
  merchantPhone: null,
  merchantWhatsApp: null,
  logoName: null,
  logoWidth: null,
  logoHeight: null,
  pickupWindowEnd: addSeconds(NOW, 3600),
  durationSeconds: 1196,
  geometry: '',
  firstName: 'Salem',
  vehicleType: 'VAN',
  latitude: literalDecimal('24.7311'),
  longitude: literalDecimal('46.6702'),
  positionAt: before(30),
  changedAt: before(60),
  held: 0,
  addressGate: 'ASK',
  searchFrom: null,
  deliveryWindowStart: null,
  deliveryWindowEnd: null,
  windowStatus: null,
  isLatestDeparture: 1,
  offersMade: 2,
  ...changes,
});
const project = (state: ShipmentState, changes?: Partial<Tracked>, steps: readonly TrackedStep[] = []) =>
  projectTracking(trackedIn(state, changes), steps, READER);

describe('the projection of a state', () => {
  const WINDOW_THEN_DRIVE = '2026-11-21T10:19:56.000000Z';
  const DRIVE = '2026-11-21T09:18:56.000000Z';
  const rows: readonly [ShipmentState, number, string | null, boolean, boolean, boolean, string][] = [
    // state, step, eta, driver, position, money due, label
    ['PENDING_APPROVAL', 1, WINDOW_THEN_DRIVE, false, false, true, 'Order received'],
    ['READY_FOR_DISPATCH', 1, WINDOW_THEN_DRIVE, false, false, true, 'Looking for a driver'],
    ['OFFERED', 1, WINDOW_THEN_DRIVE, false, false, true, 'Looking for a driver'],
    ['DISPATCH_UNRESOLVED', 1, null, false, false, true, 'No driver is available yet'],
    ['ACCEPTED', 2, WINDOW_THEN_DRIVE, true, false, true, 'The driver is on the way to collect it'],
    ['PICKED_UP', 3, DRIVE, true, false, true, 'The driver has collected it'],
    ['OUT_FOR_DELIVERY', 4, DRIVE, true, true, true, 'Out for delivery'],
    ['DELIVERED', 5, null, false, false, false, 'Delivered'],
    ['DELIVERY_FAILED', 1, null, false, false, false, 'Delivery did not succeed'],
    ['CANCELLED', 1, null, false, false, false, 'Cancelled'],
  ];

  it.each(rows)('%s', (state, step, eta, hasDriver, hasPosition, isDue, stateLabel) => {
    expect(project(state)).toEqual({
      shipmentNumber: 'SHP-7ZQ4N0K2RD5',
      merchantName: 'Najd Coffee Roasters',
      state,
      stateLabel,
      step,
      eta,
      arrival: null,
      driver: hasDriver ? { firstName: 'Salem', vehicleType: 'VAN' } : null,
      livePosition: hasPosition
        ? { latitude: '24.732', longitude: '46.67', recordedAt: '2026-11-21T08:59:30.000000Z' }
        : null,
      destinationCity: 'RUH',
      codDue: isDue ? { amount: '94.5', currency: 'SAR' } : null,
      timeline: [],
      locale: 'en',
      updatedAt: hasPosition ? '2026-11-21T08:59:30.000000Z' : '2026-11-21T08:59:00.000000Z',
    });
  });

  it('is tested for all states', () => {
    expect(rows.map(([state]) => state).toSorted()).toEqual(SHIPMENT_STATES.toSorted());
  });

  it.each(SHIPMENT_STATES)('%s has an Arabic label', (state) => {
    const { stateLabel, locale } = projectTracking(trackedIn(state), [], { ...READER, locale: 'ar' });
    expect(stateLabel).toMatch(/^[؀-ۿ ]+$/);
    expect(locale).toBe('ar');
  });
});

describe('the live position', () => {
  const ages: readonly [number, boolean][] = [
    [-5, true],
    [0, true],
    [119, true],
    [120, true],
    [120.000001, false],
    [121, false],
    [86_400, false],
  ];
  const table = SHIPMENT_STATES.flatMap((state) =>
    ages.map(([age, isFresh]) => [state, age, isFresh && state === 'OUT_FOR_DELIVERY'] as const),
  );
  it.each(table)('of a shipment that is %s, %d s old: %s', (state, age, isShown) => {
    const positionAt = addSeconds(NOW, -Math.floor(age)) - (age === 120.000001 ? 1n : 0n);
    const { livePosition } = project(state, { positionAt: positionAt as Tracked['positionAt'] });
    expect(livePosition !== null).toBe(isShown);
  });

  it.each([
    { latitude: null, longitude: null, positionAt: null },
    { positionAt: null },
    { latitude: null },
    { longitude: null },
    // The driver has departed with another shipment since.
    { isLatestDeparture: 0 },
  ])('is null without a position on the way to this recipient: %j', (changes) => {
    expect(project('OUT_FOR_DELIVERY', changes).livePosition).toBeNull();
  });

  it('sets updatedAt only while it is shown and newer than the state', () => {
    const updatedAt = (changes: Partial<Tracked>) => project('OUT_FOR_DELIVERY', changes).updatedAt;
    expect(updatedAt({ positionAt: before(90), changedAt: before(60) })).toBe('2026-11-21T08:59:00.000000Z');
    expect(updatedAt({ positionAt: before(20), changedAt: before(60) })).toBe('2026-11-21T08:59:40.000000Z');
    expect(updatedAt({ positionAt: before(200), changedAt: before(600) })).toBe('2026-11-21T08:50:00.000000Z');
  });
});

describe('the expected time', () => {
  it.each([
    ['ACCEPTED', { pickupWindowEnd: before(1195) }, '2026-11-21T09:00:01.000000Z'],
    ['ACCEPTED', { pickupWindowEnd: before(1196) }, null],
    ['READY_FOR_DISPATCH', { pickupWindowEnd: before(86_400) }, null],
    ['OUT_FOR_DELIVERY', { changedAt: before(1195) }, '2026-11-21T09:00:01.000000Z'],
    ['OUT_FOR_DELIVERY', { changedAt: before(1196) }, null],
    ['PICKED_UP', { changedAt: before(0), durationSeconds: 60 }, '2026-11-21T09:01:00.000000Z'],
  ] as const)('%s, row %#', (state, changes, eta) => {
    expect(project(state, changes).eta).toBe(eta);
  });
});

describe('a delivery window', () => {
  const [START, END] = [addSeconds(NOW, 7200), addSeconds(NOW, 18_000)];
  const windowed = (windowStatus: Tracked['windowStatus'], changes: Partial<Tracked> = {}): Partial<Tracked> => ({
    deliveryWindowStart: START,
    deliveryWindowEnd: END,
    windowStatus,
    ...changes,
  });
  const view = (state: ShipmentState, changes: Partial<Tracked>) => {
    const facts = {
      ...UNRATED,
      pickupWindowStart: NOW,
      geometry: '',
      pieces: 1,
      permissions: '[]',
      paid: null,
      followUp: null,
      photo: null,
    };
    const { tracking, expected, asked } = viewTracking(trackedIn(state, changes), [], { facts, reader: READER });
    return { eta: tracking.eta, expected, asked };
  };
  const PLAN = '2026-11-21T10:19:56.000000Z';

  it('is when the parcel is expected, once a driver has agreed to it', () => {
    for (const state of ['ACCEPTED', 'PICKED_UP', 'OUT_FOR_DELIVERY'] as const)
      expect(view(state, windowed('AGREED'))).toEqual({
        eta: '2026-11-21T14:00:00.000000Z',
        expected: { from: START, to: END, isLive: false },
        asked: null,
      });
  });

  it('is only shown as asked for before that', () => {
    expect(view('READY_FOR_DISPATCH', windowed('ASKED'))).toEqual({
      eta: PLAN,
      expected: { from: addSeconds(NOW, 1196), to: addSeconds(NOW, 4796), isLive: false },
      asked: { start: START, end: END },
    });
  });

  it.each([
    ['is over', { deliveryWindowEnd: NOW }],
    ['was met', { windowStatus: 'MET' }],
    ['was missed', { windowStatus: 'MISSED' }],
  ] as const)('that %s leaves the plan', (_why, changes) => {
    expect(view('ACCEPTED', windowed('AGREED', changes))).toMatchObject({ eta: PLAN, asked: null });
  });

  it.each(['CANCELLED', 'DELIVERY_FAILED', 'DELIVERED'] as const)('says nothing of a parcel that is %s', (state) => {
    expect(view(state, windowed('AGREED'))).toEqual({ eta: null, expected: null, asked: null });
    expect(view(state, windowed('ASKED')).asked).toBeNull();
  });

  it('counts less than where the driver is', () => {
    const pickup = { latitude: 24.7025, longitude: 46.6725 };
    const geometry = encodePolyline([
      pickup,
      { latitude: 24.79, longitude: 46.6725 },
      { latitude: 24.7921, longitude: 46.6702 },
    ]);
    const position = {
      latitude: literalDecimal('24.748'),
      longitude: literalDecimal('46.6725'),
      positionAt: before(0),
    };
    const live = view('OUT_FOR_DELIVERY', windowed('AGREED', { geometry, ...position }));
    expect(live).toMatchObject({ eta: '2026-11-21T09:20:00.000000Z', expected: { isLive: true } });
  });
});

describe('the arrival of a driver on the way', () => {
  /** Straight to the north, and doors in one cell of the grid. Both roads enter its area at the same point. */
  const PICKUP = { latitude: 24.7025, longitude: 46.6725 };
  const [DOOR, OTHER_DOOR] = [
    { latitude: 24.7921, longitude: 46.6702 },
    { latitude: 24.7949, longitude: 46.6748 },
  ];
  const routeTo = (door: typeof DOOR) => encodePolyline([PICKUP, { latitude: 24.79, longitude: 46.6725 }, door]);
  const at = (latitude: string, changes: Partial<Tracked> = {}) =>
    project('OUT_FOR_DELIVERY', {
      geometry: routeTo(DOOR),
      latitude: literalDecimal(latitude),
      longitude: literalDecimal('46.6725'),
      positionAt: before(0),
      ...changes,
    });
  const range = (from: string, to: string) => ({
    from: `2026-11-21T${from}:00.000000Z`,
    to: `2026-11-21T${to}:00.000000Z`,
  });

  it.each([
    ['at the pickup', '24.7025', range('09:15', '09:30')],
    ['half way', '24.748', range('09:05', '09:20')],
    ['at the door', '24.792', range('09:00', '09:05')],
  ] as const)('is a range of whole five minutes from the way that is left: %s', (_where, latitude, arrival) => {
    expect(at(latitude)).toMatchObject({ arrival, eta: arrival.to });
  });

  it('tells no door of a cell from another', () => {
    for (const latitude of ['24.71', '24.75', '24.79'])
      expect(at(latitude, { geometry: routeTo(OTHER_DOOR) })).toEqual(at(latitude));
  });

  it.each([
    ['the position is old', { positionAt: before(121) }],
    ['the driver has another shipment to deliver first', { isLatestDeparture: 0 }],
    ['the driver is far from the route', { longitude: literalDecimal('46.75') }],
    ['the route was forgotten', { geometry: '' }],
  ] as const)('is null, and the planned time counts, if %s', (_why, changes) => {
    expect(at('24.748', changes)).toMatchObject({ arrival: null, eta: '2026-11-21T09:18:56.000000Z' });
  });
});

describe('the driver', () => {
  it.each(['ACCEPTED', 'PICKED_UP', 'OUT_FOR_DELIVERY'] as const)('is null when %s has no driver', (state) => {
    expect(project(state, { firstName: null, vehicleType: null }).driver).toBeNull();
  });
});

describe('the money due', () => {
  it.each([
    [{ paymentMethod: 'PREPAID' }, null],
    [{ codAmount: literalDecimal('0') }, null],
    [{ codAmount: literalDecimal('0.01') }, { amount: '0.01', currency: 'SAR' }],
    [
      { codAmount: literalDecimal('12345678901234567.89'), currency: 'KWD' },
      { amount: '12345678901234567.89', currency: 'KWD' },
    ],
  ] as const)('%j', (changes, codDue) => {
    expect(project('OUT_FOR_DELIVERY', changes).codDue).toEqual(codDue);
  });
});

const step = (type: string, secondsAgo: number, previousState: ShipmentState | null = null): TrackedStep => ({
  type,
  previousState,
  occurredAt: before(secondsAgo),
});

describe('the tracking timeline', () => {
  const newestFirst = [
    step('shipment.driver_released', 10),
    step('shipment.accepted', 20),
    step('shipment.offer_declined', 30),
    step('shipment.approved', 40),
    step('shipment.created', 50),
  ];

  it('lists steps oldest first, with labels, without attempts of dispatch', () => {
    expect(project('READY_FOR_DISPATCH', {}, newestFirst).timeline).toEqual([
      { type: 'shipment.created', label: 'Order received', occurredAt: '2026-11-21T08:59:10.000000Z' },
      { type: 'shipment.approved', label: 'Order confirmed', occurredAt: '2026-11-21T08:59:20.000000Z' },
      { type: 'shipment.accepted', label: 'A driver was assigned', occurredAt: '2026-11-21T08:59:40.000000Z' },
      {
        type: 'shipment.driver_released',
        label: 'Another driver is being found',
        occurredAt: '2026-11-21T08:59:50.000000Z',
      },
    ]);
  });

  it('has Arabic labels', () => {
    const { timeline } = projectTracking(trackedIn('ACCEPTED'), newestFirst, { ...READER, locale: 'ar' });
    expect(timeline.map(({ label }) => label)).toEqual([
      'تم استلام الطلب',
      'تم تأكيد الطلب',
      'تم تعيين سائق',
      'جارٍ تعيين سائق آخر',
    ]);
  });
});

describe('the step of a failed or cancelled shipment is the step it had reached', () => {
  it.each([
    ['CANCELLED', 'shipment.cancelled', 'PENDING_APPROVAL', 1],
    ['CANCELLED', 'shipment.cancelled', 'DISPATCH_UNRESOLVED', 1],
    ['CANCELLED', 'shipment.cancelled', 'ACCEPTED', 2],
    ['DELIVERY_FAILED', 'shipment.delivery_failed', 'PICKED_UP', 3],
    ['DELIVERY_FAILED', 'shipment.delivery_failed', 'OUT_FOR_DELIVERY', 4],
  ] as const)('%s by %s from %s: %i', (state, type, from, expected) => {
    expect(project(state, {}, [step(type, 60, from)]).step).toBe(expected);
  });
});

describe('the phase of dispatch', () => {
  it.each([
    ['PENDING_APPROVAL', 0, 'AWAITING_APPROVAL'],
    ['PENDING_APPROVAL', 1, 'AWAITING_APPROVAL'],
    ['READY_FOR_DISPATCH', 0, 'SEARCHING'],
    ['READY_FOR_DISPATCH', 1, 'HELD'],
    ['OFFERED', 0, 'OFFERED'],
    ['DISPATCH_UNRESOLVED', 0, 'UNRESOLVED'],
    ['ACCEPTED', 0, 'ASSIGNED'],
    ['PICKED_UP', 0, 'ASSIGNED'],
    ['OUT_FOR_DELIVERY', 0, 'ASSIGNED'],
    ['DELIVERED', 0, 'ENDED'],
    ['DELIVERY_FAILED', 0, 'ENDED'],
    ['CANCELLED', 0, 'ENDED'],
  ] as const)('%s, held %i: %s', (state, held, phase) => {
    const { dispatch, ...rest } = projectForMerchant({ ...trackedIn(state, { held }), ...UNRATED }, [], READER);
    expect(dispatch).toEqual({ phase, offersMade: 2 });
    expect(rest).toEqual(project(state));
  });

  it.each([
    [1, 0, 'SCHEDULED'],
    [0, 0, 'SEARCHING'],
    [1, 1, 'HELD'],
  ] as const)('READY_FOR_DISPATCH, to be searched for in %i s, held %i: %s', (seconds, held, phase) => {
    const tracked = trackedIn('READY_FOR_DISPATCH', { held, searchFrom: addSeconds(NOW, seconds) });
    expect(projectForMerchant({ ...tracked, ...UNRATED }, [], READER).dispatch.phase).toBe(phase);
  });
});
