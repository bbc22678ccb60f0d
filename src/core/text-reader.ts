/** Why bytes from outside are not read as text. */
export type TextFault =
  | { readonly kind: 'byte_order_mark' }
  /** `byte` counts from 1. */
  | { readonly kind: 'not_utf8'; readonly byte: number };

export type DecodedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly fault: TextFault };

/**
 * Decodes text from outside: UTF-8 without a byte order mark. The usual decoder replaces a broken byte and drops the mark, so
 * that different bytes become one text, which is then stored, compared and signed as if it had been sent.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return { ok: false, fault: { kind: 'byte_order_mark' } };
  try {
    return { ok: true, text: utf8.decode(bytes) };
  } catch {
    return { ok: false, fault: { kind: 'not_utf8', byte: brokenByteOf(bytes) } };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The number of the first byte that begins no character of UTF-8 (RFC 3629 section 4). */
function brokenByteOf(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = characterLength(bytes, at);
    if (length === 0) break;
    at += length;
  }
  return at + 1;
}

/** How many bytes the character at `at` has; 0 if the bytes there are no UTF-8 character. */
function characterLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  // A longer form than needed, half of a surrogate pair, and code points above the last one show in the second byte.
  const second = bytes[at + 1] ?? 0;
  const isRefused =
    (lead === 0xe0 && second < 0xa0) ||
    (lead === 0xed && second > 0x9f) ||
    (lead === 0xf0 && second < 0x90) ||
    (lead === 0xf4 && second > 0x8f);
  if (isRefused) return 0;
  for (let next = at + 1; next < at + length; next += 1) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** Why a query or a form is not read. */
export interface FormFault {
  /** The name of the parameter, as it was sent as far as it can be read. */
  readonly name: string;
  /** The percent-encoded bytes that are not UTF-8. */
  readonly escape: string;
}

/** Percent-encoded bytes above ASCII, of which all longer characters consist. */
const ESCAPES = /(?:%[89a-f][\da-f])+/gi;

/**
 * The first parameter of a query or a form (application/x-www-form-urlencoded) whose percent-encoded bytes are not UTF-8.
 * `URLSearchParams` would replace them: `%C7%E1%DA`, which is Arabic in windows-1256, becomes three replacement characters.
 */
export function findFormFault(form: string): FormFault | undefined {
  if (!form.includes('%')) return undefined;
  for (const entry of form.replace(/^\?/, '').split('&')) {
    const escape = entry.match(ESCAPES)?.find((bytes) => decodedText(bytes) === undefined);
    if (escape !== undefined) return { name: new URLSearchParams(entry).keys().next().value ?? '', escape };
  }
  return undefined;
}

/** The result is returned, because bundlers drop a call of `decodeURIComponent` whose result is not used. */
function decodedText(escape: string): string | undefined {
  try {
    return decodeURIComponent(escape);
  } catch {
    return undefined;
  }
}
