import { describe, expect, test } from 'vitest';
import { literalDecimal } from '../../../src/core/decimal.ts';
import { addMicros, addSeconds, instantFromMillis } from '../../../src/core/instant.ts';
import type { Uuid } from '../../../src/core/uuid.ts';
import { type DispatchWaits, planDispatch } from '../../../src/domain/dispatch/plan.ts';

type Waiting = Parameters<typeof planDispatch>[0][number];
type Driver = Parameters<typeof planDispatch>[1][number];

const now = instantFromMillis(1_795_224_000_000);
const waits: DispatchWaits = { offerSeconds: 60, candidateSeconds: 900, lookSeconds: 5 };
const decimal = literalDecimal;
const idOf = (number: number) => `01a1fbdf-1dae-72c6-bbe1-${String(number).padStart(12, '0')}` as Uuid;

function waiting(number: number, changes: Partial<Waiting> = {}): Waiting {
  return {
    shipmentId: idOf(number),
    companyId: idOf(900),
    serviceLevelCode: 'STANDARD',
    cityCode: 'RUH',
    lengthCentimetres: decimal('0'),
    readySince: addSeconds(now, -number),
    lastRefusedDriverId: null,
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
    expect(steps.filter((step) => step.kind === 'look_again')).toHaveLength(47);
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
    expect(step?.kind).toBe('look_again');
  });
});

describe('without a candidate', () => {
  test.each([
    { waited: 0, step: { kind: 'look_again', shipmentId: idOf(1), dueAt: addSeconds(now, 5) } },
    { waited: 894, step: { kind: 'look_again', shipmentId: idOf(1), dueAt: addSeconds(now, 5) } },
    // The last search is at the deadline, not after it.
    { waited: 897, step: { kind: 'look_again', shipmentId: idOf(1), dueAt: addSeconds(now, 3) } },
    { waited: 900, step: { kind: 'give_up', shipmentId: idOf(1) } },
    { waited: 5000, step: { kind: 'give_up', shipmentId: idOf(1) } },
  ])('after $waited s the step is $step.kind', ({ waited, step }) => {
    expect(planDispatch([waiting(1, { readySince: addSeconds(now, -waited) })], [], waits, now)).toEqual([step]);
  });

  test('shipments of one second are searched together next time', () => {
    const looks = [0, 400_000, 999_999].flatMap((micros) =>
      planDispatch([waiting(1)], [], waits, addMicros(now, micros)),
    );
    const together = { kind: 'look_again', shipmentId: idOf(1), dueAt: addSeconds(now, 5) };
    expect(looks).toEqual([together, together, together]);
  });

  test('a driver found at the last search gets the offer', () => {
    const [step] = planDispatch([waiting(1, { readySince: addSeconds(now, -900) })], [driver(100)], waits, now);
    expect(step?.kind).toBe('offer');
  });

  test('without a service level the search ends at once', () => {
    const steps = planDispatch([waiting(1, { serviceLevelCode: null })], [driver(100)], waits, now);
    expect(steps).toEqual([{ kind: 'give_up', shipmentId: idOf(1) }]);
  });
});
