import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { Compression, EtagMismatch, PMTiles, ResolvedValueCache, type Source } from 'pmtiles';
import type { MapBounds, StreetPaths } from '../../contract/streets.ts';
import { readBytesWithin } from '../../core/bounded-bytes.ts';
import { Kept } from '../../core/kept.ts';
import type { Point } from '../../core/polyline.ts';
import { pause } from '../../core/timer.ts';
import { drawStreets, type Street } from '../../domain/tracking/street-paths.ts';
import type { RangedFile } from '../../ports/ranged-file.ts';
import { STREET_DRAWINGS_MAX, STREETS_WAIT_MS, type Streets } from '../../ports/streets.ts';
import { type GuardPlatform, guardCalls } from '../guarded-call.ts';

const LIMITS = {
  /** For all range reads of one drawing. */
  timeoutMs: 5000,
  failuresMax: 3,
  openMs: 30_000,
};
/** An operator may replace the archive. */
const DRAWING_KEPT_MS = 24 * 60 * 60 * 1000;
/** A reading needs up to nine tiles in memory. More drawings at once appear without streets, until they are asked for again. */
const READINGS_MAX = 2;
/** A Worker may end a request, and with it a reading, which then never reports its end. */
const READING_MS_MAX = LIMITS.timeoutMs + 1000;
/** A directory has some thousand entries; an archive of one city has about ten directories. */
const DIRECTORIES_MAX = 32;
/** The largest tiles of a city have about 500 kB. */
const TILE_BYTES_MAX = 2 * 1024 * 1024;
/** Cloudflare lets a request wait for at most six answers at a time. Two stay free for the page. */
const TILES_AT_ONCE = 4;
/** A rectangle of at most this many tiles in each direction lies on at most one more. */
const TILES_ACROSS_MAX = 2;

/**
 * Streets of a PMTiles archive (specification version 3) with vector tiles in the Protomaps basemap schema, read in ranges. Values are kept, not promises, because a promise of a Worker must not outlive its request.
 */
export function streetArchive(file: RangedFile, platform: GuardPlatform): Pick<Streets, 'find'> {
  const { monotonicMs: nowMs } = platform;
  const call = guardCalls('streets', LIMITS, platform);
  const cache = new ResolvedValueCache(DIRECTORIES_MAX, undefined, unpack);
  const drawings = new Kept<string, StreetPaths>({ entriesMax: STREET_DRAWINGS_MAX, keptMs: DRAWING_KEPT_MS, nowMs });
  /** When each reading in progress began. */
  const readings = new Map<string, number>();

  async function read(key: string, bounds: MapBounds): Promise<StreetPaths | undefined> {
    const paths = await call(async (signal) => {
      const archive = new PMTiles(rangesOf(file, signal), cache, unpack);
      return drawStreets(await streetsIn(archive, bounds), bounds);
    });
    if (paths !== undefined) drawings.set(key, paths);
    readings.delete(key);
    return paths;
  }

  return {
    async find(bounds, later) {
      const key = [bounds.west, bounds.south, bounds.east, bounds.north].map((degrees) => degrees.toFixed(6)).join();
      const drawn = drawings.get(key);
      if (drawn !== undefined) return drawn;
      for (const [other, startedMs] of readings) if (nowMs() - startedMs > READING_MS_MAX) readings.delete(other);
      if (readings.has(key) || readings.size >= READINGS_MAX) return undefined;
      readings.set(key, nowMs());
      const reading = read(key, bounds);
      later(reading);
      return Promise.race([reading, pause(STREETS_WAIT_MS).then(() => undefined)]);
    },
  };
}

/** Reads ranges of the file. Throws if it changed since its header was read, and then pmtiles starts again. */
function rangesOf(file: RangedFile, signal: AbortSignal): Source {
  return {
    getKey: () => 'streets',
    async getBytes(first, length, _signal, etag) {
      const part = await file.read({ first, length }, signal);
      // Undefined: the file is shorter now.
      if (part === undefined || (etag !== undefined && etag !== part.etag)) throw new EtagMismatch();
      return { data: part.bytes.buffer, etag: part.etag };
    },
  };
}

/** Unpacks a directory or a tile. */
async function unpack(packed: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  if (compression === Compression.None) return packed;
  if (compression !== Compression.Gzip) throw new Error('The archive is not compressed with gzip');
  const bytes = await readBytesWithin(
    new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')),
    TILE_BYTES_MAX,
  );
  if (typeof bytes === 'string') throw new Error('A part of the archive is damaged or too large');
  return bytes.buffer;
}

async function streetsIn(archive: PMTiles, bounds: MapBounds): Promise<readonly Street[]> {
  const { minZoom, maxZoom } = await archive.getHeader();
  const [first, ...others] = tilesOf(bounds, { minZoom, maxZoom });
  if (first === undefined) return [];
  // The first tile brings the directory that the others are found in.
  const found = [await streetsOf(archive, first)];
  for (let start = 0; start < others.length; start += TILES_AT_ONCE) {
    const some = others.slice(start, start + TILES_AT_ONCE);
    found.push(...(await Promise.all(some.map((tile) => streetsOf(archive, tile)))));
  }
  return found.flat();
}

interface Tile {
  readonly zoom: number;
  readonly column: number;
  readonly row: number;
}

/** The tiles of a rectangle, nine at most. The zoom fits the size of the drawing, so it has neither too few streets nor too many. */
function tilesOf(
  { west, south, east, north }: MapBounds,
  { minZoom, maxZoom }: { readonly minZoom: number; readonly maxZoom: number },
): readonly Tile[] {
  const [left, right, top, bottom] = [eastward(west), eastward(east), southward(north), southward(south)];
  const fitting = Math.floor(Math.log2(TILES_ACROSS_MAX / Math.max(right - left, bottom - top)));
  const zoom = Math.min(maxZoom, fitting);
  if (zoom < minZoom) return [];
  const count = 2 ** zoom;
  const [firstColumn, firstRow] = [Math.floor(left * count), Math.floor(top * count)];
  const columns = Math.floor(right * count) - firstColumn + 1;
  const rows = Math.floor(bottom * count) - firstRow + 1;
  return Array.from({ length: columns * rows }, (_, index) => ({
    zoom,
    column: firstColumn + (index % columns),
    row: firstRow + Math.floor(index / columns),
  }));
}

/** The streets of one tile. */
async function streetsOf(archive: PMTiles, { zoom, column, row }: Tile): Promise<readonly Street[]> {
  const tile = await archive.getZxy(zoom, column, row);
  const roads =
    tile === undefined ? undefined : new VectorTile(new PbfReader(new Uint8Array(tile.data))).layers['roads'];
  if (roads === undefined) return [];
  const tiles = 2 ** zoom;
  const toPoint = ({ x, y }: { readonly x: number; readonly y: number }): Point => ({
    latitude: latitudeOf((row + y / roads.extent) / tiles),
    longitude: ((column + x / roads.extent) / tiles) * 360 - 180,
  });
  const streets: Street[] = [];
  for (let index = 0; index < roads.length; index += 1) {
    const feature = roads.feature(index);
    const kind = feature.properties['kind'];
    const isMajor = kind === 'highway' || kind === 'major_road';
    // Paths, railways and ferries are no help to find one's way by car.
    if (!isMajor && kind !== 'minor_road') continue;
    for (const line of feature.loadGeometry()) streets.push({ isMajor, line: line.map(toPoint) });
  }
  return streets;
}

/* Web Mercator: the world is a square from 0 to 1, with its origin in the north-west. */

function eastward(longitude: number): number {
  return (longitude + 180) / 360;
}

function southward(latitude: number): number {
  return (1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2;
}

function latitudeOf(southwardShare: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * southwardShare))) * 180) / Math.PI;
}
