import { expect, test } from 'vitest';
import { metersBetween } from '../../../../src/core/earth.ts';
import { placeIn, spotsOf } from '../../../../src/http/web/tracking/route-map.ts';
import { extentOf, type MapView, mapStyle, nameIn } from '../../../../src/ui/map/map-style.ts';

const COLOUR = '#1c1a16';
const COLOURS = {
  earth: COLOUR,
  green: COLOUR,
  water: COLOUR,
  building: COLOUR,
  street: COLOUR,
  edge: COLOUR,
  text: COLOUR,
  halo: COLOUR,
  way: COLOUR,
};
const TILES = { url: 'map1://{z}/{x}/{y}', minZoom: 0, maxZoom: 15, bounds: [46, 24, 47, 25] } as const;
const STORE = { latitude: 24.7, longitude: 46.6 };
const DOOR = { latitude: 24.8, longitude: 46.7 };

const styleOf = (view: MapView, locale: 'ar' | 'en' = 'ar') =>
  mapStyle({ tiles: TILES, fonts: {}, colours: COLOURS, locale, view });

/** The layers of Protomaps' basemap, version 4 (docs.protomaps.com/basemaps/layers). */
const BASEMAP = ['boundaries', 'buildings', 'earth', 'landcover', 'landuse', 'places', 'pois', 'roads', 'water'];

test('every layer reads a layer that the archive has, or our own places', () => {
  const { layers, sources } = styleOf({});
  for (const layer of layers) {
    if (layer.type === 'background') continue;
    expect(Object.keys(sources)).toContain(layer.source);
    if (layer.source === 'streets') expect(BASEMAP).toContain(layer['source-layer']);
  }
  expect(new Set(layers.map(({ id }) => id)).size).toBe(layers.length);
  expect(layers.length).toBeLessThanOrEqual(20);
});

test.each(['ar', 'en'] as const)('labels in %s are in that language, or else as the map has them', (locale) => {
  const names = styleOf({}, locale).layers.flatMap((layer) =>
    layer.type === 'symbol' ? [JSON.stringify(layer.layout?.['text-field'])] : [],
  );
  expect(names.length).toBeGreaterThan(2);
  expect(new Set(names)).toEqual(new Set([JSON.stringify(['coalesce', ['get', `name:${locale}`], ['get', 'name']])]));
  expect(nameIn(locale)).not.toEqual(nameIn(locale === 'ar' ? 'en' : 'ar'));
});

test('no server is asked for letters or icons', () => {
  const style = styleOf({});
  expect(style.glyphs).toBeUndefined();
  expect(style.sprite).toBeUndefined();
  const fonts = style.layers.flatMap((layer) => (layer.type === 'symbol' ? (layer.layout?.['text-font'] ?? []) : []));
  expect(new Set(fonts)).toEqual(new Set(['Plex', 'Plex SemiBold']));
});

test('an area is a circle of its size, and everything shown is in the extent', () => {
  const view = { areas: [{ middle: DOOR, meters: 300 }], driver: STORE };
  const source = styleOf(view).sources['ours'];
  if (source?.type !== 'geojson' || typeof source.data === 'string') throw new Error('The places are in the style.');
  const [area] = 'features' in source.data ? source.data.features : [];
  if (area?.geometry.type !== 'Polygon') throw new Error('The area is a polygon.');
  for (const [longitude = 0, latitude = 0] of area.geometry.coordinates[0] ?? [])
    expect(metersBetween(DOOR, { latitude, longitude })).toBeCloseTo(300, -1);
  const [west, south, east, north] = extentOf(view) ?? [];
  expect([west, south]).toEqual([STORE.longitude, STORE.latitude]);
  expect(metersBetween({ latitude: north ?? 0, longitude: DOOR.longitude }, DOOR)).toBeCloseTo(300, -1);
  expect(metersBetween({ latitude: DOOR.latitude, longitude: east ?? 0 }, DOOR)).toBeCloseTo(300, -1);
  expect(extentOf({})).toBeUndefined();
});

test('spots of the drawing are placed by its corners', () => {
  const placed = placeIn('46.6 24.7 46.7 24.8', { width: 360, height: 220 });
  expect(placed?.place({ x: 0, y: 0 })).toEqual({ latitude: 24.8, longitude: 46.6 });
  expect(placed?.place({ x: 180, y: 220 })).toEqual({ latitude: 24.7, longitude: expect.closeTo(46.65, 9) });
  // A tenth of a degree is 11.1 km.
  expect((placed?.metersPerUnit ?? 0) * 220).toBeCloseTo(11_120, -2);
  expect(placeIn('', { width: 360, height: 220 })).toBeUndefined();
  expect(spotsOf('M12 8.5L-3 9L14.5 10')).toEqual([
    { x: 12, y: 8.5 },
    { x: -3, y: 9 },
    { x: 14.5, y: 10 },
  ]);
});
