import * as z from 'zod';
import { addCompany } from './companies.ts';
import type { Environment, TestCompany } from './connection.ts';
import { type Headers, type Merchant, merchantOf, SHIPMENTS } from './merchant.ts';
import { type JsonObject, readShipment, readTimelinePage, type ShipmentBody } from './shipments.ts';
import type { ShardId } from './sql.ts';
import { until } from './until.ts';

export const SANDBOX = '/v2/external/sandbox';
export const RIYADH = {
  addressLine: '4 King Fahd Road, Riyadh',
  cityCode: 'RUH',
  latitude: 24.794722,
  longitude: 46.626111,
};

const readiness = z.looseObject({
  generation: z.int(),
  canCreateShipment: z.boolean(),
  nextShipmentDispatchHeld: z.boolean(),
  sandboxDriverPhone: z.string().regex(/^05[0-9]{8}$/),
  prerequisites: z.array(z.strictObject({ prerequisite: z.string(), ready: z.boolean() })),
});
export type Readiness = z.output<typeof readiness>;
const challenge = z.strictObject({
  challengeId: z.uuid(),
  expiresAt: z.string(),
  sandboxOtp: z.string().regex(/^[0-9]{6}$/),
});
const session = z.strictObject({ driverToken: z.string(), expiresAt: z.string() });

export async function readReadiness(response: Response): Promise<Readiness> {
  return readiness.parse(await response.json());
}

/** A driver as a client of the service. */
export interface TestDriver {
  readonly token: string;
  get(path: string): Promise<Response>;
  act(shipmentId: string, body: JsonObject): Promise<Response>;
}

/** A company with a sandbox. */
export interface Sandbox {
  readonly company: TestCompany;
  readonly merchant: Merchant;
  readonly phone: string;
  send(method: string, path: string, body?: unknown, headers?: Headers): Promise<Response>;
  /** A shipment at the sandbox's own places. */
  create(changes?: JsonObject): Promise<ShipmentBody>;
  read(shipmentId: string): Promise<ShipmentBody>;
  untilState(shipmentId: string, state: string): Promise<ShipmentBody>;
  /** `type actor` of each event. */
  timeline(shipmentId: string): Promise<string[]>;
  play(shipmentId: string, name: string, stepSeconds?: number): Promise<Response>;
  signIn(): Promise<TestDriver>;
}

export async function newSandbox(environment: Environment, shard?: ShardId): Promise<Sandbox> {
  const company = await addCompany(environment, shard);
  const merchant = await merchantOf(environment, company);
  const { sandboxDriverPhone: phone } = await readReadiness(await merchant.post(`${SANDBOX}/bootstrap`));
  const authorization = `Bearer ${await environment.token(company)}`;
  const sandbox: Sandbox = {
    company,
    merchant,
    phone,
    send: (method, path, body, headers) => sendJson(environment, method, path, body, { authorization, ...headers }),
    create: (changes) =>
      merchant.create({
        branchCode: 'SANDBOX_BRANCH',
        pickupLocationCode: 'SANDBOX_PICKUP',
        destination: RIYADH,
        ...changes,
      }),
    read: async (shipmentId) => readShipment(await merchant.get(`${SHIPMENTS}/${shipmentId}`)),
    untilState: (shipmentId, state) =>
      until(`${shipmentId} is ${state}`, async () => {
        const shipment = await sandbox.read(shipmentId);
        return shipment.state === state ? shipment : undefined;
      }),
    async timeline(shipmentId) {
      const { data } = await readTimelinePage(await merchant.get(`${SHIPMENTS}/${shipmentId}/timeline`));
      return data.map(({ type, actor }) => `${type.replace('shipment.', '')} ${actor}`);
    },
    play: (shipmentId, name, stepSeconds = 0) =>
      merchant.post(`${SANDBOX}/shipments/${shipmentId}/scenarios`, { name, stepSeconds }),
    async signIn() {
      const { challengeId, sandboxOtp } = challenge.parse(
        await (await merchant.post(`${SANDBOX}/driver-sessions`, { phone })).json(),
      );
      const verified = await merchant.post(`${SANDBOX}/driver-sessions/${challengeId}/verifications`, {
        otp: sandboxOtp,
      });
      return driverOf(environment, session.parse(await verified.json()).driverToken);
    },
  };
  return sandbox;
}

const clock = z.looseObject({ state: z.enum(['READY', 'ADVANCING']) });

/** Moves the company's clock ahead, until it runs again. */
export async function advanceClock(
  { merchant }: Pick<Sandbox, 'merchant'>,
  order: { readonly seconds: number } | { readonly to: string },
): Promise<void> {
  const begun = await merchant.post(`${SANDBOX}/clock/advances`, order);
  if (begun.status !== 202) throw new Error(`Not advanced: ${begun.status} ${await begun.text()}`);
  await until('the clock runs', async () => {
    const { state } = clock.parse(await (await merchant.get(`${SANDBOX}/clock`)).json());
    return state === 'READY' || undefined;
  });
}

export function driverOf(environment: Environment, token: string): TestDriver {
  const headers = { authorization: `Bearer ${token}` };
  return {
    token,
    get: (path) => environment.fetch(`/v2/driver${path}`, { headers }),
    act: (shipmentId, body) =>
      sendJson(environment, 'POST', `/v2/driver/shipments/${shipmentId}/actions`, body, headers),
  };
}

export async function readChallenge(response: Response): Promise<z.output<typeof challenge>> {
  return challenge.parse(await response.json());
}

export function sendJson(
  environment: Pick<Environment, 'fetch'>,
  method: string,
  path: string,
  body?: unknown,
  headers: Headers = {},
): Promise<Response> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  return environment.fetch(path, { method, headers: { 'content-type': 'application/json', ...headers }, ...content });
}
