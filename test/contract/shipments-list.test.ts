import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { forceState, setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { readShipment, readShipmentPage } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { trpcClient } from '../support/trpc.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
// Nothing is approved by itself, so the shipments do not change.
await setApprovalPolicy(environment, company, 'MANUAL');
const merchant = await merchantOf(environment, company);

const created: string[] = [];
for (let index = 0; index < 27; index += 1) {
  const { shipmentId } = await merchant.create({ externalReference: `list ${index} & more` });
  created.push(shipmentId);
}
const newestFirst = created.toReversed();
await forceState(environment, company, newestFirst[2] ?? '', 'DELIVERED');
await forceState(environment, company, newestFirst[5] ?? '', 'DELIVERED');

async function list(query: string) {
  return readShipmentPage(await merchant.get(`${SHIPMENTS}${query}`));
}
async function idsOf(query: string): Promise<string[]> {
  return (await list(query)).data.map(({ shipmentId }) => shipmentId);
}

describe('GET shipments', () => {
  it('returns the newest 25 and reports that there are more', async () => {
    const { data, page } = await list('');
    expect(data.map(({ shipmentId }) => shipmentId)).toEqual(newestFirst.slice(0, 25));
    expect(page).toEqual({ nextCursor: expect.stringMatching(/^[A-Za-z0-9_-]+$/), hasMore: true });
  });

  it('returns each shipment as GET does', async () => {
    const [first] = (await list('?limit=1')).data;
    expect(first).toEqual(await readShipment(await merchant.get(`${SHIPMENTS}/${newestFirst[0] ?? ''}`)));
  });

  it.each([
    ['1', 1, true],
    ['26', 26, true],
    ['27', 27, false],
    ['100', 27, false],
  ])('returns as many as limit says: %s', async (limit, count, hasMore) => {
    const { data, page } = await list(`?limit=${limit}`);
    expect([data.length, page.hasMore, page.nextCursor !== null]).toEqual([count, hasMore, hasMore]);
  });

  it('returns an empty list for a company without shipments', async () => {
    const fresh = await merchantOf(environment, await addCompany(environment));
    expect(await (await fresh.get(SHIPMENTS)).json()).toEqual({ data: [], page: { nextCursor: null, hasMore: false } });
  });

  it('returns no shipments of another company in the same shard', async () => {
    const other = await merchantOf(environment, await addCompany(environment, company.shard));
    const { shipmentId } = await other.create();
    const page = await readShipmentPage(await other.get(`${SHIPMENTS}?limit=100`));
    expect(page.data.map((shipment) => shipment.shipmentId)).toEqual([shipmentId]);
  });
});

describe('the filter', () => {
  it('state answers shipments in that state only', async () => {
    expect(await idsOf('?state=DELIVERED')).toEqual([newestFirst[2], newestFirst[5]]);
    expect(await idsOf('?state=PENDING_APPROVAL&limit=100')).toHaveLength(25);
    expect(await idsOf('?state=CANCELLED')).toEqual([]);
  });

  it('externalReference answers the one exact match', async () => {
    expect(await idsOf('?externalReference=list%203%20%26%20more')).toEqual([created[3]]);
    expect(await idsOf('?externalReference=list+3+%26+more')).toEqual([created[3]]);
    expect(await idsOf('?externalReference=list%203')).toEqual([]);
    expect(await idsOf('?externalReference=%25')).toEqual([]);
    expect(await idsOf('?externalReference=LIST%203%20%26%20MORE')).toEqual([]);
  });

  it('state and externalReference can be combined', async () => {
    const reference = '?externalReference=list%2024%20%26%20more';
    expect(await idsOf(`${reference}&state=DELIVERED`)).toEqual([created[24]]);
    expect(await idsOf(`${reference}&state=OFFERED`)).toEqual([]);
  });
});

describe('a wrong query is 400', () => {
  it.each(['0', '-1', '101', '1000', '999999999999999', '999999999999999999999'])(
    'limit=%s is out of range and never clamped',
    async (limit) => {
      const problem = { status: 400, code: 'LIMIT_OUT_OF_RANGE', violations: ['limit OUT_OF_RANGE'] };
      await expectProblem(await merchant.get(`${SHIPMENTS}?limit=${limit}`), problem);
    },
  );

  it.each(['', 'ten', '1.5', '1e1', '0x10', '%201', '+1', '٥'])('limit=%s is not a whole number', async (limit) => {
    const problem = { status: 400, code: 'INVALID_QUERY_PARAMETER', violations: ['limit TYPE_MISMATCH'] };
    await expectProblem(await merchant.get(`${SHIPMENTS}?limit=${limit}`), problem);
  });

  it.each([
    ['state=delivered', 'INVALID_QUERY_PARAMETER', 'state NOT_IN_ENUM'],
    ['state=', 'INVALID_QUERY_PARAMETER', 'state NOT_IN_ENUM'],
    ['externalReference=', 'INVALID_QUERY_PARAMETER', 'externalReference TOO_SHORT'],
    [`externalReference=${'x'.repeat(129)}`, 'INVALID_QUERY_PARAMETER', 'externalReference TOO_LONG'],
    ['offset=1', 'UNKNOWN_QUERY_PARAMETER', 'offset UNKNOWN_PROPERTY'],
    ['Limit=1', 'UNKNOWN_QUERY_PARAMETER', 'Limit UNKNOWN_PROPERTY'],
    ['constructor=1', 'UNKNOWN_QUERY_PARAMETER', 'constructor UNKNOWN_PROPERTY'],
    ['limit=1&limit=1', 'INVALID_QUERY_PARAMETER', 'limit DUPLICATE_ITEM'],
    ['state=OFFERED&state=ACCEPTED', 'INVALID_QUERY_PARAMETER', 'state DUPLICATE_ITEM'],
  ])('%s', async (query, code, violation) => {
    await expectProblem(await merchant.get(`${SHIPMENTS}?${query}`), { status: 400, code, violations: [violation] });
  });
});

describe('what happened on a day', () => {
  it('is counted exactly, and each number has its list', async () => {
    const call = trpcClient(environment, await addSession(environment, await addPerson(environment, company)));
    const { days, cities, open, isComplete } = await call.activity.read.query({});
    expect([days.length, cities.length, isComplete]).toEqual([7, 1, true]);
    expect(days.reduce((sum, { created: count }) => sum + count, 0)).toBe(27);
    expect(open.filter(({ count }) => count > 0)).toEqual([{ state: 'PENDING_APPROVAL', count: 25, isMore: false }]);
    // Midnight in Riyadh may divide the shipments between two days.
    const listed: string[] = [];
    for (const { day, created: count } of days.toReversed()) {
      const asked = { day, figure: 'created', cityCode: cities[0]?.cityCode } as const;
      const first = await call.activity.list.query({ ...asked, limit: 20 });
      expect([first.data.length, first.page.hasMore]).toEqual([Math.min(count, 20), count > 20]);
      listed.push(...first.data.map(({ shipmentId }) => shipmentId));
      const cursor = first.page.nextCursor;
      if (cursor === null) continue;
      const second = await call.activity.list.query({ ...asked, cursor });
      expect([second.data.length, second.page.hasMore]).toEqual([count - 20, false]);
      listed.push(...second.data.map(({ shipmentId }) => shipmentId));
    }
    expect(listed).toEqual(newestFirst);
    const [most] = days.toSorted((one, other) => other.created - one.created);
    const asked = { day: most?.day ?? '', figure: 'created' } as const;
    const { page } = await call.activity.list.query({ ...asked, limit: 1 });
    const other = call.activity.list.query({ ...asked, figure: 'failed', cursor: page.nextCursor ?? '' });
    await expect(other).rejects.toThrow('INVALID_CURSOR');
    await expect(call.activity.list.query({ ...asked, day: '2026-02-30' })).rejects.toThrow('INVALID_QUERY_PARAMETER');
    const last = days.findLast(({ created: count }) => count > 0);
    const tomorrow = new Date(Date.parse(last?.day ?? '') + 86_400_000).toISOString().slice(0, 10);
    expect((await call.activity.list.query({ day: tomorrow, figure: 'created' })).data).toEqual([]);
    const twoDays = await call.activity.list.query({ day: tomorrow, days: 2, figure: 'created', limit: 100 });
    expect(twoDays.data).toHaveLength(last?.created ?? 0);
    expect((await call.activity.list.query({ days: 7, figure: 'created', limit: 100 })).data).toHaveLength(27);
  });
});

describe('the list that the console keeps open', () => {
  it('is read again only after an event', async () => {
    const one = await newSandbox(environment);
    const { shipmentId } = await one.create();
    await one.untilState(shipmentId, 'OFFERED');
    const call = trpcClient(environment, await addSession(environment, await addPerson(environment, one.company)));
    const first = await call.activity.shipments.query({ state: 'OFFERED,ACCEPTED', limit: 100 });
    expect(first.list?.data.map((shipment) => [shipment.shipmentId, shipment.state])).toEqual([
      [shipmentId, 'OFFERED'],
    ]);
    const asked = { state: 'OFFERED,ACCEPTED', limit: 100, known: first.newest ?? '' };
    expect(await call.activity.shipments.query(asked)).toEqual({ newest: first.newest, list: null });
    expect(await call.activity.shipments.query({ ...asked, known: shipmentId })).toEqual(first);
    await (await one.signIn()).act(shipmentId, { action: 'ACCEPT' });
    const next = await call.activity.shipments.query(asked);
    expect(next.newest).not.toBe(first.newest);
    expect(next.list?.data.map(({ state }) => state)).toEqual(['ACCEPTED']);
  });

  it('reads drivers and last events of a page at once, and of no other company', async () => {
    const one = await newSandbox(environment, company.shard);
    const { shipmentId, shipmentNumber, externalReference } = await one.create();
    const { version } = await one.untilState(shipmentId, 'OFFERED');
    const names = { shipmentId, shipmentNumber, externalReference };
    const call = trpcClient(environment, await addSession(environment, await addPerson(environment, one.company)));
    const shipmentIds = [...created.slice(0, 2), shipmentId].join();
    const offered = { type: 'shipment.offered', occurredAt: expect.any(String), note: null };
    expect(await call.activity.details.query({ shipmentIds })).toEqual({
      data: [{ ...names, version, driver: null, lastEvent: offered }],
    });
    await (await one.signIn()).act(shipmentId, { action: 'ACCEPT' });
    const accepted = { type: 'shipment.accepted', occurredAt: expect.any(String), note: null };
    expect(await call.activity.details.query({ shipmentIds })).toEqual({
      data: [{ ...names, version: version + 1, driver: { firstName: expect.any(String) }, lastEvent: accepted }],
    });
    const tooMany = Array.from({ length: 101 }, () => shipmentId).join();
    await expect(call.activity.details.query({ shipmentIds: tooMany })).rejects.toThrow('INVALID_QUERY_PARAMETER');
  });
});
