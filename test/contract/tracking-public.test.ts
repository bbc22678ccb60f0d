import { describe, expect, it } from 'vitest';
import { newSandbox, type Sandbox, type TestDriver } from '../../scripts/shared/sandbox.ts';
import { createLink, follow, linksOf, readLink, revokeLink, SECRET, secrets } from '../../scripts/shared/tracking.ts';
import { until } from '../../scripts/shared/until.ts';
import { expectProblem, timelessText } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { trpcClient } from '../support/trpc.ts';

const environment = sharedEnvironment();
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

const sandbox = await newSandbox(environment, 'shard-2');
const driver = await sandbox.signIn();

async function accepted(one: Sandbox, by: TestDriver, changes = {}): Promise<string> {
  const { shipmentId } = await one.create(changes);
  await one.untilState(shipmentId, 'OFFERED');
  expect((await by.act(shipmentId, { action: 'ACCEPT' })).status).toBe(200);
  return shipmentId;
}
const seen = async (token: string, headers = {}) => {
  const response = await follow(environment, token, headers);
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
};

describe('GET /v2/public/tracking/{token}', () => {
  it('shows a shipment through all its states, and no personal data', async () => {
    const { shipmentId, shipmentNumber } = await sandbox.create({
      ...secrets(),
      codAmount: 94.5,
      paymentMethod: 'COD',
    });
    const { token } = await createLink(sandbox.merchant, shipmentId, { locale: 'en' });
    await sandbox.untilState(shipmentId, 'OFFERED');
    const shown: unknown[] = [];
    const look = async () => {
      const response = await follow(environment, token);
      const text = await response.text();
      expect(text).not.toMatch(SECRET);
      expect([...response.headers].join()).not.toMatch(SECRET);
      const answer = JSON.parse(text) as Record<string, unknown>;
      const { state, step, driver: who, livePosition, codDue, timeline } = answer;
      expect(answer['arrival'] === null).toBe(state !== 'OUT_FOR_DELIVERY');
      shown.push([state, step, who !== null, livePosition !== null, codDue !== null, (timeline as unknown[]).length]);
      return answer;
    };
    expect(await look()).toEqual({
      shipmentNumber,
      merchantName: sandbox.company.name,
      state: 'OFFERED',
      stateLabel: 'Looking for a driver',
      step: 1,
      eta: expect.stringMatching(/^2030-01-31T12:\d\d:\d\d\.000000Z$/),
      arrival: null,
      driver: null,
      livePosition: null,
      destinationCity: 'RUH',
      codDue: { amount: 94.5, currency: 'SAR' },
      timeline: [
        { type: 'shipment.created', label: 'Order received', occurredAt: expect.stringMatching(INSTANT) },
        { type: 'shipment.approved', label: 'Order confirmed', occurredAt: expect.stringMatching(INSTANT) },
      ],
      locale: 'en',
      updatedAt: expect.stringMatching(INSTANT),
    });
    const position = { latitude: 24.7311, longitude: 46.6702 };
    for (const action of ['ACCEPT', 'PICK_UP', 'DEPART', 'DELIVER']) {
      await driver.act(shipmentId, { action, position });
      await look();
    }
    expect(shown).toEqual([
      ['OFFERED', 1, false, false, true, 2],
      ['ACCEPTED', 2, true, false, true, 3],
      ['PICKED_UP', 3, true, false, true, 4],
      ['OUT_FOR_DELIVERY', 4, true, true, true, 5],
      ['DELIVERED', 5, false, false, false, 6],
    ]);
  });

  it('shows the driver’s position for two minutes only', async () => {
    // A driver who has reported nothing, because a position in memory that is newer than the stored one replaces it.
    const own = await newSandbox(environment);
    const salem = await own.signIn();
    const shipmentId = await accepted(own, salem);
    const { token } = await createLink(own.merchant, shipmentId);
    for (const action of ['PICK_UP', 'DEPART']) await salem.act(shipmentId, { action });
    const move = (ms: number) =>
      environment.sql(
        own.company.shard,
        `update drivers set latitude = '24.5', longitude = '46.5', position_at = ? where id = (select driver_id from shipments where id = ?)`,
        [(Date.now() - ms) * 1000, shipmentId],
      );
    await move(115_000);
    expect((await seen(token))['livePosition']).toEqual({
      latitude: 24.5,
      longitude: 46.5,
      recordedAt: expect.stringMatching(INSTANT),
    });
    await move(121_000);
    const stale = await seen(token);
    expect(stale['livePosition']).toBeNull();
    expect(stale['driver']).toEqual({ firstName: expect.any(String), vehicleType: expect.any(String) });
  });

  it('shows the driver’s position for the latest departed shipment only', async () => {
    const own = await newSandbox(environment, 'shard-1');
    const salem = await own.signIn();
    const position = { latitude: 24.7311, longitude: 46.6702 };
    const ids = [await accepted(own, salem), await accepted(own, salem)];
    const tokens = await Promise.all(ids.map(async (id) => (await createLink(own.merchant, id)).token));
    const [first = '', second = ''] = ids;
    const act = async (id: string, action: string) => {
      expect((await salem.act(id, { action, position })).status).toBe(200);
      const shown = await Promise.all(tokens.map(async (token) => (await seen(token))['livePosition']));
      const pages = await Promise.all(tokens.map(async (token) => (await environment.fetch(`/t/${token}`)).text()));
      for (const [at, id] of ids.entries()) {
        const tracking = await own.merchant.get(`/v2/external/shipments/${id}/tracking`);
        expect(((await tracking.json()) as Record<string, unknown>)['livePosition']).toEqual(shown[at]);
      }
      expect(pages.map((page) => page.includes('class="driver"'))).toEqual(shown.map((one) => one !== null));
      return shown.map((one) => one !== null);
    };
    await act(first, 'PICK_UP');
    await act(second, 'PICK_UP');
    expect(await act(first, 'DEPART')).toEqual([true, false]);
    expect(await act(second, 'DEPART')).toEqual([false, true]);
    expect(await act(first, 'REPORT_POSITION')).toEqual([false, true]);
    // After the delivery, the position is shown for the only shipment still under way.
    expect(await act(second, 'DELIVER')).toEqual([true, false]);
  });

  it('rounds the position to 0.002 degrees', async () => {
    const own = await newSandbox(environment);
    const salem = await own.signIn();
    const shipmentId = await accepted(own, salem);
    const { token } = await createLink(own.merchant, shipmentId);
    for (const action of ['PICK_UP', 'DEPART']) await salem.act(shipmentId, { action });
    await salem.act(shipmentId, { action: 'REPORT_POSITION', position: { latitude: 24.79011, longitude: 46.62499 } });
    expect((await seen(token))['livePosition']).toMatchObject({ latitude: 24.79, longitude: 46.624 });
  });

  it('is not cacheable and uses the language of the link', async () => {
    const { shipmentId } = await sandbox.create();
    const { token } = await createLink(sandbox.merchant, shipmentId, { locale: 'ar' });
    const response = await follow(environment, token, { 'accept-language': 'en' });
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(response.headers.get('content-language')).toBe('ar');
    expect(response.headers.get('etag')).toMatch(/^"[\w-]{22}"$/);
    expect(await response.json()).toMatchObject({ locale: 'ar', timeline: [{ label: 'تم استلام الطلب' }] });
  });

  it.each([
    ['ar', 'en', '?lang=en', 'en'],
    ['en', 'ar', '', 'en'],
    [undefined, 'ar', '', 'ar'],
    [undefined, 'fr', '', 'en'],
    [undefined, 'ar', '?lang=en', 'en'],
  ])('chooses the language for link %s, Accept-Language %s, query %s: %s', async (locale, accepts, query, expected) => {
    const { shipmentId } = await sandbox.create();
    const { token } = await createLink(sandbox.merchant, shipmentId, locale === undefined ? {} : { locale });
    expect((await seen(`${token}${query}`, { 'accept-language': accepts }))['locale']).toBe(expected);
  });

  it('needs no token and ignores one that is sent', async () => {
    const { shipmentId } = await sandbox.create();
    const { token } = await createLink(sandbox.merchant, shipmentId);
    expect((await follow(environment, token, { authorization: 'Bearer nonsense' })).status).toBe(200);
  });

  it('returns the same over tRPC, with decimals as strings', async () => {
    const { shipmentId } = await sandbox.create({ codAmount: 94.5, paymentMethod: 'COD' });
    const { token } = await createLink(sandbox.merchant, shipmentId, { locale: 'en' });
    const client = trpcClient(environment, 'nonsense');
    expect(await client.trackingLinks.follow.query({ token })).toMatchObject({ codDue: { amount: '94.5' } });
  });
});

describe('a shop’s own page', () => {
  const cors = ({ headers }: Response) =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
  const readable = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'etag, retry-after, x-request-id, x-correlation-id',
  };
  const origin = 'https://shop.example';

  it('may read tracking and its problems by script, but no other path', async () => {
    const { shipmentId } = await sandbox.create();
    const { token } = await createLink(sandbox.merchant, shipmentId);
    const tracked = await follow(environment, token, { origin });
    expect([tracked.status, cors(tracked)]).toEqual([200, readable]);
    const unknown = await follow(environment, 'nothing', { origin });
    expect([unknown.status, cors(unknown)]).toEqual([404, readable]);
    expect(cors(await environment.fetch('/v2/external/shipments', { headers: { origin } }))).toEqual({});
    expect(cors(await environment.fetch(`/t/${token}`, { headers: { origin } }))).toEqual({});
  });

  it.each([
    '/openapi.json',
    '/llms.txt',
    '/problems',
    '/problems/validation-failed',
    '/clients/mirsal.postman_collection.json',
  ])('may read %s by script, without credentials', async (path) => {
    const response = await environment.fetch(path, { headers: { origin, accept: 'application/json' } });
    expect([response.status, cors(response)]).toEqual([200, readable]);
  });

  it('may send a tag, a correlation id and a trace', async () => {
    const asked = { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'if-none-match' };
    const response = await environment.fetch('/v2/public/tracking/any', { method: 'OPTIONS', headers: asked });
    expect([response.status, cors(response)]).toEqual([
      204,
      {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET',
        'access-control-allow-headers': 'if-none-match, x-correlation-id, traceparent',
        'access-control-max-age': '86400',
      },
    ]);
  });
});

describe('a conditional request', () => {
  it('is 304 while nothing changes, and does not count as a view', async () => {
    const shipmentId = await accepted(sandbox, driver);
    const link = await createLink(sandbox.merchant, shipmentId);
    const first = await follow(environment, link.token);
    const etag = first.headers.get('etag') ?? '';
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const again = await follow(environment, link.token, { 'if-none-match': tag });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
      expect(again.headers.get('cache-control')).toBe('no-store, no-transform');
    }
    await driver.act(shipmentId, { action: 'PICK_UP' });
    const later = await follow(environment, link.token, { 'if-none-match': etag });
    expect(later.status).toBe(200);
    expect(later.headers.get('etag')).not.toBe(etag);
    expect(await later.json()).toMatchObject({ state: 'PICKED_UP' });
    const path = `${linksOf(shipmentId)}/${link.linkId}`;
    const viewed = await until('the view is counted', async () => {
      const read = await readLink(await sandbox.merchant.get(path));
      return read.viewCount > 0 ? read : undefined;
    });
    expect(viewed.viewCount).toBe(1);
  });
});

describe('views', () => {
  it('are all counted shortly afterwards, without a new version of the link', async () => {
    const { shipmentId } = await sandbox.create();
    const { token, linkId, createdAt } = await createLink(sandbox.merchant, shipmentId);
    await Promise.all(Array.from({ length: 25 }, () => seen(token)));
    const path = `${linksOf(shipmentId)}/${linkId}`;
    const link = await until('25 views are counted', async () => {
      const read = await readLink(await sandbox.merchant.get(path));
      return read.viewCount === 25 ? read : undefined;
    });
    expect(link).toMatchObject({ viewCount: 25, version: 0, state: 'ACTIVE' });
    expect(link.lastViewedAt).toMatch(INSTANT);
    expect((link.lastViewedAt ?? '') > createdAt).toBe(true);
  });
});

describe('an unusable link', () => {
  it('is always the same 404: unknown, revoked, expired, of an unknown shard, or malformed', async () => {
    const { shipmentId } = await sandbox.create();
    const [revoked, expired] = [
      await createLink(sandbox.merchant, shipmentId),
      await createLink(sandbox.merchant, shipmentId),
    ];
    await seen(revoked.token);
    await revokeLink(environment, sandbox.merchant, `${linksOf(shipmentId)}/${revoked.linkId}`, '*');
    const expire = 'update tracking_links set expires_at = created_at + 1 where id = ?';
    await environment.sql(sandbox.company.shard, expire, [expired.linkId]);
    const random = revoked.token.slice(-32).split('').toReversed().join('');
    const tokens = [
      revoked.token,
      expired.token,
      `shard-2_${random}`,
      `shard-1_${revoked.token.slice(-32)}`,
      `shard-9_${random}`,
      revoked.token.toUpperCase(),
      `${revoked.token}x`,
      'x',
      'a'.repeat(2000),
      '%D9%85',
    ];
    const texts = new Set<string>();
    const headers = new Set<string>();
    for (const token of tokens) {
      const response = await follow(environment, token);
      texts.add(timelessText(await response.clone().text()));
      headers.add([...response.headers.keys()].join());
      await expectProblem(response, { status: 404, code: 'TRACKING_LINK_UNAVAILABLE' });
    }
    expect([...texts]).toHaveLength(1);
    expect([...headers]).toHaveLength(1);
    expect([...texts][0]).toContain('"instance":"/v2/public/tracking"');
  });

  it('is 404 once it is revoked, even for a conditional request', async () => {
    const { shipmentId } = await sandbox.create();
    const { token, linkId } = await createLink(sandbox.merchant, shipmentId);
    const etag = (await follow(environment, token)).headers.get('etag') ?? '';
    expect((await follow(environment, token, { 'if-none-match': etag })).status).toBe(304);
    await revokeLink(environment, sandbox.merchant, `${linksOf(shipmentId)}/${linkId}`, '"0"');
    await expectProblem(await follow(environment, token, { 'if-none-match': etag }), {
      status: 404,
      code: 'TRACKING_LINK_UNAVAILABLE',
    });
  });
});

describe('a wrong request', () => {
  it.each([
    ['?lang=fr', 'INVALID_QUERY_PARAMETER', ['lang NOT_IN_ENUM']],
    ['?lang=ar&lang=en', 'INVALID_QUERY_PARAMETER', ['lang DUPLICATE_ITEM']],
    ['?token=x', 'UNKNOWN_QUERY_PARAMETER', ['token UNKNOWN_PROPERTY']],
  ])('%s', async (query, code, violations) => {
    await expectProblem(await follow(environment, `x${query}`), { status: 400, code, violations });
  });

  it('is 405 for any other method', async () => {
    const response = await environment.fetch('/v2/public/tracking/x', { method: 'POST' });
    await expectProblem(response, { status: 405, code: 'METHOD_NOT_ALLOWED' });
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });
});
