import { gzipSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import { Compression, TileType, zxyToTileId } from 'pmtiles';

/* Writes archives as `pmtiles extract` makes them: PMTiles, version 3, from its specification. */

export interface TileAddress {
  readonly zoom: number;
  readonly column: number;
  readonly row: number;
}

export interface ArchiveContent {
  /** Vector tiles, not compressed. Those that are the same array are stored once. */
  readonly tiles: readonly (TileAddress & { readonly bytes: Uint8Array })[];
  /** In degrees. A browser asks for no tile outside. */
  readonly bounds: { readonly west: number; readonly south: number; readonly east: number; readonly north: number };
  readonly metadata: object;
}

const HEADER_BYTES = 127;
/** Bounds and the centre are whole numbers of this part of a degree. */
const UNITS_PER_DEGREE = 1e7;

export function writeArchive({ tiles, bounds, metadata }: ArchiveContent): Buffer {
  const places = new Map<Uint8Array, { readonly offset: number; readonly packed: Buffer }>();
  let dataBytes = 0;
  const entries = tiles
    .map(({ zoom, column, row, bytes }) => ({ id: zxyToTileId(zoom, column, row), bytes }))
    .toSorted((one, other) => one.id - other.id)
    .map(({ id, bytes }) => {
      const place = places.get(bytes) ?? { offset: dataBytes, packed: gzipSync(bytes) };
      if (!places.has(bytes)) dataBytes += place.packed.length;
      places.set(bytes, place);
      return { id, offset: place.offset, length: place.packed.length };
    });
  const leaf = gzipSync(directoryOf(entries, 1));
  // A run length of 0 says that the entry is a directory.
  const root = gzipSync(directoryOf([{ id: entries[0]?.id ?? 0, offset: 0, length: leaf.length }], 0));
  const data = Buffer.concat([...places.values()].map(({ packed }) => packed));
  const sections = [root, gzipSync(JSON.stringify(metadata)), leaf, data];
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles');
  header.writeUInt8(3, 7);
  let offset = header.length;
  for (const [index, section] of sections.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * index);
    header.writeBigUInt64LE(BigInt(section.length), 16 + 16 * index);
    offset += section.length;
  }
  for (const [at, count] of [
    [72, entries.length],
    [80, entries.length],
    [88, places.size],
  ] as const)
    header.writeBigUInt64LE(BigInt(count), at);
  const zooms = tiles.map(({ zoom }) => zoom);
  const [zoomMin, zoomMax] = [Math.min(...zooms), Math.max(...zooms)];
  header.set([1, Compression.Gzip, Compression.Gzip, TileType.Mvt, zoomMin, zoomMax], 96);
  const { west, south, east, north } = bounds;
  const writeDegrees = (at: number, degrees: number) => header.writeInt32LE(Math.round(degrees * UNITS_PER_DEGREE), at);
  for (const [index, degrees] of [west, south, east, north].entries()) writeDegrees(102 + 4 * index, degrees);
  header.writeUInt8(Math.min(zoomMax, CENTER_ZOOM), 118);
  writeDegrees(119, (west + east) / 2);
  writeDegrees(123, (south + north) / 2);
  return Buffer.concat([header, ...sections]);
}

/** A city on one screen. */
const CENTER_ZOOM = 10;

/** Ids as differences, run lengths, lengths, and offsets plus one, because 0 has a meaning of its own. */
function directoryOf(
  entries: readonly { readonly id: number; readonly offset: number; readonly length: number }[],
  runLength: number,
): Uint8Array {
  const writer = new PbfWriter();
  const write = (numbers: readonly number[]) => {
    for (const number of numbers) writer.writeVarint(number);
  };
  write([entries.length]);
  write(entries.map(({ id }, index) => id - (entries[index - 1]?.id ?? 0)));
  write(entries.map(() => runLength));
  write(entries.map(({ length }) => length));
  write(entries.map(({ offset }) => offset + 1));
  return writer.finish();
}

/** The tiles of a zoom that have a part of a rectangle. */
export function tilesOf({ west, south, east, north }: ArchiveContent['bounds'], zoom: number): TileAddress[] {
  const [first, last] = [tileAt(north, west, zoom), tileAt(south, east, zoom)];
  const columns = last.column - first.column + 1;
  return Array.from({ length: columns * (last.row - first.row + 1) }, (_, index) => ({
    zoom,
    column: first.column + (index % columns),
    row: first.row + Math.floor(index / columns),
  }));
}

/** The tile of a place, in Web Mercator. */
export function tileAt(latitude: number, longitude: number, zoom: number): TileAddress {
  return {
    zoom,
    column: Math.floor(((longitude + 180) / 360) * 2 ** zoom),
    row: Math.floor(((1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2) * 2 ** zoom),
  };
}
