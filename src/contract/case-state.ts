/** What a case is about. */
export const CASE_KINDS = [
  'NOT_RECEIVED',
  'LATE',
  'DAMAGED',
  'LOST',
  'MISSING_ITEMS',
  'FALSE_ATTEMPT',
  'COD_AMOUNT',
  'WRONG_CHARGE',
  'DRIVER_CONDUCT',
  'OTHER',
] as const;
export type CaseKind = (typeof CASE_KINDS)[number];

/** What recipients can complain about: all but the price of the delivery, which is the merchant's and which they never see. */
export const RECIPIENT_CASE_KINDS = [
  'NOT_RECEIVED',
  'LATE',
  'DAMAGED',
  'LOST',
  'MISSING_ITEMS',
  'FALSE_ATTEMPT',
  'COD_AMOUNT',
  'DRIVER_CONDUCT',
  'OTHER',
] as const satisfies readonly CaseKind[];

/** `SYSTEM`: the service, for a parcel that was lost or damaged. */
export const CASE_OPENERS = ['MERCHANT', 'RECIPIENT', 'SYSTEM'] as const;
export type CaseOpener = (typeof CASE_OPENERS)[number];

/** `DISPUTED`: the merchant did not accept the answer, and a second person decides. */
export const CASE_STATES = ['OPEN', 'ANSWERED', 'DISPUTED', 'CLOSED'] as const;
export type CaseState = (typeof CASE_STATES)[number];

/** An operator owes an answer. */
export const OWED_STATES = ['OPEN', 'DISPUTED'] as const satisfies readonly CaseState[];
export function isOwed(state: CaseState): state is (typeof OWED_STATES)[number] {
  return OWED_STATES.some((owed) => owed === state);
}

/** The number of the Transport General Authority, to which a person can complain who does not agree with the answer. */
export const REGULATOR_PHONE = '19929';

export const CASE_OUTCOMES = ['EXPLAINED', 'WITHDRAWN'] as const;
export type CaseOutcome = (typeof CASE_OUTCOMES)[number];

/** How an operator can answer. */
export const CASE_ANSWERS = ['EXPLAINED'] as const satisfies readonly CaseOutcome[];
export type CaseAnswer = (typeof CASE_ANSWERS)[number];

export const CASE_DECISIONS = ['ACCEPT', 'DISPUTE', 'WITHDRAW'] as const;
export type CaseDecision = (typeof CASE_DECISIONS)[number];

export const CASE_AUTHORS = ['MERCHANT', 'RECIPIENT', 'OPERATOR'] as const;
export type CaseAuthor = (typeof CASE_AUTHORS)[number];

/*
 * Limits. Here because the console would load all limits with them.
 */

/** Characters of a description, a message and an answer. */
export const CASE_TEXT_LENGTH_MAX = 1000;
/** Messages of a case, with its description. A case is not a chat. The answers of operators have room besides. */
export const CASE_MESSAGES_MAX = 20;
/** Cases of one shipment in all its life: two of each kind. */
export const CASES_MAX = 2 * CASE_KINDS.length;
/** How long after the end of its shipment a case can be opened. */
export const CASE_DAYS_AFTER_END = 30;
/** Business days until a case is answered, as the law says, and until a second person has decided. */
export const ANSWER_BUSINESS_DAYS = 5;
export const DISPUTE_BUSINESS_DAYS = 2;
