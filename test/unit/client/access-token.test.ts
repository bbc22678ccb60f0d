import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../scripts/shared/until.ts';
import type { Send } from '../../../src/client.ts';
import { type Reaction, refusal, result, SHIPMENT_ID, StandIn } from './stand-in.ts';

let service: StandIn;

beforeEach(async () => {
  service = new StandIn();
  await service.start();
});

afterEach(() => service.stop());

const authorizations = () => service.calls.map(({ authorization }) => authorization);

describe('the access token', () => {
  it('is requested at the first call with client credentials', async () => {
    const client = service.client({
      clientId: 'id:1',
      clientSecret: 'säcret+ /=',
      scope: 'shipments:read shipments:write',
    });
    expect(service.received).toEqual([]);
    await client.shipments.get.query({ shipmentId: SHIPMENT_ID });
    expect(service.tokenRequests).toEqual([
      {
        method: 'POST',
        target: 'token',
        // Base64 of "id%3A1:s%C3%A4cret%2B%20%2F%3D": both parts are form-encoded (RFC 6749 section 2.3.1).
        authorization: 'Basic aWQlM0ExOnMlQzMlQTRjcmV0JTJCJTIwJTJGJTNE',
        input: { grant_type: 'client_credentials', scope: 'shipments:read shipments:write' },
      },
    ]);
    expect(authorizations()).toEqual(['Bearer token-1']);
  });

  it('is the only identity in a request, and is sent nowhere else', async () => {
    const sent: RequestInit[] = [];
    const send: Send = (url, init) => {
      sent.push(init);
      return fetch(url, init);
    };
    await service.client({ fetch: send }).shipments.get.query({ shipmentId: SHIPMENT_ID });
    const [forToken, forCall] = sent.map(({ credentials, redirect }) => ({ credentials, redirect }));
    expect(forToken).toEqual({ credentials: 'omit', redirect: 'manual' });
    expect(forCall).toEqual({ credentials: 'omit', redirect: 'manual' });
  });

  it('is requested without a scope if none is given', async () => {
    await service.client().shipments.get.query({ shipmentId: SHIPMENT_ID });
    expect(service.tokenRequests[0]?.input).toEqual({ grant_type: 'client_credentials' });
  });

  it('is shared by concurrent calls and cached for later ones', async () => {
    const client = service.client();
    const read = () => client.shipments.get.query({ shipmentId: SHIPMENT_ID });
    await Promise.all([read(), read(), read()]);
    await read();
    expect(service.tokenRequests).toHaveLength(1);
    expect(authorizations()).toEqual(Array.from({ length: 4 }, () => 'Bearer token-1'));
  });

  it.each([
    [3600, 3_540_000 - 1, 3_540_000],
    // A tenth of a short lifetime.
    [100, 90_000 - 1, 90_000],
  ])('of %i s is cached for %i ms and renewed after %i ms', async (expiresIn, keptMs, renewedMs) => {
    service.toTokens.push({ status: 200, body: { access_token: 'first', expires_in: expiresIn } });
    const client = service.client();
    const startMs = service.nowMs;
    const readAt = (ms: number) => {
      service.nowMs = startMs + ms;
      return client.shipments.get.query({ shipmentId: SHIPMENT_ID });
    };
    await readAt(0);
    await readAt(keptMs);
    await readAt(renewedMs);
    expect(authorizations()).toEqual(['Bearer first', 'Bearer first', 'Bearer token-1']);
  });

  it('is renewed once after a 401, and the call is repeated', async () => {
    service.toCalls.push(refusal(401, 'AUTHENTICATION_REQUIRED'), result({ state: 'OFFERED' }));
    const shipment = await service.client().shipments.get.query({ shipmentId: SHIPMENT_ID });
    expect(shipment).toEqual({ state: 'OFFERED' });
    expect(authorizations()).toEqual(['Bearer token-1', 'Bearer token-2']);
    expect(service.sleptMs).toEqual([]);
  });

  it('is renewed once for all calls that it failed', async () => {
    const client = service.client();
    const read = () => client.shipments.get.query({ shipmentId: SHIPMENT_ID });
    await read();
    service.toCalls.push(refusal(401, 'AUTHENTICATION_REQUIRED'), refusal(401, 'AUTHENTICATION_REQUIRED'));
    await Promise.all([read(), read()]);
    expect(service.tokenRequests).toHaveLength(2);
    expect(authorizations().slice(3)).toEqual(['Bearer token-2', 'Bearer token-2']);
  });

  it('is kept when a late 401 belongs to an older token', async () => {
    const client = service.client();
    const read = () => client.shipments.get.query({ shipmentId: SHIPMENT_ID });
    const late = Promise.withResolvers<Reaction>();
    service.toCalls.push(late.promise);
    const slow = read();
    await until('the call has arrived', () => service.calls.length === 1 || undefined);
    service.toCalls.push(refusal(401, 'AUTHENTICATION_REQUIRED'));
    await read();
    late.resolve(refusal(401, 'AUTHENTICATION_REQUIRED'));
    await slow;
    expect(service.tokenRequests).toHaveLength(2);
    expect(authorizations()).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2', 'Bearer token-2']);
  });

  it('does not hide a second 401', async () => {
    service.toCalls.push(refusal(401, 'AUTHENTICATION_REQUIRED'), refusal(401, 'AUTHENTICATION_REQUIRED'));
    const call = service.client().shipments.get.query({ shipmentId: SHIPMENT_ID });
    await expect(call).rejects.toMatchObject({ code: 'AUTHENTICATION_REQUIRED', status: 401, attempts: 2 });
    expect(service.calls).toHaveLength(2);
  });
});
