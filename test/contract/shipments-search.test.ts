import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { forceState, setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { type Merchant, merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { DESTINATION, newReference, readShipmentPage } from '../../scripts/shared/shipments.ts';
import { NAMES } from '../support/cast.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/* What the list finds. The rules that need many shipments are in test/unit/domain/shipments/search.test.ts. */

const environment = sharedEnvironment();
const company = await addCompany(environment);
// Nothing is approved by itself, so the shipments do not change.
await setApprovalPolicy(environment, company, 'MANUAL');
const merchant = await merchantOf(environment, company);
const other = await merchantOf(environment, await addCompany(environment, company.shard));

const noura = await merchant.create({ recipient: { name: 'نورة الحربي', phone: '0512345678' } });
const riyadh = await merchant.create({
  externalReference: 'riyadh 100%',
  recipient: { name: 'Zoë 🚚 de Vries', phone: '0500001234' },
  destination: { ...DESTINATION, cityCode: 'RUH', latitude: 24.79, longitude: 46.63 },
  paymentMethod: 'COD',
});
const offered = await merchant.create({ recipient: { name: 'Sara', phone: '0511111111' } });
await forceState(environment, company, offered.shipmentId, 'OFFERED');
await other.create({ recipient: { name: 'Zoë', phone: '0500001234' } });

/** A company of its own: the others count what they find. */
const cast = await merchantOf(environment, await addCompany(environment, company.shard));

async function find(filters: Readonly<Record<string, string>>, who: Merchant = merchant): Promise<string[]> {
  const page = await readShipmentPage(await who.get(`${SHIPMENTS}?${new URLSearchParams(filters)}`));
  return page.data.map(({ shipmentId }) => shipmentId);
}

describe('the list', () => {
  it.each([
    [{ q: '1234' }, [riyadh]],
    [{ q: '\u200f٥٦٧٨\u200e' }, [noura]],
    [{ q: 'نوره' }, [noura]],
    [{ q: 'نُورَة' }, [noura]],
    [{ q: 'ZOË DE' }, [riyadh]],
    [{ q: 'Zoe\u0308' }, [riyadh]],
    [{ q: '🚚 zoë' }, [riyadh]],
    [{ q: '  riyadh  ' }, [riyadh]],
    [{ q: 'riyadh 100%' }, [riyadh]],
    [{ q: noura.shipmentNumber.toLowerCase() }, [noura]],
    [{ q: noura.externalReference }, [noura]],
    [{ cityCode: 'RUH' }, [riyadh]],
    [{ paymentMethod: 'COD', cityCode: 'JED' }, []],
    [{ branchCode: company.branchCode }, [offered, riyadh, noura]],
    [{ branchCode: 'ELSEWHERE' }, []],
    [{ state: 'OFFERED,CANCELLED' }, [offered]],
    // Their index does not tell the states of shipments with a driver apart.
    [{ state: 'ACCEPTED' }, []],
    [{ state: 'ACCEPTED,PICKED_UP', q: 'sara' }, []],
    [{ state: 'PENDING_APPROVAL,OFFERED' }, [offered, riyadh, noura]],
    [{ state: 'PENDING_APPROVAL,OFFERED', q: 'sara' }, [offered]],
    [{ createdFrom: riyadh.createdAt }, [offered, riyadh]],
    [{ createdTo: riyadh.createdAt }, [noura]],
    [{ createdFrom: riyadh.createdAt, createdTo: offered.createdAt }, [riyadh]],
    [{ createdFrom: riyadh.createdAt, state: 'OFFERED' }, [offered]],
  ])('finds by %j', async (filters, expected) => {
    expect(await find(filters)).toEqual(expected.map(({ shipmentId }) => shipmentId));
  });

  it.each([
    "'; drop table shipments; --",
    'a" OR 1=1',
    'NEAR(a b)',
    'sara*',
    '-sara',
    's%',
    's_ra',
    '[s]ara',
    '^^',
    '%%',
  ])('reads %s as plain text', async (q) => expect(await find({ q })).toEqual([]));

  it('finds each name under the spellings that people use, also one with line feeds and invisible characters', async () => {
    const entries = [
      ...NAMES,
      {
        name: 'Huda\u00A0\n Al\u2011Zahrani',
        searched: ['huda al-zahrani', 'HUDA  al zahrani', 'Al\u2013Zah\u200Brani'],
      },
      { name: '\u202Bعبدالرحمٰن الشّـهري\u202C', searched: ['عبدالرحمن', 'الشهرى', 'شهري'] },
    ];
    for (const { name, searched } of entries) {
      const { shipmentId, recipientName } = await cast.create({ recipient: { name, phone: '0512345678' } });
      expect(recipientName).toBe(name);
      for (const q of [name, ...searched])
        expect.soft(await find({ q: q.slice(0, 64) }, cast), q).toContain(shipmentId);
    }
  });

  it('finds a reference by its digits, also pasted with a mark', async () => {
    const externalReference = `SO-${newReference()}-20431`;
    const { shipmentId } = await cast.create({ externalReference });
    for (const q of ['20431', '\u200f٢٠٤٣١\u200e']) expect(await find({ q }, cast)).toEqual([shipmentId]);
    expect(await find({ q: '0431' }, cast)).toEqual([shipmentId]);
    expect(await find({ q: '04312' }, cast)).toEqual([]);
  });

  it('finds the shipments of the own company only', async () => {
    expect(await find({ q: 'riyadh' }, other)).toEqual([]);
    expect(await find({ q: noura.shipmentNumber }, other)).toEqual([]);
    expect(await find({ q: 'zoë' }, other)).not.toContain(riyadh.shipmentId);
  });

  it('takes its cursor for the same filters in any order of states, and for no others and no other company', async () => {
    const filters = { state: 'OFFERED,PENDING_APPROVAL', branchCode: company.branchCode };
    const query = new URLSearchParams(filters);
    const { page } = await readShipmentPage(await merchant.get(`${SHIPMENTS}?${query}&limit=1`));
    const cursor = page.nextCursor ?? '';
    expect(await find({ ...filters, cursor })).toEqual([riyadh.shipmentId, noura.shipmentId]);
    expect(await find({ ...filters, state: 'PENDING_APPROVAL,OFFERED', cursor })).toHaveLength(2);
    const invalid = { status: 400, code: 'INVALID_CURSOR' };
    for (const change of [{ state: 'OFFERED' }, { branchCode: 'ELSEWHERE' }, { q: 'sara' }, { cityCode: 'JED' }]) {
      const changed = new URLSearchParams({ ...filters, ...change, cursor });
      await expectProblem(await merchant.get(`${SHIPMENTS}?${changed}`), invalid);
    }
    await expectProblem(await merchant.get(`${SHIPMENTS}?cursor=${cursor}`), invalid);
    await expectProblem(await other.get(`${SHIPMENTS}?${query}&cursor=${cursor}`), invalid);
  });

  it.each([
    ['q=', 'q TOO_SHORT'],
    ['q=a', 'q TOO_SHORT'],
    ['q=%20a%20', 'q TOO_SHORT'],
    ['q=%E2%80%8F%E2%80%8Fa', 'q TOO_SHORT'],
    ['q=%F0%9F%9A%9A', 'q TOO_SHORT'],
    [`q=${'a'.repeat(65)}`, 'q TOO_LONG'],
    ['q=a%00b', 'q PATTERN_MISMATCH'],
    ['q=a+b+c+d+e+f', 'q TOO_MANY_ITEMS'],
    ['q=aa&q=aa', 'q DUPLICATE_ITEM'],
    ['state=OFFERED,OFFERED', 'state DUPLICATE_ITEM'],
    ['state=OFFERED,', 'state NOT_IN_ENUM'],
    ['state=OFFERED,%20ACCEPTED', 'state NOT_IN_ENUM'],
    ['createdFrom=2026-01-01', 'createdFrom INVALID_INSTANT'],
    ['createdFrom=2026-01-02T00:00:00Z&createdTo=2026-01-01T00:00:00Z', 'createdTo OUT_OF_RANGE'],
    ['cityCode=riyadh', 'cityCode PATTERN_MISMATCH'],
    ['branchCode=%27', 'branchCode PATTERN_MISMATCH'],
    ['paymentMethod=CASH', 'paymentMethod NOT_IN_ENUM'],
  ])('refuses %s', async (query, violation) => {
    const problem = { status: 400, code: 'INVALID_QUERY_PARAMETER', violations: [violation] };
    await expectProblem(await merchant.get(`${SHIPMENTS}?${query}`), problem);
  });
});
