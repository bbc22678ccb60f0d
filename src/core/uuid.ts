declare const brand: unique symbol;

/** A UUID of any version in its canonical text form (RFC 9562 section 4), lower-case. */
export type Uuid = string & { readonly [brand]: 'Uuid' };

/** Stands for no id (RFC 9562 section 5.9). */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000' as Uuid;

/**
 * Reads the 8-4-4-4-12 form in either case and returns it in lower case. Undefined for other forms (braces,
 * `urn:uuid:`).
 */
export function parseUuid(text: string): Uuid | undefined {
  return isUuid(text) ? (text.toLowerCase() as Uuid) : undefined;
}

/** Whether the text has the 8-4-4-4-12 form. Version and variant are not checked. */
export function isUuid(text: string): boolean {
  return canonicalForm.test(text);
}

/**
 * Text that sorts before every UUIDv7 of this millisecond or later, and after every earlier one (RFC 9562 section 5.7):
 * the first 48 bits are the milliseconds since 1970.
 */
export function uuidsFrom(millis: number): string {
  const digits = millis.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

/** The milliseconds since 1970 in a UUIDv7. */
export function millisOf(uuid: Uuid): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

/** Sorts after every UUID. */
export const AFTER_UUIDS = 'g';

const canonicalForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
