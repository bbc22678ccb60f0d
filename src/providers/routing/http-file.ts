import { readBytesWithin } from '../../core/bounded-bytes.ts';
import { type ByteRange, bytesIn, type RangedFile } from '../../ports/ranged-file.ts';
import { BadAnswer } from '../bad-answer.ts';
import type { ProviderPlatform } from '../guarded-call.ts';

/**
 * A file that a server gives in ranges (RFC 9110 section 14). Caches between the two have answered other ranges than those that
 * were asked for, so each answer is compared with its request.
 */
export function httpFile(url: string, fetch: ProviderPlatform['fetch']): RangedFile {
  return {
    async read(range, signal) {
      const { first, length } = range;
      // Ranges of a compressed file would be other bytes.
      const headers = { range: `bytes=${first}-${first + length - 1}`, 'accept-encoding': 'identity' };
      const response = await fetch(url, { headers, redirect: 'manual', signal });
      if (response.status !== 206) await response.body?.cancel();
      if (response.status === 416) return undefined;
      if (response.status !== 206) throw new BadAnswer(response.status);
      const size = sizeIn(response.headers.get('content-range'), range);
      const etag = response.headers.get('etag') ?? '';
      const fault = size === undefined ? 'The server answered another range' : tagFault(etag);
      if (fault !== undefined || size === undefined) {
        await response.body?.cancel();
        throw new Error(fault);
      }
      return { size, etag, bytes: await readExactly(response.body, bytesIn(range, size)) };
    },
  };
}

/** The size of the file, if the answer has the range that was asked for. */
function sizeIn(contentRange: string | null, range: ByteRange): number | undefined {
  const [, first, last, size] = (/^bytes (\d+)-(\d+)\/(\d+)$/.exec(contentRange ?? '') ?? []).map(Number);
  if (first === undefined || last === undefined || size === undefined) return undefined;
  return first === range.first && last === first + bytesIn(range, size) - 1 ? size : undefined;
}

/** Bytes of two files in one map would be damage. Only a strong tag tells them apart. */
function tagFault(etag: string): string | undefined {
  return /^"[^"]*"$/.test(etag) ? undefined : 'The server sends no strong ETag';
}

/** The bytes of a stream that has just this many. Rejects if it has fewer or more. */
export async function readExactly(
  stream: ReadableStream<Uint8Array> | null,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readBytesWithin(stream, length);
  if (typeof bytes === 'string' || bytes.length !== length) throw new Error('The range broke off');
  return bytes;
}
