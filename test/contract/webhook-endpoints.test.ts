import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { ENDPOINTS, type EndpointBody, readChangedEndpoint, webhooksOf } from '../../scripts/shared/webhooks.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();

const URL = 'https://hooks.shop.example/mirsal';

async function newMerchant() {
  const merchant = await merchantOf(environment, await addCompany(environment));
  return { merchant, webhooks: await webhooksOf(environment, merchant) };
}

describe('POST an endpoint', () => {
  it('returns the endpoint with its secret, entity tag and location, and never shows the secret again', async () => {
    const { merchant } = await newMerchant();
    const body = { url: URL, description: 'The shop', eventTypes: ['shipment.delivered', 'shipment.created'] };
    const response = await merchant.post(ENDPOINTS, body);
    const text = await response.clone().text();
    expect({ status: response.status, text }).toMatchObject({ status: 201 });
    const { signingSecret, ...record } = JSON.parse(text) as EndpointBody & { signingSecret: string };
    expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(record).toMatchObject({
      ...body,
      state: 'ENABLED',
      secretHint: signingSecret.slice(-4),
      consecutiveFailures: 0,
      version: 0,
    });
    const path = `${ENDPOINTS}/${record.endpointId}`;
    expect([response.headers.get('etag'), response.headers.get('location')]).toEqual(['"0"', path]);
    const again = await merchant.get(path);
    expect(again.headers.get('etag')).toBe('"0"');
    expect(await again.json()).toEqual(record);
    const { data } = (await (await merchant.get(ENDPOINTS)).json()) as { data: unknown[] };
    expect(data).toEqual([record]);
    const rows = await environment.sql('shard-1', 'select * from webhook_endpoints where id = ?', [record.endpointId]);
    expect(JSON.stringify(rows)).not.toContain(signingSecret.slice(6, 30));
  });

  it('accepts all event types, a disabled endpoint, no description, and a URL of 2048 characters', async () => {
    const { webhooks } = await newMerchant();
    const url = `${URL}/${'x'.repeat(2048 - URL.length - 1)}`;
    expect(await webhooks.add(url, { description: null, enabled: false })).toMatchObject({
      url,
      description: null,
      eventTypes: ['*'],
      state: 'DISABLED',
    });
  });

  it.each([
    [{}, ['eventTypes REQUIRED', 'url REQUIRED']],
    [{ url: URL, eventTypes: [] }, ['eventTypes TOO_FEW_ITEMS']],
    [{ url: URL, eventTypes: ['shipment.exploded'] }, ['eventTypes[0] NOT_IN_ENUM']],
    [{ url: URL, eventTypes: ['*', 'shipment.created'] }, ['eventTypes TOO_MANY_ITEMS']],
    [{ url: URL, eventTypes: ['shipment.created', 'shipment.created'] }, ['eventTypes[1] DUPLICATE_ITEM']],
    [{ url: URL, eventTypes: '*' }, ['eventTypes TYPE_MISMATCH']],
    [{ url: `https://${'x'.repeat(2048)}.example`, eventTypes: ['*'] }, ['url TOO_LONG']],
    [{ url: '', eventTypes: ['*'] }, ['url TOO_SHORT']],
    [{ url: 5, eventTypes: ['*'] }, ['url TYPE_MISMATCH']],
    [{ url: URL, eventTypes: ['*'], description: 'x'.repeat(241) }, ['description TOO_LONG']],
    [{ url: URL, eventTypes: ['*'], enabled: 'yes' }, ['enabled TYPE_MISMATCH']],
    [{ url: URL, eventTypes: ['*'], secret: 'mine' }, ['secret UNKNOWN_PROPERTY']],
  ])('refuses %j', async (body, violations) => {
    const { merchant } = await newMerchant();
    await expectProblem(await merchant.post(ENDPOINTS, body), { status: 422, code: 'VALIDATION_FAILED', violations });
  });

  it.each([
    ['https://10.0.0.1/hook', 'IP_ADDRESS'],
    ['https://2130706433/', 'IP_ADDRESS'],
    ['http://hooks.shop.example/', 'SCHEME'],
    ['https://me:word@hooks.shop.example/', 'CREDENTIALS'],
    ['https://localhost/', 'HOST'],
    ['https://api.mirsal.test/v2', 'OWN_ADDRESS'],
    ['https://hooks.shop.example:22/', 'PORT'],
    ['nonsense', 'NOT_A_URL'],
    ['https://hooks.shop.example/in#a', 'FRAGMENT'],
    ['https://hooks.shop.example/\u200fin', 'DIRECTION_MARK'],
    ['https://hooks.shop.example/100%', 'ENCODING'],
  ])('refuses the URL %s: %s', async (url, reason) => {
    const { merchant } = await newMerchant();
    const response = await merchant.post(ENDPOINTS, { url, eventTypes: ['*'] });
    const problem = await expectProblem(response, {
      ...{ status: 422, code: 'WEBHOOK_URL_NOT_ALLOWED' },
      violations: ['url PATTERN_MISMATCH'],
    });
    expect(problem['reason']).toBe(reason);
  });

  it('keeps the address in the normal form of the URL standard', async () => {
    const { merchant } = await newMerchant();
    const sent = 'HTTPS://متجر.shop.example:443/a/../طلب?x=y z'.replace(' ', '%20');
    const normal = 'https://xn--pgbep1f.shop.example/%D8%B7%D9%84%D8%A8?x=y%20z';
    const response = await merchant.post(ENDPOINTS, { url: sent, eventTypes: ['*'] });
    expect(response.status).toBe(201);
    const { endpointId, url } = (await response.json()) as { endpointId: string; url: string };
    expect(url).toBe(normal);
    const changed = await environment.fetch(`${ENDPOINTS}/${endpointId}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${await environment.token(merchant.company)}`,
        'content-type': 'application/json',
        'if-match': '*',
      },
      body: JSON.stringify({ url: 'https://Hooks.shop.example/%7Eme' }),
    });
    expect(await changed.json()).toMatchObject({ url: 'https://hooks.shop.example/%7Eme' });
  });

  it('names the earlier endpoints with the same address, however it is written', async () => {
    const { merchant } = await newMerchant();
    const create = async (url: string) => {
      const response = await merchant.post(ENDPOINTS, { url, eventTypes: ['*'] });
      expect(response.status).toBe(201);
      return (await response.json()) as { endpointId: string; sameUrlAs?: string[] };
    };
    const first = await create('https://hooks.shop.example/in');
    expect(first).not.toHaveProperty('sameUrlAs');
    const second = await create('HTTPS://hooks.shop.example:443/in');
    expect(second.sameUrlAs).toEqual([first.endpointId]);
    expect(await create('https://hooks.shop.example/other')).not.toHaveProperty('sameUrlAs');
  });

  it('stops at ten endpoints per company, even for concurrent requests, until one is deleted', async () => {
    const { merchant, webhooks } = await newMerchant();
    const responses = await Promise.all(
      Array.from({ length: 14 }, () => merchant.post(ENDPOINTS, { url: URL, eventTypes: ['*'] })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(10);
    const refused = responses.find(({ status }) => status === 409);
    if (refused === undefined) throw new Error('Nothing was refused');
    await expectProblem(refused, { status: 409, code: 'WEBHOOK_ENDPOINT_LIMIT_REACHED' });
    const { data } = (await (await merchant.get(`${ENDPOINTS}?limit=100`)).json()) as { data: EndpointBody[] };
    expect(data).toHaveLength(10);
    expect((await webhooks.delete(data[3]?.endpointId ?? '')).status).toBe(204);
    expect((await merchant.post(ENDPOINTS, { url: URL, eventTypes: ['*'] })).status).toBe(201);
    expect((await merchant.post(ENDPOINTS, { url: URL, eventTypes: ['*'] })).status).toBe(409);
  });
});

describe('PATCH an endpoint', () => {
  it('changes only the given members and increments the version, and changes nothing for an empty body', async () => {
    const { webhooks } = await newMerchant();
    const { endpointId } = await webhooks.add(URL, { description: 'first' });
    const response = await webhooks.patch(endpointId, { description: null, enabled: false }, '"0"');
    expect([response.status, response.headers.get('etag')]).toEqual([200, '"1"']);
    expect(await readChangedEndpoint(response)).toMatchObject({
      ...{ url: URL, description: null, state: 'DISABLED', version: 1 },
      inFlight: 0,
    });
    const other = await webhooks.patch(endpointId, {
      url: `${URL}/2`,
      eventTypes: ['shipment.created'],
      enabled: true,
    });
    expect(await readChangedEndpoint(other)).toMatchObject({
      url: `${URL}/2`,
      eventTypes: ['shipment.created'],
      state: 'ENABLED',
      version: 2,
    });
    const same = await webhooks.patch(endpointId, {}, '"2"');
    expect([same.status, same.headers.get('etag')]).toEqual([200, '"2"']);
  });

  it('is 304 only while its counters are the same; the tag goes on matching for a change', async () => {
    const { merchant, webhooks } = await newMerchant();
    const { endpointId } = await webhooks.add(URL);
    const path = `${ENDPOINTS}/${endpointId}`;
    const counters = [
      'last_failure_at = 5, consecutive_failures = 1',
      'last_failure_at = 6, consecutive_failures = 2',
      'last_success_at = 7, consecutive_failures = 0',
    ];
    let etag = '"0"';
    for (const change of counters) {
      expect((await merchant.get(path, { 'if-none-match': etag })).status).toBe(304);
      await environment.sql(merchant.company.shard, `update webhook_endpoints set ${change} where id = ?`, [
        endpointId,
      ]);
      const response = await merchant.get(path, { 'if-none-match': etag });
      expect(response.status).toBe(200);
      etag = response.headers.get('etag') ?? '';
    }
    expect(etag).toMatch(/^"[1-9][0-9]*"$/);
    expect((await webhooks.patch(endpointId, { enabled: false }, etag)).status).toBe(200);
    expect((await webhooks.patch(endpointId, { enabled: true }, etag)).status).toBe(412);
  });

  it('lets one of many concurrent requests with the same entity tag through', async () => {
    const { webhooks } = await newMerchant();
    const { endpointId } = await webhooks.add(URL);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => webhooks.patch(endpointId, { description: `${index}` }, '"0"')),
    );
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    expect(answers.map(({ status }) => status).filter((status) => status === 412)).toHaveLength(5);
  });

  it('refuses a stale tag, a missing tag, and a URL that is not allowed', async () => {
    const { webhooks, merchant } = await newMerchant();
    const { endpointId } = await webhooks.add(URL);
    const stale = await expectProblem(await webhooks.patch(endpointId, { enabled: false }, '"7"'), {
      status: 412,
      code: 'PRECONDITION_FAILED',
    });
    expect(stale['currentVersion']).toBe(0);
    const authorization = `Bearer ${await environment.token(merchant.company)}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const bare = await environment.fetch(`${ENDPOINTS}/${endpointId}`, { method: 'PATCH', headers, body: '{}' });
    await expectProblem(bare, { status: 428, code: 'PRECONDITION_REQUIRED', violations: ['If-Match REQUIRED'] });
    await expectProblem(await webhooks.patch(endpointId, { url: 'https://127.1' }), {
      ...{ status: 422, code: 'WEBHOOK_URL_NOT_ALLOWED' },
      violations: ['url PATTERN_MISMATCH'],
    });
    expect(await webhooks.get(endpointId)).toMatchObject({ url: URL, version: 0 });
  });
});

describe('DELETE an endpoint', () => {
  it('is 204 once and 404 afterwards', async () => {
    const { merchant, webhooks } = await newMerchant();
    const { endpointId } = await webhooks.add(URL);
    await expectProblem(await webhooks.delete(endpointId, '"1"'), { status: 412, code: 'PRECONDITION_FAILED' });
    const deleted = await webhooks.delete(endpointId, '"0"');
    expect([deleted.status, await deleted.text()]).toEqual([204, '']);
    await expectProblem(await webhooks.delete(endpointId), { status: 404, code: 'RESOURCE_NOT_FOUND' });
    await expectProblem(await merchant.get(`${ENDPOINTS}/${endpointId}`), { status: 404, code: 'RESOURCE_NOT_FOUND' });
    const rows = await environment.sql('shard-1', 'select secret from webhook_endpoints where id = ?', [endpointId]);
    expect(rows).toEqual([{ secret: '' }]);
  });
});

it('pages through endpoints, newest first', async () => {
  const { merchant, webhooks } = await newMerchant();
  const made: string[] = [];
  for (let index = 0; index < 5; index += 1) made.unshift((await webhooks.add(`${URL}/${index}`)).endpointId);
  const seen: string[] = [];
  for (let query = '?limit=2'; ; ) {
    const body = (await (await merchant.get(`${ENDPOINTS}${query}`)).json()) as {
      data: EndpointBody[];
      page: { nextCursor: string | null };
    };
    seen.push(...body.data.map(({ endpointId }) => endpointId));
    if (body.page.nextCursor === null) break;
    query = `?limit=2&cursor=${body.page.nextCursor}`;
  }
  expect(seen).toEqual(made);
});
