import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMirsalRest } from '../../../src/client/rest.ts';
import { createTestService, type TestProblemCode, type TestService } from '../../../src/client/testing.ts';
import { createMirsalClient, listAll, MirsalError } from '../../../src/client.ts';
import { PROBLEM_STATUSES } from '../../../src/core/problem-code.ts';
import { EDGES } from '../../../src/domain/shipments/lifecycle.ts';
import { ORDER } from './stand-in.ts';

/* The service in memory that integrators test with. Its answers are those of the document. */

const PATH = '/v2/external/shipments';
let service: TestService;
beforeEach(() => {
  service = createTestService();
});
const client = () => createMirsalClient(service.options);

describe('the test service', () => {
  it('creates once for a key and a reference, lists, and cancels by version', async () => {
    const key = { idempotencyKey: 'key-of-the-order-1' };
    const created = await client().shipments.create.mutate({ ...ORDER, ...key });
    expect(await client().shipments.create.mutate({ ...ORDER, ...key })).toEqual(created);
    const { shipmentId, shipmentNumber } = created;
    await expect(client().shipments.create.mutate(ORDER)).rejects.toMatchObject({
      code: 'EXTERNAL_REFERENCE_CONFLICT',
      problem: { existing: { shipmentId, shipmentNumber } },
    });
    await expect(client().shipments.create.mutate({ ...ORDER, ...key, codAmount: '1' })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    for (const number of [2, 3])
      await client().shipments.create.mutate({ ...ORDER, externalReference: `order-${number}` });
    const references = [];
    for await (const { externalReference } of listAll(client().shipments.list, { limit: 2 }))
      references.push(externalReference);
    expect(references).toEqual(['order-3', 'order-2', 'order-1']);
    service.advance(shipmentId);
    const cancellation = { shipmentId, reasonCode: 'DUPLICATE' } as const;
    const stale = client().shipments.cancel.mutate({ ...cancellation, ifMatch: '"0"' });
    await expect(stale).rejects.toMatchObject({ code: 'PRECONDITION_FAILED', problem: { currentVersion: 1 } });
    expect(await client().shipments.cancel.mutate({ ...cancellation, ifMatch: '"1"' })).toMatchObject({
      state: 'CANCELLED',
    });
    expect(service.calls.filter(({ procedure }) => procedure === 'shipments.create')).toHaveLength(6);
  });

  it('advances a shipment along the edges of its life', async () => {
    const { shipmentId } = await client().shipments.create.mutate(ORDER);
    const states = ['PENDING_APPROVAL'];
    while (states.at(-1) !== 'DELIVERED') states.push(service.advance(shipmentId).state);
    const pairs = states.slice(1).map((to, index) => [states[index], to]);
    for (const [from, to] of pairs)
      expect(
        EDGES.some((edge) => edge.from === from && edge.to === to),
        `${from} ${to}`,
      ).toBe(true);
    expect(() => service.advance(shipmentId)).toThrow('no next state');
    expect(service.advance(shipmentId, 'DELIVERY_FAILED').state).toBe('DELIVERY_FAILED');
  });

  it('answers every problem of the service, and none more than is asked', async () => {
    for (const code of Object.keys(PROBLEM_STATUSES) as TestProblemCode[]) {
      service.failNext(code, {}, 4);
      const error: unknown = await client()
        .shipments.list.query({})
        .catch((thrown: unknown) => thrown);
      expect(error, code).toBeInstanceOf(MirsalError);
      expect(error).toMatchObject({ code, status: PROBLEM_STATUSES[code] });
      while (service.calls.length % 4 !== 0)
        await client()
          .shipments.list.query({})
          .catch(() => undefined);
    }
    expect(await client().shipments.list.query({})).toMatchObject({ data: [] });
  });

  it('loses an answer, and the client makes nothing twice', async () => {
    service.loseNext('after');
    await client().shipments.create.mutate(ORDER);
    service.loseNext('before');
    await client().shipments.create.mutate({ ...ORDER, externalReference: 'order-2' });
    expect(service.shipments).toHaveLength(2);
  });

  it('says that it does not know a call, instead of answering something', async () => {
    await expect(client().cities.list.query({})).rejects.toThrow('The test service does not know cities.list');
  });
});

describe('its answers over REST', () => {
  const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8')) as object;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('decimal', true);
  ajv.addSchema(document, 'document');
  const expectSchema = (name: string, body: unknown) => {
    const validate = ajv.getSchema(`document#/components/schemas/${name}`);
    expect({ name, isValid: validate?.(body), errors: validate?.errors }).toEqual({
      name,
      isValid: true,
      errors: null,
    });
  };

  it('are those of the document', async () => {
    const bodies: unknown[] = [];
    const { options } = service;
    const rest = createMirsalRest({
      ...options,
      fetch: async (url, init) => {
        const response = await options.fetch(url, init);
        bodies.push(await response.clone().json());
        return response;
      },
    });
    const { body } = await rest<{ shipmentId: string }>('POST', PATH, { body: ORDER });
    expectSchema('Shipment', bodies.at(-1));
    const cancel = `${PATH}/${body.shipmentId}/cancellations`;
    for (const [method, path, name] of [
      ['GET', `${PATH}/${body.shipmentId}`, 'Shipment'],
      ['GET', `${PATH}?limit=1`, 'ShipmentPage'],
      ['GET', '/v2/external/branches', 'BranchPage'],
      ['POST', `${PATH}/${body.shipmentId}/tracking-links`, 'NewTrackingLink'],
    ] as const) {
      await rest(method, path, method === 'POST' ? { body: {} } : {});
      expectSchema(name, bodies.at(-1));
    }
    await rest('POST', cancel, { body: { reasonCode: 'DUPLICATE' }, headers: { 'if-match': '*' } });
    expectSchema('Shipment', bodies.at(-1));
    const again = await rest('POST', cancel, { body: { reasonCode: 'DUPLICATE' }, headers: { 'if-match': '"1"' } });
    expect([again.status, again.headers.get('etag')]).toEqual([200, '"1"']);
    await expect(rest('POST', cancel, { body: {} })).rejects.toMatchObject({
      code: 'PRECONDITION_REQUIRED',
      status: 428,
    });
    const key = { 'idempotency-key': 'key-of-the-order-2' };
    const order = { ...ORDER, externalReference: 'order-2' };
    const answers = [
      await rest('POST', PATH, { body: order, headers: key }),
      await rest('POST', PATH, { body: order, headers: key }),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual([
      [201, null],
      [200, 'true'],
    ]);
    service.failNext('RATE_LIMITED', { retryAfterSeconds: 61 });
    await expect(rest('GET', PATH)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 61 });
    expectSchema('Problem', bodies.at(-1));
  });
});
