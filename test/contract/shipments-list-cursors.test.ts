import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { forceState, setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { type Merchant, merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { readShipmentPage } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const INVALID = { status: 400, code: 'INVALID_CURSOR' } as const;

async function companyWith(count: number) {
  const company = await addCompany(environment);
  await setApprovalPolicy(environment, company, 'MANUAL');
  const merchant = await merchantOf(environment, company);
  const made = await Promise.all(Array.from({ length: count }, () => merchant.create()));
  return { company, merchant, ids: made.map(({ shipmentId }) => shipmentId) };
}

async function cursorOf(merchant: Merchant, query: string): Promise<string> {
  const { page } = await readShipmentPage(await merchant.get(`${SHIPMENTS}?${query}`));
  if (page.nextCursor === null) throw new Error(`No cursor after ${query}`);
  return page.nextCursor;
}

describe('paging', () => {
  it('lists 60 shipments without loss or repetition while others are created', async () => {
    const { merchant, ids } = await companyWith(60);
    const seen: string[] = [];
    const createdAts: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '?limit=7' : `?limit=7&cursor=${cursor}`;
      const { data, page } = await readShipmentPage(await merchant.get(`${SHIPMENTS}${query}`));
      seen.push(...data.map(({ shipmentId }) => shipmentId));
      createdAts.push(...data.map(({ createdAt }) => createdAt));
      expect(page.hasMore).toBe(page.nextCursor !== null);
      cursor = page.nextCursor;
      await merchant.create();
    } while (cursor !== null);
    expect(seen).toHaveLength(60);
    expect(new Set(seen)).toEqual(new Set(ids));
    expect(createdAts).toEqual(createdAts.toSorted().toReversed());
  });

  it('orders shipments of one instant by id', async () => {
    const { company, merchant, ids } = await companyWith(9);
    await environment.sql(company.shard, 'update shipments set created_at = 1795000000000000 where company_id = ?', [
      company.companyId,
    ]);
    const seen: string[] = [];
    let query = 'limit=2';
    for (;;) {
      const { data, page } = await readShipmentPage(await merchant.get(`${SHIPMENTS}?${query}`));
      seen.push(...data.map(({ shipmentId }) => shipmentId));
      if (page.nextCursor === null) break;
      query = `limit=2&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual(ids.toSorted().toReversed());
  });

  it('works with a filter', async () => {
    const { company, merchant, ids } = await companyWith(8);
    for (const id of ids.slice(0, 5)) await forceState(environment, company, id, 'OFFERED');
    const seen: string[] = [];
    let query = 'state=OFFERED&limit=2';
    for (;;) {
      const { data, page } = await readShipmentPage(await merchant.get(`${SHIPMENTS}?${query}`));
      seen.push(...data.map(({ shipmentId }) => shipmentId));
      if (page.nextCursor === null) break;
      query = `state=OFFERED&limit=2&cursor=${page.nextCursor}`;
    }
    expect(new Set(seen)).toEqual(new Set(ids.slice(0, 5)));
    expect(seen).toHaveLength(5);
  });
});

describe('a cursor', async () => {
  const { company, merchant } = await companyWith(4);
  const cursor = await cursorOf(merchant, 'limit=2');

  it('may be used twice and with another limit', async () => {
    const two = await readShipmentPage(await merchant.get(`${SHIPMENTS}?limit=100&cursor=${cursor}`));
    const one = await readShipmentPage(await merchant.get(`${SHIPMENTS}?limit=1&cursor=${cursor}`));
    expect([two.data.length, two.page.hasMore]).toEqual([2, false]);
    expect(one.data).toEqual(two.data.slice(0, 1));
  });

  it('works with every token of its company', async () => {
    const reader = await merchantOf(environment, company, 'shipments:read');
    expect((await reader.get(`${SHIPMENTS}?cursor=${cursor}`)).status).toBe(200);
  });

  it('is encrypted and differs each time', async () => {
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toMatch(/[0-9a-f]{8}-|\d{10}/);
    expect(await cursorOf(merchant, 'limit=2')).not.toBe(cursor);
  });

  it.each(['state=PENDING_APPROVAL', 'externalReference=x', 'state=OFFERED&externalReference=x'])(
    'is refused with a filter it was not issued for: %s',
    async (filter) => {
      await expectProblem(await merchant.get(`${SHIPMENTS}?${filter}&cursor=${cursor}`), INVALID);
    },
  );

  it('is refused without the filter it was issued for', async () => {
    const filtered = await cursorOf(merchant, 'limit=2&state=PENDING_APPROVAL');
    await expectProblem(await merchant.get(`${SHIPMENTS}?cursor=${filtered}`), INVALID);
    await expectProblem(await merchant.get(`${SHIPMENTS}?state=OFFERED&cursor=${filtered}`), INVALID);
    expect((await merchant.get(`${SHIPMENTS}?state=PENDING_APPROVAL&cursor=${filtered}`)).status).toBe(200);
  });

  it('is refused for another company, of the same shard or of another one', async () => {
    for (const shard of ['shard-1', 'shard-2'] as const) {
      const stranger = await merchantOf(environment, await addCompany(environment, shard));
      await expectProblem(await stranger.get(`${SHIPMENTS}?cursor=${cursor}`), INVALID);
    }
  });

  it('is refused for another list', async () => {
    await expectProblem(await merchant.get(`/v2/external/branches?cursor=${cursor}`), INVALID);
    await expectProblem(await merchant.get(`/v2/external/pickup-locations?cursor=${cursor}`), INVALID);
  });

  it('is refused with any one character changed', async () => {
    const places = Array.from({ length: 24 }, (_, index) => Math.floor((index * (cursor.length - 2)) / 23));
    for (const place of places) {
      const changed = cursor.slice(0, place) + (cursor[place] === 'A' ? 'B' : 'A') + cursor.slice(place + 1);
      await expectProblem(await merchant.get(`${SHIPMENTS}?cursor=${changed}`), INVALID);
    }
  });

  it.each([
    ['cut short', () => cursor.slice(0, -4)],
    ['repeated', () => cursor + cursor],
    ['lengthened', () => `${cursor}AAAA`],
    ['too short', () => 'AAAA'],
    ['not base64url', () => encodeURIComponent('a cursor/+=?')],
    ['zeros', () => 'A'.repeat(120)],
    ['an unencrypted position', () => Buffer.from('["1795000000000000","x"]').toString('base64url')],
  ])('is refused when it is %s', async (_case, text) => {
    await expectProblem(await merchant.get(`${SHIPMENTS}?cursor=${text()}`), INVALID);
  });

  it.each([
    ['empty', '', 'TOO_SHORT'],
    ['longer than any valid one', 'A'.repeat(5000), 'TOO_LONG'],
  ])('is refused when it is %s', async (_case, text, code) => {
    await expectProblem(await merchant.get(`${SHIPMENTS}?cursor=${text}`), {
      ...INVALID,
      violations: [`cursor ${code}`],
    });
  });
});
