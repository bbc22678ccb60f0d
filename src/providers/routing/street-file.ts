import type { FilePart, FileVersion, RangedFile } from '../../ports/ranged-file.ts';
import type { StreetFile } from '../../ports/streets.ts';
import { type GuardPlatform, guardCalls } from '../guarded-call.ts';

/** For one read. A range has at most a MiB. */
const LIMITS = { timeoutMs: 5000, failuresMax: 3, openMs: 30_000 };
/** A conditional request may see the old tag for this long. */
const KNOWN_MS = 60_000;
/** The header of PMTiles, version 3: its name, its version, and 119 bytes more. */
const HEADER = { first: 0, length: 127 };
const MAGIC = 'PMTiles\u0003';

/** The archive of a deployment as browsers read it. Values are kept, not promises, because a promise of a Worker must not outlive its request. */
export function streetFile(file: RangedFile, platform: GuardPlatform, limits = LIMITS): StreetFile {
  const { monotonicMs: nowMs } = platform;
  const call = guardCalls('streets', limits, platform);
  let known: (FileVersion & { readonly atMs: number }) | undefined;
  return {
    async find() {
      if (known !== undefined && nowMs() - known.atMs < KNOWN_MS) return known;
      const head = await call(async (signal) => requireArchive(await file.read(HEADER, signal)));
      known = head === undefined ? undefined : { size: head.size, etag: head.etag, atMs: nowMs() };
      return known;
    },
    async read({ size, etag }, range) {
      const part = await call(async (signal) => (await file.read(range, signal)) ?? 'replaced');
      if (part === undefined) return undefined;
      if (part !== 'replaced' && part.etag === etag && part.size === size) return part.bytes;
      known = undefined;
      return 'replaced';
    },
  };
}

function requireArchive(head: FilePart | undefined): FilePart {
  if (head === undefined || new TextDecoder('latin1').decode(head.bytes.subarray(0, MAGIC.length)) !== MAGIC)
    throw new Error('The file is no PMTiles archive, version 3');
  return head;
}
