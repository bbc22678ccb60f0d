import { create, type Font } from 'fontkit';
import { type LabelFont, labelFontsOf } from '../../../core/label-letters.ts';
import type { Services } from '../../../service/services.ts';
import { ASSET_PATHS, FONT_WEIGHTS } from '../asset-paths.ts';
import { assetsUnavailable } from '../asset-text.ts';
import type { Content } from './content.ts';
import { Shaper, type ShapingFont } from './shaper.ts';

/** The font file of one script in one weight. */
export interface Face {
  readonly name: string;
  /** A code of ISO 15924. */
  readonly script: string;
  /** Outlines and widths by glyph. */
  readonly font: Font;
  readonly shape: ShapingFont;
}
export type Weight = (typeof FONT_WEIGHTS)[number];
/** A character is in the first face that contains it. */
export type Faces = Readonly<Record<Weight, readonly Face[]>>;

const SCRIPTS: Readonly<Record<LabelFont, string>> = {
  arabic: 'Arab',
  latin: 'Latn',
  'latin-ext': 'Latn',
  vietnamese: 'Latn',
  cyrillic: 'Cyrl',
  'cyrillic-ext': 'Cyrl',
  devanagari: 'Deva',
  bengali: 'Beng',
  tamil: 'Taml',
  malayalam: 'Mlym',
};

let shaper: Promise<Shaper> | undefined;
/** A process reads and parses a file once. */
const kept = new Map<string, Face>();

/** The fonts that these labels need. */
export async function readFaces(services: Services, labels: readonly Content[]): Promise<Faces> {
  const texts = labels.flatMap(({ blocks }) => blocks.flatMap(({ entries }) => entries.map(({ text }) => text)));
  const fonts = labelFontsOf(texts);
  // Labels that come first at once share one start. After a failure the next label tries again.
  shaper ??= services.readShaper().then((code) => Shaper.start(code));
  const shaping = await shaper.catch((error: unknown) => {
    shaper = undefined;
    throw error;
  });
  const [regular, bold] = await Promise.all(
    FONT_WEIGHTS.map((weight) => Promise.all(fonts.map((font) => readFace(services, shaping, { font, weight })))),
  );
  return { 400: regular ?? [], 600: bold ?? [] };
}

async function readFace(
  { readAsset }: Services,
  shaping: Shaper,
  { font, weight }: { readonly font: LabelFont; readonly weight: Weight },
): Promise<Face> {
  const name = `${font}-${weight}`;
  const known = kept.get(name);
  if (known !== undefined) return known;
  const bytes = await readAsset(ASSET_PATHS.font(font, weight));
  if (bytes === undefined) throw assetsUnavailable();
  // Another label may have read it meanwhile.
  const face = kept.get(name) ?? { name, script: SCRIPTS[font], font: create(bytes), shape: shaping.addFont(bytes) };
  kept.set(name, face);
  return face;
}
