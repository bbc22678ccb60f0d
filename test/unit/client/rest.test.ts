import { describe, expect, it } from 'vitest';
import { createMirsalRest, MirsalRestError } from '../../../src/client/rest.ts';

const PATH = '/v2/external/shipments';
const SHIPMENT = '{"shipmentId":"01948f3a-0000-7000-8000-000000000003","metadata":{}}';
const PAGE = '{"data":[],"page":{"nextCursor":null,"hasMore":false}}';
const UNAVAILABLE = {
  status: 503,
  text: '{"code":"SERVICE_UNAVAILABLE","status":503,"title":"Later","requestId":"r"}',
};

/** A client whose calls get these answers in order, and the requests that it sent. Every token request succeeds. */
function clientWith(...answers: { readonly status: number; readonly text: string | null }[]) {
  const sent: { readonly method: string; readonly headers: Headers; readonly body: unknown }[] = [];
  const rest = createMirsalRest({
    baseUrl: 'https://api.example.com/',
    clientId: 'client-1',
    clientSecret: 'secret',
    host: { sleep: () => Promise.resolve(), random: () => 0 },
    fetch: (url, { method = 'GET', headers, body }) => {
      if (url.endsWith('/oauth/token'))
        return Promise.resolve(Response.json({ access_token: 'token', expires_in: 600 }));
      sent.push({ method, headers: new Headers(headers), body });
      const usual = { status: 200, text: method === 'GET' ? PAGE : SHIPMENT };
      const { status, text } = answers[sent.length - 1] ?? usual;
      return Promise.resolve(new Response(text, { status }));
    },
  });
  return { rest, sent };
}

describe('a call of the REST client', () => {
  it('sends decimals as numbers and reads them as strings, with every digit', async () => {
    const { rest, sent } = clientWith({
      status: 201,
      text: '{"shipmentId":"1","declaredValue":12345678901234567.250,"quantity":3}',
    });
    const body = {
      declaredValue: '12345678901234567.250',
      note: '"codAmount":"1"',
      phone: '0512345678',
      codAmount: '-0.5',
    };
    const answer = await rest('POST', PATH, { body });
    expect(sent[0]?.body).toBe(
      '{"declaredValue":12345678901234567.250,"note":"\\"codAmount\\":\\"1\\"","phone":"0512345678","codAmount":-0.5}',
    );
    expect(answer.body).toEqual({ shipmentId: '1', declaredValue: '12345678901234567.250', quantity: 3 });
  });

  it('takes a method in lower case', async () => {
    const { rest, sent } = clientWith({ status: 204, text: null });
    expect((await rest('delete', '/v2/external/webhook-endpoints/1')).status).toBe(204);
    await rest('post', PATH, { body: {} });
    expect(sent.map(({ method }) => method)).toEqual(['DELETE', 'POST']);
    expect(sent[1]?.headers.has('idempotency-key')).toBe(true);
  });

  it('leaves a decimal that is no number to the service', async () => {
    const { rest, sent } = clientWith();
    await rest('POST', PATH, { body: { declaredValue: '01', codAmount: 'ten' } });
    expect(sent[0]?.body).toBe('{"declaredValue":"01","codAmount":"ten"}');
  });

  it('creates with one key over all attempts', async () => {
    const { rest, sent } = clientWith(UNAVAILABLE, UNAVAILABLE);
    await rest('POST', PATH, { body: {} });
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is retried with one version in If-Match, and not with a star', async () => {
    const one = clientWith(UNAVAILABLE);
    await one.rest('PUT', `${PATH}/id/metadata`, { body: {}, headers: { 'if-match': '"3"' } });
    expect(one.sent).toHaveLength(2);
    const star = clientWith(UNAVAILABLE);
    const refused = star.rest('PUT', `${PATH}/id/metadata`, { body: {}, headers: { 'if-match': '*' } });
    await expect(refused).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
      requestId: 'r',
      attempts: 1,
    });
    await expect(refused).rejects.toBeInstanceOf(MirsalRestError);
  });

  it('gets a new token after 401', async () => {
    const { rest, sent } = clientWith({ status: 401, text: '{}' });
    expect((await rest('GET', PATH)).status).toBe(200);
    expect(sent).toHaveLength(2);
  });

  it('gets 304 only if it has asked whether something changed', async () => {
    const asked = clientWith({ status: 304, text: null });
    expect((await asked.rest('GET', PATH, { headers: { 'if-none-match': '"3"' } })).status).toBe(304);
    const unasked = clientWith({ status: 304, text: null });
    expect((await unasked.rest('GET', PATH)).status).toBe(200);
  });

  it('reads an empty response as null', async () => {
    const { rest } = clientWith({ status: 204, text: null });
    expect((await rest('DELETE', `${PATH}/id`)).body).toBeNull();
  });
});
