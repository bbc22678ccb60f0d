import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { EVENTS, readEventPage } from '../../scripts/shared/events.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { DESTINATION, readShipment } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { trpcClient } from '../support/trpc.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
const merchant = await merchantOf(environment, company);
const stranger = await merchantOf(environment, await addCompany(environment, company.shard));
const token = await environment.token(company);

const pathOf = (shipmentId: string) => `${SHIPMENTS}/${shipmentId}/metadata`;
const put = (shipmentId: string, metadata: unknown, ifMatch = '*') =>
  environment.fetch(pathOf(shipmentId), {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'if-match': ifMatch },
    body: typeof metadata === 'string' ? metadata : JSON.stringify({ metadata }),
  });
async function answerOf(response: Response) {
  return { status: response.status, etag: response.headers.get('etag'), body: await response.json() };
}

describe('the metadata of a shipment', () => {
  it('is empty at first, is replaced as a whole, and leaves the shipment as it is', async () => {
    const { shipmentId } = await merchant.create();
    const read = async () => answerOf(await merchant.get(pathOf(shipmentId)));
    expect(await read()).toEqual({ status: 200, etag: '"0"', body: { metadata: {}, version: 0 } });
    const first = { status: 200, etag: '"1"', body: { metadata: { 'b.2': '', a_1: 'قهوة "☕"\n' }, version: 1 } };
    expect(await answerOf(await put(shipmentId, first.body.metadata, '"0"'))).toEqual(first);
    expect(await read()).toEqual(first);
    const again = await merchant.get(pathOf(shipmentId), { 'if-none-match': '"1"' });
    expect(again.status).toBe(304);
    const second = { status: 200, etag: '"2"', body: { metadata: { 'c-3': 'x'.repeat(500) }, version: 2 } };
    expect(await answerOf(await put(shipmentId, second.body.metadata, '"1"'))).toEqual(second);
    expect(await read()).toEqual(second);
    expect(await answerOf(await put(shipmentId, {}))).toMatchObject({ etag: '"3"', body: { metadata: {} } });
    const eventsBeyondVersion = async () => {
      const timeline = await merchant.get(`${SHIPMENTS}/${shipmentId}/timeline`);
      const { data } = (await timeline.json()) as { data: unknown[] };
      const shipment = await readShipment(await merchant.get(`${SHIPMENTS}/${shipmentId}`));
      return data.length - shipment.version;
    };
    // The service may approve the shipment between the two reads.
    await expect.poll(eventsBeyondVersion).toBe(1);
  });

  it('changes only with its own version, and a repeat changes nothing', async () => {
    const { shipmentId } = await merchant.create();
    const mine = { channel: 'web', store: '4' };
    expect((await put(shipmentId, mine, '"0"')).status).toBe(200);
    const reordered = { store: '4', channel: 'web' };
    expect(await answerOf(await put(shipmentId, reordered, '"0"'))).toMatchObject({ status: 200, etag: '"1"' });
    const stale = await put(shipmentId, { channel: 'app' }, '"0"');
    await expectProblem(stale, { status: 412, code: 'PRECONDITION_FAILED' });
    const both = await Promise.all([put(shipmentId, { winner: '1' }, '"1"'), put(shipmentId, { winner: '2' }, '"1"')]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 412]));
    expect(await answerOf(await merchant.get(pathOf(shipmentId)))).toMatchObject({ etag: '"2"' });
  });

  it('belongs to the company', async () => {
    const { shipmentId } = await stranger.create();
    await expectProblem(await merchant.get(pathOf(shipmentId)), { status: 403, code: 'ACCESS_DENIED' });
    await expectProblem(await put(shipmentId, { channel: 'web' }), { status: 403, code: 'ACCESS_DENIED' });
    expect(await answerOf(await stranger.get(pathOf(shipmentId)))).toMatchObject({ body: { version: 0 } });
  });

  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
  it.each([
    ['no metadata', '{}', ['metadata REQUIRED']],
    ['null', null, ['metadata NULL_NOT_ALLOWED']],
    ['a list', ['web'], ['metadata TYPE_MISMATCH']],
    ['21 entries', keys(21), ['metadata TOO_MANY_ITEMS']],
    ['a key of 41 characters', { ['k'.repeat(41)]: 'v' }, [`metadata.${'k'.repeat(41)} PATTERN_MISMATCH`]],
    ['a key with a colon', { 'a:b': 'v' }, ['metadata.a:b PATTERN_MISMATCH']],
    ['a reserved key', '{"metadata":{"__proto__":"v"}}', ['metadata.__proto__ PATTERN_MISMATCH']],
    [
      'values of other types, too long, and with NUL',
      { a: 1, b: null, c: { d: 'e' }, f: 'x'.repeat(501), g: '\0' },
      [
        'metadata.a TYPE_MISMATCH',
        'metadata.b NULL_NOT_ALLOWED',
        'metadata.c TYPE_MISMATCH',
        'metadata.f TOO_LONG',
        'metadata.g PATTERN_MISMATCH',
      ],
    ],
  ])('refuses %s', async (_case, metadata, violations) => {
    const { shipmentId } = await merchant.create();
    const refused = await put(shipmentId, metadata);
    await expectProblem(refused, { status: 422, code: 'VALIDATION_FAILED', violations });
    expect((await put(shipmentId, { ...keys(19), ['k'.repeat(40)]: '\u{1f69a}'.repeat(500) })).status).toBe(200);
  });

  it('is in later events of the shipment', async () => {
    const { shipmentId } = await merchant.createApproved();
    const metadata = { channel: 'web', note: 'say "hi"' };
    await put(shipmentId, metadata);
    expect((await merchant.cancel(shipmentId)).status).toBe(200);
    const events = await readEventPage(await merchant.get(`${EVENTS}?shipmentId=${shipmentId}`));
    const told = events.data.map(({ type, data }) => [type, data['metadata']]);
    expect(told[0]).toEqual(['shipment.created', undefined]);
    expect(told.at(-1)).toEqual(['shipment.cancelled', metadata]);
  });

  it('finds shipments', async () => {
    const client = trpcClient(environment, token);
    const made = [await merchant.create(), await merchant.create(), await merchant.create()];
    for (const { shipmentId } of made) await put(shipmentId, { run: 'a:b c', shipmentId });
    const ids = made.map(({ shipmentId }) => shipmentId).toReversed();
    const list = async (query: string) => {
      const response = await merchant.get(`${SHIPMENTS}?${query}`);
      expect(response.status).toBe(200);
      const { data, page } = (await response.json()) as {
        data: { shipmentId: string }[];
        page: { nextCursor: string | null };
      };
      return { ids: data.map(({ shipmentId }) => shipmentId), next: page.nextCursor };
    };
    const first = await list('metadata[run]=a:b%20c&limit=2');
    expect(first.ids).toEqual(ids.slice(0, 2));
    expect((await list(`metadata=run:a:b%20c&limit=2&cursor=${first.next}`)).ids).toEqual(ids.slice(2));
    expect((await list(`metadata[run]=a:b%20c&cityCode=${DESTINATION.cityCode}`)).ids).toEqual(ids);
    expect((await list('metadata[run]=a:b%20c&state=CANCELLED')).ids).toEqual([]);
    expect((await list(`metadata[shipmentId]=${ids[1]}&externalReference=none`)).ids).toEqual([]);
    const { data } = await client.shipments.list.query({ metadata: `shipmentId:${ids[1]}` });
    expect(data.map(({ shipmentId }) => shipmentId)).toEqual([ids[1]]);
    const foreign = await stranger.get(`${SHIPMENTS}?metadata[run]=a:b%20c`);
    expect(await foreign.json()).toMatchObject({ data: [] });
    for (const [query, violation] of [
      ['metadata=run', 'metadata PATTERN_MISMATCH'],
      ['metadata[]=run', 'metadata PATTERN_MISMATCH'],
      ['metadata[a]=1&metadata[b]=2', 'metadata DUPLICATE_ITEM'],
    ] as const)
      await expectProblem(await merchant.get(`${SHIPMENTS}?${query}`), {
        status: 400,
        code: 'INVALID_QUERY_PARAMETER',
        violations: [violation],
      });
  });
});
