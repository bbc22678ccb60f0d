import { describe, expect, it } from 'vitest';
import { addBranch, addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const BRANCHES = '/v2/external/branches';
const company = await addCompany(environment);
const merchant = await merchantOf(environment, company);
const at = (second: number) => 1_795_000_000_000_000 + second * 1_000_000;
await environment.sql(company.shard, 'update branches set created_at = ?, updated_at = ? where company_id = ?', [
  at(0),
  at(60) + 1,
  company.companyId,
]);
await addBranch(environment, company, { branchCode: 'B-OLD', createdAt: at(1), status: 'INACTIVE' });
await addBranch(environment, company, { branchCode: 'B-TIE-1', createdAt: at(2) });
await addBranch(environment, company, { branchCode: 'B-TIE-2', createdAt: at(2) });
await addBranch(environment, company, { branchCode: 'B-NEW', createdAt: at(3) });

interface Page {
  readonly data: readonly { readonly branchCode: string }[];
  readonly page: { readonly nextCursor: string | null; readonly hasMore: boolean };
}
const list = async (query = '') => (await (await merchant.get(`${BRANCHES}${query}`)).json()) as Page;
const codesOf = async (query?: string) => (await list(query)).data.map(({ branchCode }) => branchCode);

describe('GET branches', () => {
  it('returns the branches of the company, newest first', async () => {
    expect(await codesOf()).toEqual(['B-NEW', 'B-TIE-2', 'B-TIE-1', 'B-OLD', 'ABHA-1']);
  });

  it('returns every member of a branch', async () => {
    expect((await list()).data.at(-1)).toEqual({
      branchCode: 'ABHA-1',
      name: 'Abha, Al Mansak',
      nameAr: 'أبها، المنسك',
      cityCode: 'AHB',
      status: 'ACTIVE',
      createdAt: '2026-11-18T11:06:40.000000Z',
      updatedAt: '2026-11-18T11:07:40.000001Z',
      version: 3,
    });
  });

  it('is filtered by status', async () => {
    expect(await codesOf('?status=INACTIVE')).toEqual(['B-OLD']);
    expect(await codesOf('?status=ACTIVE')).toEqual(['B-NEW', 'B-TIE-2', 'B-TIE-1', 'ABHA-1']);
  });

  it('is paged, also across branches created at the same instant', async () => {
    const codes: string[] = [];
    let query = '?limit=1';
    for (;;) {
      const { data, page } = await list(query);
      codes.push(...data.map(({ branchCode }) => branchCode));
      expect(page.hasMore).toBe(page.nextCursor !== null);
      if (page.nextCursor === null) break;
      query = `?limit=1&cursor=${page.nextCursor}`;
    }
    expect(codes).toEqual(['B-NEW', 'B-TIE-2', 'B-TIE-1', 'B-OLD', 'ABHA-1']);
  });

  it('answers a seeded branch only to its company', async () => {
    const [first, second] = environment.companies;
    const codes = async (owner: typeof first) => {
      const sender = await merchantOf(environment, owner, 'shipments:read');
      return ((await (await sender.get(BRANCHES)).json()) as Page).data.map(({ branchCode }) => branchCode);
    };
    expect([await codes(first), await codes(second)]).toEqual([['RUH-MAIN'], ['JED-MAIN']]);
  });
});

describe('the cursor', () => {
  it('is bound to the filter, the list and the company', async () => {
    const cursor = (await list('?limit=2')).page.nextCursor ?? '';
    expect(await codesOf(`?limit=100&cursor=${cursor}`)).toEqual(['B-TIE-1', 'B-OLD', 'ABHA-1']);
    const stranger = await merchantOf(environment, await addCompany(environment, company.shard));
    const answers = await Promise.all([
      merchant.get(`${BRANCHES}?status=ACTIVE&cursor=${cursor}`),
      merchant.get(`/v2/external/pickup-locations?cursor=${cursor}`),
      stranger.get(`${BRANCHES}?cursor=${cursor}`),
    ]);
    for (const answer of answers) await expectProblem(answer, { status: 400, code: 'INVALID_CURSOR' });
  });
});

describe('a wrong query is 400', () => {
  it.each([
    ['limit=0', 'LIMIT_OUT_OF_RANGE', 'limit OUT_OF_RANGE'],
    ['limit=101', 'LIMIT_OUT_OF_RANGE', 'limit OUT_OF_RANGE'],
    ['limit=many', 'INVALID_QUERY_PARAMETER', 'limit TYPE_MISMATCH'],
    ['status=active', 'INVALID_QUERY_PARAMETER', 'status NOT_IN_ENUM'],
    ['status=ACTIVE&status=ACTIVE', 'INVALID_QUERY_PARAMETER', 'status DUPLICATE_ITEM'],
    ['branchCode=B-OLD', 'UNKNOWN_QUERY_PARAMETER', 'branchCode UNKNOWN_PROPERTY'],
  ])('%s', async (query, code, violation) => {
    await expectProblem(await merchant.get(`${BRANCHES}?${query}`), { status: 400, code, violations: [violation] });
  });
});
