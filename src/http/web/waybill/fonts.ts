import { create, type Font } from 'fontkit';
import type { Services } from '../../../service/services.ts';
import { ASSET_PATHS, FONT_SCRIPTS, type FONT_WEIGHTS } from '../asset-paths.ts';
import { assetsUnavailable } from '../asset-text.ts';

/** The font file of one script in one weight. */
export interface Face {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly font: Font;
}
export type Weight = (typeof FONT_WEIGHTS)[number];
/** A character is in the first face that contains it. */
export type Faces = Readonly<Record<Weight, readonly Face[]>>;

let kept: Faces | undefined;

/** The fonts of labels. A process reads and parses them once. */
export async function readFaces(services: Services): Promise<Faces> {
  if (kept !== undefined) return kept;
  const [regular, bold] = await Promise.all([readWeight(services, 400), readWeight(services, 600)]);
  kept = { 400: regular, 600: bold };
  return kept;
}

function readWeight({ readAsset }: Services, weight: Weight): Promise<Face[]> {
  return Promise.all(
    FONT_SCRIPTS.map(async (script) => {
      const bytes = await readAsset(ASSET_PATHS.font(script, weight));
      if (bytes === undefined) throw assetsUnavailable();
      return { name: `${script}-${weight}`, bytes, font: create(bytes) };
    }),
  );
}
