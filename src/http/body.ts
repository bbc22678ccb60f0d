import { Problem } from '../core/problem.ts';
import { refuse } from '../core/result.ts';

/** The text of a body of at most `bytesMax` bytes, or 413; bytes that are no UTF-8 are 400. Nothing past the limit is read. */
export async function readText(request: Request, bytesMax: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw new Problem(refuse('PAYLOAD_TOO_LARGE'));
  const bytes = await readBytes(request, bytesMax);
  try {
    // A byte order mark stays: JSON has none (RFC 8259 section 8.1).
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Problem(refuse('MALFORMED_JSON'));
  }
}

async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  const deadline = timeLimit(BODY_TIMEOUT_MS);
  for (;;) {
    const { done, value } = await Promise.race([readChunk(reader), deadline.passed]);
    if (done || value === undefined) break;
    size += value.byteLength;
    if (size > bytesMax) {
      await reader.cancel();
      throw new Problem(refuse('PAYLOAD_TOO_LARGE'));
    }
    chunks.push(value);
  }
  deadline.cancel();
  return joined(chunks, size);
}

/** How long a body may take to arrive: 256 KiB over a slow line, and no longer for who sends nothing. */
const BODY_TIMEOUT_MS = 15_000;

/** A body that breaks off is the caller's fault, and what came of it is no JSON. */
async function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read();
  } catch {
    throw new Problem(refuse('MALFORMED_JSON'));
  }
}

function timeLimit(milliseconds: number): { readonly passed: Promise<never>; readonly cancel: () => void } {
  let cancel = () => {};
  const passed = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Problem(refuse('MALFORMED_JSON'))), milliseconds);
    cancel = () => clearTimeout(timer);
  });
  passed.catch(() => undefined);
  return { passed, cancel };
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** Whether a Content-Type names this media type; parameters other than a UTF-8 charset do not fit. */
export function hasMediaType(request: Request, mediaType: string): boolean {
  const [type = '', ...parameters] = (request.headers.get('content-type') ?? '').toLowerCase().split(';');
  if (type.trim() !== mediaType || request.headers.has('content-encoding')) return false;
  return parameters.every((parameter) => /^\s*(?:charset\s*=\s*"?utf-8"?\s*)?$/.test(parameter));
}
