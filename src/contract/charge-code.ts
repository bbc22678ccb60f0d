/** What a line of a price or of charges is for. */
export const CHARGE_CODES = ['BASE', 'DISTANCE', 'CITY', 'CANCELLATION'] as const;
export type ChargeCode = (typeof CHARGE_CODES)[number];
