import { FRESH, type PreparedRequest } from './load.ts';

const PATH = '/v2/external/shipments';

/** GET by id, one request for each id. */
export function getRequests(token: string, ids: readonly string[]): PreparedRequest[] {
  return ids.map((id) => ({
    text: textOf(`GET ${PATH}/${id}`, [`Authorization: Bearer ${token}`]),
    expectStatus: 200,
  }));
}

/** The first page of 25 shipments, which is the default, or the page of this query. */
export function listRequest(token: string, query = ''): PreparedRequest {
  return { text: textOf(`GET ${PATH}${query}`, [`Authorization: Bearer ${token}`]), expectStatus: 200 };
}

export const ESTIMATES_PATH = '/v2/external/shipment-price-estimates';

/** Routes from one of two places to a hundred others, far and near. */
export function estimateBodies(): string[] {
  return Array.from({ length: 100 }, (_, index) => {
    const [pickup, destinationCityCode] =
      index % 2 === 0
        ? [{ latitude: 24.7136, longitude: 46.6753 }, 'RUH']
        : [{ latitude: 21.5433, longitude: 39.1728 }, 'MKK'];
    const delivery = {
      latitude: Number((pickup.latitude + 0.0013 * (index + 1)).toFixed(6)),
      longitude: Number((pickup.longitude - 0.0117 * (index + 1)).toFixed(6)),
    };
    return JSON.stringify({ pickup, delivery, destinationCityCode });
  });
}

/** Price estimates, one request for each of those routes. */
export function estimateRequests(token: string): PreparedRequest[] {
  return estimateBodies().map((body) => jsonRequest(ESTIMATES_PATH, token, { body, expectStatus: 200 }));
}

export interface PickupPlace {
  readonly branchCode: string;
  readonly pickupLocationCode: string;
}

/** A creation whose key and reference are new each time. */
export function createRequest(token: string, place: PickupPlace): PreparedRequest {
  const body = JSON.stringify(creationOf(place, FRESH));
  return jsonRequest(PATH, token, { body, expectStatus: 201, headers: [`Idempotency-Key: ${FRESH}`] });
}

/** The same creations again, one request for each reference. A reference is also the key, and as long as `FRESH`. */
export function replayRequests(token: string, place: PickupPlace, references: readonly string[]): PreparedRequest[] {
  const { text } = createRequest(token, place);
  return references.map((reference) => ({ text: text.replaceAll(FRESH, reference), expectStatus: 200 }));
}

/** Cancellations, one request for each shipment, of any version. */
export function cancelRequests(token: string, ids: readonly string[]): PreparedRequest[] {
  const body = JSON.stringify({ reasonCode: 'CUSTOMER_REQUEST' });
  const options = { body, expectStatus: 200, headers: ['If-Match: *'] };
  return ids.map((id) => jsonRequest(`${PATH}/${id}/cancellations`, token, options));
}

/** Drivers' actions, one request for each shipment. */
export function driverRequests(
  assignments: readonly { readonly driverToken: string; readonly shipmentId: string }[],
  action: 'PICK_UP' | 'REPORT_POSITION',
): PreparedRequest[] {
  const position = { latitude: 24.7136, longitude: 46.6753 };
  const body = JSON.stringify({ action, ...(action === 'REPORT_POSITION' ? { position } : {}) });
  return assignments.map(({ driverToken, shipmentId }) =>
    jsonRequest(`/v2/driver/shipments/${shipmentId}/actions`, driverToken, { body, expectStatus: 200 }),
  );
}

/** Requests for public tracking, one for each token of a link. */
export function trackingRequests(linkTokens: readonly string[]): PreparedRequest[] {
  return linkTokens.map((token) => ({ text: textOf(`GET /v2/public/tracking/${token}`, []), expectStatus: 200 }));
}

export const TOKEN_BODY = 'grant_type=client_credentials';

/** A client's request for an access token. */
export function tokenRequest(client: { readonly clientId: string; readonly clientSecret: string }): PreparedRequest {
  const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
  const headers = [
    `Authorization: Basic ${basic}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${TOKEN_BODY.length}`,
  ];
  return { text: textOf('POST /oauth/token', headers, TOKEN_BODY), expectStatus: 200 };
}

/** An order of two items, as a shop would send it. */
export function creationOf({ branchCode, pickupLocationCode }: PickupPlace, externalReference: string) {
  return {
    externalReference,
    branchCode,
    pickupLocationCode,
    recipient: { name: 'نورة الحربي', phone: '0512345678', alternateContactName: 'Reception' },
    destination: {
      addressLine: 'King Fahd Road 7712, Al Muhammadiyah, unit 14, Riyadh 12361',
      cityCode: 'RUH',
      latitude: 24.738291,
      longitude: 46.651017,
    },
    declaredValue: 412.75,
    codAmount: 187.5,
    currency: 'SAR',
    paymentMethod: 'COD',
    pickupWindowStart: '2030-01-31T09:00:00Z',
    pickupWindowEnd: '2030-01-31T12:30:00Z',
    items: [
      {
        description: 'Ethiopia Guji, whole bean, 1 kg',
        quantity: 2,
        weightKilograms: 1.05,
        lengthCentimetres: 24.5,
        widthCentimetres: 12,
        heightCentimetres: 8.5,
      },
      { description: 'Paper filters, box of 100', quantity: 3, weightKilograms: 0.32 },
    ],
    requirements: ['FRAGILE'],
  };
}

interface JsonRequest {
  readonly body: string;
  readonly expectStatus: number;
  readonly headers?: readonly string[];
}

function jsonRequest(path: string, token: string, { body, expectStatus, headers = [] }: JsonRequest): PreparedRequest {
  const own = [
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return { text: textOf(`POST ${path}`, [...own, ...headers], body), expectStatus };
}

function textOf(line: string, headers: readonly string[], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: 127.0.0.1', 'Accept: application/json', ...headers, '', body].join('\r\n');
}
