import { FRESH, type PreparedRequest } from './load.ts';

const PATH = '/v2/external/shipments';

/** The bytes of GET by id, one request for each id. */
export function getRequests(token: string, ids: readonly string[]): PreparedRequest[] {
  return ids.map((id) => ({
    text: textOf(`GET ${PATH}/${id}`, [`Authorization: Bearer ${token}`]),
    expectStatus: 200,
  }));
}

/** The bytes of the first page of 25, which is the default. */
export function listRequest(token: string): PreparedRequest {
  return { text: textOf(`GET ${PATH}`, [`Authorization: Bearer ${token}`]), expectStatus: 200 };
}

export const ESTIMATES_PATH = '/v2/external/shipment-price-estimates';

/** From one of two places to a hundred others, far and near. */
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

/** The bytes of estimates, one request for each of those ways. */
export function estimateRequests(token: string): PreparedRequest[] {
  return estimateBodies().map((body) => {
    const headers = [
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    return { text: textOf(`POST ${ESTIMATES_PATH}`, headers, body), expectStatus: 200 };
  });
}

export interface Place {
  readonly branchCode: string;
  readonly pickupLocationCode: string;
}

/** The bytes of a creation with a key and a reference that are new each time. */
export function createRequest(token: string, place: Place): PreparedRequest {
  const body = JSON.stringify(creationOf(place, FRESH));
  const headers = [
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Idempotency-Key: ${FRESH}`,
  ];
  return { text: textOf(`POST ${PATH}`, headers, body), expectStatus: 201 };
}

/** An order of two items, as a shop would send it. */
export function creationOf({ branchCode, pickupLocationCode }: Place, externalReference: string) {
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
    pickupWindowStart: '2026-11-21T09:00:00Z',
    pickupWindowEnd: '2026-11-21T12:30:00Z',
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

function textOf(line: string, headers: readonly string[], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: 127.0.0.1', 'Accept: application/json', ...headers, '', body].join('\r\n');
}
