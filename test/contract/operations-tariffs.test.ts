import { describe, expect, it } from 'vitest';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';

/* Tariffs in this file begin so late that they price no other test. */

const environment = sharedEnvironment();
const operator = trpcClient(environment, await environment.token(environment.operator));
const { publish, list } = operator.operations.tariffs;
const DAY_SECONDS = 86_400;

const TERMS = {
  baseAmount: '15.10',
  kilometreAmount: '1.5e0',
  vatRate: '0.1500',
  cancellationAmount: '0',
  cities: [
    { cityCode: 'RUH', surcharge: '0.00' },
    { cityCode: 'AHB', surcharge: '7.05' },
  ],
};
type Times =
  | 'effectiveFrom'
  | 'cancellationGraceSeconds'
  | 'lateCancellationSeconds'
  | 'lockSecondsMax'
  | 'amendmentFreeMeters'
  | 'returnRate'
  | 'redeliveryRate';
type Changes = Partial<Record<keyof typeof TERMS | Times, unknown>>;

/** Input that violates the types, as a program may send it. */
const order = (changes: Changes = {}) =>
  ({ effectiveFrom: new Date(Date.now() + 300_000).toISOString(), ...TERMS, ...changes }) as never;
const secondsAhead = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const latestOf = async () => {
  const latest = (await list.query({})).at(-1);
  if (latest === undefined) throw new Error('There is no tariff');
  return latest;
};
/** A day later than the latest tariff, and a year ahead, where no test gets to. */
const nextDay = async () => {
  const { effectiveFrom } = await latestOf();
  return new Date(Math.max(Date.parse(effectiveFrom), Date.now() + 365 * DAY_SECONDS * 1000) + DAY_SECONDS * 1000);
};
const problemOf = (changes: Changes) => problemOfCall(publish.mutate(order(changes)));
const TOO_EARLY = { status: 422, violations: [{ field: 'effectiveFrom', code: 'OUT_OF_RANGE' }] };

describe('list', () => {
  it('begins with the seeded tariff', async () => {
    expect((await list.query({}))[0]).toEqual({
      version: 1,
      effectiveFrom: '2026-01-01T00:00:00.000000Z',
      currency: 'SAR',
      baseAmount: '12',
      kilometreAmount: '1.25',
      vatRate: '0.15',
      cancellationAmount: '10',
      cancellationGraceSeconds: 0,
      lateCancellationSeconds: 3600,
      lockSecondsMax: 86_400,
      amendmentFreeMeters: 0,
      returnRate: '1',
      redeliveryRate: '1',
      cities: [
        { cityCode: 'RUH', surcharge: '0' },
        { cityCode: 'JED', surcharge: '0' },
        { cityCode: 'DMM', surcharge: '5' },
        { cityCode: 'MED', surcharge: '5' },
        { cityCode: 'MKK', surcharge: '3' },
      ],
    });
  });
});

describe('publish', () => {
  it('creates the next version, with exact decimals in their shortest form', async () => {
    const [before, effectiveFrom] = [await list.query({}), (await nextDay()).toISOString()];
    const published = await publish.mutate(order({ effectiveFrom }));
    expect(published).toEqual({
      version: before.length + 1,
      effectiveFrom: effectiveFrom.replace('Z', '000Z'),
      currency: 'SAR',
      baseAmount: '15.1',
      kilometreAmount: '1.5',
      vatRate: '0.15',
      cancellationAmount: '0',
      cancellationGraceSeconds: 0,
      lateCancellationSeconds: 3600,
      lockSecondsMax: 86_400,
      amendmentFreeMeters: 0,
      returnRate: '1',
      redeliveryRate: '1',
      cities: [
        { cityCode: 'RUH', surcharge: '0' },
        { cityCode: 'AHB', surcharge: '7.05' },
      ],
    });
    expect(await list.query({})).toEqual([...before, published]);
  });

  it('accepts a grace, and drivers who are never late', async () => {
    const effectiveFrom = (await nextDay()).toISOString();
    const times = {
      cancellationGraceSeconds: 3600,
      lateCancellationSeconds: null,
      lockSecondsMax: 60,
      amendmentFreeMeters: 5000,
      returnRate: '0.5',
      redeliveryRate: '2',
    };
    expect(await publish.mutate(order({ effectiveFrom, ...times }))).toMatchObject(times);
    expect(await latestOf()).toMatchObject(times);
  });

  it('accepts the largest amounts and the smallest rates', async () => {
    const effectiveFrom = (await nextDay()).toISOString();
    const amounts = { baseAmount: '9999999999.99', kilometreAmount: '0.01', vatRate: '0.0001' };
    expect(await publish.mutate(order({ effectiveFrom, ...amounts }))).toMatchObject(amounts);
    expect(await latestOf()).toMatchObject(amounts);
  });

  it.each([
    ['in the past', () => '2026-06-01T00:00:00Z'],
    ['now', () => secondsAhead(0)],
    ['before every process has loaded it', () => secondsAhead(110)],
  ])('refuses a tariff that begins %s', async (_name, from) => {
    const before = await list.query({});
    expect(await problemOf({ effectiveFrom: from() })).toMatchObject(TOO_EARLY);
    expect(await list.query({})).toEqual(before);
  });

  it('refuses a tariff that begins at or before the latest one', async () => {
    const effectiveFrom = (await nextDay()).toISOString();
    await publish.mutate(order({ effectiveFrom }));
    const before = await list.query({});
    const { version } = await latestOf();
    const message = `is outside the allowed range: after ${effectiveFrom.replace('Z', '000Z')}, when version ${version} begins`;
    const inTheWay = { ...TOO_EARLY, violations: [{ field: 'effectiveFrom', code: 'OUT_OF_RANGE', message }] };
    expect(await problemOf({ effectiveFrom })).toMatchObject(inTheWay);
    expect(await problemOf({ effectiveFrom: secondsAhead(300) })).toMatchObject(inTheWay);
    expect(await list.query({})).toEqual(before);
  });

  it.each([401 * DAY_SECONDS, 100 * 365 * DAY_SECONDS])(
    'refuses a tariff that begins in %d seconds',
    async (seconds) => {
      const before = await list.query({});
      const message = expect.stringMatching(/^is outside the allowed range: from \S+Z to \S+Z$/);
      expect(await problemOf({ effectiveFrom: secondsAhead(seconds) })).toMatchObject({
        ...TOO_EARLY,
        violations: [{ field: 'effectiveFrom', code: 'OUT_OF_RANGE', message }],
      });
      expect(await list.query({})).toEqual(before);
    },
  );

  it('creates one tariff for four concurrent requests', async () => {
    const [before, effectiveFrom] = [await list.query({}), (await nextDay()).toISOString()];
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => publish.mutate(order({ effectiveFrom }))));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await list.query({})).toHaveLength(before.length + 1);
  });

  it.each([
    [{ baseAmount: '-0.01' }, 'baseAmount OUT_OF_RANGE'],
    [{ baseAmount: '1.005' }, 'baseAmount SCALE_EXCEEDED'],
    [{ kilometreAmount: 1.25 }, 'kilometreAmount TYPE_MISMATCH'],
    [{ kilometreAmount: 'much' }, 'kilometreAmount TYPE_MISMATCH'],
    [{ vatRate: '1.01' }, 'vatRate OUT_OF_RANGE'],
    [{ vatRate: '0.15001' }, 'vatRate SCALE_EXCEEDED'],
    [{ cancellationAmount: undefined }, 'cancellationAmount REQUIRED'],
    [{ cancellationGraceSeconds: 3601 }, 'cancellationGraceSeconds OUT_OF_RANGE'],
    [{ lateCancellationSeconds: -1 }, 'lateCancellationSeconds OUT_OF_RANGE'],
    [{ lockSecondsMax: 59 }, 'lockSecondsMax OUT_OF_RANGE'],
    [{ amendmentFreeMeters: 5001 }, 'amendmentFreeMeters OUT_OF_RANGE'],
    [{ returnRate: '2.01' }, 'returnRate OUT_OF_RANGE'],
    [{ redeliveryRate: '0.001' }, 'redeliveryRate SCALE_EXCEEDED'],
    [{ effectiveFrom: '2090-01-01' }, 'effectiveFrom INVALID_INSTANT'],
    [{ cities: [] }, 'cities TOO_FEW_ITEMS'],
    [{ cities: [{ cityCode: 'ruh', surcharge: '0' }] }, 'cities[0].cityCode PATTERN_MISMATCH'],
    [{ cities: [{ cityCode: 'RUH' }] }, 'cities[0].surcharge REQUIRED'],
    [{ cities: [...TERMS.cities, { cityCode: 'RUH', surcharge: '1' }] }, 'cities[2].cityCode DUPLICATE_ITEM'],
    [{ currency: 'KWD' }, 'currency UNKNOWN_PROPERTY'],
    [{ version: 1 }, 'version UNKNOWN_PROPERTY'],
  ])('refuses %j', async (changes, violation) => {
    const [field, code] = violation.split(' ');
    const before = await list.query({});
    expect(await problemOf(changes as Changes)).toMatchObject({
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: [{ field, code }],
    });
    expect(await list.query({})).toEqual(before);
  });
});

describe('withdraw', () => {
  const { withdraw } = operator.operations.tariffs;

  it('takes back a version that has not begun, so that an earlier start is free again', async () => {
    const before = await list.query({});
    const effectiveFrom = (await nextDay()).toISOString();
    const { version } = await publish.mutate(order({ effectiveFrom }));
    expect(await withdraw.mutate({ version })).toEqual(before);
    expect(await list.query({})).toEqual(before);
    // Nothing was priced by the number, so the next version has it.
    expect(await publish.mutate(order({ effectiveFrom }))).toMatchObject({ version });
    const shown = await operator.operations.audit.list.query({ subject: String(version) });
    expect(shown.data.slice(0, 3).map(({ action }) => action)).toEqual([
      'tariff.published',
      'tariff.withdrawn',
      'tariff.published',
    ]);
  });

  it('is done once by four concurrent requests, and the others find nothing', async () => {
    const { version } = await publish.mutate(order({ effectiveFrom: (await nextDay()).toISOString() }));
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map(() =>
        withdraw.mutate({ version }).then(
          () => 200,
          () => 404,
        ),
      ),
    );
    expect(outcomes.toSorted((one, other) => one - other)).toEqual([200, 404, 404, 404]);
    expect(await problemOfCall(withdraw.mutate({ version }))).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });

  it('leaves what has begun', async () => {
    const before = await list.query({});
    expect(await problemOfCall(withdraw.mutate({ version: 1 }))).toMatchObject({
      code: 'VALIDATION_FAILED',
      violations: [
        {
          field: 'version',
          code: 'OUT_OF_RANGE',
          message: 'is outside the allowed range: a version that begins in more than two minutes',
        },
      ],
    });
    expect(await list.query({})).toEqual(before);
  });
});
