import { FetchSource, PMTiles, TileType } from 'pmtiles';
import type { MapTiles } from './map-style.ts';

/** The archive of a deployment, read by ranges. */
export interface Archive {
  readonly tiles: Omit<MapTiles, 'url'>;
  /** Rejects if the layers are not those of the style. */
  readonly checked: Promise<void>;
  /** Whether at least one tile was read. */
  readonly hasAnswered: () => boolean;
  /** Reads the directories anew, because the library keeps those that have failed, and those of a file that was replaced. */
  readonly forget: () => void;
  /** Reads `…://{z}/{x}/{y}`. The result is empty where the archive has no tile. Rejects if it cannot be read. */
  readonly readTile: (url: string, signal: AbortController['signal']) => Promise<{ readonly data: Uint8Array }>;
}

/** Reads the head of an archive. Rejects if it is away or has no vector tiles. */
export async function openArchive(address: string): Promise<Archive> {
  let file = openFile(address);
  let hasAnswered = false;
  const header = await file.getHeader();
  if (header.tileType !== TileType.Mvt) throw new Error('The archive has no vector tiles.');
  // Beside the first tiles, not before them.
  const checked = file.getMetadata().then((metadata) => {
    if (!hasStreets(metadata)) throw new Error('The archive has no streets.');
  });
  // If the map fails before, nobody waits for this.
  checked.catch(() => undefined);
  const { minZoom, maxZoom, minLon, minLat, maxLon, maxLat } = header;
  return {
    tiles: { minZoom, maxZoom, bounds: [minLon, minLat, maxLon, maxLat] },
    checked,
    hasAnswered: () => hasAnswered,
    forget() {
      file = openFile(address);
    },
    async readTile(url, signal) {
      const [zoom = 0, column = 0, row = 0] = url.split('/').slice(-3).map(Number);
      const tile = await file.getZxy(zoom, column, row, signal);
      hasAnswered = true;
      return { data: new Uint8Array(tile?.data ?? []) };
    },
  };
}

/** A read of some kilobytes that takes longer has failed. Else a map would load for ever. */
const READ_MS_MAX = 15_000;

function openFile(address: string): PMTiles {
  return new PMTiles(new PromptSource(address));
}

/** Reads ranges by `fetch`, each within its time. */
class PromptSource extends FetchSource {
  override async getBytes(offset: number, length: number, signal?: AbortSignal, etag?: string) {
    const own = new AbortController();
    // MapLibre would take an AbortError for a tile that it no longer wants.
    const timer = setTimeout(
      () => own.abort(new DOMException('The archive does not answer.', 'TimeoutError')),
      READ_MS_MAX,
    );
    signal?.addEventListener('abort', () => own.abort(signal.reason));
    try {
      return await super.getBytes(offset, length, own.signal, etag);
    } catch (error) {
      // A server without ranges sends the whole archive.
      own.abort();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Whether the archive is in the schema of the style. Some archives do not list their layers. */
function hasStreets(metadata: unknown): boolean {
  if (typeof metadata !== 'object' || metadata === null || !('vector_layers' in metadata)) return true;
  const { vector_layers: layers } = metadata;
  return !Array.isArray(layers) || layers.some((layer: unknown) => isObject(layer) && layer['id'] === 'roads');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
