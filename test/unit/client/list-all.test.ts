import { afterEach, beforeEach, expect, it } from 'vitest';
import { listAll } from '../../../src/client.ts';
import { refusal, result, StandIn } from './stand-in.ts';

let service: StandIn;

beforeEach(async () => {
  service = new StandIn();
  await service.start();
});

afterEach(() => service.stop());

const page = (data: readonly unknown[], nextCursor: string | null) =>
  result({ data, page: { nextCursor, hasMore: nextCursor !== null } });
const inputs = () => service.calls.map(({ input }) => input);

it('reads all pages in order with the same filter', async () => {
  service.toCalls.push(page([1, 2], 'c1'), page([], 'c2'), page([3], null));
  const seen: unknown[] = [];
  for await (const shipment of listAll(service.client().shipments.list, { state: 'OFFERED' })) seen.push(shipment);
  expect(seen).toEqual([1, 2, 3]);
  expect(inputs()).toEqual([
    { state: 'OFFERED', limit: 100 },
    { state: 'OFFERED', limit: 100, cursor: 'c1' },
    { state: 'OFFERED', limit: 100, cursor: 'c2' },
  ]);
});

it('uses the caller’s page size and start, and reads no page that is not needed', async () => {
  service.toCalls.push(page([1, 2], 'c2'));
  for await (const branch of listAll(service.client().branches.list, { limit: 2, cursor: 'c1' })) {
    if (Object.is(branch, 2)) break;
  }
  expect(inputs()).toEqual([{ limit: 2, cursor: 'c1' }]);
});

it('ends where the feed of events ends now: at an empty page with the same cursor', async () => {
  service.toCalls.push(page([], 'c1'), page([1], 'c2'), page([], 'c2'));
  const seen: unknown[] = [];
  for await (const event of listAll(service.client().shipments.list, {})) seen.push(event);
  expect(seen).toEqual([1]);
});

it('ends with the error of the page that could not be read', async () => {
  service.toCalls.push(page([1], 'c1'), refusal(400, 'INVALID_CURSOR'));
  const shipments = listAll(service.client().shipments.list, {});
  expect((await shipments.next()).value).toBe(1);
  await expect(shipments.next()).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
});

it('passes on the caller’s signal', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(listAll(service.client().shipments.list, {}, { signal }).next()).rejects.toMatchObject({
    code: 'ABORTED',
  });
});
