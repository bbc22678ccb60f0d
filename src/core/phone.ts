/** A Saudi mobile number in any of the spellings that the interface allows. */
export const SAUDI_MOBILE = /^(?:\+?966|0)?5[0-9]{8}$/;

/** A Saudi mobile number in E.164, from any of the spellings that `SAUDI_MOBILE` allows. */
export function toE164(saudiMobile: string): string {
  return `+966${saudiMobile.slice(-9)}`;
}

/** Eight asterisks and the last four digits: all that a merchant's system sees of a phone. */
export function maskPhone(phone: string): string {
  return `********${phone.slice(-4)}`;
}

/**
 * The phone of a recipient whose data was deleted; masked it is eight asterisks and four zeros. A real phone is E.164, so
 * this value also tells that the shipment is forgotten.
 */
export const FORGOTTEN_PHONE = '0000';
/** Of a merchant's contact who has none. Nothing is sent there, nobody calls it, and it does not tell that anything is forgotten. */
export const NO_PHONE = '';
/** Instead of the name and the address line of a recipient whose data was deleted. */
export const FORGOTTEN_TEXT = '-';

/** Prefix of sandbox drivers' mobile numbers. Their codes are in responses and are never sent. */
export const SANDBOX_MOBILES = '+96652';
