import * as z from 'zod';
import type { Environment } from './connection.ts';
import type { Merchant } from './merchant.ts';
import { sendJson } from './sandbox.ts';
import type { JsonObject } from './shipments.ts';

export const ENDPOINTS = '/v2/external/webhook-endpoints';
export const DELIVERIES = '/v2/external/webhook-deliveries';

const endpoint = z.strictObject({
  endpointId: z.uuidv7(),
  url: z.string(),
  description: z.nullable(z.string()),
  eventTypes: z.array(z.string()),
  state: z.enum(['ENABLED', 'DISABLED', 'AUTO_DISABLED']),
  secretHint: z.string().length(4),
  previousSecretExpiresAt: z.nullable(z.string()),
  lastSuccessAt: z.nullable(z.string()),
  lastFailureAt: z.nullable(z.string()),
  consecutiveFailures: z.int(),
  pausedUntil: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  version: z.int(),
});
export type EndpointBody = z.output<typeof endpoint>;
const changedEndpoint = endpoint.extend({ inFlight: z.optional(z.int()) });
export type ChangedEndpointBody = z.output<typeof changedEndpoint>;
const newEndpoint = endpoint.extend({
  signingSecret: z.string().regex(/^whsec_[A-Za-z0-9+/]{43}=$/),
  sameUrlAs: z.optional(z.array(z.uuidv7())),
});
export type NewEndpointBody = z.output<typeof newEndpoint>;

async function readEndpoint(response: Response): Promise<EndpointBody> {
  return endpoint.parse(await response.json());
}

export async function readChangedEndpoint(response: Response): Promise<ChangedEndpointBody> {
  return changedEndpoint.parse(await response.json());
}

/** Webhooks as a merchant's system manages them. */
export interface WebhookManager {
  /** A new endpoint, after its 201, by default for all event types. */
  add(url: string, changes?: JsonObject): Promise<NewEndpointBody>;
  get(endpointId: string): Promise<EndpointBody>;
  patch(endpointId: string, changes: unknown, ifMatch?: string): Promise<Response>;
  delete(endpointId: string, ifMatch?: string): Promise<Response>;
  rotate(endpointId: string, overlapSeconds?: number): Promise<Response>;
}

export async function webhooksOf(environment: Environment, merchant: Merchant): Promise<WebhookManager> {
  const authorization = `Bearer ${await environment.token(merchant.company)}`;
  const send = (method: string, path: string, ifMatch: string, body?: unknown) =>
    sendJson(environment, method, path, body, { authorization, 'if-match': ifMatch });
  return {
    async add(url, changes) {
      const response = await merchant.post(ENDPOINTS, { url, eventTypes: ['*'], ...changes });
      if (response.status !== 201) throw new Error(`No endpoint: ${response.status} ${await response.text()}`);
      return newEndpoint.parse(await response.json());
    },
    get: async (endpointId) => readEndpoint(await merchant.get(`${ENDPOINTS}/${endpointId}`)),
    patch: (endpointId, changes, ifMatch = '*') => send('PATCH', `${ENDPOINTS}/${endpointId}`, ifMatch, changes),
    delete: (endpointId, ifMatch = '*') => send('DELETE', `${ENDPOINTS}/${endpointId}`, ifMatch),
    rotate: (endpointId, overlapSeconds) =>
      merchant.post(`${ENDPOINTS}/${endpointId}/secret-rotations`, { overlapSeconds }),
  };
}
