import type { Operation } from '../../src/http/rest/routes.ts';
import { addClient, MERCHANT_SCOPES } from './companies.ts';
import type { Environment, OwnEnvironment, TestCompany } from './connection.ts';
import { forceState } from './force-state.ts';
import { type Merchant, SHIPMENTS } from './merchant.ts';
import { newKey, shipmentBody } from './shipments.ts';

/** A request that can be sent as it is, or with something wrong about it. */
export interface Sample {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Stage {
  readonly environment: Environment;
  /** Of a company whose policy is MANUAL: what it creates stays as it is. */
  readonly merchant: Merchant;
  /** Its shards are gone, and it allows each client one read and one write a minute. */
  readonly failing: OwnEnvironment;
}

/** One way to each status of an operation. */
export type Exercises = ReadonlyMap<number, () => Promise<Response>>;

/** A request that each operation answers with success. A new operation has none, and its tests say so. */
const GOOD: Readonly<Record<string, (merchant: Merchant) => Promise<Omit<Sample, 'method'>>>> = {
  'shipments.create': async ({ company }) => ({
    path: SHIPMENTS,
    headers: { 'idempotency-key': newKey() },
    body: JSON.stringify(shipmentBody(company)),
  }),
  'shipments.list': async (merchant) => {
    await merchant.create();
    return { path: SHIPMENTS, headers: {} };
  },
  'shipments.get': async (merchant) => ({ path: `${SHIPMENTS}/${(await merchant.create()).shipmentId}`, headers: {} }),
  'shipments.cancel': async (merchant) => ({
    path: `${SHIPMENTS}/${(await merchant.create()).shipmentId}/cancellations`,
    headers: { 'if-match': '*' },
    body: JSON.stringify({ reasonCode: 'DUPLICATE', comment: 'Ordered twice' }),
  }),
  'shipments.retryDispatch': async () => ({ path: `${SHIPMENTS}/{}/dispatch-retries`, headers: { 'if-match': '*' } }),
  'shipments.timeline': async (merchant) => ({
    path: `${SHIPMENTS}/${(await merchant.create()).shipmentId}/timeline`,
    headers: {},
  }),
  'branches.list': async () => ({ path: '/v2/external/branches', headers: {} }),
  'pickupLocations.list': async () => ({ path: '/v2/external/pickup-locations', headers: {} }),
};

/** A good request of an operation, for a shipment of this merchant's that is as it has to be. */
export async function sampleOf(operation: Operation, { environment, merchant }: Stage): Promise<Sample> {
  const good = await GOOD[operation.name]?.(merchant);
  if (good === undefined) throw new Error(`${operation.name} has no good request in test/support/exercises.ts`);
  const { method } = operation;
  if (!good.path.includes('{}')) return { method, ...good };
  const { shipmentId } = await merchant.create();
  await forceState(environment, merchant.company, shipmentId, 'DISPATCH_UNRESOLVED');
  return { method, ...good, path: good.path.replace('{}', shipmentId) };
}

/** Sends a sample with the token of a client. */
export async function send(environment: Environment, client: TestCompany, sample: Sample): Promise<Response> {
  return sendWith(environment, sample, { authorization: `Bearer ${await environment.token(client)}` });
}

export function sendWith(
  environment: Environment,
  { method, path, headers, body }: Sample,
  more: Sample['headers'],
): Promise<Response> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const init = { method, headers: { ...type, ...headers, ...more } };
  return environment.fetch(path, body === undefined ? init : { ...init, body });
}

/** The ways to the statuses that follow from what an operation is. */
export function exercisesOf(operation: Operation, stage: Stage): Exercises {
  const { environment, merchant } = stage;
  const { company } = merchant;
  const sample = () => sampleOf(operation, stage);
  const spoilt = async (headers: Sample['headers'], changes: Partial<Sample> = {}) => {
    const good = await sample();
    return send(environment, company, { ...good, ...changes, headers: { ...good.headers, ...headers } });
  };
  const { method, meta, parser, name } = operation;
  const ways: [number, () => Promise<Response>][] = [
    [meta.successStatuses?.[0] ?? 200, async () => send(environment, company, await sample())],
    [400, async () => send(environment, company, withQuery(await sample(), 'nonsense=1'))],
    [401, async () => sendWith(environment, await sample(), {})],
    [403, async () => sendWith(environment, await sample(), { authorization: await narrowToken(stage, operation) })],
    [405, async () => send(environment, company, { ...(await sample()), method: 'PATCH' })],
    [406, () => spoilt({ accept: 'text/html' })],
    [429, () => secondUse(operation, stage)],
    [503, () => useWithoutShard(operation, stage)],
  ];
  if (parser.hasBody) {
    ways.push([413, () => spoilt({}, { body: ' '.repeat(300_000) })]);
    ways.push([415, () => spoilt({ 'content-type': 'text/plain' })]);
    ways.push([422, () => spoilt({}, { body: '{"nonsense":1}' })]);
  }
  if (parser.places.get('ifMatch') === 'header') {
    ways.push([412, () => spoilt({ 'if-match': '"999"' })]);
    ways.push([428, async () => send(environment, company, withoutHeader(await sample(), 'if-match'))]);
  }
  if (method === 'POST') ways.push(...(OWN[name]?.(stage) ?? []));
  return new Map(ways);
}

/** The ways to statuses that only one operation has. */
const OWN: Readonly<Record<string, (stage: Stage) => [number, () => Promise<Response>][]>> = {
  'shipments.create': ({ merchant }) => [
    [
      200,
      async () => {
        const key = { 'idempotency-key': newKey() };
        const body = shipmentBody(merchant.company);
        await merchant.postShipment(body, key);
        return merchant.postShipment(body, key);
      },
    ],
    [
      409,
      async () => {
        const { externalReference } = await merchant.create();
        return merchant.postShipment(shipmentBody(merchant.company, { externalReference }));
      },
    ],
  ],
  'shipments.cancel': ({ environment, merchant }) => [
    [
      409,
      async () => {
        const { shipmentId } = await merchant.create();
        await forceState(environment, merchant.company, shipmentId, 'DELIVERED');
        return merchant.cancel(shipmentId);
      },
    ],
  ],
  'shipments.retryDispatch': ({ merchant }) => [
    [
      409,
      async () => {
        const { shipmentId } = await merchant.create();
        return merchant.post(`${SHIPMENTS}/${shipmentId}/dispatch-retries`, undefined, { 'if-match': '*' });
      },
    ],
  ],
};

/** A token with every scope but the operation's. */
export async function narrowToken({ environment, merchant }: Stage, { meta }: Operation): Promise<string> {
  const others = MERCHANT_SCOPES.split(' ').filter((scope) => scope !== meta.scope);
  return `Bearer ${await environment.token(merchant.company, others.join(' '))}`;
}

async function useWithoutShard(operation: Operation, stage: Stage): Promise<Response> {
  return send(stage.failing, await newClient(stage.failing), await sampleOf(operation, stage));
}

async function secondUse(operation: Operation, stage: Stage): Promise<Response> {
  const client = await newClient(stage.failing);
  const sample = await sampleOf(operation, stage);
  await send(stage.failing, client, sample);
  return send(stage.failing, client, sample);
}

async function newClient(failing: OwnEnvironment): Promise<TestCompany> {
  const [company] = failing.companies;
  return { ...company, ...(await addClient(failing, { companyId: company.companyId })) };
}

function withQuery(sample: Sample, query: string): Sample {
  return { ...sample, path: `${sample.path}?${query}` };
}

function withoutHeader(sample: Sample, header: string): Sample {
  return { ...sample, headers: Object.fromEntries(Object.entries(sample.headers).filter(([name]) => name !== header)) };
}
