import { fromBase64Url } from '../../core/base64url.ts';
import { hmacOf, isEqualInConstantTime } from '../../core/crypto.ts';
import type { ShipmentRow } from '../shipments/store.ts';

/*
 * The PIN is derived, not stored: an HMAC over the shipment, the phone and the destination. So it can be shown again, no table and no backup holds
 * it, and it ends with the phone and with the destination that it was made for.
 */

export interface PinKeys {
  /** The first key, which makes PINs. */
  readonly credentialKey: string;
  /** All of them: a PIN that was sent before the first key changed still opens. */
  readonly credentialKeys: readonly string[];
}

export type PinSubject = Pick<ShipmentRow, 'id' | 'recipientPhone' | 'destination'>;

const PINS = 10_000;

/** The PIN of a shipment as it is now: four digits. */
export function pinOf({ credentialKey }: Pick<PinKeys, 'credentialKey'>, subject: PinSubject): Promise<string> {
  return derived(credentialKey, subject);
}

/** Whether this is the PIN of the shipment as it is now. */
export async function isPin({ credentialKeys }: PinKeys, subject: PinSubject, given: string): Promise<boolean> {
  const pins = await Promise.all(credentialKeys.map((key) => derived(key, subject)));
  return pins.map((pin) => isEqualInConstantTime(given, pin)).includes(true);
}

/** Tells PINs of the same shipment apart in the database, without telling them. */
export function pinTagOf({ credentialKey }: Pick<PinKeys, 'credentialKey'>, subject: PinSubject): Promise<string> {
  return hmacOf(credentialKey, textOf('tag of the delivery PIN', subject));
}

async function derived(key: string, subject: PinSubject): Promise<string> {
  const bytes = fromBase64Url(await hmacOf(key, textOf('delivery PIN', subject))) ?? new Uint8Array();
  // Of 48 bits, so that each PIN is as likely as the others to 1 in 10^10.
  const drawn = bytes.subarray(0, 6).reduce((sum, byte) => sum * 256 + byte, 0);
  return String(drawn % PINS).padStart(4, '0');
}

function textOf(what: string, { id, recipientPhone, destination }: PinSubject): string {
  return `${what} ${id} ${recipientPhone} ${destination}`;
}
