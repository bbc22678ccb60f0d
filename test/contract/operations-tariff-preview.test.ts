import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { newSandbox, RIYADH } from '../../scripts/shared/sandbox.ts';
import type { ShardId } from '../../scripts/shared/sql.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';

/*
 * What last week's shipments would have cost. The sums are of all shipments of a deployment, so this file has one of its
 * own. Calculated by hand: shipments cost 12 and 1.25 for each started kilometre, to DMM 5 more. With the draft they would
 * cost 10.50 and 1.50, to JED 2.25 more, and nothing goes to DMM.
 */

const environment = await startEnvironment('worker');
afterAll(() => environment.stop());
const { preview, list } = trpcClient(environment, await environment.token(environment.operator)).operations.tariffs;

const DRAFT = {
  baseAmount: '10.50',
  kilometreAmount: '1.5',
  vatRate: '0.15',
  cancellationAmount: '10',
  cities: [
    { cityCode: 'RUH', surcharge: '0' },
    { cityCode: 'JED', surcharge: '2.25' },
  ],
};
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
// Before the first shipment of this file.
const nothing = await preview.mutate(DRAFT);

it('is empty without shipments', () => {
  expect(nothing).toEqual({
    ...{ shipments: 0, isCutOff: false, notServed: 0, netAmount: '0', draftNetAmount: '0' },
    from: INSTANT,
    to: INSTANT,
    currency: 'SAR',
    cities: [],
    largestRises: [],
  });
});

describe('with four shipments', async () => {
  const [first, second] = [await newSandbox(environment, 'shard-1'), await newSandbox(environment, 'shard-2')];
  const { companyId } = first.company;
  // 13,562 m: 12 + 14 × 1.25 = 29.50, and 10.50 + 14 × 1.50 = 31.50 with the draft.
  const riyadh = await first.create();
  // The same way to JED: 29.50, and 31.50 + 2.25 = 33.75 with the draft.
  const jeddah = await second.create();
  // No place is within 500 km of both cities, so it goes to JED only in the database.
  await environment.sql('shard-2', "update shipments set destination = json_set(destination, '$.cityCode', 'JED')");
  // The same way to DMM: 29.50 + 5 = 34.50.
  const dammam = await first.create({ destination: { ...RIYADH, cityCode: 'DMM' } });
  // 5,782 m: 12 + 6 × 1.25 = 19.50, and 10.50 + 6 × 1.50 = 19.50 with the draft.
  const near = await second.create({ destination: { ...RIYADH, latitude: 24.751667, longitude: 46.674167 } });
  const rises = [
    {
      shipmentId: jeddah.shipmentId,
      companyId: second.company.companyId,
      shipmentNumber: jeddah.shipmentNumber,
      cityCode: 'JED',
      distanceMeters: 13562,
      netAmount: '29.5',
      draftNetAmount: '33.75',
      rise: '4.25',
    },
    {
      shipmentId: riyadh.shipmentId,
      companyId,
      shipmentNumber: riyadh.shipmentNumber,
      cityCode: 'RUH',
      distanceMeters: 13562,
      netAmount: '29.5',
      draftNetAmount: '31.5',
      rise: '2',
    },
  ];
  const WHOLE = {
    from: INSTANT,
    to: INSTANT,
    currency: 'SAR',
    shipments: 4,
    isCutOff: false,
    notServed: 1,
    netAmount: '78.5',
    draftNetAmount: '84.75',
    cities: [
      { cityCode: 'DMM', shipments: 1, netAmount: '34.5', draftNetAmount: null },
      { cityCode: 'JED', shipments: 1, netAmount: '29.5', draftNetAmount: '33.75' },
      { cityCode: 'RUH', shipments: 2, netAmount: '49', draftNetAmount: '51' },
    ],
    largestRises: rises,
  };

  it('sums what they cost and would have cost, by city, and names the largest rises', async () => {
    const before = await list.query({});
    const answer = await preview.mutate(DRAFT);
    expect(answer).toEqual(WHOLE);
    expect(Date.parse(answer.to) - Date.parse(answer.from)).toBe(7 * 86_400_000);
    expect(await list.query({})).toEqual(before);
  });

  it('has no data of recipients', async () => {
    expect(JSON.stringify(await preview.mutate(DRAFT))).not.toMatch(/Noura|\+966|King Fahd/);
  });

  it('counts the newest when there are more than it may count, and says so', async () => {
    expect(await preview.mutate({ ...DRAFT, shipmentsMax: 4 })).toEqual(WHOLE);
    expect(await preview.mutate({ ...DRAFT, shipmentsMax: 3 })).toMatchObject({
      ...{ shipments: 3, isCutOff: true, notServed: 1, netAmount: '49', draftNetAmount: '53.25' },
      largestRises: [{ shipmentId: jeddah.shipmentId }],
    });
    expect(await preview.mutate({ ...DRAFT, shipmentsMax: 1 })).toMatchObject({
      ...{ shipments: 1, isCutOff: true, notServed: 0, netAmount: '19.5', draftNetAmount: '19.5' },
      cities: [{ cityCode: 'RUH', shipments: 1 }],
      largestRises: [],
    });
  });

  it('counts a cancelled shipment with the price of its creation, and none of more than a week ago', async () => {
    await first.merchant.cancel(dammam.shipmentId);
    expect(await preview.mutate(DRAFT)).toEqual(WHOLE);
    const age = (days: number) =>
      environment.sql('shard-2', 'update shipment_terms set created_at = created_at - ? where shipment_id = ?', [
        days * 86_400_000_000,
        near.shipmentId,
      ]);
    await age(7);
    expect(await preview.mutate(DRAFT)).toMatchObject({ shipments: 3, netAmount: '59', draftNetAmount: '65.25' });
    await age(-7);
  });

  it('reads many shipments in pages, each of them once', async () => {
    await copy('shard-1', riyadh.shipmentId, 1200);
    const answer = await preview.mutate(DRAFT);
    // 78.50 + 1,200 × 29.50, and 84.75 + 1,200 × 31.50.
    expect(answer).toMatchObject({
      shipments: 1204,
      netAmount: '35478.5',
      draftNetAmount: '37884.75',
      isCutOff: false,
    });
    expect(answer.largestRises.map(({ rise }) => rise)).toEqual(['4.25', ...Array.from({ length: 9 }, () => '2')]);
    expect(new Set(answer.largestRises.map(({ shipmentId }) => shipmentId)).size).toBe(10);
    expect(await preview.mutate({ ...DRAFT, shipmentsMax: 1000 })).toMatchObject({ shipments: 1000, isCutOff: true });
  });
});

/** Copies a shipment with its terms, under ids that begin with the same time. */
async function copy(shard: ShardId, shipmentId: string, count: number): Promise<void> {
  const end = randomBytes(3).toString('hex');
  for (const [table, changes] of [
    ['shipments', { id: 'made.id', shipment_number: 'made.id', external_reference: 'made.id' }],
    ['shipment_terms', { shipment_id: 'made.id' }],
  ] as const) {
    const columns = (await environment.sql(shard, `select name from pragma_table_info('${table}')`)).map(({ name }) =>
      String(name),
    );
    const values = columns.map((name) => new Map<string, string>(Object.entries(changes)).get(name) ?? `t.${name}`);
    await environment.sql(
      shard,
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}),
         made as (select substr('${shipmentId}', 1, 24) || printf('%06x', i) || '${end}' as id from n)
       insert into ${table} (${columns.join()}) select ${values.join()} from made, ${table} t where t.${columns[0]} = ?`,
      [shipmentId],
    );
  }
}

it.each([
  [{ baseAmount: '-0.01' }, 'baseAmount OUT_OF_RANGE'],
  [{ kilometreAmount: 1.25 }, 'kilometreAmount TYPE_MISMATCH'],
  [{ vatRate: undefined }, 'vatRate REQUIRED'],
  [{ cities: [] }, 'cities TOO_FEW_ITEMS'],
  [{ cities: [...DRAFT.cities, { cityCode: 'RUH', surcharge: '1' }] }, 'cities[2].cityCode DUPLICATE_ITEM'],
  [{ shipmentsMax: 0 }, 'shipmentsMax OUT_OF_RANGE'],
  [{ shipmentsMax: 10_001 }, 'shipmentsMax OUT_OF_RANGE'],
  [{ shipmentsMax: '5' }, 'shipmentsMax TYPE_MISMATCH'],
  [{ effectiveFrom: '2090-01-01T00:00:00Z' }, 'effectiveFrom UNKNOWN_PROPERTY'],
])('refuses %j', async (changes, violation) => {
  const [field, code] = violation.split(' ');
  expect(await problemOfCall(preview.mutate({ ...DRAFT, ...changes } as never))).toMatchObject({
    status: 422,
    code: 'VALIDATION_FAILED',
    violations: [{ field, code }],
  });
});
