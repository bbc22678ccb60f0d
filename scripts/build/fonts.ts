import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import subsetFont from 'subset-font';
import { LABEL_FONTS, LABEL_LETTERS, type LabelFont } from '../../src/core/label-letters.ts';
import { ASSET_PATHS, FONT_WEIGHTS } from '../../src/http/web/asset-paths.ts';
import { readText } from '../shared/repository-file.ts';

/** The address of a font in `fonts.css`, and the letters that its rule is for: `@letters/arabic-400.woff2`. */
const FACE = /url\("@letters\/(([a-z]+)-(\d+)\.woff2)"\)[^}]*?unicode-range:([^;]+);/g;

/** How letters join, stand beside each other and carry marks. Fractions are left out. */
const FEATURES = ['ccmp', 'locl', 'init', 'medi', 'fina', 'isol', 'rlig', 'liga', 'calt', 'kern', 'mark', 'mkmk'];
/** Hints are for screens of few pixels, and a third of a file. */
const SETTINGS = { targetFormat: 'woff2', keepFeatures: FEATURES, noHinting: true, preserveNameIds: [13, 14] } as const;

/** Labels have all rules of their letters, as scripts of India need. */
const LABEL_SETTINGS = { targetFormat: 'sfnt', noHinting: true, preserveNameIds: [13, 14] } as const;

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

/** The packages with the letters of labels, and the file in each. */
const LABEL_SOURCES: Readonly<Record<LabelFont, readonly [family: string, part: string]>> = {
  arabic: ['ibm-plex-sans-arabic', 'arabic'],
  latin: ['ibm-plex-sans-arabic', 'latin'],
  'latin-ext': ['noto-sans', 'latin-ext'],
  vietnamese: ['noto-sans', 'vietnamese'],
  cyrillic: ['noto-sans', 'cyrillic'],
  'cyrillic-ext': ['noto-sans', 'cyrillic-ext'],
  devanagari: ['noto-sans-devanagari', 'devanagari'],
  bengali: ['noto-sans-bengali', 'bengali'],
  tamil: ['noto-sans-tamil', 'tamil'],
  malayalam: ['noto-sans-malayalam', 'malayalam'],
};
/** Beside the letters: spaces, joiners and the circle that carries a mark without a letter. */
const LABEL_SIGNS = ' \u00a0\u200c\u200d\u25cc';

/** Writes the fonts of labels in PDF and ZPL, each with the letters that `LABEL_LETTERS` names and with its licence. */
export async function writeLabelFonts(folder: string): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  mkdirSync(join(folder, dirname(ASSET_PATHS.fontLicence('arabic'))), { recursive: true });
  for (const font of LABEL_FONTS) {
    const [family, part] = LABEL_SOURCES[font];
    const isLetter = new RegExp(`[${LABEL_LETTERS[font]}]`, 'u');
    const letters = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code)).filter((letter) =>
      isLetter.test(letter),
    );
    copyFileSync(resolve(`@fontsource/${family}/LICENSE`), join(folder, ASSET_PATHS.fontLicence(font)));
    for (const weight of FONT_WEIGHTS) {
      const whole = readFileSync(resolve(`@fontsource/${family}/files/${family}-${part}-${weight}-normal.woff2`));
      const bytes = await subsetFont(whole, `${letters.join('')}${LABEL_SIGNS}`, LABEL_SETTINGS);
      writeFileSync(join(folder, ASSET_PATHS.font(font, weight)), bytes);
    }
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
