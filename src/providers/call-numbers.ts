import type { CallNumbers, NumberPolicy } from '../ports/call-numbers.ts';

/** The exchange of the fixture. Numbers of this form are given to nobody. */
const EXCHANGE = '+966800000000';
const EXTENSION_DIGITS = 6;

/** A fixture stands for the exchange that connects calls, which has an extension for each number. No call arrives. */
export function callNumbersFor(policy: NumberPolicy): CallNumbers {
  if (policy === 'shown') return { numberFor: (phone) => phone };
  if (policy === 'hidden') return { numberFor: () => null };
  // A comma is a pause, after which telephones dial the rest.
  return { numberFor: (phone) => `${EXCHANGE},,${extensionOf(phone)}` };
}

/** Does not show the number: FNV-1a of it (RFC 9923), cut to a few digits. */
function extensionOf(phone: string): string {
  let hash = 0x811c9dc5;
  for (const character of phone) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return String(hash % 10 ** EXTENSION_DIGITS).padStart(EXTENSION_DIGITS, '0');
}
