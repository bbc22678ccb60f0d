import { metersBetween, type Spot } from '../../../core/earth.ts';
import type { Point } from '../../../core/polyline.ts';
import { loadMap } from '../../../ui/map/load-map.ts';
import type { ShownMap } from '../../../ui/map/map.ts';
import type { MapArea, MapView } from '../../../ui/map/map-style.ts';
import { MAP_WORDS } from '../../../ui/map/map-words.ts';
import { pageLocale } from '../../../ui/page-script.ts';

/*
 * The map of the tracking page, in place of the drawing once somebody taps the button. It knows only what the drawing
 * shows: it takes its places from there.
 */

let map: ShownMap | undefined;
let isLoading = false;

/** After the page has changed: the map moves into the new section and shows its places. */
export function keepMap(): void {
  const drawing = drawingNow();
  const view = drawing === undefined ? undefined : viewIn(drawing);
  if (map === undefined) return;
  if (view === undefined || drawing?.parentElement == null) {
    map.remove();
    map = undefined;
    return;
  }
  if (!drawing.parentElement.classList.contains('mapped')) map.moveTo(drawing.parentElement);
  map.show(view);
}

/** Replaces the drawing by the map, or says why the map cannot be shown. */
export async function openMap(button: HTMLButtonElement, archive: string): Promise<void> {
  const drawing = drawingNow();
  const view = drawing === undefined ? undefined : viewIn(drawing);
  if (isLoading || view === undefined || drawing?.parentElement == null) return;
  const locale = pageLocale(document);
  isLoading = true;
  const found = await loadMap({
    frame: drawing.parentElement,
    archive,
    locale,
    label: drawing.getAttribute('aria-label') ?? '',
    view,
    onPartly: (isPartly) => say(isPartly ? MAP_WORDS[locale].troubles.partly : ''),
  });
  isLoading = false;
  if (typeof found === 'string') {
    say(`${MAP_WORDS[locale].troubles[found]} ${button.dataset['showMap'] ?? ''}`);
    return;
  }
  map = found;
  say('');
  const canvas = document.querySelector<HTMLElement>('.map canvas');
  if (document.activeElement === button) canvas?.focus({ preventScroll: true });
  for (const one of document.querySelectorAll<HTMLElement>('[data-show-map]')) one.hidden = true;
  // The section may have been replaced meanwhile.
  keepMap();
}

function say(text: string): void {
  const state = document.querySelector('[data-map-state]');
  if (state !== null) state.textContent = text;
}

function drawingNow(): SVGSVGElement | undefined {
  return document.querySelector<SVGSVGElement>('#way svg[data-bounds]') ?? undefined;
}

/** The places of the drawing on the earth. Undefined if they cannot be read. */
function viewIn(drawing: SVGSVGElement): MapView | undefined {
  const { width, height } = drawing.viewBox.baseVal;
  const placed = placeIn(drawing.dataset['bounds'] ?? '', { width, height });
  if (placed === undefined) return undefined;
  const { place, metersPerUnit } = placed;
  const circle = (name: string) => {
    const found = drawing.querySelector<SVGCircleElement>(`circle.${name}`);
    if (found === null) return undefined;
    const [x, y, radius] = [found.cx, found.cy, found.r].map((length) => length.baseVal.value);
    return { x: x ?? 0, y: y ?? 0, radius: radius ?? 0 };
  };
  const areas = ['pickup', 'area'].flatMap((name): MapArea[] => {
    const found = circle(name);
    return found === undefined ? [] : [{ middle: place(found), meters: found.radius * metersPerUnit }];
  });
  const driver = circle('driver');
  const line = drawing.querySelector('path.line')?.getAttribute('d') ?? '';
  return {
    areas,
    driver: driver === undefined ? undefined : place(driver),
    line: spotsOf(line).map(place),
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where the spots of a drawing are on the earth, by its bounds: west, south, east and north with spaces between them. */
export function placeIn(bounds: string, { width, height }: Size) {
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = bounds.split(' ').map(Number);
  if (![west, south, east, north].every(Number.isFinite)) return undefined;
  const place = ({ x, y }: Spot): Point => ({
    latitude: north - (y / height) * (north - south),
    longitude: west + (x / width) * (east - west),
  });
  const metersPerUnit = metersBetween(place({ x: 0, y: 0 }), place({ x: 0, y: height })) / height;
  return { place, metersPerUnit };
}

/** The spots of a path of straight lines: `M12 8L14.5 9`. */
export function spotsOf(path: string): Spot[] {
  return [...path.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
}
