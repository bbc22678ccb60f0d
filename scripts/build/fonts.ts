import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { readText } from '../shared/repository-file.ts';

/** The address of a font in `fonts.css`, and the letters that its rule is for: `@letters/arabic-400.woff2`. */
const FACE = /url\("@letters\/(([a-z]+)-(\d+)\.woff2)"\)[^}]*?unicode-range:([^;]+);/g;

/** How letters join, stand beside each other and carry marks. Fractions are left out. */
const FEATURES = ['ccmp', 'locl', 'init', 'medi', 'fina', 'isol', 'rlig', 'liga', 'calt', 'kern', 'mark', 'mkmk'];
/** Hints are for screens of few pixels, and a third of a file. */
const SETTINGS = { targetFormat: 'woff2', keepFeatures: FEATURES, noHinting: true, preserveNameIds: [13, 14] } as const;

/**
 * Writes the fonts that `fonts.css` names with `@letters`. Each has only the letters of its `unicode-range`, with every
 * form that they take beside each other: HarfBuzz keeps the glyphs and the rules that join letters and place marks.
 */
export async function writeFonts(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { resolve } = createRequire(import.meta.url);
  for (const [, name = '', script, weight, ranges = ''] of readText('src/ui/styles/fonts.css').matchAll(FACE)) {
    const whole = resolve(
      `@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-${script}-${weight}-normal.woff2`,
    );
    const font = await subsetFont(readFileSync(whole), lettersOf(ranges), SETTINGS);
    writeFileSync(join(folder, name), font);
  }
}

/** `U+0041-0043, U+2026` as the letters in it. */
function lettersOf(ranges: string): string {
  return ranges
    .split(',')
    .flatMap((range) => {
      const [first = 0, last = first] = range
        .trim()
        .replace('U+', '')
        .split('-')
        .map((code) => Number.parseInt(code, 16));
      return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
    })
    .join('');
}
