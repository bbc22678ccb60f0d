/** Four letters of the place and four digits of the building, as the National Address of Saudi Post defines them. */
const SHORT_ADDRESS = /^[A-Z]{4}[0-9]{4}$/;
const ARABIC_DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/g;
/** A no-break space comes with text that is pasted from a page. */
const INNER_SEPARATOR = /[ \u00a0-]/;

/**
 * The normal form of a short code as people type and print it: `rrrd 2929` and `RRRD-٢٩٢٩` are `RRRD2929`. Undefined if the
 * text is no short code. The first letter is not compared with a city, because no public source confirms its meaning.
 */
export function normalizeShortAddress(text: string): string | undefined {
  const code = text
    .trim()
    .replace(INNER_SEPARATOR, '')
    // The lowest four bits of these code points are the digit.
    .replace(ARABIC_DIGIT, (digit) => String(digit.charCodeAt(0) & 0xf))
    // Not toUpperCase(), which makes an S of `ſ`.
    .replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 32));
  return SHORT_ADDRESS.test(code) ? code : undefined;
}
