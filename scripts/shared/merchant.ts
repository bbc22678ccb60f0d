import type { Environment, TestCompany } from './connection.ts';
import { type JsonObject, newKey, readShipment, type ShipmentBody, shipmentBody } from './shipments.ts';
import { until } from './until.ts';

export const SHIPMENTS = '/v2/external/shipments';

export type Headers = Readonly<Record<string, string>>;

/** A merchant's system as a client of the service. */
export interface Merchant {
  readonly company: TestCompany;
  get(path: string, headers?: Headers): Promise<Response>;
  /** `body` is sent as JSON, or unchanged if it is text. */
  post(path: string, body?: unknown, headers?: Headers): Promise<Response>;
  /** POST of a creation with a new key, unless the headers have one. */
  postShipment(body: unknown, headers?: Headers): Promise<Response>;
  /** A new shipment, after its 201. */
  create(changes?: JsonObject): Promise<ShipmentBody>;
  /** The shipment once it is approved. */
  createApproved(changes?: JsonObject): Promise<ShipmentBody>;
  cancel(shipmentId: string, ifMatch?: string): Promise<Response>;
}

export async function merchantOf(environment: Environment, company: TestCompany, scope?: string): Promise<Merchant> {
  const authorization = `Bearer ${await environment.token(company, scope)}`;
  const merchant: Merchant = {
    company,
    get: (path, headers) => environment.fetch(path, { headers: { authorization, ...headers } }),
    post: (path, body, headers) =>
      environment.fetch(path, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    postShipment: (body, headers) => merchant.post(SHIPMENTS, body, { 'idempotency-key': newKey(), ...headers }),
    async create(changes) {
      const response = await merchant.postShipment(shipmentBody(company, changes));
      if (response.status !== 201) throw new Error(`Not created: ${response.status} ${await response.text()}`);
      return readShipment(response);
    },
    async createApproved(changes) {
      const { shipmentId } = await merchant.create(changes);
      return until(`${shipmentId} is approved`, async () => {
        const shipment = await readShipment(await merchant.get(`${SHIPMENTS}/${shipmentId}`));
        return shipment.state === 'READY_FOR_DISPATCH' ? shipment : undefined;
      });
    },
    cancel: (shipmentId, ifMatch = '*') =>
      merchant.post(`${SHIPMENTS}/${shipmentId}/cancellations`, { reasonCode: 'OTHER' }, { 'if-match': ifMatch }),
  };
  return merchant;
}
