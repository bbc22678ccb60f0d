/** Where a parcel is. */
export const GOODS = ['AT_PICKUP', 'WITH_DRIVER', 'WITH_RECIPIENT', 'WITH_MERCHANT', 'DISPOSED', 'LOST'] as const;
export type Goods = (typeof GOODS)[number];

/** What becomes of a parcel whose delivery failed. */
export const RESOLUTION_KINDS = ['REDELIVER', 'RETURN', 'DISPOSE'] as const;
export type ResolutionKind = (typeof RESOLUTION_KINDS)[number];

/** `NOT_NEEDED`: the parcel is lost. `AUTOMATIC`: the service chose the default. */
export const RESOLUTION_STATES = ['OPEN', 'CHOSEN', 'AUTOMATIC', 'NOT_NEEDED'] as const;

/** Who pays for what follows a failure. */
export const FAILURE_PAYERS = ['MERCHANT', 'CARRIER'] as const;
export type FailurePayer = (typeof FAILURE_PAYERS)[number];

/** Why an option cannot be chosen. */
export const OPTION_OBJECTIONS = [
  'ATTEMPTS_USED',
  'DAMAGED',
  'RECALLED',
  'IS_RETURN',
  'RECIPIENT_FORGOTTEN',
  'DECIDED',
] as const;
export type OptionObjection = (typeof OPTION_OBJECTIONS)[number];

/** What a shipment is that carries the parcel of an earlier one. */
export const FOLLOW_UP_KINDS = ['REDELIVERY', 'RETURN'] as const;
export type FollowUpKind = (typeof FOLLOW_UP_KINDS)[number];

/** `FORWARD`: a shipment of its own. */
export const SHIPMENT_KINDS = ['FORWARD', ...FOLLOW_UP_KINDS] as const;

/** Why a merchant takes back a parcel that is on its way. */
export const RECALL_REASONS = ['CUSTOMER_REQUEST', 'WRONG_ITEM', 'FRAUD_SUSPECTED', 'OTHER'] as const;
export type RecallReason = (typeof RECALL_REASONS)[number];

/** Why what was delivered goes back. */
export const RETURN_REASONS = ['CHANGED_MIND', 'WRONG_ITEM', 'DAMAGED', 'WARRANTY', 'OTHER'] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];

/** The reason of a failure that the merchant has caused by a recall. No driver can report it. */
export const RECALLED = 'RECALLED';
