import { gzipSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import { Compression, TileType, zxyToTileId } from 'pmtiles';
import { type ProviderServer, startProvider } from './provider-server.ts';

/*
 * A small map of streets as an operator would make it with `pmtiles extract`: the PMTiles format, version 3, and vector
 * tiles, version 2, written from their specifications.
 */

/** A street of a tile: its kind, and its points in a square of 4096 units. */
export interface TileStreet {
  readonly kind: string;
  readonly line: readonly (readonly [number, number])[];
}
export interface TileAddress {
  readonly zoom: number;
  readonly column: number;
  readonly row: number;
}

export const TILE_EXTENT = 4096;
/** In every tile: a main road from west to east, a side street from north to south, and a railway. */
const CROSSING: readonly TileStreet[] = [
  {
    kind: 'major_road',
    line: [
      [0, 2048],
      [2048, 2048],
      [4096, 2048],
    ],
  },
  {
    kind: 'minor_road',
    line: [
      [1024, 0],
      [1024, 4096],
    ],
  },
  {
    kind: 'rail',
    line: [
      [0, 0],
      [4096, 4096],
    ],
  },
];

/** An archive in which each of the tiles has the same streets. */
export function makeArchive(tiles: readonly TileAddress[], streets: readonly TileStreet[] = CROSSING): Buffer {
  const tile = gzipSync(tileOf(streets));
  const ids = tiles
    .map(({ zoom, column, row }) => zxyToTileId(zoom, column, row))
    .toSorted((one, other) => one - other);
  const zooms = tiles.map(({ zoom }) => zoom);
  const [leaf, metadata] = [gzipSync(directoryOf(ids, tile.length)), gzipSync('{}')];
  const root = gzipSync(rootOf(ids[0] ?? 0, leaf.length));
  const header = Buffer.alloc(127);
  header.write('PMTiles');
  header.writeUInt8(3, 7);
  const sections = [root, metadata, leaf, tile];
  let offset = header.length;
  for (const [index, section] of sections.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * index);
    header.writeBigUInt64LE(BigInt(section.length), 16 + 16 * index);
    offset += section.length;
  }
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(BigInt(ids.length), at);
  header.set([1, Compression.Gzip, Compression.Gzip, TileType.Mvt, Math.min(...zooms), Math.max(...zooms)], 96);
  return Buffer.concat([header, ...sections]);
}

/** The tiles around a place. The drawing of a route across the country needs those of the low zooms. */
export function tilesAround(
  latitude: number,
  longitude: number,
  zooms = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
): TileAddress[] {
  const reach = 6;
  return zooms.flatMap((zoom) => {
    const [column, row] = [
      Math.floor(((longitude + 180) / 360) * 2 ** zoom),
      Math.floor(((1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2) * 2 ** zoom),
    ];
    const around = Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach);
    return around.flatMap((across) => around.map((down) => ({ zoom, column: column + across, row: row + down })));
  });
}

/** A server with streets of Riyadh, and the variable of a service that shows them. */
export async function startStreets() {
  const server = await startProvider();
  const archive = makeArchive(tilesAround(24.75, 46.66));
  server.answer = serveRanges(
    () => archive,
    () => '"riyadh"',
  );
  return { variables: { STREETS_URL: `${server.url}/riyadh.pmtiles` }, stop: server.stop };
}

/** A server that answers range requests for a file, as object stores do. */
export function serveRanges(file: () => Buffer, etag: () => string): ProviderServer['answer'] {
  return (response, { headers }) => {
    const [first = 0, last = 0] = (/^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []).slice(1).map(Number);
    const all = file();
    if (first >= all.length) return void response.writeHead(416, { 'content-range': `bytes */${all.length}` }).end();
    const bytes = all.subarray(first, last + 1);
    const range = `bytes ${first}-${first + bytes.length - 1}/${all.length}`;
    response.writeHead(206, { etag: etag(), 'content-range': range }).end(bytes);
  };
}

/** One entry: the directory with all tiles. A run length of 0 says that it is a directory. */
function rootOf(firstId: number, length: number): Uint8Array {
  return varints([1, firstId, 0, length, 1]);
}

/** Entries of one tile each, which all have their bytes at the same place. */
function directoryOf(ids: readonly number[], length: number): Uint8Array {
  const differences = ids.map((id, index) => id - (ids[index - 1] ?? 0));
  return varints([ids.length, ...differences, ...ids.map(() => 1), ...ids.map(() => length), ...ids.map(() => 1)]);
}

function varints(numbers: readonly number[]): Uint8Array {
  const writer = new PbfWriter();
  for (const number of numbers) writer.writeVarint(number);
  return writer.finish();
}

/** A tile with one layer, `roads`. */
function tileOf(streets: readonly TileStreet[]): Uint8Array {
  const kinds = [...new Set(streets.map(({ kind }) => kind))];
  const writer = new PbfWriter();
  writer.writeMessage(
    3,
    (_, layer) => {
      layer.writeVarintField(15, 2);
      layer.writeStringField(1, 'roads');
      for (const { kind, line } of streets) {
        layer.writeMessage(
          2,
          (__, feature) => {
            feature.writePackedVarint(2, [0, kinds.indexOf(kind)]);
            feature.writeVarintField(3, 2);
            feature.writePackedVarint(4, geometryOf(line));
          },
          undefined,
        );
      }
      layer.writeStringField(3, 'kind');
      for (const kind of kinds) layer.writeMessage(4, (__, value) => value.writeStringField(1, kind), undefined);
      layer.writeVarintField(5, TILE_EXTENT);
    },
    undefined,
  );
  return writer.finish();
}

/** MoveTo the first point, LineTo the others, with zigzag differences. */
function geometryOf(line: TileStreet['line']): number[] {
  const zigzag = (value: number) => (value << 1) ^ (value >> 31);
  const moves = line.map(([x, y], index) => {
    const [beforeX, beforeY] = line[index - 1] ?? [0, 0];
    return [zigzag(x - beforeX), zigzag(y - beforeY)] as const;
  });
  const [first = [0, 0], ...others] = moves;
  return [9, ...first, (others.length << 3) | 2, ...others.flat()];
}
