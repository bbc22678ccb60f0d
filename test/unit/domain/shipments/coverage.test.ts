import { expect, test } from 'vitest';
import type { Database } from '../../../../db/database.ts';
import { instantFromMillis } from '../../../../src/core/instant.ts';
import { realClock } from '../../../../src/domain/clocks/company-clock.ts';
import { ServiceLevelBook } from '../../../../src/domain/offers/service-level-book.ts';
import { TariffBook } from '../../../../src/domain/pricing/tariff-book.ts';
import { listCapabilities, listCities } from '../../../../src/domain/shipments/coverage.ts';

/* Cities and capabilities, from a tariff of two cities and three service levels of which one is inactive. */

const TARIFF = { version: 1, effectiveFrom: instantFromMillis(0), citySurcharges: '{"RUH":"0","XYZ":"7.5"}' };
const LEVELS = [
  levelOf({
    capabilities: '["FRAGILE"]',
    cities: '["RUH","JED"]',
    weightKilogramsMax: '9',
    lengthCentimetresMax: '80',
  }),
  levelOf({
    capabilities: '["FRAGILE","X_1"]',
    cities: '["RUH"]',
    weightKilogramsMax: '10',
    lengthCentimetresMax: '60',
  }),
  levelOf({ capabilities: '["GONE"]', cities: '["XYZ"]', status: 'INACTIVE' }),
];

function levelOf(changes: Record<string, string>) {
  return { code: 'A', rank: 1, status: 'ACTIVE', weightKilogramsMax: '1', lengthCentimetresMax: '1', ...changes };
}

function databaseOf(rows: readonly unknown[] | undefined): Database {
  const read = () => Promise.resolve(rows === undefined ? { ok: false } : { ok: true, rows });
  return { id: 'any', read } as unknown as Database;
}

function coverage({
  tariffs = [TARIFF],
  levels = LEVELS,
}: {
  tariffs?: unknown[];
  levels?: unknown[] | undefined;
} = {}) {
  return {
    database: databaseOf(levels),
    directory: { database: databaseOf(tariffs) },
    clock: realClock({ now: () => instantFromMillis(1) }),
    tariffBook: new TariffBook(() => 0),
    serviceLevelBook: new ServiceLevelBook(() => 0),
  };
}

test('a city is serviced if an active service level delivers to it, and one without a name shows its code', async () => {
  expect(await listCities(coverage())).toEqual({
    ok: true,
    value: {
      data: [
        { cityCode: 'RUH', name: 'Riyadh', nameAr: 'الرياض', serviced: true, surcharge: '0' },
        { cityCode: 'XYZ', name: 'XYZ', nameAr: 'XYZ', serviced: false, surcharge: '7.5' },
      ],
    },
  });
});

test('a capability has the largest limits of the active service levels that offer it', async () => {
  const proof = (code: string, title: string, titleAr: string) => {
    return { code, title, titleAr, cities: ['JED', 'RUH'], weightKilogramsMax: null, lengthCentimetresMax: null };
  };
  const unnamed = { code: 'X_1', title: 'X_1', titleAr: 'X_1', cities: ['RUH'] };
  expect(await listCapabilities(coverage())).toEqual({
    ok: true,
    value: {
      data: [
        {
          code: 'FRAGILE',
          title: 'Fragile goods',
          titleAr: 'بضائع قابلة للكسر',
          cities: ['JED', 'RUH'],
          weightKilogramsMax: '10',
          lengthCentimetresMax: '80',
        },
        proof('PROOF_PHOTO', 'Photo at the delivery', 'صورة عند التسليم'),
        proof('PROOF_PIN', 'PIN at the delivery', 'رمز عند التسليم'),
        proof('PROOF_SIGNATURE', 'Signature at the delivery', 'توقيع عند التسليم'),
        { ...unnamed, weightKilogramsMax: '10', lengthCentimetresMax: '60' },
      ],
    },
  });
});

test('both are 503 while a database is down, and cities without a tariff', async () => {
  const without = coverage({ levels: undefined });
  const down = { ok: false, code: 'SERVICE_UNAVAILABLE' };
  expect(await listCities(coverage({ tariffs: [] }))).toMatchObject(down);
  expect(await listCities({ ...without, database: databaseOf(undefined) })).toMatchObject(down);
  expect(await listCapabilities({ ...without, database: databaseOf(undefined) })).toMatchObject(down);
});
