import type {
  ExpressionSpecification,
  FontFacesSpecification,
  LayerSpecification,
  StyleSpecification,
} from 'maplibre-gl';
import { pointAt } from '../../core/earth.ts';
import type { Locale } from '../../core/locale.ts';
import type { Point } from '../../core/polyline.ts';

/* The look of the map, over tiles in the schema of Protomaps' basemap, version 4. */

/** `--map-water` and so on in `map.css`. */
export interface MapColours {
  readonly earth: string;
  readonly green: string;
  readonly water: string;
  readonly building: string;
  readonly street: string;
  /** Of streets. */
  readonly edge: string;
  readonly text: string;
  /** Around letters. */
  readonly halo: string;
  readonly way: string;
}

/** The place is somewhere in this circle. */
export interface MapArea {
  readonly middle: Point;
  readonly meters: number;
}

/** What a map shows above the streets. */
export interface MapView {
  readonly pickup?: Point | undefined;
  readonly destination?: Point | undefined;
  readonly driver?: Point | undefined;
  readonly areas?: readonly MapArea[] | undefined;
  /** From the pickup to the destination. */
  readonly line?: readonly Point[] | undefined;
  /** The line is no road. */
  readonly isStraight?: boolean | undefined;
}

/** The tiles of an archive. */
export interface MapTiles {
  /** An address with `{z}/{x}/{y}`. */
  readonly url: string;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** West, south, east and north in degrees. No tile outside of them is requested. */
  readonly bounds: readonly [number, number, number, number];
}

/** The archive's source in the style. */
export const STREETS = 'streets';
const OURS = 'ours';
/** The names in the style of the two weights, each with the files of its letters. */
export const MAP_FONTS = { regular: 'Plex', semibold: 'Plex SemiBold' } as const;

interface StyleParts {
  readonly tiles: MapTiles;
  readonly fonts: FontFacesSpecification;
  readonly colours: MapColours;
  readonly locale: Locale;
  readonly view: MapView;
}

/** The whole style. MapLibre compares it with the style before, and applies only what differs. */
export function mapStyle({ tiles, fonts, colours, locale, view }: StyleParts): StyleSpecification {
  const { url, minZoom, maxZoom, bounds } = tiles;
  return {
    version: 8,
    'font-faces': fonts,
    // Another theme is there at once.
    transition: { duration: 0, delay: 0 },
    sources: {
      [STREETS]: { type: 'vector', tiles: [url], minzoom: minZoom, maxzoom: maxZoom, bounds: [...bounds] },
      [OURS]: { type: 'geojson', data: featuresOf(view) },
    },
    layers: [
      ...groundLayers(colours),
      ...streetLayers(colours),
      ...ownLayers(colours, view),
      ...nameLayers(colours, locale),
    ],
  };
}

/** A layer of the archive. */
const from = (layer: string) => ({ source: STREETS, 'source-layer': layer }) as const;

const KIND: ExpressionSpecification = ['get', 'kind'];
const isKind = (...kinds: readonly string[]): ExpressionSpecification => ['in', KIND, ['literal', [...kinds]]];
const GREEN = ['park', 'garden', 'golf_course', 'wood', 'forest', 'grass', 'grassland', 'farmland', 'nature_reserve'];
const MAIN = isKind('highway', 'major_road');
const MINOR = isKind('minor_road');

/** Pixels by zoom. */
const growing = (...stops: readonly (readonly [zoom: number, pixels: number])[]): ExpressionSpecification => [
  'interpolate',
  ['exponential', 1.6],
  ['zoom'],
  ...stops.flat(),
];
const MAIN_WIDTH = growing([6, 0.6], [10, 1.6], [14, 5], [16, 12], [19, 36]);
const MINOR_WIDTH = growing([11, 0.4], [14, 2], [16, 7], [19, 24]);

function groundLayers({ earth, green, water, building }: MapColours): LayerSpecification[] {
  const isArea: ExpressionSpecification = ['==', ['geometry-type'], 'Polygon'];
  return [
    { id: 'background', type: 'background', paint: { 'background-color': earth } },
    { id: 'earth', type: 'fill', ...from('earth'), paint: { 'fill-color': earth } },
    { id: 'green', type: 'fill', ...from('landuse'), filter: isKind(...GREEN), paint: { 'fill-color': green } },
    { id: 'water', type: 'fill', ...from('water'), filter: isArea, paint: { 'fill-color': water } },
    { id: 'buildings', type: 'fill', ...from('buildings'), minzoom: 14, paint: { 'fill-color': building } },
  ];
}

function streetLayers({ street, edge, text }: MapColours): LayerSpecification[] {
  const about = { type: 'line', ...from('roads'), layout: { 'line-cap': 'round', 'line-join': 'round' } } as const;
  const edged = (width: ExpressionSpecification) =>
    ({ 'line-color': edge, 'line-width': 1, 'line-gap-width': width }) as const;
  const filled = (width: ExpressionSpecification) => ({ 'line-color': street, 'line-width': width }) as const;
  const dashed = { 'line-color': edge, 'line-width': 1.5, 'line-dasharray': [2, 2] };
  return [
    { id: 'paths', ...about, minzoom: 15, filter: isKind('path'), paint: dashed },
    { id: 'minor-edges', ...about, minzoom: 13, filter: MINOR, paint: edged(MINOR_WIDTH) },
    { id: 'main-edges', ...about, filter: MAIN, paint: edged(MAIN_WIDTH) },
    { id: 'minor-streets', ...about, minzoom: 11, filter: MINOR, paint: filled(MINOR_WIDTH) },
    { id: 'main-streets', ...about, filter: MAIN, paint: filled(MAIN_WIDTH) },
    {
      id: 'borders',
      type: 'line',
      ...from('boundaries'),
      filter: isKind('country', 'region'),
      paint: { 'line-color': text, 'line-width': 0.8, 'line-opacity': 0.5, 'line-dasharray': [4, 2] },
    },
  ];
}

function ownLayers({ way }: MapColours, { isStraight = false }: MapView): LayerSpecification[] {
  const isArea: ExpressionSpecification = ['==', KIND, 'area'];
  const dashes = isStraight ? { 'line-dasharray': [1, 2] } : {};
  return [
    { id: 'areas', type: 'fill', source: OURS, filter: isArea, paint: { 'fill-color': way, 'fill-opacity': 0.15 } },
    {
      id: 'area-edges',
      type: 'line',
      source: OURS,
      filter: isArea,
      paint: { 'line-color': way, 'line-width': 1.5, 'line-dasharray': [3, 2] },
    },
    {
      id: 'way',
      type: 'line',
      source: OURS,
      filter: ['==', KIND, 'way'],
      layout: { 'line-cap': isStraight ? 'butt' : 'round', 'line-join': 'round' },
      paint: { 'line-color': way, 'line-width': 3, ...dashes },
    },
  ];
}

/** The name in the language of the page, or else as people there write it. */
export function nameIn(locale: Locale): ExpressionSpecification {
  return ['coalesce', ['get', `name:${locale}`], ['get', 'name']];
}

function nameLayers({ text, halo, way }: MapColours, locale: Locale): LayerSpecification[] {
  const paint = { 'text-color': text, 'text-halo-color': halo, 'text-halo-width': 1.5 };
  const named = (size: number | ExpressionSpecification, font: string = MAP_FONTS.regular) => ({
    'text-field': nameIn(locale),
    'text-font': [font],
    'text-size': size,
  });
  return [
    {
      id: 'street-names',
      type: 'symbol',
      ...from('roads'),
      minzoom: 11,
      // Side streets have no room for their names before.
      filter: ['step', ['zoom'], MAIN, 14, ['any', MAIN, MINOR]],
      layout: { ...named(12), 'symbol-placement': 'line' },
      paint,
    },
    {
      id: 'places',
      type: 'symbol',
      ...from('pois'),
      minzoom: 16,
      layout: { ...named(12), 'text-max-width': 8 },
      paint,
    },
    {
      id: 'districts',
      type: 'symbol',
      ...from('places'),
      minzoom: 10,
      filter: isKind('neighbourhood', 'macrohood'),
      layout: { ...named(13), 'text-max-width': 7 },
      paint,
    },
    {
      id: 'cities',
      type: 'symbol',
      ...from('places'),
      maxzoom: 15,
      filter: isKind('locality'),
      layout: {
        ...named(growing([5, 12], [12, 18]), MAP_FONTS.semibold),
        'symbol-sort-key': ['-', ['to-number', ['get', 'population_rank'], 0]],
      },
      paint: { ...paint, 'text-color': way },
    },
  ];
}

/** As many corners look round. */
const CORNERS = 48;

function featuresOf({ areas = [], line = [] }: MapView): GeoJSON.FeatureCollection {
  const circles = areas.map(
    (area): GeoJSON.Feature => ({
      type: 'Feature',
      properties: { kind: 'area' },
      geometry: { type: 'Polygon', coordinates: [ringOf(area)] },
    }),
  );
  const way: GeoJSON.Feature = {
    type: 'Feature',
    properties: { kind: 'way' },
    geometry: { type: 'LineString', coordinates: line.map(degreesOf) },
  };
  return { type: 'FeatureCollection', features: line.length < 2 ? circles : [...circles, way] };
}

function ringOf({ middle, meters }: MapArea): [number, number][] {
  const toPoint = pointAt(middle);
  return Array.from({ length: CORNERS + 1 }, (_, index) => {
    const angle = (2 * Math.PI * (index % CORNERS)) / CORNERS;
    return degreesOf(toPoint({ x: meters * Math.cos(angle), y: meters * Math.sin(angle) }));
  });
}

/** Longitude first, as in GeoJSON (RFC 7946 section 3.1.1). */
export function degreesOf({ latitude, longitude }: Point): [number, number] {
  return [longitude, latitude];
}

/** Everything that the map shows fits into this rectangle: its south-western and its north-eastern corner. Undefined if it shows nothing. */
export function extentOf({ pickup, destination, driver, areas = [], line = [] }: MapView) {
  const points = [
    ...[pickup, destination, driver].flatMap((point) => (point === undefined ? [] : [degreesOf(point)])),
    ...areas.flatMap(ringOf),
    ...line.map(degreesOf),
  ];
  const [first] = points;
  if (first === undefined) return undefined;
  const [west, south, east, north] = points.reduce(
    ([left, low, right, high], [x, y]) => [Math.min(left, x), Math.min(low, y), Math.max(right, x), Math.max(high, y)],
    [...first, ...first],
  );
  return [west, south, east, north] as const;
}
