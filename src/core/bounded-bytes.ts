/** Why a stream was not read to its end. */
export type ReadFault =
  /** The stream has more bytes than allowed. */
  | 'too_long'
  /** The stream failed. */
  | 'broken'
  /** The stream did not end in time. */
  | 'late'
  /** There was no room for more bytes. */
  | 'no_room';

/** What can end a read early. */
export interface ReadTerms {
  /** Settles with the reason when nothing more is to be read. */
  readonly ended?: Promise<'late' | 'no_room'>;
  /** Counts bytes that arrived; false if there is no room for them. */
  readonly take?: (bytes: number) => boolean;
}

/**
 * Reads a stream of at most `bytesMax` bytes, counted after decompression. Bytes above the limit are not kept, and a
 * stream that is not read to its end is cancelled. Never rejects.
 */
export async function readBytesWithin(
  stream: ReadableStream<Uint8Array> | null,
  bytesMax: number,
  { ended, take = () => true }: ReadTerms = {},
): Promise<Uint8Array<ArrayBuffer> | ReadFault> {
  if (stream === null) return new Uint8Array();
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const chunk = await (ended === undefined ? nextOf(reader) : Promise.race([nextOf(reader), ended]));
    if (chunk === undefined) return joined(chunks, size);
    if (chunk === 'broken') return chunk;
    let fault: ReadFault | undefined = typeof chunk === 'string' ? chunk : undefined;
    if (typeof chunk !== 'string') {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size > bytesMax) fault = 'too_long';
      else if (!take(chunk.byteLength)) fault = 'no_room';
    }
    if (fault !== undefined) {
      // Not awaited, because a peer that sends nothing may never confirm it.
      reader.cancel().catch(() => undefined);
      return fault;
    }
  }
}

/** The text of such a stream; undefined if it was not read to its end or is not UTF-8. */
export async function readTextWithin(
  stream: ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<string | undefined> {
  const bytes = await readBytesWithin(stream, bytesMax);
  return typeof bytes === 'string' ? undefined : decodeUtf8(bytes);
}

/** Strict UTF-8 without its byte order mark, or undefined. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The next chunk, or undefined at the end. */
async function nextOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined | 'broken'> {
  try {
    return (await reader.read()).value;
  } catch {
    return 'broken';
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
