import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { EVENTS, type EventBody, readEventPage } from '../../scripts/shared/events.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { exactly, shipmentBody } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { eventFaultsOf } from '../support/openapi.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { trpcClient } from '../support/trpc.ts';

const environment = sharedEnvironment();

async function newMerchant() {
  return merchantOf(environment, await addCompany(environment));
}
const list = async (merchant: Awaited<ReturnType<typeof newMerchant>>, query = '') =>
  readEventPage(await merchant.get(`${EVENTS}${query}`));

describe('an event', () => {
  it('contains the whole shipment, exactly as the merchant received it', async () => {
    const merchant = await newMerchant();
    const correlationId = '0190d0c8-7a6b-4c3d-8e4f-0123456789ab';
    const response = await merchant.postShipment(
      shipmentBody(merchant.company, { declaredValue: exactly('12345678901234567.89') }),
      { 'x-correlation-id': correlationId },
    );
    const text = await response.text();
    const { shipmentId } = JSON.parse(text) as { shipmentId: string };
    const answer = await (await merchant.get(`${EVENTS}?shipmentId=${shipmentId}&limit=1`)).text();
    expect(answer).toContain(`"data":{"shipment":${text}}`);
    const [event] = (await list(merchant, `?shipmentId=${shipmentId}&limit=1`)).data;
    const [row] = await environment.sql('shard-1', 'select body from events where id = ?', [event?.id ?? '']);
    expect(answer).toContain(String(row?.['body']));
    expect(event).toMatchObject({
      type: 'shipment.created',
      apiVersion: 'v2',
      deployment: 'local',
      companyId: merchant.company.companyId,
      shipmentId,
      sequence: 1,
      previousState: null,
      correlationId,
    });
  });

  it('is emitted for every transition by every actor, with the shipment as of that transition', async () => {
    const sandbox = await newSandbox(environment);
    const { shipmentId } = await sandbox.create();
    await sandbox.play(shipmentId, 'HAPPY_PATH');
    await sandbox.untilState(shipmentId, 'DELIVERED');
    const { data } = await readEventPage(await sandbox.merchant.get(`${EVENTS}?shipmentId=${shipmentId}`));
    expect(
      data.map(({ sequence, type, previousState, data: { shipment } }) => [
        sequence,
        type,
        previousState,
        shipment.state,
      ]),
    ).toEqual([
      [1, 'shipment.created', null, 'PENDING_APPROVAL'],
      [2, 'shipment.approved', 'PENDING_APPROVAL', 'READY_FOR_DISPATCH'],
      [3, 'shipment.offered', 'READY_FOR_DISPATCH', 'OFFERED'],
      [4, 'shipment.accepted', 'OFFERED', 'ACCEPTED'],
      [5, 'shipment.picked_up', 'ACCEPTED', 'PICKED_UP'],
      [6, 'shipment.out_for_delivery', 'PICKED_UP', 'OUT_FOR_DELIVERY'],
      [7, 'shipment.delivered', 'OUT_FOR_DELIVERY', 'DELIVERED'],
    ]);
    expect(data.at(-1)?.data.shipment).toEqual(await sandbox.read(shipmentId));
    expect(data.flatMap(eventFaultsOf)).toEqual([]);
  });

  it('has decimals as strings over tRPC', async () => {
    const merchant = await newMerchant();
    await merchant.create({ declaredValue: 250.5 });
    const client = trpcClient(environment, await environment.token(merchant.company));
    const { data } = await client.events.list.query({});
    expect(data[0]?.data.shipment).toMatchObject({ declaredValue: '250.5', destination: { latitude: '21.5' } });
  });
});

describe('the feed', () => {
  it('returns every event exactly once, by cursor and by the id of the last event seen', async () => {
    const merchant = await newMerchant();
    for (let index = 0; index < 5; index += 1) await merchant.createApproved();
    const all = (await list(merchant, '?limit=100')).data;
    expect(all).toHaveLength(10);
    const byCursor: EventBody[] = [];
    for (let query = '?limit=3'; ; ) {
      const { data, page } = await list(merchant, query);
      byCursor.push(...data);
      if (page.nextCursor === null) break;
      query = `?limit=3&cursor=${page.nextCursor}`;
    }
    expect(byCursor).toEqual(all);
    const byId: EventBody[] = [];
    for (let query = '?limit=4'; ; ) {
      const { data } = await list(merchant, query);
      byId.push(...data);
      if (data.length === 0) break;
      query = `?limit=4&after=${data.at(-1)?.id}`;
    }
    expect(byId).toEqual(all);
  });

  /** Pads each envelope of a new company with spaces to the given number of bytes. */
  async function paddedTo(...sizes: readonly number[]) {
    const merchant = await newMerchant();
    for (let made = 0; made < sizes.length; made += 2) await merchant.createApproved();
    const { data } = await list(merchant, '?limit=100');
    for (const [index, size] of sizes.entries()) {
      const sql = `update events set body = body || printf('%*s', ? - octet_length(body), '') where id = ?`;
      await environment.sql('shard-1', sql, [size, data[index]?.id ?? '']);
    }
    return { merchant, ids: data.map(({ id }) => id) };
  }
  const MEBIBYTE = 1_048_576;

  it('fills a page with up to 1 MiB of envelopes and continues with the one that did not fit', async () => {
    const { merchant, ids } = await paddedTo(MEBIBYTE / 4, MEBIBYTE / 4, MEBIBYTE / 2, 5000);
    const first = await list(merchant, '?limit=100');
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    expect(first.page.hasMore).toBe(true);
    const second = await list(merchant, `?limit=100&cursor=${first.page.nextCursor}`);
    expect(second).toMatchObject({ data: [{ id: ids[3] }], page: { hasMore: false, nextCursor: null } });
    // The lower of the two limits applies.
    const small = await list(merchant, '?limit=2');
    expect([small.data.length, small.page.hasMore]).toEqual([2, true]);
  });

  it('reports no further page when the envelopes add up to exactly 1 MiB', async () => {
    const { merchant } = await paddedTo(MEBIBYTE / 2, MEBIBYTE / 2);
    expect(await list(merchant)).toMatchObject({ data: [{}, {}], page: { hasMore: false, nextCursor: null } });
  });

  it('returns an envelope of more than 1 MiB alone, and no envelope twice', async () => {
    const { merchant, ids } = await paddedTo(MEBIBYTE + 1, MEBIBYTE / 2, MEBIBYTE / 2 + 1, 5000);
    const pages: (string | undefined)[][] = [];
    for (let query = '?limit=100'; ; ) {
      const { data, page } = await list(merchant, query);
      pages.push(data.map(({ id }) => id));
      if (page.nextCursor === null) break;
      query = `?limit=100&cursor=${page.nextCursor}`;
    }
    expect(pages).toEqual([[ids[0]], [ids[1]], [ids[2], ids[3]]]);
    expect((await list(merchant, `?limit=100&after=${ids[0]}`)).data.map(({ id }) => id)).toEqual([ids[1]]);
  });

  it('never inserts an event before one that a poller has already seen', async () => {
    const merchant = await newMerchant();
    const seen: string[] = [];
    let last: string | undefined;
    const poll = async () => {
      const { data } = await list(merchant, `?limit=100${last === undefined ? '' : `&after=${last}`}`);
      seen.push(...data.map(({ id }) => id));
      last = data.at(-1)?.id ?? last;
    };
    const creating = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let index = 0; index < 5; index += 1) await merchant.create();
      }),
    );
    await until('everything was created and seen', async () => {
      await poll();
      return seen.length >= 80 ? true : undefined;
    });
    await creating;
    await poll();
    const all = await environment.sql('shard-1', 'select id from events where company_id = ? order by position', [
      merchant.company.companyId,
    ]);
    expect(seen).toEqual(all.map(({ id }) => id));
  });

  it('begins at an instant, with the first event at or after it', async () => {
    const [merchant, other] = [await newMerchant(), await newMerchant()];
    for (let index = 0; index < 4; index += 1) await Promise.all([merchant.createApproved(), other.createApproved()]);
    const all = (await list(merchant, '?limit=100')).data.map(({ id }) => id);
    expect(all).toHaveLength(8);
    const start = Date.parse('2026-11-01T00:00:00Z') * 1000;
    const hour = 3600 * 1_000_000;
    for (const [index, id] of all.entries())
      await environment.sql('shard-1', 'update events set occurred_at = ? where id = ?', [start + index * hour, id]);
    const from = async (time: string, rest = '') =>
      (await list(merchant, `?from=2026-11-01T${time}Z${rest}`)).data.map(({ id }) => id);
    expect(await from('00:00:00')).toEqual(all);
    expect(await from('03:00:00')).toEqual(all.slice(3));
    expect(await from('03:00:00.000001')).toEqual(all.slice(4));
    expect(await from('07:00:00')).toEqual(all.slice(7));
    expect(await from('07:00:00.000001')).toEqual([]);
    expect(await from('03:00:00', '&type=shipment.created')).toEqual(
      all.slice(3).filter((_, index) => index % 2 === 1),
    );
    const first = await list(merchant, '?from=2026-11-01T02:30:00Z&limit=2');
    const second = await list(merchant, `?from=2026-11-01T02:30:00Z&limit=2&cursor=${first.page.nextCursor}`);
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(all.slice(3, 7));
    expect((await list(await newMerchant(), '?from=2020-01-01T00:00:00Z')).data).toEqual([]);
  });

  it('begins now: an empty page, whose cursor stays the same until something happens', async () => {
    const merchant = await newMerchant();
    await merchant.createApproved();
    const begun = await list(merchant, '?after=latest');
    expect(begun).toEqual({ data: [], page: { nextCursor: expect.any(String), hasMore: true } });
    const next = `?after=latest&cursor=${begun.page.nextCursor}`;
    expect(await list(merchant, next)).toEqual(begun);
    await merchant.create();
    const { data, page } = await list(merchant, next);
    expect([data.map(({ type }) => type), page.hasMore]).toEqual([['shipment.created'], false]);
    // A company without any event can begin too.
    const fresh = await newMerchant();
    const empty = await list(fresh, '?after=latest');
    await fresh.create();
    expect((await list(fresh, `?after=latest&cursor=${empty.page.nextCursor}`)).data).toHaveLength(1);
  });

  it('refuses the cursor of a deleted event, and says to begin again with from', async () => {
    const merchant = await newMerchant();
    const response = await merchant.get(`${EVENTS}?after=0190d0c8-7a6b-7c3d-8e4f-0123456789ab`);
    expect(await response.text()).toContain('To begin again, send from instead');
  });

  it('filters by event type and shipment', async () => {
    const merchant = await newMerchant();
    const { shipmentId } = await merchant.create();
    await merchant.create();
    await merchant.cancel(shipmentId);
    const ofKind = await list(merchant, '?type=shipment.cancelled');
    expect(ofKind.data.map((event) => [event.type, event.shipmentId])).toEqual([['shipment.cancelled', shipmentId]]);
    const ofBoth = await list(merchant, `?type=shipment.created&shipmentId=${shipmentId}`);
    expect(ofBoth.data).toHaveLength(1);
  });

  it('returns the events of one company only', async () => {
    const [merchant, stranger] = [await newMerchant(), await newMerchant()];
    const { shipmentId } = await merchant.create();
    expect((await list(stranger, `?shipmentId=${shipmentId}`)).data).toEqual([]);
    const [event] = (await list(merchant)).data;
    const response = await stranger.get(`${EVENTS}?after=${event?.id}`);
    await expectProblem(response, { status: 400, code: 'INVALID_QUERY_PARAMETER', violations: ['after NOT_IN_ENUM'] });
  });

  it.each([
    ['?after=x', 'INVALID_QUERY_PARAMETER', ['after PATTERN_MISMATCH']],
    ['?after=0190d0c8-7a6b-7c3d-8e4f-0123456789ab', 'INVALID_QUERY_PARAMETER', ['after NOT_IN_ENUM']],
    ['?type=shipment.exploded', 'INVALID_QUERY_PARAMETER', ['type NOT_IN_ENUM']],
    ['?from=yesterday', 'INVALID_QUERY_PARAMETER', ['from INVALID_INSTANT']],
    ['?from=2026-11-01T00:00:00Z&after=latest', 'INVALID_QUERY_PARAMETER', ['from FORBIDDEN_FIELD']],
    ['?after=newest', 'INVALID_QUERY_PARAMETER', ['after PATTERN_MISMATCH']],
    ['?shipmentId=7', 'INVALID_QUERY_PARAMETER', ['shipmentId PATTERN_MISMATCH']],
    ['?limit=0', 'LIMIT_OUT_OF_RANGE', ['limit OUT_OF_RANGE']],
    ['?limit=101', 'LIMIT_OUT_OF_RANGE', ['limit OUT_OF_RANGE']],
    ['?cursor=x', 'INVALID_CURSOR', undefined],
    ['?before=1', 'UNKNOWN_QUERY_PARAMETER', ['before UNKNOWN_PROPERTY']],
  ])('refuses %s', async (query, code, violations) => {
    const merchant = await newMerchant();
    const problem = { status: 400, code, ...(violations === undefined ? {} : { violations }) };
    await expectProblem(await merchant.get(`${EVENTS}${query}`), problem);
  });

  it('accepts a cursor only with the filters it was issued for', async () => {
    const merchant = await newMerchant();
    await merchant.create();
    await merchant.create();
    const { page } = await list(merchant, '?limit=1');
    for (const query of ['&type=shipment.created', '&after=0190d0c8-7a6b-7c3d-8e4f-0123456789ab']) {
      const response = await merchant.get(`${EVENTS}?limit=1&cursor=${page.nextCursor}${query}`);
      await expectProblem(response, { status: 400, code: 'INVALID_CURSOR' });
    }
  });
});
