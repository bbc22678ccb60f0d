/** Arabic and Persian keyboards type digits, and a decimal point, of their own. */
export function latinDigits(typed: string): string {
  return typed
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
    .replaceAll('\u066b', '.');
}
