import { SANDBOX_BRANCH_CODE, SANDBOX_CITY_CODE, SANDBOX_PICKUP_CODE } from '../../contract/sandbox.ts';
import { sha256 } from '../../core/crypto.ts';
import { literalDecimal } from '../../core/decimal.ts';
import type { Instant } from '../../core/instant.ts';
import { SANDBOX_MOBILES } from '../../core/phone.ts';
import { parseUuid, type Uuid } from '../../core/uuid.ts';

/*
 * The fixtures of a company's sandbox. All values are derived from the company's id, so that the next bootstrap can
 * finish an interrupted one.
 */

/** In Olaya and in Al Malqa: every map of Riyadh has a route between them. */
export const PICKUP_POINT = { latitude: literalDecimal('24.711667'), longitude: literalDecimal('46.674167') };
export const DELIVERY_POINT = { latitude: literalDecimal('24.794722'), longitude: literalDecimal('46.626111') };

export function branchFixture(companyId: Uuid, now: Instant) {
  return {
    companyId,
    branchCode: SANDBOX_BRANCH_CODE,
    name: 'Sandbox branch',
    nameAr: 'فرع تجريبي',
    cityCode: SANDBOX_CITY_CODE,
    status: 'ACTIVE',
    createdAt: now,
    updatedAt: now,
    version: 0,
  } as const;
}

export function pickupLocationFixture(companyId: Uuid, now: Instant) {
  return {
    companyId,
    pickupLocationCode: SANDBOX_PICKUP_CODE,
    branchCode: SANDBOX_BRANCH_CODE,
    name: 'Sandbox pickup',
    nameAr: 'موقع استلام تجريبي',
    addressLine: 'Olaya Street, Al Olaya, Riyadh',
    cityCode: SANDBOX_CITY_CODE,
    ...PICKUP_POINT,
    contactName: null,
    contactPhone: null,
    instructions: null,
    status: 'ACTIVE',
    createdAt: now,
    updatedAt: now,
    version: 0,
  } as const;
}

/** Limits that are large enough for all usual tests of a sandbox. */
const CAPABILITIES = JSON.stringify([
  'BULKY',
  'COLD_CHAIN',
  'COD',
  'DOCUMENTS',
  'FRAGILE',
  'FROZEN',
  'HAZARDOUS',
  'HEAVY',
  'ID_CHECK',
  'INSTALLATION',
  'PHARMA',
  'REFRIGERATED',
  'SIGNATURE',
  'TWO_PERSON',
]);
const WEIGHT_KILOGRAMS_MAX = literalDecimal('100000');
const LENGTH_CENTIMETRES_MAX = literalDecimal('10000');
/** High enough that nightly tests never use up the capacity of a sandbox. */
const ACTIVE_MAX = 1_000_000;
/** Ranks after all service levels of operators. */
const RANK = 10_000;

/** The same for all sandboxes of a shard. */
export function serviceLevelFixture(now: Instant) {
  return {
    code: 'SANDBOX',
    capabilities: CAPABILITIES,
    weightKilogramsMax: WEIGHT_KILOGRAMS_MAX,
    lengthCentimetresMax: LENGTH_CENTIMETRES_MAX,
    cities: JSON.stringify([SANDBOX_CITY_CODE]),
    rank: RANK,
    status: 'ACTIVE',
    createdAt: now,
    updatedAt: now,
    version: 0,
  } as const;
}

/** `main` gets the offers of the company's shipments; `relief` is the second driver of scenarios. */
export type DriverRole = 'main' | 'relief';

export function driverFixture(
  companyId: Uuid,
  { id, phone, role }: { id: Uuid; phone: string; role: DriverRole },
  now: Instant,
) {
  return {
    id,
    phone,
    firstName: role === 'main' ? 'Salem' : 'Yousef',
    vehicleType: 'CAR',
    companyId,
    capabilities: CAPABILITIES,
    weightKilogramsMax: WEIGHT_KILOGRAMS_MAX,
    lengthCentimetresMax: LENGTH_CENTIMETRES_MAX,
    cityCode: SANDBOX_CITY_CODE,
    status: 'ACTIVE',
    onDuty: 1,
    activeCount: 0,
    activeMax: ACTIVE_MAX,
    ...PICKUP_POINT,
    positionAt: now,
    idleSince: now,
    missedOffers: 0,
    seenAt: null,
    offDutyReason: null,
    createdAt: now,
    updatedAt: now,
    version: 0,
  } as const;
}

/** The id of a company's driver: a version 7 UUID with the time of the company's id. */
export async function driverIdOf(companyId: Uuid, role: DriverRole): Promise<Uuid> {
  const hex = [...(await sha256(`${role} driver of ${companyId}`))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  const id = parseUuid(`${companyId.slice(0, 13)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`);
  if (id === undefined) throw new Error('A digest is hexadecimal');
  return id;
}

/**
 * The phone of a company's driver in E.164, from the range for sandboxes, to which no message is sent. Two companies may
 * get the same phone; each further `attempt` gives another one.
 */
export async function driverPhoneOf(companyId: Uuid, role: DriverRole, attempt: number): Promise<string> {
  const [first = 0, second = 0, third = 0, fourth = 0] = await sha256(
    `phone ${attempt} of the ${role} driver of ${companyId}`,
  );
  const number = ((first * 256 + second) * 256 + third) * 256 + fourth;
  return `${SANDBOX_MOBILES}${String(number % 10_000_000).padStart(7, '0')}`;
}

/** The phone in the local spelling. */
export function localPhoneOf(e164: string): string {
  return `0${e164.slice(4)}`;
}
