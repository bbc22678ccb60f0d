import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addCompany } from '../../scripts/shared/companies.ts';
import { setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { advanceClock, newSandbox } from '../../scripts/shared/sandbox.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';

/* What a company owes for a month. Rows are set back, so that months that are over have lines. */

const environment = sharedEnvironment();
const STATEMENTS = '/v2/external/statements';
const line = z.looseObject({
  shipmentId: z.string(),
  code: z.string(),
  createdAt: z.string(),
  netAmount: z.number(),
  vatRate: z.number(),
  vatAmount: z.number(),
  totalAmount: z.number(),
});
const statement = z.looseObject({
  totals: z.strictObject({
    netAmount: z.number(),
    vatAmount: z.number(),
    totalAmount: z.number(),
    shipments: z.int(),
  }),
  cod: z.strictObject({ amount: z.number(), shipments: z.int() }),
  data: z.array(line),
  page: z.strictObject({ nextCursor: z.nullable(z.string()), hasMore: z.boolean() }),
});

const micros = (instant: string) => Date.parse(instant) * 1000;

async function newShop() {
  const company = await addCompany(environment);
  await setApprovalPolicy(environment, company, 'MANUAL');
  const merchant = await merchantOf(environment, company);
  const sql = (text: string, values: readonly (string | number)[]) => environment.sql(company.shard, text, values);
  /** A shipment that was created and priced at an instant. */
  const priced = async (at: string, amounts: readonly string[], vatRate = '0.15') => {
    const created = await merchant.create();
    const lines = amounts.map((amount, index) => ({ code: index === 0 ? 'BASE' : 'DISTANCE', amount }));
    await sql('update shipment_terms set created_at = ?, lines = ?, vat_rate = ? where shipment_id = ?', [
      micros(at),
      JSON.stringify(lines),
      vatRate,
      created.shipmentId,
    ]);
    return created;
  };
  const charge = (shipmentId: string, at: string, [number, code, amount]: readonly [number, string, string]) =>
    sql(
      'insert into later_charges (shipment_id, number, company_id, code, amount, created_at) values (?, ?, ?, ?, ?, ?)',
      [shipmentId, number, company.companyId, code, amount, micros(at)],
    );
  const collect = (shipmentId: string, at: string, amount: string) =>
    sql(
      'insert into cod_collections (shipment_id, company_id, amount, method, driver_id, collected_at, shipment_version) values (?, ?, ?, ?, ?, ?, ?)',
      [shipmentId, company.companyId, amount, 'CASH', crypto.randomUUID(), micros(at), 5],
    );
  const read = async (month: string, query: Readonly<Record<string, string>> = {}) => {
    const response = await merchant.get(`${STATEMENTS}/${month}?${new URLSearchParams(query)}`);
    expect(response.status).toBe(200);
    return statement.parse(await response.json());
  };
  return { company, merchant, priced, charge, collect, read };
}

const amounts = (data: readonly z.output<typeof line>[]) => data.map(({ code, netAmount }) => [code, netAmount]);

describe('GET a statement', () => {
  it('has a line in the month of its own instant in Riyadh', async () => {
    const { company, merchant, priced, charge, collect, read } = await newShop();
    await priced('2026-09-30T20:59:59.999Z', ['1']);
    const october = await priced('2026-09-30T21:00:00Z', ['10', '2.5']);
    await priced('2026-10-31T20:59:59.999Z', ['20']);
    // 00:30 of 1 November in Riyadh.
    const { shipmentId, shipmentNumber, externalReference } = await priced('2026-10-31T21:30:00Z', ['30']);
    // The cancellation of a shipment of October.
    await charge(october.shipmentId, '2026-11-05T09:00:00Z', [101, 'BASE', '-10']);
    await charge(october.shipmentId, '2026-11-05T09:00:00Z', [102, 'DISTANCE', '-2.5']);
    await charge(october.shipmentId, '2026-11-05T09:00:00Z', [301, 'CANCELLATION', '10']);
    await collect(october.shipmentId, '2026-10-31T20:59:59.999Z', '99.5');
    await collect(shipmentId, '2026-10-31T21:00:00Z', '7.25');

    const before = await read('2026-10');
    expect(amounts(before.data)).toEqual([
      ['BASE', 10],
      ['DISTANCE', 2.5],
      ['BASE', 20],
    ]);
    expect(before).toMatchObject({
      totals: { netAmount: 32.5, vatAmount: 4.88, totalAmount: 37.38, shipments: 2 },
      cod: { amount: 99.5, shipments: 1 },
    });
    expect(await (await merchant.get(`${STATEMENTS}/2026-11`)).json()).toEqual({
      month: '2026-11',
      currency: 'SAR',
      timeZone: 'Asia/Riyadh',
      company: { name: company.name, vatNumber: null },
      // 27.5 × 0.15 = 4.125, half away from zero.
      totals: { netAmount: 27.5, vatAmount: 4.13, totalAmount: 31.63, shipments: 2 },
      cod: { amount: 7.25, shipments: 1 },
      data: [
        {
          ...{ shipmentId, shipmentNumber, externalReference, code: 'BASE', createdAt: '2026-10-31T21:30:00.000000Z' },
          ...{ netAmount: 30, vatRate: 0.15, vatAmount: 4.5, totalAmount: 34.5 },
        },
        expect.objectContaining({ code: 'BASE', netAmount: -10, vatAmount: -1.5, totalAmount: -11.5 }),
        expect.objectContaining({ code: 'DISTANCE', netAmount: -2.5, vatAmount: -0.38, totalAmount: -2.88 }),
        expect.objectContaining({ shipmentId: october.shipmentId, code: 'CANCELLATION', netAmount: 10 }),
      ],
      page: { nextCursor: null, hasMore: false },
    });
  });

  it('adds up over its pages, with VAT on the sum of each rate', async () => {
    const { merchant, priced, charge, read } = await newShop();
    // Two shipments at one instant, and a month with two rates.
    const first = await priced('2026-10-10T08:00:00Z', ['9.9', '15.4', '5.1']);
    await priced('2026-10-10T08:00:00Z', ['0.1', '0.2']);
    const reduced = await priced('2026-10-11T08:00:00Z', ['0.5', '10'], '0.05');
    await charge(reduced.shipmentId, '2026-10-12T08:00:00Z', [101, 'CREDIT', '-10.49']);
    await charge(first.shipmentId, '2026-10-12T08:00:00Z', [101, 'CREDIT', '-0.03']);
    const whole = await read('2026-10', { limit: '100' });
    // 15 %: 30.67 → 4.6005; 5 %: 0.01 → 0.0005.
    expect(whole.totals).toEqual({ netAmount: 30.68, vatAmount: 4.6, totalAmount: 35.28, shipments: 3 });

    const walked: z.output<typeof line>[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: z.output<typeof statement> = await read('2026-10', { limit: '2', ...(cursor && { cursor }) });
      expect(page.totals).toEqual(whole.totals);
      walked.push(...page.data);
      cursor = page.page.nextCursor;
    }
    expect(walked).toEqual(whole.data);
    expect(walked).toHaveLength(9);
    const halalas = (of: (one: z.output<typeof line>) => number) =>
      walked.reduce((sum, one) => sum + Math.round(of(one) * 100), 0);
    expect(halalas(({ netAmount }) => netAmount)).toBe(3068);
    for (const one of walked) expect(one.totalAmount).toBeCloseTo(one.netAmount + one.vatAmount, 10);

    // Negative amounts are numbers in a spreadsheet, without an apostrophe.
    const csv = await merchant.get(`${STATEMENTS}/2026-10?limit=8`, { accept: 'text/csv' });
    expect(csv.headers.get('link')).toMatch(
      /^<\/v2\/external\/statements\/2026-10\?limit=8&cursor=[^>]+>; rel="next"$/,
    );
    const rows = (await csv.text()).split('\r\n');
    expect(rows[0]).toBe(
      'shipmentId,shipmentNumber,externalReference,code,createdAt,netAmount,vatRate,vatAmount,totalAmount',
    );
    expect(rows[8]).toMatch(
      /,CREDIT,2026-10-12T08:00:00\.000000Z,-(?:10\.49,0\.05,-0\.52,-11\.01|0\.03,0\.15,0,-0\.03)$/,
    );
  });

  it('of a running month ends with its first page', async () => {
    const { priced, read } = await newShop();
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
    const { shipmentId } = await priced(ago(60), ['1', '2']);
    const month = new Date(Date.now() - 60_000 + 3 * 3_600_000).toISOString().slice(0, 7);
    const first = await read(month, { limit: '1' });
    expect([first.data[0]?.shipmentId, first.totals.shipments]).toEqual([shipmentId, 1]);
    // Some are committed later than others that they stand before.
    await priced(ago(3), ['4']);
    const rest = await read(month, { cursor: first.page.nextCursor ?? '' });
    expect(rest.totals).toEqual(first.totals);
    expect(new Set(rest.data.map((one) => one.shipmentId))).toEqual(new Set([shipmentId]));
    expect((await read(month)).totals.shipments).toBe(1);
    await priced(ago(20), ['8']);
    expect((await read(month)).totals).toMatchObject({ netAmount: 11, shipments: 2 });
    // Years before the service have no lines.
    expect((await read('0001-01')).totals).toEqual({ netAmount: 0, vatAmount: 0, totalAmount: 0, shipments: 0 });
  });

  it.each(['2026-13', '2026-00', '2026-1', '26-01', '٢٠٢٦-١١', '2026-11-01', '9999-12', '2026'])(
    'refuses the month %s',
    async (month) => {
      const { merchant } = await newShop();
      const refused = await merchant.get(`${STATEMENTS}/${encodeURIComponent(month)}`);
      await expectProblem(refused, {
        status: 400,
        code: 'INVALID_PATH_PARAMETER',
        violations: [month === '9999-12' ? 'month OUT_OF_RANGE' : 'month PATTERN_MISMATCH'],
      });
    },
  );

  it('knows the month of a sandbox whose clock is ahead', async () => {
    const sandbox = await newSandbox(environment);
    const next = new Date(Date.now() + 30 * 86_400_000 + 3 * 3_600_000).toISOString().slice(0, 7);
    expect((await sandbox.merchant.get(`${STATEMENTS}/${next}`)).status).toBe(400);
    await advanceClock(sandbox, { seconds: 30 * 86_400 });
    expect((await sandbox.merchant.get(`${STATEMENTS}/${next}`)).status).toBe(200);
  });

  it('has no line of another company, and needs finance:read', async () => {
    const { company, priced } = await newShop();
    await priced('2026-10-10T08:00:00Z', ['5']);
    expect((await (await newShop()).read('2026-10')).data).toEqual([]);
    const authorization = `Bearer ${await environment.token(company, 'shipments:read')}`;
    const refused = await environment.fetch(`${STATEMENTS}/2026-10`, { headers: { authorization } });
    await expectProblem(refused, { status: 403, code: 'ACCESS_DENIED' });
  });
});

describe('the VAT number', () => {
  it('is set by an owner with a second factor, stands on statements, and is in the audit', async () => {
    const { company, read } = await newShop();
    const owner = await addPerson(environment, company, 'OWNER');
    const proved = trpcClient(environment, await addSession(environment, owner, { assurance: 'AAL2' }));
    const vatNumber = '310122393500003';
    expect(await proved.companies.setVatNumber.mutate({ vatNumber })).toEqual({ vatNumber });
    expect(await read('2026-10')).toMatchObject({ company: { name: company.name, vatNumber } });
    const [entry] = (await proved.audit.list.query({})).data;
    expect(entry).toMatchObject({
      ...{ action: 'company.vat_number_set', subject: company.companyId, personId: owner.personId },
      detail: { vatNumber },
    });
    for (const wrong of ['310122393500004', '110122393500003', '31012239350000', '٣١٠١٢٢٣٩٣٥٠٠٠٠٣']) {
      expect(await problemOfCall(proved.companies.setVatNumber.mutate({ vatNumber: wrong }))).toMatchObject({
        code: 'VALIDATION_FAILED',
        violations: [{ field: 'vatNumber', code: 'PATTERN_MISMATCH' }],
      });
    }
    const unproved = trpcClient(environment, await addSession(environment, owner));
    expect(await problemOfCall(unproved.companies.setVatNumber.mutate({ vatNumber: null }))).toMatchObject({
      code: 'ASSURANCE_REQUIRED',
    });
    expect(await proved.companies.setVatNumber.mutate({ vatNumber: null })).toEqual({ vatNumber: null });
    expect(await read('2026-10')).toMatchObject({ company: { vatNumber: null } });
  });
});

describe('the prices of shipments', () => {
  it('are those of their charges, and of the own company only', async () => {
    const { company, merchant, charge } = await newShop();
    const [one, credited] = [await merchant.create(), await merchant.create()];
    await charge(credited.shipmentId, '2026-11-12T08:00:00Z', [101, 'CREDIT', '-1.05']);
    const foreign = await (await newShop()).merchant.create();
    const member = await addPerson(environment, company, 'MEMBER');
    const { statements } = trpcClient(environment, await addSession(environment, member));
    const shipmentIds = [one, credited, foreign].map(({ shipmentId }) => shipmentId);
    // A whole page of the list.
    const others = Array.from({ length: 97 }, () => crypto.randomUUID());
    const { data } = await statements.prices.query({ shipmentIds: [...shipmentIds, ...others] });
    expect(data.map(({ shipmentId }) => shipmentId).toSorted()).toEqual(shipmentIds.slice(0, 2).toSorted());
    for (const { shipmentId, currency, ...sums } of data) {
      const charges = z
        .looseObject({ netAmount: z.number(), vatAmount: z.number(), totalAmount: z.number() })
        .parse(await (await merchant.get(`${SHIPMENTS}/${shipmentId}/charges`)).json());
      expect(currency).toBe('SAR');
      for (const name of ['netAmount', 'vatAmount', 'totalAmount'] as const)
        expect(Number(sums[name])).toBe(charges[name]);
    }
  });
});
