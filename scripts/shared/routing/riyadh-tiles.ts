import { GeoJSONVT } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { tilesOf, writeArchive } from './pmtiles-writer.ts';
import { CITY, DISTRICTS, type District, LAKE, NORTH_EAST, PARK, riyadhStreets, SOUTH_WEST } from './riyadh-map.ts';

/*
 * The map of Riyadh for a trial as an archive in the schema of Protomaps' basemap
 * (docs.protomaps.com/basemaps/layers): the layers earth, landuse, water, roads and places.
 */

/** A grid of straight streets has no more detail than this zoom shows. Browsers enlarge its tiles. */
const ZOOM_MAX = 12;
/** Units of a tile across. */
const TILE_EXTENT = 4096;
const BOUNDS = { south: SOUTH_WEST[0], west: SOUTH_WEST[1], north: NORTH_EAST[0], east: NORTH_EAST[1] };
/** How the highways of OpenStreetMap are called in the schema, and the first zoom that has them. */
const ROADS: Readonly<Record<string, { readonly kind: string; readonly min_zoom: number }>> = {
  trunk: { kind: 'highway', min_zoom: 3 },
  primary: { kind: 'major_road', min_zoom: 7 },
  residential: { kind: 'minor_road', min_zoom: 10 },
};

/** The archive. It is made in half a second. */
export function makeRiyadhArchive(): Buffer {
  const layers = Object.entries(layersOfRiyadh());
  const tiles = Array.from({ length: ZOOM_MAX + 1 }, (_, zoom) => tilesAtZoom(layers, zoom)).flat();
  const vectorLayers = layers.map(([id]) => ({ id, fields: {}, minzoom: 0, maxzoom: ZOOM_MAX }));
  return writeArchive({
    tiles,
    bounds: BOUNDS,
    metadata: { name: 'A grid of streets over Riyadh', type: 'baselayer', vector_layers: vectorLayers },
  });
}

function tilesAtZoom(layers: readonly (readonly [string, readonly GeoJSON.Feature[]])[], zoom: number) {
  const indexes = layers.map(([name, all]) => {
    const features = all.filter(({ properties }) => Number(properties?.['min_zoom'] ?? 0) <= zoom);
    return [name, new GeoJSONVT({ type: 'FeatureCollection', features }, { maxZoom: zoom, indexMaxZoom: 0 })] as const;
  });
  return tilesOf(BOUNDS, zoom).map((address) => {
    const found = indexes.flatMap(([name, index]) => {
      const tile = index.getTile(zoom, address.column, address.row);
      return tile === null || tile.features.length === 0 ? [] : [[name, tile] as const];
    });
    return { ...address, bytes: fromGeojsonVt(Object.fromEntries(found), { version: 2, extent: TILE_EXTENT }) };
  });
}

function layersOfRiyadh(): Record<string, GeoJSON.Feature[]> {
  const { west, south, east, north } = BOUNDS;
  return {
    earth: [areaOf({ kind: 'earth' }, [west, south, east, north])],
    landuse: [
      ...DISTRICTS.map((district) => areaOf({ kind: 'residential', min_zoom: 8 }, around(district, 0.009))),
      areaOf({ kind: 'park', min_zoom: 8, ...namesOf(PARK) }, around(PARK, 0.004)),
    ],
    water: [areaOf({ kind: 'lake', min_zoom: 8, ...namesOf(LAKE) }, around(LAKE, 0.004))],
    roads: riyadhStreets().map(({ name, points, tags }) => ({
      type: 'Feature',
      properties: {
        ...ROADS[tags['highway'] ?? ''],
        kind_detail: tags['highway'],
        ...namesOf({ en: name, ar: tags['name:ar'] ?? name }),
      },
      geometry: { type: 'LineString', coordinates: points.map(([latitude, longitude]) => [longitude, latitude]) },
    })),
    places: [
      pointOf({ kind: 'locality', kind_detail: 'city', min_zoom: 2, population_rank: 13 }, CITY),
      ...DISTRICTS.map((district) =>
        pointOf({ kind: 'neighbourhood', kind_detail: 'neighbourhood', min_zoom: 10 }, district),
      ),
    ],
  };
}

/** In an Arabic country the first name is Arabic, and `script` says so. */
function namesOf({ en, ar }: Pick<District, 'en' | 'ar'>): GeoJSON.GeoJsonProperties {
  return { name: ar, script: 'Arabic', 'name:ar': ar, 'name:en': en };
}

type Box = readonly [west: number, south: number, east: number, north: number];

function around({ latitude, longitude }: District, reach: number): Box {
  return [longitude - reach, latitude - reach, longitude + reach, latitude + reach];
}

function areaOf(properties: GeoJSON.GeoJsonProperties, [west, south, east, north]: Box): GeoJSON.Feature {
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [corners] } };
}

function pointOf(properties: GeoJSON.GeoJsonProperties, place: District): GeoJSON.Feature {
  const { latitude, longitude } = place;
  return {
    type: 'Feature',
    properties: { ...properties, ...namesOf(place) },
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
  };
}
