/** What an amendment can change. Who may change it and until when is in `src/contract/amendment-rules.ts`. */
export const AMENDMENT_CHANGES = [
  'PLACE',
  'INSTRUCTIONS',
  'LOCATION_NEARBY',
  'LOCATION',
  'ADDRESS_LINE',
  'RECIPIENT_NAME',
  'RECIPIENT_PHONE',
  'ALTERNATE_CONTACT',
  'PICKUP_WINDOW',
  'COD_AMOUNT_LOWERED',
  'COD_AMOUNT_RAISED',
] as const;
export type AmendmentChange = (typeof AMENDMENT_CHANGES)[number];

/** Why a shipment is amended. */
export const AMENDMENT_REASONS = ['RECIPIENT_ASKED', 'OUR_MISTAKE', 'PAID_ONLINE', 'OTHER'] as const;
export type AmendmentReason = (typeof AMENDMENT_REASONS)[number];

/** Where a driver leaves the parcel. */
export const PLACE_KINDS = ['HAND', 'DOOR', 'RECEPTION', 'NEIGHBOUR', 'SAFE_PLACE'] as const;

/** An amendment that a company has to decide waits for it; every other one is applied or refused at once. */
export const AMENDMENT_STATES = ['APPLIED', 'AWAITING_MERCHANT', 'REJECTED', 'EXPIRED'] as const;

/**
 * Why an amendment is not allowed. TOO_LATE: the shipment is past the state in which this may be changed. CITY_CHANGE: the
 * new destination is in another city. LIMIT_REACHED: it has been amended too often.
 */
export const AMENDMENT_OBJECTIONS = ['TOO_LATE', 'CITY_CHANGE', 'LIMIT_REACHED'] as const;
export type AmendmentObjection = (typeof AMENDMENT_OBJECTIONS)[number];
