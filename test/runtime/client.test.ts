import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OwnEnvironment, startEnvironment, type TestCompany } from '../../scripts/shared/environment.ts';
import { newSigningKey } from '../../scripts/shared/keys.ts';
import {
  createMirsalClient,
  entityTag,
  listAll,
  type MirsalClient,
  type MirsalClientOptions,
  type MirsalInputs,
  type Send,
} from '../../src/client.ts';
import { FaultyPath } from '../support/faulty-path.ts';
import { PDF, PNG } from '../support/files.ts';

/** The client package, used as in another program, against the whole service. */

const ROOT = resolve(import.meta.dirname, '../..');
let environment: OwnEnvironment;

beforeAll(async () => {
  environment = await startEnvironment('worker');
});

afterAll(() => environment?.stop());

/** The service's public address differs from the one that it listens on, which changes with a restart. */
const throughToService: Send = (url, init) => fetch(url.replace(environment.baseUrl, environment.address), init);

function clientOf(company: TestCompany, options: Partial<MirsalClientOptions> = {}): MirsalClient {
  const { clientId, clientSecret } = company;
  return createMirsalClient({
    baseUrl: environment.baseUrl,
    clientId,
    clientSecret,
    fetch: throughToService,
    ...options,
  });
}

function orderOf({ branchCode, pickupLocationCode }: TestCompany, externalReference: string) {
  return {
    externalReference,
    branchCode,
    pickupLocationCode,
    recipient: { name: 'سارة القحطاني', phone: '0500000001' },
    destination: { addressLine: 'King Fahd Road', cityCode: 'RUH', latitude: '24.713600001', longitude: '46.6753' },
    // More digits than a double has.
    declaredValue: '12345678901234567.25',
    codAmount: '0.50',
    currency: 'SAR',
    paymentMethod: 'COD',
    pickupWindowStart: '2030-01-31T09:00:00Z',
    pickupWindowEnd: '2030-01-31T12:00:00Z',
    items: [{ description: 'Book', quantity: 3, weightKilograms: '0.1' }],
    requirements: [],
  } satisfies MirsalInputs['shipments']['create'];
}

it('creates, reads, follows and cancels a shipment', async () => {
  const [company] = environment.companies;
  const client = clientOf(company);
  const [branch] = (await client.branches.list.query({})).data;
  expect(branch?.branchCode).toBe(company.branchCode);

  const created = await client.shipments.create.mutate(orderOf(company, 'client-life'));
  expect(created).toMatchObject({
    state: 'PENDING_APPROVAL',
    version: 0,
    maskedRecipientPhone: '********0001',
    totalWeightKilograms: '0.3',
    declaredValue: '12345678901234567.25',
    codAmount: '0.5',
    destination: { latitude: '24.713600001' },
    pickupWindowStart: '2030-01-31T09:00:00.000000Z',
  });

  const read = await client.shipments.get.query({ shipmentId: created.shipmentId });
  const { shipmentId } = read;
  const cancelled = await client.shipments.cancel.mutate({ shipmentId, ifMatch: '*', reasonCode: 'DUPLICATE' });
  expect(cancelled.state).toBe('CANCELLED');

  const stale = client.shipments.cancel.mutate({ shipmentId, ifMatch: entityTag(created), reasonCode: 'DUPLICATE' });
  await expect(stale).rejects.toMatchObject({
    code: 'PRECONDITION_FAILED',
    status: 412,
    problem: { currentVersion: cancelled.version },
  });
  const steps = [];
  for await (const { type } of listAll(client.shipments.timeline, { shipmentId, limit: 1 })) steps.push(type);
  expect(steps[0]).toBe('shipment.created');
  expect(steps.at(-1)).toBe('shipment.cancelled');
});

it('uploads a picture, and retries when storage is down', async () => {
  const [company] = environment.companies;
  const waits: number[] = [];
  const client = clientOf(company, { host: { sleep: (ms) => Promise.resolve(void waits.push(ms)) } });
  const upload = (bytes: Uint8Array<ArrayBuffer>) =>
    client.mediaAssets.create.mutate({
      externalReference: 'client-media',
      sortOrder: 2,
      content: { contentType: 'image/png', bytes },
    });
  expect(await upload(PNG)).toMatchObject({ state: 'READY', sortOrder: 2 });
  await expect(upload(PDF)).rejects.toMatchObject({ code: 'DOCUMENT_CONTENT_MISMATCH', status: 422, attempts: 1 });
  await client.sandbox.setFault.mutate({ target: 'STORAGE', count: 1 });
  expect(await upload(PNG)).toMatchObject({ state: 'READY' });
  expect(waits).toHaveLength(1);
});

it('makes each thing once, whatever happens on the way', async () => {
  const [company] = environment.companies;
  const path = new FaultyPath(environment.address);
  await path.start();
  const client = clientOf(company, { baseUrl: path.address, fetch: undefined });
  // The whole table is in test/prove/client-faults.test.ts.
  const faults = ['reset after it arrived', 'cut before the last byte', 'a page after it was done', '429 of a proxy'];
  for (const [index, fault] of faults.entries()) {
    const reference = `client-fault-${index}`;
    path.plan(reference, fault);
    const { shipmentId } = await client.shipments.create.mutate(orderOf(company, reference));
    expect(path.arrived.get(reference), fault).toBe(2);
    const { data } = await client.shipments.list.query({ externalReference: reference });
    expect(
      data.map((one) => one.shipmentId),
      fault,
    ).toEqual([shipmentId]);
  }
  // A cancellation whose first answer was lost is the same one: it has a key too.
  const [first] = (await client.shipments.list.query({ externalReference: 'client-fault-0' })).data;
  const lossesLeft = { answers: 1 };
  const lossy: Send = async (url, init) => {
    const response = await throughToService(url, init);
    if (!url.includes('shipments.cancel') || lossesLeft.answers === 0) return response;
    lossesLeft.answers -= 1;
    throw new TypeError('The connection broke');
  };
  const cancelling = clientOf(company, { fetch: lossy });
  const cancellation = { shipmentId: first?.shipmentId ?? '', ifMatch: '*', reasonCode: 'DUPLICATE' } as const;
  expect(await cancelling.shipments.cancel.mutate(cancellation)).toMatchObject({ state: 'CANCELLED' });
  expect(lossesLeft.answers).toBe(0);
  await path.stop();
});

it('sends a query that is too long for an address by POST', async () => {
  const [company] = environment.companies;
  const tooLong = clientOf(company).shipments.list.query({ cursor: 'x'.repeat(7000) });
  await expect(tooLong).rejects.toMatchObject({ status: 400, attempts: 1 });
});

it('lists every shipment once over many pages', async () => {
  const [, company] = environment.companies;
  const client = clientOf(company);
  const references = Array.from({ length: 7 }, (_, index) => `client-list-${index}`);
  await Promise.all(references.map((reference) => client.shipments.create.mutate(orderOf(company, reference))));
  const seen: (string | null)[] = [];
  for await (const { externalReference } of listAll(client.shipments.list, { limit: 3 })) seen.push(externalReference);
  expect(seen).toHaveLength(references.length);
  expect(new Set(seen)).toEqual(new Set(references));
});

it('throws the problem that the service answers', async () => {
  const [company, other] = environment.companies;
  const client = clientOf(company);
  const order = orderOf(company, 'client-refusals');
  const broken = client.shipments.create.mutate({ ...order, declaredValue: '-1', items: [] });
  await expect(broken).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    status: 422,
    violations: [
      { field: 'declaredValue', code: 'OUT_OF_RANGE' },
      { field: 'items', code: 'TOO_FEW_ITEMS' },
    ],
  });

  const { shipmentId, shipmentNumber } = await client.shipments.create.mutate(order);
  await expect(client.shipments.create.mutate(order)).rejects.toMatchObject({
    code: 'EXTERNAL_REFERENCE_CONFLICT',
    problem: { existing: { shipmentId, shipmentNumber } },
  });
  const foreign = clientOf(other).shipments.get.query({ shipmentId });
  await expect(foreign).rejects.toMatchObject({ code: 'ACCESS_DENIED', status: 403, attempts: 1 });
});

it('gets the scope that it requests, and is refused with a wrong secret', async () => {
  const [company] = environment.companies;
  const reader = clientOf(company, { scope: 'shipments:read' });
  await reader.shipments.list.query({});
  const created = reader.shipments.create.mutate(orderOf(company, 'client-scope'));
  await expect(created).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  const stranger = clientOf({ ...company, clientSecret: 'msk_test_wrong' });
  await expect(stranger.shipments.list.query({})).rejects.toMatchObject({
    code: 'AUTHENTICATION_REQUIRED',
    status: 401,
  });
});

it('runs on Deno', async () => {
  const [company] = environment.companies;
  const program = `
    import { createMirsalClient, listAll, MirsalError } from ${JSON.stringify(`file://${ROOT}/src/client.ts`)};
    const client = createMirsalClient(${JSON.stringify({ ...company, baseUrl: environment.address })});
    const created = await client.shipments.create.mutate(${JSON.stringify(orderOf(company, 'client-deno'))});
    const codes = [];
    for await (const { branchCode } of listAll(client.branches.list, {})) codes.push(branchCode);
    const error = await client.shipments.get.query({ shipmentId: 'x' }).catch((cause) => cause);
    console.log(JSON.stringify([created.declaredValue, codes, error instanceof MirsalError, error.code]));
  `;
  // Asynchronous, because the service's outbound requests pass through this process.
  const deno = spawn(
    resolve(ROOT, 'node_modules/.bin/deno'),
    ['run', '--allow-net=127.0.0.1', '--allow-read', '--no-prompt', '--no-lock', '-'],
    { cwd: ROOT, env: { ...process.env, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' } },
  );
  deno.stdin.end(program);
  const [output, errors] = await Promise.all([text(deno.stdout), text(deno.stderr)]);
  const expected = ['12345678901234567.25', [company.branchCode], true, 'INVALID_PATH_PARAMETER'];
  expect({ output, errors }).toEqual({ output: `${JSON.stringify(expected)}\n`, errors: '' });
});

it('renews a token whose signing key is gone, and waits out a rate limit', async () => {
  const [company] = environment.companies;
  const sleptMs: number[] = [];
  const sleep = (ms: number) => {
    sleptMs.push(ms);
    return Promise.resolve();
  };
  const client = clientOf(company, { retries: 1, host: { sleep, random: () => 0 } });
  await client.shipments.list.query({});
  await environment.restart({
    TOKEN_SIGNING_KEYS: JSON.stringify([await newSigningKey()]),
    RATE_LIMITS: JSON.stringify({ reads: 1, writes: 10, estimates: 10, tokens: 10 }),
  });
  await client.shipments.list.query({});

  await expect(client.shipments.list.query({})).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    status: 429,
    attempts: 2,
  });
  expect(sleptMs).toHaveLength(1);
  expect(sleptMs[0]).toBeGreaterThanOrEqual(1000);
  expect(sleptMs[0]).toBeLessThanOrEqual(60_000);
});
