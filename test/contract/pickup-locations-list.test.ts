import { describe, expect, it } from 'vitest';
import { addBranch, addCompany, addPickupLocation } from '../../scripts/shared/companies.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const LOCATIONS = '/v2/external/pickup-locations';
const company = await addCompany(environment, 'shard-2');
const merchant = await merchantOf(environment, company);
const at = (second: number) => 1_795_000_000_000_000 + second * 1_000_000;
await environment.sql(
  company.shard,
  `update pickup_locations set created_at = ?, updated_at = ?, instructions = 'Ring twice', longitude = '42.505000001'
   where company_id = ?`,
  [at(0), at(0), company.companyId],
);
await addBranch(environment, company, { branchCode: 'SECOND' });
const second = { branchCode: 'SECOND' };
await addPickupLocation(environment, company, {
  ...second,
  pickupLocationCode: 'L-OLD',
  createdAt: at(1),
  status: 'INACTIVE',
});
await addPickupLocation(environment, company, { ...second, pickupLocationCode: 'L-MID', createdAt: at(2) });
await addPickupLocation(environment, company, {
  branchCode: company.branchCode,
  pickupLocationCode: 'L-NEW',
  createdAt: at(3),
});
await environment.sql(
  company.shard,
  `update pickup_locations set contact_name = null, contact_phone = null, name_ar = null
   where company_id = ? and pickup_location_code = 'L-NEW'`,
  [company.companyId],
);

interface Page {
  readonly data: readonly { readonly pickupLocationCode: string }[];
  readonly page: { readonly nextCursor: string | null; readonly hasMore: boolean };
}
const list = async (query = '') => (await (await merchant.get(`${LOCATIONS}${query}`)).json()) as Page;
const codesOf = async (query?: string) => (await list(query)).data.map(({ pickupLocationCode }) => pickupLocationCode);

describe('GET pickup locations', () => {
  it('returns the pickup locations of the company, newest first', async () => {
    expect(await codesOf()).toEqual(['L-NEW', 'L-MID', 'L-OLD', 'ABHA-STORE']);
  });

  it('returns every member of a pickup location, with its contact masked', async () => {
    const response = await merchant.get(`${LOCATIONS}?limit=100`);
    const text = await response.text();
    expect(text).toContain('"longitude":42.505000001}');
    expect(text).not.toContain('512345678');
    expect((JSON.parse(text) as Page).data.at(-1)).toEqual({
      pickupLocationCode: 'ABHA-STORE',
      branchCode: 'ABHA-1',
      name: 'Al Mansak store',
      nameAr: null,
      location: {
        addressLine: '12 King Faisal Road, Abha',
        cityCode: 'AHB',
        latitude: 18.216389,
        longitude: 42.505000001,
      },
      contactName: 'Huda',
      maskedContactPhone: '********5678',
      instructions: 'Ring twice',
      status: 'ACTIVE',
      createdAt: '2026-11-18T11:06:40.000000Z',
      updatedAt: '2026-11-18T11:06:40.000000Z',
      version: 5,
    });
  });

  it('returns null for members without a value', async () => {
    expect((await list('?limit=1')).data[0]).toMatchObject({
      contactName: null,
      maskedContactPhone: null,
      instructions: null,
      nameAr: null,
    });
  });

  it('is filtered by status, by branch and by both', async () => {
    expect(await codesOf('?status=INACTIVE')).toEqual(['L-OLD']);
    expect(await codesOf('?branchCode=SECOND')).toEqual(['L-MID', 'L-OLD']);
    expect(await codesOf('?branchCode=SECOND&status=ACTIVE')).toEqual(['L-MID']);
    expect(await codesOf('?branchCode=NOWHERE')).toEqual([]);
  });

  it('is paged', async () => {
    const first = await list('?limit=3');
    expect(first.page).toEqual({ nextCursor: expect.any(String), hasMore: true });
    expect(await codesOf(`?limit=3&cursor=${first.page.nextCursor ?? ''}`)).toEqual(['ABHA-STORE']);
  });

  it('answers a seeded location only to its company', async () => {
    const [first, other] = environment.companies;
    const codes = async (owner: typeof first) => {
      const sender = await merchantOf(environment, owner, 'shipments:read');
      return ((await (await sender.get(LOCATIONS)).json()) as Page).data.map(
        ({ pickupLocationCode }) => pickupLocationCode,
      );
    };
    expect([await codes(first), await codes(other)]).toEqual([['RUH-ROASTERY'], ['JED-WAREHOUSE']]);
  });
});

describe('the cursor', () => {
  it('is bound to both filters and the company', async () => {
    const cursor = (await list('?limit=1&branchCode=SECOND')).page.nextCursor ?? '';
    const stranger = await merchantOf(environment, await addCompany(environment, company.shard));
    const answers = await Promise.all([
      merchant.get(`${LOCATIONS}?cursor=${cursor}`),
      merchant.get(`${LOCATIONS}?branchCode=ABHA-1&cursor=${cursor}`),
      merchant.get(`${LOCATIONS}?branchCode=SECOND&status=ACTIVE&cursor=${cursor}`),
      stranger.get(`${LOCATIONS}?branchCode=SECOND&cursor=${cursor}`),
    ]);
    for (const answer of answers) await expectProblem(answer, { status: 400, code: 'INVALID_CURSOR' });
    expect(await codesOf(`?branchCode=SECOND&cursor=${cursor}`)).toEqual(['L-OLD']);
  });
});

describe('a wrong query is 400', () => {
  it.each([
    ['limit=0', 'LIMIT_OUT_OF_RANGE', 'limit OUT_OF_RANGE'],
    ['limit=101', 'LIMIT_OUT_OF_RANGE', 'limit OUT_OF_RANGE'],
    ['limit=', 'INVALID_QUERY_PARAMETER', 'limit TYPE_MISMATCH'],
    ['status=OPEN', 'INVALID_QUERY_PARAMETER', 'status NOT_IN_ENUM'],
    ['branchCode=second', 'INVALID_QUERY_PARAMETER', 'branchCode PATTERN_MISMATCH'],
    ['branchCode=', 'INVALID_QUERY_PARAMETER', 'branchCode PATTERN_MISMATCH'],
    ['branchCode=A1&branchCode=A2', 'INVALID_QUERY_PARAMETER', 'branchCode DUPLICATE_ITEM'],
    ['cityCode=AHB', 'UNKNOWN_QUERY_PARAMETER', 'cityCode UNKNOWN_PROPERTY'],
  ])('%s', async (query, code, violation) => {
    await expectProblem(await merchant.get(`${LOCATIONS}?${query}`), { status: 400, code, violations: [violation] });
  });
});
