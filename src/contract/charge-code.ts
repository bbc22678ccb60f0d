/** What a line of a price is for. */
export const PRICE_CODES = ['BASE', 'DISTANCE', 'CITY'] as const;
export type PriceCode = (typeof PRICE_CODES)[number];

/** What a line of charges is for. */
export const CHARGE_CODES = [...PRICE_CODES, 'CANCELLATION'] as const;
export type ChargeCode = (typeof CHARGE_CODES)[number];
