import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import { Sealer } from '../../../../src/access/sealer.ts';
import type { Result } from '../../../../src/core/result.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { listEvents } from '../../../../src/domain/events/feed.ts';
import type { Page } from '../../../../src/domain/page.ts';
import { listShipments, listTimeline } from '../../../../src/domain/shipments/read.ts';
import { systemRandom } from '../../../../src/providers/system.ts';
import { openMemoryShard } from '../../../support/dispatch/memory-shard.ts';
import { addShipment, give } from '../../../support/dispatch/shipments.ts';
import { scopeOf } from '../../../support/dispatch/test-shard.ts';

/* Paged lists on real SQL: complete, in order, with cursors bound to their query. */

const shard = openMemoryShard();
const process = { ...shard.process(), cursors: new Sealer([Buffer.alloc(32, 1).toString('base64url')], systemRandom) };
const { scope } = shard;
const stranger = scopeOf(newId());
afterAll(() => shard.close());
beforeEach(() => shard.clear());

type Ask<Entry> = (request: { limit: number; cursor?: string }) => Promise<Result<Page<Entry>>>;

async function pageOf<Entry>(asked: Promise<Result<Page<Entry>>>): Promise<Page<Entry>> {
  const page = await asked;
  if (!page.ok) throw new Error(`No page: ${page.code}`);
  expect(page.value.page.hasMore).toBe(page.value.page.nextCursor !== null);
  return page.value;
}

/** All pages of a list, in order. */
async function walk<Entry>(limit: number, ask: Ask<Entry>): Promise<Entry[][]> {
  const pages: Entry[][] = [];
  let cursor: string | null = null;
  do {
    const { data, page }: Page<Entry> = await pageOf(ask(cursor === null ? { limit } : { limit, cursor }));
    pages.push(data);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return pages;
}

async function firstCursor<Entry>(ask: Ask<Entry>): Promise<string> {
  const { page } = await pageOf(ask({ limit: 1 }));
  if (page.nextCursor === null) throw new Error('There is but one page');
  return page.nextCursor;
}

async function addShipments(count: number): Promise<Uuid[]> {
  const ids: Uuid[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await addShipment(shard, process));
  return ids;
}

const INVALID = { ok: false, code: 'INVALID_CURSOR' };
const AWAY = { ok: false, code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 };
const cancel = (id: Uuid) => give(shard, process, id, { name: 'CANCEL', reasonCode: 'OTHER', comment: null });

describe('shipments', () => {
  const list: Ask<{ readonly shipmentId: string; readonly state: string }> = (request) =>
    listShipments(process, scope, request);
  const idsOf = (pages: readonly (readonly { readonly shipmentId: string }[])[]) =>
    pages.map((page) => page.map(({ shipmentId }) => shipmentId));

  test.each([
    [1, [1, 1, 1, 1, 1]],
    [2, [2, 2, 1]],
    [4, [4, 1]],
    [5, [5]],
    [6, [5]],
  ])('are listed newest first, each once, with %i per page', async (limit, sizes) => {
    const ids = await addShipments(5);
    const pages = idsOf(await walk(limit, list));
    expect(pages.flat()).toEqual(ids.toReversed());
    expect(pages.map(({ length }) => length)).toEqual(sizes);
  });

  test('of one instant are ordered by id, and none is lost between pages', async () => {
    const ids = await addShipments(5);
    await shard.rows('UPDATE shipments SET created_at = 1795224000000000');
    expect(idsOf(await walk(2, list)).flat()).toEqual(ids.toSorted().toReversed());
  });

  test('that do not exist are one empty page', async () => {
    expect(await walk(3, list)).toEqual([[]]);
    await addShipments(1);
    expect(await walk(3, (request) => listShipments(process, stranger, request))).toEqual([[]]);
  });

  test('are filtered by state and by reference, on every page', async () => {
    const ids = await addShipments(4);
    for (const id of ids.slice(0, 3)) await cancel(id);
    const cancelled = await walk(2, (request) => listShipments(process, scope, { ...request, state: ['CANCELLED'] }));
    expect(idsOf(cancelled)).toEqual([[ids[2], ids[1]], [ids[0]]]);
    const externalReference = 'order-7';
    const named = await addShipment(shard, process, { externalReference });
    expect(idsOf(await walk(2, (request) => listShipments(process, scope, { ...request, externalReference })))).toEqual(
      [[named]],
    );
  });

  test('have cursors that work with another limit, but with no other query', async () => {
    const ids = await addShipments(3);
    for (const id of ids) await cancel(id);
    const cursor = await firstCursor(list);
    expect((await pageOf(listShipments(process, scope, { limit: 9, cursor }))).data).toHaveLength(2);
    const request = { limit: 1, cursor };
    expect(await listShipments(process, stranger, request)).toEqual(INVALID);
    expect(await listShipments(process, scope, { ...request, state: ['CANCELLED'] })).toEqual(INVALID);
    expect(await listShipments(process, scope, { ...request, externalReference: 'CANCELLED' })).toEqual(INVALID);
    const filtered = await firstCursor((asked) => listShipments(process, scope, { ...asked, state: ['CANCELLED'] }));
    expect(await listShipments(process, scope, { limit: 1, cursor: filtered })).toEqual(INVALID);
    expect(await listShipments(process, scope, { limit: 1, cursor: filtered, state: ['OFFERED'] })).toEqual(INVALID);
    expect(await listTimeline(process, scope, { ...request, shipmentId: ids[0] as Uuid })).toEqual(INVALID);
    expect(await listEvents(process, scope, request)).toEqual(INVALID);
    expect(await listShipments(process, scope, { limit: 1, cursor: 'nonsense' })).toEqual(INVALID);
  });

  test('that are too large for one response come in shorter pages, without a loss', async () => {
    const ids = await addShipments(7);
    shard.wire.carry = (_batch, run) => atMost(3, run);
    const pages = idsOf(await walk(6, list));
    expect(pages.flat()).toEqual(ids.toReversed());
    // Requests for 7 rows, then 4, then 3: always one more than the page.
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 3]);
  });

  test('are 503 when a single row is too large, and when the database does not answer', async () => {
    await addShipments(2);
    shard.wire.carry = () => tooLarge();
    expect(await list({ limit: 5 })).toEqual(AWAY);
    let asked = 0;
    shard.wire.carry = () => {
      asked += 1;
      throw new TypeError('The connection was reset');
    };
    expect(await list({ limit: 5 })).toEqual(AWAY);
    expect(asked).toBe(1);
  });
});

describe('a timeline', () => {
  const timelineOf = (shipmentId: Uuid) => (request: { limit: number; cursor?: string }) =>
    listTimeline(process, scope, { ...request, shipmentId });

  test('is listed oldest first, each event once', async () => {
    const [id = newId()] = await addShipments(1);
    await give(shard, process, id, { name: 'APPROVE' });
    await give(shard, process, id, { name: 'GIVE_UP', reasonCode: 'NO_DRIVER' });
    await cancel(id);
    const pages = await walk(3, timelineOf(id));
    expect(pages.map((page) => page.map(({ sequence, state }) => `${sequence} ${state}`))).toEqual([
      ['1 PENDING_APPROVAL', '2 READY_FOR_DISPATCH', '3 DISPATCH_UNRESOLVED'],
      ['4 CANCELLED'],
    ]);
  });

  test('is refused for a shipment that is unknown or of another company', async () => {
    const [id = newId()] = await addShipments(1);
    const denied = { ok: false, code: 'ACCESS_DENIED' };
    expect(await timelineOf(newId())({ limit: 5 })).toEqual(denied);
    expect(await listTimeline(process, stranger, { limit: 5, shipmentId: id })).toEqual(denied);
  });

  test('has cursors bound to its shipment', async () => {
    const [one = newId(), other = newId()] = await addShipments(2);
    for (const id of [one, other]) await cancel(id);
    const cursor = await firstCursor(timelineOf(one));
    expect((await pageOf(timelineOf(one)({ limit: 5, cursor }))).data.map(({ sequence }) => sequence)).toEqual([2]);
    expect(await timelineOf(other)({ limit: 5, cursor })).toEqual(INVALID);
    expect(await listTimeline(process, stranger, { limit: 5, cursor, shipmentId: one })).toEqual(INVALID);
    expect(await listShipments(process, scope, { limit: 5, cursor })).toEqual(INVALID);
  });

  test('is 503 when the database does not answer', async () => {
    shard.wire.carry = () => Promise.reject(new TypeError('The connection was reset'));
    expect(await timelineOf(newId())({ limit: 5 })).toEqual(AWAY);
  });
});

/** The server’s answer when the rows exceed its response limit. */
function tooLarge(): Response {
  return Response.json({ results: [{ type: 'error', error: { message: 'too large', code: 'RESPONSE_TOO_LARGE' } }] });
}

async function atMost(rowsMax: number, run: () => Response): Promise<Response> {
  const response = run();
  type Body = { results: [{ response: { result: { step_results: ({ rows: unknown[] } | null)[] } } }] };
  const { results } = (await response.clone().json()) as Body;
  const rows = results[0].response.result.step_results.flatMap((step) => step?.rows ?? []);
  return rows.length > rowsMax ? tooLarge() : response;
}
