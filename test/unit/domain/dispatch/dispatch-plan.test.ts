import { describe, expect, test } from 'vitest';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { addSeconds, instantFromMillis } from '../../../../src/core/instant.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { type DispatchWaits, planDispatch } from '../../../../src/domain/dispatch/plan.ts';

type Waiting = Parameters<typeof planDispatch>[0][number];
type Driver = Parameters<typeof planDispatch>[1][number];

const now = instantFromMillis(1_795_224_000_000);
const waits: DispatchWaits = {
  offerSeconds: 60,
  candidateSeconds: 900,
  lookSeconds: 5,
  leadSeconds: null,
  silenceSeconds: null,
};
const decimal = literalDecimal;
const idOf = (number: number) => `01a1fbdf-1dae-72c6-bbe1-${String(number).padStart(12, '0')}` as Uuid;

function waiting(number: number, changes: Partial<Waiting> = {}): Waiting {
  return {
    shipmentId: idOf(number),
    companyId: idOf(900),
    serviceLevelCode: 'STANDARD',
    cityCode: 'RUH',
    lengthCentimetres: decimal('0'),
    dueAt: now,
    addressGate: 'ASK',
    readySince: addSeconds(now, -number),
    searchSince: addSeconds(now, -number),
    searchOffers: 0,
    refusesDrivers: 0,
    lastRefusedDriverId: null,
    refusals: '[]',
    requirements: '[]',
    totalWeightKilograms: decimal('1'),
    pickup: JSON.stringify({ latitude: '24.7', longitude: '46.7' }),
    ...changes,
  };
}

function driver(number: number, changes: Partial<Driver> = {}): Driver {
  return {
    id: idOf(number),
    phone: '+966500000001',
    firstName: 'Salem',
    vehicleType: 'CAR',
    companyId: null,
    capabilities: '[]',
    weightKilogramsMax: decimal('50'),
    lengthCentimetresMax: decimal('150'),
    cityCode: 'RUH',
    status: 'ACTIVE',
    onDuty: 1,
    activeCount: 0,
    activeMax: 3,
    latitude: decimal('24.71'),
    longitude: decimal('46.7'),
    positionAt: now,
    idleSince: now,
    missedOffers: 0,
    seenAt: null,
    offDutyReason: null,
    createdAt: now,
    updatedAt: now,
    version: 0,
    ...changes,
  };
}

const range = (count: number) => Array.from({ length: count }, (_value, index) => index + 1);

describe('one plan', () => {
  test('offers the longest waiting of 50 shipments to one driver with three places: exactly three', () => {
    const steps = planDispatch(
      range(50).map((number) => waiting(number)),
      [driver(100)],
      waits,
      now,
    );
    const offers = steps.filter((step) => step.kind === 'offer');
    expect(offers).toEqual(
      [50, 49, 48].map((number) => ({
        kind: 'offer',
        shipmentId: idOf(number),
        driverId: idOf(100),
        expiresAt: addSeconds(now, 60),
      })),
    );
    expect(steps.filter((step) => step.kind === 'wait')).toHaveLength(47);
    expect(new Set(steps.map(({ shipmentId }) => shipmentId)).size).toBe(50);
  });

  test('counts planned offers, so that two equal drivers take turns', () => {
    const drivers = [driver(100), driver(101)];
    const steps = planDispatch(
      range(6).map((number) => waiting(number)),
      drivers,
      waits,
      now,
    );
    expect(steps.map((step) => (step.kind === 'offer' ? step.driverId : step.kind))).toEqual(
      [100, 101, 100, 101, 100, 101].map(idOf),
    );
  });

  test('never offers a shipment twice in a row to one driver, even to the only one', () => {
    const [step] = planDispatch([waiting(1, { lastRefusedDriverId: idOf(100) })], [driver(100)], waits, now);
    expect(step?.kind).toBe('wait');
  });
});

describe('without a candidate', () => {
  const givesUp = (reasonCode: string) => ({ kind: 'give_up', shipmentId: idOf(1), reasonCode });

  test.each([
    { waited: 0, step: { kind: 'wait', shipmentId: idOf(1), dueAt: addSeconds(now, 900) } },
    { waited: 899, step: { kind: 'wait', shipmentId: idOf(1), dueAt: addSeconds(now, 1) } },
    { waited: 900, step: givesUp('NO_DRIVER') },
    { waited: 5000, step: givesUp('NO_DRIVER') },
  ])('after $waited s: $step.kind', ({ waited, step }) => {
    const row = waiting(1, { readySince: addSeconds(now, -waited), searchSince: now });
    expect(planDispatch([row], [], waits, now)).toEqual([step]);
  });

  test('offers the shipment to a candidate that appears at the end of the wait', () => {
    const row = waiting(1, { readySince: addSeconds(now, -900), searchSince: now });
    expect(planDispatch([row], [driver(100)], waits, now)[0]?.kind).toBe('offer');
  });

  test('waits for a search that begins later, even if a driver is free', () => {
    const later = addSeconds(now, 60);
    const row = waiting(1, { readySince: later, searchSince: later });
    expect(planDispatch([row], [driver(100)], waits, now)).toEqual([
      { kind: 'wait', shipmentId: idOf(1), dueAt: later },
    ]);
  });

  test('waits no longer than the whole search may take', () => {
    const row = waiting(1, { readySince: now, searchSince: addSeconds(now, -1799) });
    expect(planDispatch([row], [], waits, now)).toEqual([
      { kind: 'wait', shipmentId: idOf(1), dueAt: addSeconds(now, 1) },
    ]);
  });
});

describe('with a free driver', () => {
  test.each([
    { what: 'no service level', row: { serviceLevelCode: null }, reasonCode: 'NO_SERVICE_LEVEL' },
    { what: 'a scenario without drivers', row: { refusesDrivers: 1 }, reasonCode: 'NO_DRIVER' },
    { what: 'twelve offers in this search', row: { searchOffers: 12 }, reasonCode: 'OFFERS_DECLINED' },
    { what: 'a search of 30 minutes', row: { searchSince: addSeconds(now, -1800) }, reasonCode: 'SEARCH_TIMED_OUT' },
  ])('gives up after $what', ({ row, reasonCode }) => {
    expect(planDispatch([waiting(1, row)], [driver(100)], waits, now)).toEqual([
      { kind: 'give_up', shipmentId: idOf(1), reasonCode },
    ]);
  });

  test.each([
    { what: 'eleven offers', row: { searchOffers: 11 } },
    { what: 'a search of one second less than 30 minutes', row: { searchSince: addSeconds(now, -1799) } },
  ])('still offers after $what', ({ row }) => {
    expect(planDispatch([waiting(1, row)], [driver(100)], waits, now)[0]?.kind).toBe('offer');
  });
});

describe('the position of a driver', () => {
  test('does not count when it is older than 15 minutes', () => {
    const stale = driver(100, { latitude: decimal('24.7'), positionAt: addSeconds(now, -901) });
    const current = driver(101, { latitude: decimal('24.73'), positionAt: addSeconds(now, -900), activeCount: 2 });
    expect(planDispatch([waiting(1)], [stale, current], waits, now)[0]).toMatchObject({ driverId: idOf(101) });
  });
});
