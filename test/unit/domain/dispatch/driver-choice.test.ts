import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { metersBetween } from '../../../../src/core/earth.ts';
import { instantFromMillis } from '../../../../src/core/instant.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { type Candidate, chooseDriver, type Search } from '../../../../src/domain/dispatch/driver.ts';
import { chooseServiceLevel, type ServiceLevel } from '../../../../src/domain/offers/service-level.ts';

const decimal = literalDecimal;
const idOf = (number: number) => `01a1fbdf-1dae-72c6-bbe1-${String(number).padStart(12, '0')}` as Uuid;
const COMPANY = idOf(900);

const pickup = { latitude: 24.7, longitude: 46.7 };
const search: Search = {
  companyId: COMPANY,
  cityCode: 'RUH',
  requirements: ['FRAGILE'],
  weightKilograms: decimal('10'),
  lengthCentimetres: decimal('100'),
  pickup,
  lastRefusedDriverId: null,
  refusals: [],
};

/** Eligible, a kilometre to the north, with one of five active shipments. */
function candidate(number: number, changes: Partial<Candidate> = {}): Candidate {
  return {
    id: idOf(number),
    companyId: null,
    cityCode: 'RUH',
    capabilities: new Set(['FRAGILE', 'SIGNATURE']),
    weightKilogramsMax: decimal('50'),
    lengthCentimetresMax: decimal('150'),
    isOnDuty: true,
    activeCount: 1,
    activeMax: 5,
    position: { latitude: 24.709, longitude: 46.7 },
    idleSince: instantFromMillis(1_795_000_000_000),
    ...changes,
  };
}

describe('rule 1: only eligible drivers are chosen', () => {
  test.each<[string, Partial<Candidate>]>([
    ['off duty', { isOnDuty: false }],
    ['in another city', { cityCode: 'JED' }],
    ['at their limit', { activeCount: 5 }],
    ['without a required capability', { capabilities: new Set(['SIGNATURE']) }],
    ['with too low a weight limit', { weightKilogramsMax: decimal('9.999999') }],
    ['with too low a length limit', { lengthCentimetresMax: decimal('99') }],
    ['of another company’s sandbox', { companyId: idOf(901) }],
  ])('not a driver %s, however near', (_why, changes) => {
    const best = { position: pickup, activeCount: 0, ...changes };
    expect(chooseDriver([candidate(1, best)], search)).toBeUndefined();
    expect(chooseDriver([candidate(1, best), candidate(2)], search)?.id).toBe(idOf(2));
  });

  test('a driver exactly at the limits is eligible', () => {
    const exact = candidate(1, {
      weightKilogramsMax: decimal('10'),
      lengthCentimetresMax: decimal('100'),
      activeCount: 4,
    });
    expect(chooseDriver([exact], search)?.id).toBe(idOf(1));
  });
});

describe('rule 0: a company with a driver of its own', () => {
  test('is served by that driver, even if others are nearer', () => {
    const own = candidate(2, { companyId: COMPANY });
    expect(chooseDriver([candidate(1, { position: pickup }), own], search)?.id).toBe(idOf(2));
  });

  test.each<[string, Partial<Candidate>]>([
    ['busy', { activeCount: 5 }],
    ['off duty', { isOnDuty: false }],
  ])('is served by nobody while that driver is %s', (_why, changes) => {
    const own = candidate(2, { companyId: COMPANY, ...changes });
    expect(chooseDriver([candidate(1), own], search)).toBeUndefined();
  });
});

test('a company’s own driver serves its branches in every city', () => {
  const own = candidate(1, { companyId: COMPANY, cityCode: 'RUH' });
  expect(chooseDriver([own, candidate(2, { cityCode: 'JED' })], { ...search, cityCode: 'JED' })).toBe(own);
});

test('rule 2: the driver who refused last is not chosen, even if there is no other', () => {
  const refused = { ...search, lastRefusedDriverId: idOf(1) };
  expect(chooseDriver([candidate(1)], refused)).toBeUndefined();
  expect(chooseDriver([candidate(1, { position: pickup }), candidate(2)], refused)?.id).toBe(idOf(2));
});

test('rule 3: everybody is asked before anybody is asked again, however near', () => {
  const refusals = [idOf(1), idOf(2)];
  const near = { position: pickup };
  const nearOnes = [candidate(1, near), candidate(2, near)];
  const again = { ...search, refusals, lastRefusedDriverId: idOf(2) };
  expect(chooseDriver([...nearOnes, candidate(3)], again)?.id).toBe(idOf(3));
  expect(chooseDriver(nearOnes, again)?.id).toBe(idOf(1));
  const twice = { ...again, refusals: [...refusals, idOf(1)], lastRefusedDriverId: idOf(3) };
  expect(chooseDriver([...nearOnes, candidate(3)], twice)?.id).toBe(idOf(2));
});

/** At a distance north of the pickup location. A degree of latitude is about 111 km. */
const at = (metres: number) => ({ position: { latitude: pickup.latitude + metres / 111_195, longitude: 46.7 } });

describe('the order of eligible drivers', () => {
  const unknown = { position: undefined };
  const later = instantFromMillis(1_795_000_000_001);

  test.each<[string, Partial<Candidate>, Partial<Candidate>]>([
    ['4: within 2 km, the fewest active', { ...at(1990), activeCount: 1 }, { ...at(10), activeCount: 2 }],
    ['4: within 2 km and equally busy, the nearest', at(1000), at(1001)],
    ['4: within 2 km before within 5 km', { ...at(1990), activeCount: 4 }, { ...at(2010), activeCount: 0 }],
    ['5: within 5 km, the nearest', { ...at(2010), activeCount: 4 }, { ...at(2020), activeCount: 0 }],
    ['5: within 5 km before an unknown position', { ...at(4990), activeCount: 4 }, { ...unknown, activeCount: 0 }],
    ['6: of unknown position, the fewest active', { ...unknown, activeCount: 1 }, { ...unknown, activeCount: 2 }],
    ['6: an unknown position before one farther away', { ...unknown, activeCount: 4 }, { ...at(5010), activeCount: 0 }],
    ['7: farther away, the nearest', { ...at(5010), activeCount: 4 }, { ...at(5020), activeCount: 0 }],
    ['8: at the same distance, the fewest active', { ...at(3000), activeCount: 1 }, { ...at(3000), activeCount: 2 }],
    ['8: then the longest idle', {}, { idleSince: later }],
  ])('rule %s', (_rule, winner, loser) => {
    expect(chooseDriver([candidate(2, winner), candidate(1, loser)], search)?.id).toBe(idOf(2));
    expect(chooseDriver([candidate(1, loser), candidate(2, winner)], search)?.id).toBe(idOf(2));
  });

  test('rule 8: then the lowest id', () => {
    expect(chooseDriver([candidate(2), candidate(1), candidate(3)], search)?.id).toBe(idOf(1));
  });
});

test('the choice does not depend on the order of the candidates', () => {
  // Few different values, so that ties of every depth occur.
  const changes = fc.record({
    isOnDuty: fc.constantFrom(true, true, true, false),
    activeCount: fc.integer({ min: 0, max: 5 }),
    position: fc.constantFrom(
      undefined,
      pickup,
      { latitude: 24.709, longitude: 46.7 },
      { latitude: 24.691, longitude: 46.7 },
    ),
    idleSince: fc.integer({ min: 0, max: 2 }).map((step) => instantFromMillis(1_795_000_000_000 + step)),
  });
  const shuffled = fc
    .array(changes, { minLength: 1, maxLength: 8 })
    .map((list) => list.map((change, index) => candidate(index + 1, change)))
    .chain((candidates) =>
      fc.tuple(
        fc.constant(candidates),
        fc.shuffledSubarray(candidates, { minLength: candidates.length, maxLength: candidates.length }),
      ),
    );
  fc.assert(
    fc.property(shuffled, ([candidates, others]) => {
      expect(chooseDriver(others, search)?.id).toBe(chooseDriver(candidates, search)?.id);
    }),
  );
});

test.each([
  { to: { latitude: 24.7, longitude: 46.7 }, meters: 0 },
  { to: { latitude: 25.7, longitude: 46.7 }, meters: 111_195 },
  { to: { latitude: 21.543333, longitude: 39.151667 }, meters: 845_000 },
])('about $meters m to $to', ({ to, meters }) => {
  expect(Math.abs(metersBetween(pickup, to) - meters)).toBeLessThan(1 + meters / 100);
});

describe('service levels', () => {
  const level = (code: string, changes: Partial<ServiceLevel> = {}): ServiceLevel => ({
    code,
    capabilities: new Set(['FRAGILE']),
    cities: new Set(['RUH']),
    weightKilogramsMax: decimal('50'),
    lengthCentimetresMax: decimal('150'),
    rank: 10,
    isActive: true,
    ...changes,
  });

  test.each<[string, ServiceLevel[], string | undefined]>([
    ['the lowest rank', [level('B', { rank: 5 }), level('A')], 'B'],
    ['then the first by code', [level('B'), level('A')], 'A'],
    ['not an inactive one', [level('A', { isActive: false })], undefined],
    ['not for another city', [level('A', { cities: new Set(['JED']) })], undefined],
    [
      'not one with too low a weight limit',
      [level('A', { weightKilogramsMax: decimal('9.5') }), level('B', { rank: 20 })],
      'B',
    ],
    ['not without a capability', [level('A', { capabilities: new Set() })], undefined],
    ['no service level if there are none', [], undefined],
  ])('%s', (_rule, levels, code) => {
    expect(chooseServiceLevel(levels, search)?.code).toBe(code);
  });
});
