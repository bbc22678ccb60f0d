/**
 * A text with letters in place of Arabic presentation forms (U+FB50 to U+FDFF, U+FE70 to U+FEFC), which PDFs and old programs
 * write. Everything else stays as it is: compatibility forms of other scripts may differ in meaning.
 * @see Unicode Standard, chapter 9.2, Arabic Presentation Forms-A and -B
 */
export function lettersOfForms(text: string): string {
  return text.replace(/[\uFB50-\uFD3D\uFD50-\uFDFF\uFE70-\uFEFC]+/g, (forms) => forms.normalize('NFKC'));
}
