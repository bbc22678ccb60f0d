import type { StreetPaths } from '../contract/streets.ts';
import type { LocalText } from '../core/locale.ts';

/** The licence of the map's data (ODbL) asks for this wherever the streets are shown. */
const CREDIT: LocalText = {
  en: 'Streets: © OpenStreetMap contributors (ODbL)',
  ar: 'الشوارع: © المساهمون في OpenStreetMap (ODbL)',
};

/** What must be said below a drawing; undefined if no streets are shown. */
export function streetCreditOf(streets: StreetPaths | undefined): LocalText | undefined {
  return hasStreets(streets) ? CREDIT : undefined;
}

function hasStreets(streets: StreetPaths | undefined): streets is StreetPaths {
  return streets !== undefined && streets.major + streets.minor !== '';
}

interface StreetMapProps {
  readonly streets: StreetPaths | undefined;
  /** Where the rectangle of the streets is in the drawing. */
  readonly frame: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** The streets as the lowest layer of an SVG drawing. What is outside their rectangle is cut off. */
export function StreetMap({ streets, frame }: StreetMapProps) {
  if (!hasStreets(streets)) return null;
  const { width, height, major, minor } = streets;
  return (
    <svg class="streets" {...frame} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
      {minor === '' ? null : <path class="minor" d={minor} />}
      {major === '' ? null : <path class="major" d={major} />}
    </svg>
  );
}
