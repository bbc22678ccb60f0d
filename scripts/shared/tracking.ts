import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Environment } from './connection.ts';
import { type Headers, type Merchant, SHIPMENTS } from './merchant.ts';
import type { JsonObject } from './shipments.ts';

const link = z.strictObject({
  linkId: z.uuid(),
  url: z.string().optional(),
  state: z.string(),
  locale: z.nullable(z.string()),
  label: z.nullable(z.string()),
  permissions: z.array(z.string()),
  createdAt: z.string(),
  expiresAt: z.string(),
  revokedAt: z.nullable(z.string()),
  viewCount: z.int(),
  lastViewedAt: z.nullable(z.string()),
  version: z.int(),
});
export type LinkBody = z.output<typeof link>;
const page = z.strictObject({
  data: z.array(link),
  page: z.strictObject({ nextCursor: z.nullable(z.string()), hasMore: z.boolean() }),
});

export async function readLink(response: Response): Promise<LinkBody> {
  return link.parse(await response.json());
}

export async function readLinkPage(response: Response): Promise<z.output<typeof page>> {
  return page.parse(await response.json());
}

/** The path of a shipment's tracking links. */
export function linksOf(shipmentId: string): string {
  return `${SHIPMENTS}/${shipmentId}/tracking-links`;
}

/** A new link, after its 201, and the token in its address. */
export async function createLink(
  merchant: Merchant,
  shipmentId: string,
  body: JsonObject = {},
): Promise<LinkBody & { readonly token: string }> {
  const response = await merchant.post(linksOf(shipmentId), body);
  if (response.status !== 201) throw new Error(`No link: ${response.status} ${await response.text()}`);
  const made = await readLink(response);
  return { ...made, token: made.url?.split('/t/')[1] ?? '' };
}

export async function revokeLink(
  environment: Environment,
  { company }: Pick<Merchant, 'company'>,
  path: string,
  ifMatch?: string,
): Promise<Response> {
  const authorization = `Bearer ${await environment.token(company)}`;
  return environment.fetch(path, {
    method: 'DELETE',
    headers: { authorization, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
  });
}

/** What a request with the token shows. */
export function follow(environment: Environment, token: string, headers: Headers = {}): Promise<Response> {
  return environment.fetch(`/v2/public/tracking/${token}`, { headers });
}

/** Members of a creation that only the merchant and the driver may read. */
export function secrets(): JsonObject {
  return {
    recipient: {
      name: 'Zaynab Marker-Alpha',
      phone: '0598765431',
      alternateContactName: 'Marker-Beta',
      alternateContactPhone: '0598765432',
    },
    destination: { addressLine: 'Marker-Gamma Street 7', cityCode: 'RUH', latitude: 24.794722, longitude: 46.626111 },
    items: [{ description: 'Marker-Delta', quantity: 1, weightKilograms: 1 }],
    externalReference: `Marker-Epsilon-${randomUUID()}`,
  };
}
export const SECRET = /marker|zaynab|59876543|24\.794722|46\.626111|recipient|address/i;
