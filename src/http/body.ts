import type { RawBody, RawContent } from '../../routers/request.ts';
import { type ReadFault, readBytesWithin } from '../core/bounded-bytes.ts';
import { Problem } from '../core/problem.ts';
import { refuse } from '../core/result.ts';
import { OVERLOADED, type Permit } from './admission.ts';

/** A request whose body is to be read. */
export interface Sent {
  readonly request: Request;
  readonly permit: Pick<Permit, 'body' | 'isCrowded'>;
}

/** The text of a body of at most `bytesMax` bytes, or 413; bytes that are no UTF-8 are 400. Nothing past the limit is read. */
export async function readText({ request, permit }: Sent, bytesMax: number): Promise<string> {
  const bytes = await readBytes({ request, permit }, bytesMax);
  try {
    // A byte order mark stays: JSON has none (RFC 8259 section 8.1).
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Problem(refuse('MALFORMED_JSON'));
  }
}

/** The bytes of a body of at most `bytesMax`, or 413; 400 when it does not come to its end in time, in a crowd 503. */
export async function readBytes({ request, permit }: Sent, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  if (statedLength(request) > bytesMax) throw new Problem(refuse('PAYLOAD_TOO_LARGE'));
  const bytes = await readBody({ request, permit }, bytesMax);
  if (bytes === 'too_long') throw new Problem(refuse('PAYLOAD_TOO_LARGE'));
  // A body that breaks off is the caller's fault, and what came of it is no JSON.
  if (typeof bytes === 'string') throw new Problem(refuse('MALFORMED_JSON'));
  return bytes;
}

/** The longest body that is taken off a connection without being read. */
const DROPPED_BYTES_MAX = 256 * 1024;

/**
 * Gives up a body that nobody read. Without it Deno closes the connection after the answer, and a caller who is still
 * sending may get a reset in place of it.
 */
export function dropBody(request: Request): void {
  const length = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  // A look at the body is enough for Deno to take off all that is still to come, however much.
  if (length > DROPPED_BYTES_MAX || request.body === null || request.body.locked || request.bodyUsed) return;
  // What broke off has nothing left to be taken.
  request.body.cancel().catch(() => undefined);
}

/**
 * The bytes of a body that is a document, with its media type: 415 for a type that is none of those, 413 past the limit,
 * 400 when it breaks off or does not come to its end in time, in a crowd 503.
 */
export async function readContent({ request, permit }: Sent, { contentTypes, bytesMax }: RawBody): Promise<RawContent> {
  const contentType = contentTypes.find((type) => hasMediaType(request, type));
  if (contentType === undefined) throw new Problem(refuse('UNSUPPORTED_DOCUMENT_TYPE'));
  return { contentType, bytes: await readDocument({ request, permit }, bytesMax) };
}

/** The bytes of a body that holds a document: 413 past the limit, 400 when it does not come to its end, in a crowd 503. */
export async function readDocument({ request, permit }: Sent, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  if (statedLength(request) > bytesMax) throw new Problem(refuse('DOCUMENT_TOO_LARGE'));
  const bytes = await readBody({ request, permit }, bytesMax);
  if (bytes === 'too_long') throw new Problem(refuse('DOCUMENT_TOO_LARGE'));
  if (typeof bytes !== 'string') return bytes;
  const violation = { field: 'Content-Length', code: 'OUT_OF_RANGE' } as const;
  throw new Problem(refuse('INVALID_HEADER', { violations: [violation] }));
}

/** The length that a request states of its body; 0 without one. */
function statedLength(request: Request): number {
  return Number(request.headers.get('content-length') ?? 0);
}

let isShuttingDown = false;

/**
 * While a server shuts down, Deno takes the bodies away that are still to be read (denoland/deno#36809): what breaks off
 * then is not the caller's fault, and 503.
 */
export function expectBrokenBodies(shutdown: Promise<void>): void {
  isShuttingDown = true;
  void shutdown.finally(() => {
    isShuttingDown = false;
  });
}

/** How long a body may take to arrive: 256 KiB over a slow line, and no longer for who sends nothing. */
const BODY_TIMEOUT_MS = 15_000;

async function readBody({ request, permit }: Sent, bytesMax: number): Promise<Uint8Array<ArrayBuffer> | ReadFault> {
  const bytes = await permit.body(async () => {
    const { promise: timeUp, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, BODY_TIMEOUT_MS);
    const read = await readBytesWithin(request.body, bytesMax, timeUp);
    clearTimeout(timer);
    return read;
  });
  // In an overloaded process, a body that seems late may have arrived in time.
  const isOurs = (bytes === 'broken' && isShuttingDown) || (bytes === 'late' && permit.isCrowded);
  if (isOurs) throw OVERLOADED;
  return bytes;
}

/** Whether a Content-Type names this media type; parameters other than a UTF-8 charset do not fit. */
export function hasMediaType(request: Request, mediaType: string): boolean {
  const [type = '', ...parameters] = (request.headers.get('content-type') ?? '').toLowerCase().split(';');
  if (type.trim() !== mediaType || request.headers.has('content-encoding')) return false;
  return parameters.every((parameter) => /^\s*(?:charset\s*=\s*"?utf-8"?\s*)?$/.test(parameter));
}
