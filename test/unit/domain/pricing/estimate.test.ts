import { expect, test } from 'vitest';
import type { Database } from '../../../../db/database.ts';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { instantFromMillis } from '../../../../src/core/instant.ts';
import { realClock } from '../../../../src/domain/clocks/company-clock.ts';
import { type EstimateOrder, estimatePrice } from '../../../../src/domain/pricing/estimate.ts';
import { TariffBook } from '../../../../src/domain/pricing/tariff-book.ts';
import type { RouteAnswer } from '../../../../src/ports/routing.ts';

/* The external calls of an estimate: one route, and one read of the tariffs per minute. */

const ROW = {
  version: 1,
  effectiveFrom: instantFromMillis(0),
  currency: 'SAR',
  baseAmount: literalDecimal('12'),
  kilometreAmount: literalDecimal('1.25'),
  vatRate: literalDecimal('0.15'),
  cancellationAmount: literalDecimal('10'),
  citySurcharges: '{"RUH":"0"}',
  createdAt: instantFromMillis(0),
};
const place = (latitude: string) => ({ latitude: literalDecimal(latitude), longitude: literalDecimal('46.7') });
const ORDER: EstimateOrder = { pickup: place('24.7'), delivery: place('24.74'), destinationCityCode: 'RUH' };
const ROUTE: RouteAnswer = { ok: true, route: { distanceMeters: 5782, durationSeconds: 578, geometry: '' } };

/** `takesMs`: how long the directory takes to answer. */
function bench({ answer = ROUTE, rows = [ROW], takesMs = 0 } = {}) {
  const counts = { routes: 0, reads: 0 };
  let nowMs = 0;
  const read = () => {
    counts.reads += 1;
    nowMs += takesMs;
    return Promise.resolve({ ok: true, rows });
  };
  const database = { id: 'directory', read } as unknown as Database;
  const routing = {
    engine: 'osrm' as const,
    findRoute: () => {
      counts.routes += 1;
      return Promise.resolve(answer);
    },
  };
  const clock = realClock({ now: () => instantFromMillis(nowMs) });
  const dependencies = { directory: { database }, clock, routing, tariffBook: new TariffBook(() => nowMs) };
  return {
    counts,
    pass: (ms: number) => {
      nowMs += ms;
    },
    ask: (order = ORDER) => estimatePrice(dependencies, order),
  };
}

test('each estimate requests one route', async () => {
  const { ask, counts } = bench();
  for (let time = 1; time <= 3; time += 1) {
    expect(await ask()).toMatchObject({ ok: true, value: { netAmount: '19.5' } });
    expect(counts).toEqual({ routes: time, reads: 1 });
  }
});

test.each([
  ['a city that is not served', { ...ORDER, destinationCityCode: 'AHB' }],
  ['no way at all', { ...ORDER, delivery: ORDER.pickup }],
])('%s is refused without a request for a route', async (_name, order) => {
  const { ask, counts } = bench();
  expect(await ask(order)).toMatchObject({ ok: false, code: 'VALIDATION_FAILED' });
  expect(counts.routes).toBe(0);
});

test.each([
  ['unavailable', 'ROUTING_PROVIDER_UNAVAILABLE'],
  ['no_route', 'VALIDATION_FAILED'],
] as const)('a route that is %s is requested once and answered with %s', async (reason, code) => {
  const { ask, counts } = bench({ answer: { ok: false, reason } });
  expect(await ask()).toMatchObject({ ok: false, code });
  expect(counts.routes).toBe(1);
});

test('without a tariff in force the estimate is 503, and no route is requested', async () => {
  const { ask, counts } = bench({ rows: [{ ...ROW, effectiveFrom: instantFromMillis(1) }] });
  expect(await ask()).toMatchObject({ ok: false, code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 60 });
  expect(counts.routes).toBe(0);
});

test('tariffs are read every 45 seconds', async () => {
  const { ask, counts, pass } = bench();
  await ask();
  pass(44_999);
  await ask();
  expect(counts.reads).toBe(1);
  pass(1);
  await ask();
  expect(counts.reads).toBe(2);
});

test('their age counts from the start of the read', async () => {
  const { ask, counts, pass } = bench({ takesMs: 1500 });
  await ask();
  pass(43_499);
  await ask();
  expect(counts.reads).toBe(1);
  pass(1);
  await ask();
  expect(counts.reads).toBe(2);
});
