import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { PbfWriter } from 'pbf';
import { answerRange, localArchive } from '../../scripts/shared/routing/local-archive.ts';
import { type TileAddress, tileAt, writeArchive } from '../../scripts/shared/routing/pmtiles-writer.ts';
import { type ProviderServer, startProvider } from './provider-server.ts';

/* A small map with the same streets everywhere: vector tiles, version 2, written from their specification. */

/** A street of a tile: its kind, and its points in a square of 4096 units. */
export interface TileStreet {
  readonly kind: string;
  readonly line: readonly (readonly [number, number])[];
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
  const bytes = tileOf(streets);
  const bounds = { west: -180, south: -85, east: 180, north: 85 };
  return writeArchive({ tiles: tiles.map((tile) => ({ ...tile, bytes })), bounds, metadata: {} });
}

/** The tiles around a place. The drawing of a route across the country needs those of the low zooms. */
export function tilesAround(
  latitude: number,
  longitude: number,
  zooms = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
): TileAddress[] {
  const reach = 6;
  return zooms.flatMap((zoom) => {
    const { column, row } = tileAt(latitude, longitude, zoom);
    const around = Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach);
    return around.flatMap((across) => around.map((down) => ({ zoom, column: column + across, row: row + down })));
  });
}

/** A server with the map of Riyadh for a trial, and the variable of a service that shows it. */
export async function startStreets() {
  const server = await startProvider();
  const file = readFileSync(await localArchive());
  server.answer = serveRanges(
    () => file,
    () => '"riyadh"',
  );
  return { variables: { STREETS_URL: `${server.url}/riyadh.pmtiles` }, stop: server.stop };
}

/** A server that answers range requests for a file. */
export function serveRanges(file: () => Buffer, etag: () => string): ProviderServer['answer'] {
  return (response, asked) => answerRange({ file: file(), etag: etag() }, asked, response);
}

/** A server whose connection closes within the first range. */
export function cutRange(file: Buffer): (response: ServerResponse) => void {
  const headers = { etag: '"cut"', 'content-range': `bytes 0-126/${file.length}`, 'content-length': 127 };
  return (response) => {
    response.writeHead(206, headers);
    response.write(file.subarray(0, 50), () => response.socket?.destroy());
  };
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
