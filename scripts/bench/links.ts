import * as z from 'zod';
import type { Account } from './service.ts';

const CALL_TIMEOUT_MS = 5000;

/** A tracking link of each shipment, made by the service. Answers their tokens. */
export async function addLinks(baseUrl: string, account: Account, ids: readonly string[]): Promise<string[]> {
  const tokens: string[] = [];
  for (const id of ids) {
    const link = await post(baseUrl, account, `/v2/external/shipments/${id}/tracking-links`, {});
    tokens.push(z.object({ url: z.string() }).parse(link).url.split('/t/')[1] ?? '');
  }
  return tokens;
}

/** Has the company's new shipments told to this address. Answers the endpoint's id. */
export async function addEndpoint(baseUrl: string, account: Account, url: string): Promise<string> {
  const order = { url, eventTypes: ['shipment.created'] };
  const endpoint = await post(baseUrl, account, '/v2/external/webhook-endpoints', order);
  return z.object({ endpointId: z.string() }).parse(endpoint).endpointId;
}

export async function deleteEndpoint(baseUrl: string, account: Account, endpointId: string): Promise<void> {
  const response = await fetch(`${baseUrl}/v2/external/webhook-endpoints/${endpointId}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${account.token}`, 'if-match': '*' },
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`The endpoint was not deleted: ${response.status} ${await response.text()}`);
}

async function post(baseUrl: string, { token }: Account, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  if (response.status !== 201) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
  return response.json();
}
