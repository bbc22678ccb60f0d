import type { MapBounds, StreetPaths } from '../contract/streets.ts';
import type { ByteRange, FileVersion } from './ranged-file.ts';

/**
 * Streets to draw under a route. They explain a drawing and nothing needs them. So if they cannot be read, a page shows
 * the same drawing without them, and says nothing.
 */
export interface Streets {
  /** The archive that they are read from. Undefined if the deployment has none. */
  readonly file: StreetFile | undefined;
  /**
   * Resolves within `STREETS_WAIT_MS` to the streets of a rectangle, or to undefined if they are not there by then. Never
   * rejects. A reading that takes longer continues as work for `later`, and a next call finds its result.
   */
  find(bounds: MapBounds, later: Later): Promise<StreetPaths | undefined>;
}

/** Keeps the process alive for work after the response, as `ctx.waitUntil` of Workers does. */
type Later = (work: Promise<unknown>) => void;

/** How long a page waits for its streets. It does so once, because the next time they are in memory. */
export const STREETS_WAIT_MS = 300;

/** The drawings of one process or isolate that are in memory. Each has at most 23 kB of paths. */
export const STREET_DRAWINGS_MAX = 256;

/** The archive, as browsers read it through the service for their maps. */
export interface StreetFile {
  /** The file as it is, or was a minute ago. Undefined if it cannot be read or is no archive. Never rejects. */
  find(): Promise<FileVersion | undefined>;
  /**
   * A range that lies in the file. `replaced` if there is another file now, and undefined if it cannot be read. Never
   * rejects.
   */
  read(file: FileVersion, range: ByteRange): Promise<Uint8Array<ArrayBuffer> | 'replaced' | undefined>;
}
