import { createTRPCClient, httpBatchLink, httpBatchStreamLink, httpLink, type TRPCLink } from '@trpc/client';
import { describe, expect, it } from 'vitest';
import type { AppRouter } from '../../routers/index.ts';
import { addCompany } from '../../scripts/shared/companies.ts';
import type { TestCompany } from '../../scripts/shared/connection.ts';
import { newKey, newReference } from '../../scripts/shared/shipments.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall } from '../support/trpc.ts';

/** The HTTP links of @trpc/client with their default settings. */

const environment = sharedEnvironment();
const company = await addCompany(environment);

interface LinkOptions {
  readonly url: string;
  readonly headers: Record<string, string>;
}

async function clientOf(link: (options: LinkOptions) => TRPCLink<AppRouter>, owner: TestCompany) {
  const headers = { authorization: `Bearer ${await environment.token(owner)}` };
  return createTRPCClient<AppRouter>({ links: [link({ url: `${environment.address}/trpc`, headers })] });
}

const creation = ({ branchCode, pickupLocationCode }: TestCompany) => ({
  idempotencyKey: newKey(),
  externalReference: newReference(),
  branchCode,
  pickupLocationCode,
  recipient: { name: 'Recipient', phone: '+966500000001' },
  destination: { addressLine: 'King Road', cityCode: 'JED', latitude: '21.5', longitude: '39.25' },
  declaredValue: '125.5',
  codAmount: '0',
  currency: 'SAR',
  paymentMethod: 'PREPAID' as const,
  pickupWindowStart: '2030-01-31T09:00:00Z',
  pickupWindowEnd: '2030-01-31T12:00:00Z',
  items: [{ description: 'Beans', quantity: 3, weightKilograms: '0.1' }],
  requirements: [],
});

describe.each([['httpLink', httpLink] as const, ['httpBatchLink', httpBatchLink] as const])('%s', (_name, link) => {
  it('creates shipments concurrently and reads them', async () => {
    const client = await clientOf(link, company);
    const created = await Promise.all([1, 2, 3].map(() => client.shipments.create.mutate(creation(company))));
    expect(new Set(created.map(({ shipmentId }) => shipmentId)).size).toBe(3);
    expect(created.map(({ declaredValue }) => declaredValue)).toEqual(['125.5', '125.5', '125.5']);
    const read = await Promise.all(created.map(({ shipmentId }) => client.shipments.get.query({ shipmentId })));
    expect(read.map(({ shipmentId }) => shipmentId)).toEqual(created.map(({ shipmentId }) => shipmentId));
  });

  it('answers one failed call with its problem, and the others with their results', async () => {
    const client = await clientOf(link, company);
    const [good, refused] = await Promise.allSettled([
      client.shipments.create.mutate(creation(company)),
      client.shipments.create.mutate({ ...creation(company), codAmount: '7' }),
    ]);
    expect(good).toMatchObject({ status: 'fulfilled', value: { state: 'PENDING_APPROVAL' } });
    const problem = { status: 422, code: 'VALIDATION_FAILED', violations: [{ code: 'COD_METHOD_REQUIRED' }] };
    expect(refused).toMatchObject({ status: 'rejected', reason: { data: { problem } } });
  });
});

it('httpBatchLink may send ten calls in a batch; eleven are refused before any of them runs', async () => {
  const own = await addCompany(environment);
  const client = await clientOf(httpBatchLink, own);
  const createMany = (count: number) =>
    Array.from({ length: count }, () => client.shipments.create.mutate(creation(own)));
  for (const problem of await Promise.all(createMany(11).map(problemOfCall)))
    expect(problem).toMatchObject({
      status: 400,
      code: 'TRPC_BATCH_NOT_SUPPORTED',
      detail: expect.stringContaining('maxItems: 10'),
    });
  expect((await client.shipments.list.query({})).data).toEqual([]);
  await Promise.all(createMany(10));
  expect((await client.shipments.list.query({})).data).toHaveLength(10);
});

it('httpBatchStreamLink is refused with the name of the link to use', async () => {
  const client = await clientOf(httpBatchStreamLink, company);
  const problem = await problemOfCall(client.branches.list.query({}));
  expect(problem).toMatchObject({ status: 400, code: 'TRPC_BATCH_NOT_SUPPORTED' });
});
