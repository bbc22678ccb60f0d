import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDecimals, compareDecimals, literalDecimal, subtractDecimals } from '../../../../src/core/decimal.ts';
import { instantFromMillis } from '../../../../src/core/instant.ts';
import { priceLines, sumLines, type Tariff, tariffAt } from '../../../../src/domain/pricing/tariff.ts';

const decimal = literalDecimal;

const tariff: Tariff = {
  version: 3,
  effectiveFrom: instantFromMillis(1_767_225_600_000),
  currency: 'SAR',
  baseAmount: decimal('12'),
  kilometreAmount: decimal('1.25'),
  vatRate: decimal('0.15'),
  cancellationAmount: decimal('10'),
  cancellationGraceSeconds: 0,
  lateCancellationSeconds: 3600,
  lockSecondsMax: 86_400,
  amendmentFreeMeters: 0,
  returnRate: decimal('1'),
  redeliveryRate: decimal('1'),
  citySurcharges: new Map([
    ['RUH', decimal('0')],
    ['DMM', decimal('5')],
  ]),
};

describe('lines', () => {
  test.each([
    { meters: 0, distance: '0' },
    { meters: 1, distance: '1.25' },
    { meters: 999, distance: '1.25' },
    { meters: 1000, distance: '1.25' },
    { meters: 1001, distance: '2.5' },
    { meters: 12_345, distance: '16.25' },
    { meters: 950_000, distance: '1187.5' },
  ])('$meters m cost $distance, rounded up to whole kilometres', ({ meters, distance }) => {
    expect(priceLines(tariff, meters, 'DMM')).toEqual([
      { code: 'BASE', amount: '12' },
      { code: 'DISTANCE', amount: distance },
      { code: 'CITY', amount: '5' },
    ]);
  });

  test('a city without a surcharge has a CITY line of 0', () => {
    expect(priceLines(tariff, 1, 'RUH').at(-1)).toEqual({ code: 'CITY', amount: '0' });
  });

  test('a city outside the tariff has no CITY line', () => {
    expect(priceLines(tariff, 1, 'TUU').map(({ code }) => code)).toEqual(['BASE', 'DISTANCE']);
  });

  test.each([
    { kilometre: '0.125', meters: 1, amount: '0.13' },
    { kilometre: '0.135', meters: 1, amount: '0.14' },
    { kilometre: '0.1251', meters: 1, amount: '0.13' },
    { kilometre: '0.045', meters: 3000, amount: '0.14' },
    { kilometre: '0.005', meters: 1, amount: '0.01' },
    { kilometre: '0.00499', meters: 1, amount: '0' },
    { kilometre: '0.015', meters: 1, amount: '0.02' },
  ])(
    '$kilometre per kilometre for $meters m is $amount, rounded half away from zero',
    ({ kilometre, meters, amount }) => {
      const [, distance] = priceLines({ ...tariff, kilometreAmount: decimal(kilometre) }, meters, 'RUH');
      expect(distance).toEqual({ code: 'DISTANCE', amount });
    },
  );
});

describe('sums', () => {
  test.each([
    { amounts: ['12', '16.25', '5'], net: '33.25', vat: '4.99', total: '38.24' },
    // 0.15 of 0.1 is 0.015, rounded half away from zero to 0.02; of 0.3 it is 0.045, rounded to 0.05.
    { amounts: ['0.1'], net: '0.1', vat: '0.02', total: '0.12' },
    { amounts: ['0.3'], net: '0.3', vat: '0.05', total: '0.35' },
    { amounts: ['-0.3'], net: '-0.3', vat: '-0.05', total: '-0.35' },
    // A net of 19.50 is what every eighth distance of the sample tariff costs.
    { amounts: ['12', '7.5'], net: '19.5', vat: '2.93', total: '22.43' },
    // Calculated per line, VAT would be three times 0.02.
    { amounts: ['0.1', '0.1', '0.1'], net: '0.3', vat: '0.05', total: '0.35' },
    { amounts: ['12', '-12'], net: '0', vat: '0', total: '0' },
    { amounts: [], net: '0', vat: '0', total: '0' },
    { amounts: ['90071992547409.93'], net: '90071992547409.93', vat: '13510798882111.49', total: '103582791429521.42' },
  ])('$amounts: net $net, VAT $vat on the sum', ({ amounts, net, vat, total }) => {
    const lines = amounts.map((amount) => ({ code: 'BASE' as const, amount: decimal(amount) }));
    const price = sumLines(lines, decimal('0.15'));
    expect([price.netAmount, price.vatAmount, price.totalAmount]).toEqual([net, vat, total]);
  });

  test('VAT differs from its exact value by at most half of 0.01', () => {
    const halala = fc.integer({ min: 0, max: 10_000_000 });
    fc.assert(
      fc.property(fc.array(halala, { maxLength: 5 }), (amounts) => {
        const lines = amounts.map((amount) => ({ code: 'BASE' as const, amount: decimal(`${amount}e-2`) }));
        const { netAmount, vatAmount, totalAmount } = sumLines(lines, decimal('0.15'));
        const sum = amounts.reduce((total, amount) => total + amount, 0);
        expect(netAmount).toBe(decimal(`${sum}e-2`));
        expect(totalAmount).toBe(addDecimals(netAmount, vatAmount));
        const exact = decimal(`${sum * 15}e-4`);
        const [low, high] = compareDecimals(vatAmount, exact) < 0 ? [vatAmount, exact] : [exact, vatAmount];
        expect(compareDecimals(subtractDecimals(high, low), decimal('0.005'))).toBeLessThanOrEqual(0);
      }),
    );
  });
});

describe('the tariff in force', () => {
  const at = (seconds: number) => instantFromMillis(seconds * 1000);
  const versions = [
    { ...tariff, version: 1, effectiveFrom: at(100) },
    { ...tariff, version: 2, effectiveFrom: at(200) },
    { ...tariff, version: 3, effectiveFrom: at(300) },
  ];

  test.each([
    { now: 99, version: undefined },
    { now: 100, version: 1 },
    { now: 199, version: 1 },
    { now: 200, version: 2 },
    { now: 1000, version: 3 },
  ])('at $now is version $version', ({ now, version }) => {
    expect(tariffAt(versions, at(now))?.version).toBe(version);
    expect(tariffAt(versions.toReversed(), at(now))?.version).toBe(version);
  });
});
