/** What an amendment can change. Until when is in `src/contract/amendment-rules.ts`. */
export const AMENDMENT_CHANGES = [
  'PLACE',
  'INSTRUCTIONS',
  'LOCATION_NEARBY',
  'LOCATION',
  'ADDRESS_LINE',
  'SHORT_ADDRESS',
  'RECIPIENT_NAME',
  'RECIPIENT_PHONE',
  'ALTERNATE_CONTACT',
  'PICKUP_WINDOW',
  'DELIVERY_WINDOW',
  'COD_AMOUNT_LOWERED',
  'COD_AMOUNT_RAISED',
] as const;
export type AmendmentChange = (typeof AMENDMENT_CHANGES)[number];

/** Why a shipment is amended. */
export const AMENDMENT_REASONS = ['RECIPIENT_ASKED', 'OUR_MISTAKE', 'PAID_ONLINE', 'OTHER'] as const;
export type AmendmentReason = (typeof AMENDMENT_REASONS)[number];

/** Where a driver leaves the parcel. */
export const PLACE_KINDS = ['HAND', 'DOOR', 'RECEPTION', 'NEIGHBOUR', 'SAFE_PLACE'] as const;

/**
 * An amendment that a company has to decide waits for it; every other one is applied or refused at once. EXPIRED: the company did
 * not decide in time, the shipment went on, or another change of the pin replaced it.
 */
export const AMENDMENT_STATES = ['APPLIED', 'AWAITING_MERCHANT', 'REJECTED', 'EXPIRED'] as const;

/**
 * Why an amendment is not allowed. TOO_LATE: the shipment is past the state in which this may be changed. CITY_CHANGE: the
 * new destination is in another city. LIMIT_REACHED: it has been amended too often. NOT_PERMITTED: the link does not allow the
 * recipient to change this.
 */
export const AMENDMENT_OBJECTIONS = ['TOO_LATE', 'CITY_CHANGE', 'LIMIT_REACHED', 'NOT_PERMITTED'] as const;
export type AmendmentObjection = (typeof AMENDMENT_OBJECTIONS)[number];

/** What a company decides on an amendment that waits for it. */
export const AMENDMENT_DECISIONS = ['ACCEPT', 'REJECT'] as const;
export type AmendmentDecision = (typeof AMENDMENT_DECISIONS)[number];
