import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { TestCompany } from './connection.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export const RECIPIENT = { name: 'Noura Al-Harbi', phone: '0512345678' };
export const DESTINATION = {
  addressLine: '4 Prince Sultan Street, Jeddah',
  cityCode: 'JED',
  latitude: 21.5,
  longitude: 39.25,
};
export const ITEM = { description: 'Coffee beans', quantity: 2, weightKilograms: 1.25 };

/** A valid creation request with these members replaced. Undefined leaves a member out. */
export function shipmentBody(company: TestCompany, changes: JsonObject = {}): JsonObject {
  return {
    externalReference: newReference(),
    branchCode: company.branchCode,
    pickupLocationCode: company.pickupLocationCode,
    recipient: RECIPIENT,
    destination: DESTINATION,
    declaredValue: 250,
    codAmount: 0,
    currency: 'SAR',
    paymentMethod: 'PREPAID',
    pickupWindowStart: '2030-01-31T09:00:00Z',
    pickupWindowEnd: '2030-01-31T12:00:00Z',
    items: [ITEM],
    requirements: [],
    ...changes,
  };
}

/** A request for a price lock for that shipment. */
export function lockBody(company: Pick<TestCompany, 'pickupLocationCode'>, changes: JsonObject = {}): JsonObject {
  const { addressLine: _addressLine, ...destination } = DESTINATION;
  return { pickupLocationCode: company.pickupLocationCode, destination, ...changes };
}

/** The body with another value at a path such as `items[0].weightKilograms`. Undefined leaves the member out. */
export function withValue(body: JsonObject, path: string, value: unknown): JsonObject {
  const copy = structuredCloneOf(body);
  const steps = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  const last = steps.pop() ?? '';
  let parent: unknown = copy;
  for (const step of steps) parent = Reflect.get(requireObject(parent), step);
  if (value === undefined) Reflect.deleteProperty(requireObject(parent), last);
  else Reflect.set(requireObject(parent), last, value);
  return copy;
}

/** A number of a request in exactly this spelling. */
export function exactly(spelling: string): unknown {
  return JSON.rawJSON(spelling);
}

export function newReference(): string {
  return `order-${randomUUID()}`;
}

export function newKey(): string {
  return randomUUID();
}

/** The members of a Shipment that tests use. */
const shipment = z.looseObject({
  shipmentId: z.uuid(),
  shipmentNumber: z.string(),
  externalReference: z.string(),
  state: z.string(),
  version: z.int(),
  createdAt: z.string(),
  approvedAt: z.nullable(z.string()),
});
export type ShipmentBody = z.output<typeof shipment>;

const shipmentPage = z.strictObject({
  data: z.array(shipment),
  page: z.strictObject({ nextCursor: z.nullable(z.string()), hasMore: z.boolean() }),
});

export async function readShipment(response: Response): Promise<ShipmentBody> {
  return shipment.parse(await response.json());
}

export async function readShipmentPage(response: Response): Promise<z.output<typeof shipmentPage>> {
  return shipmentPage.parse(await response.json());
}

const timelinePage = z.strictObject({
  data: z.array(
    z.strictObject({
      sequence: z.int(),
      type: z.string(),
      state: z.string(),
      occurredAt: z.string(),
      actor: z.string(),
      note: z.nullable(z.string()),
    }),
  ),
  page: z.strictObject({ nextCursor: z.nullable(z.string()), hasMore: z.boolean() }),
});

export async function readTimelinePage(response: Response): Promise<z.output<typeof timelinePage>> {
  return timelinePage.parse(await response.json());
}

/** A copy that keeps raw numbers, which `structuredClone` does not. */
function structuredCloneOf(value: unknown): JsonObject {
  const copy = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(copy);
    if (typeof part !== 'object' || part === null || Object.isFrozen(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, copy(member)]));
  };
  return requireObject(copy(value)) as JsonObject;
}

function requireObject(value: unknown): object {
  if (typeof value !== 'object' || value === null) throw new TypeError('No such path in the body');
  return value;
}
