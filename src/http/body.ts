import type { RawBody, RawContent } from '../../routers/request.ts';
import { type ReadFault, readBytesWithin } from '../core/bounded-bytes.ts';
import { BODY_PART_BYTES, BODY_PART_SECONDS, BODY_SECONDS_MAX } from '../core/limits.ts';
import { invalidHeaders, Problem } from '../core/problem.ts';
import { refuse } from '../core/result.ts';
import { shortNameOf } from '../core/text.ts';
import { OVERLOADED, type Permit } from './admission.ts';

/** A request and its permit, to read its body. */
export interface Sent {
  readonly request: Request;
  readonly permit: Pick<Permit, 'body' | 'isCrowded' | 'takeBytes'>;
}

/** Reads the body: 413 above `bytesMax`, 400 if it is incomplete, 408 if it is slow, 503 if it is slow in an overloaded process. */
export async function readBytes({ request, permit }: Sent, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  if (statedLength(request) > bytesMax) throw new Problem(refuse('PAYLOAD_TOO_LARGE'));
  const bytes = await readBody({ request, permit }, bytesMax);
  if (bytes === 'too_long') throw new Problem(refuse('PAYLOAD_TOO_LARGE'));
  // An incomplete body is the client's fault, and its bytes are not JSON.
  if (typeof bytes === 'string') throw new Problem(refuse('MALFORMED_JSON'));
  return bytes;
}

/** The longest unread body that is discarded to keep its connection open. */
const DROPPED_BYTES_MAX = 256 * 1024;

/**
 * Discards a body that was not read. Otherwise Deno closes the connection after the response, and a client that is still
 * sending may get a reset instead of the response.
 */
export function dropBody(request: Request): void {
  const length = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  // This check comes first, because Deno receives the whole rest of the body once `request.body` is accessed.
  if (length > DROPPED_BYTES_MAX || request.body === null || request.body.locked || request.bodyUsed) return;
  // If the body is already broken, nothing is left to discard.
  request.body.cancel().catch(() => undefined);
}

const DRAINED_BYTES_MAX = 4 * 1024 * 1024;
/** How long a response waits for the rest of its request's body, and for the next part of it. */
const DRAIN_TIMEOUT_MS = 5_000;
const DRAIN_PAUSE_MS = 1_000;

/**
 * Reads and discards what is left of a body that was not read. workerd closes the connection as soon as the response is
 * complete, so a client that is still sending would get a reset instead of the response; cancelling the body does not
 * help (cloudflare/workerd#1741). Never rejects.
 */
export async function drainBody({ body }: Request): Promise<void> {
  if (body === null || body.locked) return;
  const reader = body.getReader();
  const deadline = performance.now() + DRAIN_TIMEOUT_MS;
  let left = DRAINED_BYTES_MAX;
  while (left >= 0 && performance.now() < deadline) {
    const { promise: pause, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), DRAIN_PAUSE_MS);
    const part = await Promise.race([reader.read().catch(() => undefined), pause]);
    clearTimeout(timer);
    if (part === undefined || part.done) break;
    left -= part.value.byteLength;
  }
  reader.cancel().catch(() => undefined);
}

/**
 * Reads a body with one of these media types: 415 for another type, 413 above the limit, 400 if it is incomplete, 408 if it
 * is slow, 503 if it is slow in an overloaded process.
 */
export async function readContent({ request, permit }: Sent, { contentTypes, bytesMax }: RawBody): Promise<RawContent> {
  refuseCoding(request, 'UNSUPPORTED_DOCUMENT_TYPE');
  const contentType = contentTypes.find((type) => hasMediaType(request, type));
  if (contentType === undefined) throw new Problem(refuse('UNSUPPORTED_DOCUMENT_TYPE', { members: { contentTypes } }));
  return { contentType, bytes: await readDocument({ request, permit }, bytesMax) };
}

/** Reads a document: as `readBytes`, with the refusals of documents. */
export async function readDocument({ request, permit }: Sent, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  if (statedLength(request) > bytesMax) throw new Problem(refuse('DOCUMENT_TOO_LARGE'));
  const bytes = await readBody({ request, permit }, bytesMax);
  if (bytes === 'too_long') throw new Problem(refuse('DOCUMENT_TOO_LARGE'));
  if (typeof bytes !== 'string') return bytes;
  throw invalidHeaders({ field: 'Content-Length', code: 'OUT_OF_RANGE' });
}

/** The Content-Length of a request; 0 if it has none. */
function statedLength(request: Request): number {
  return Number(request.headers.get('content-length') ?? 0);
}

let isShuttingDown = false;

/**
 * During a shutdown Deno cuts off bodies that are not read yet (denoland/deno#36809). Such a request gets 503, because
 * this is not the client's fault.
 */
export function expectBrokenBodies(shutdown: Promise<unknown>): void {
  isShuttingDown = true;
  void shutdown.finally(() => {
    isShuttingDown = false;
  });
}

/**
 * Most bodies are shorter. Reading one as a whole takes a third of the time of reading its parts. Those parts are not counted,
 * so the body is no longer than what has to come in the first ten seconds.
 */
const SHORT_BYTES_MAX = BODY_PART_BYTES;

async function readBody({ request, permit }: Sent, bytesMax: number): Promise<Uint8Array<ArrayBuffer> | ReadFault> {
  const length = statedLength(request);
  // Chunks count, and not the length, if a request has both (RFC 9112 section 6.3). Not every server removes the length.
  const isWhole = !request.headers.has('transfer-encoding');
  const isShort = isWhole && length > 0 && length <= Math.min(bytesMax, SHORT_BYTES_MAX);
  const { promise: ended, resolve: end } = Promise.withResolvers<'late' | 'no_room'>();
  const bytes = await permit.body(
    async () => {
      const pace = startPace(() => end('late'));
      const read = isShort
        ? await readShort({ request, permit }, length, ended)
        : await readBytesWithin(request.body, bytesMax, {
            ended,
            take: (part) => {
              pace.count(part);
              return permit.takeBytes(part);
            },
          });
      pace.stop();
      return read;
    },
    () => end('no_room'),
  );
  // In an overloaded process, a body that seems late may have arrived in time.
  const isOurs =
    bytes === 'no_room' || (bytes === 'broken' && isShuttingDown) || (bytes === 'late' && permit.isCrowded);
  if (isOurs) throw OVERLOADED;
  // The rest of the body may still arrive, so the connection cannot be used for the next request (RFC 9110 section 15.5.9).
  if (bytes === 'late') throw new Problem(refuse('REQUEST_TIMEOUT'), { connection: 'close' });
  return bytes;
}

/** Calls `onLate` when a body has brought too little in a part of its time, or is not complete in all of it. */
function startPace(onLate: () => void): { count: (bytes: number) => void; stop: () => void } {
  let [seconds, bytesNow] = [0, 0];
  const timer = setInterval(() => {
    seconds += BODY_PART_SECONDS;
    if (bytesNow < BODY_PART_BYTES || seconds >= BODY_SECONDS_MAX) onLate();
    bytesNow = 0;
  }, BODY_PART_SECONDS * 1000);
  return {
    count(bytes) {
      bytesNow += bytes;
    },
    stop: () => clearInterval(timer),
  };
}

/** Reads a body of a stated length. The length is counted before the body arrives, and HTTP ends the body there. */
async function readShort(
  { request, permit }: Sent,
  length: number,
  ended: Promise<ReadFault>,
): Promise<Uint8Array<ArrayBuffer> | ReadFault> {
  if (!permit.takeBytes(length)) return 'no_room';
  const whole = request.arrayBuffer().then(
    (buffer) => (buffer.byteLength > length ? ('too_long' as const) : new Uint8Array(buffer)),
    () => 'broken' as const,
  );
  return Promise.race([whole, ended]);
}

/** 415 if the Content-Type is not this media type, or if the body has a content coding. */
export function requireMediaType(request: Request, mediaType: string): void {
  refuseCoding(request);
  if (!hasMediaType(request, mediaType)) throw new Problem(refuse('UNSUPPORTED_MEDIA_TYPE'));
}

/**
 * Whether a Content-Type names this media type. Parameters of forms are ignored, because their text is percent-encoded UTF-8 and
 * Apache's client labels it ISO-8859-1. Those of JSON too (RFC 8259 section 11), but for another charset. Files have none.
 */
export function hasMediaType(request: Request, mediaType: string): boolean {
  const [type = '', ...parameters] = (request.headers.get('content-type') ?? '').toLowerCase().split(';');
  if (type.trim() !== mediaType) return false;
  if (mediaType === FORM_TYPE) return true;
  const fitting = mediaType === JSON_TYPE ? NO_FOREIGN_CHARSET : NO_PARAMETER;
  return parameters.every((parameter) => fitting.test(parameter));
}

export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';
/** Anything but a charset that is neither UTF-8 nor a part of it. */
const NO_FOREIGN_CHARSET = /^(?!\s*charset\s*=)|^\s*charset\s*=\s*"?(?:utf-?8|us-ascii)"?\s*$/;
const NO_PARAMETER = /^\s*(?:charset\s*=\s*"?utf-8"?\s*)?$/;

/** 415 for a compressed body, with what is accepted (RFC 9110 section 15.5.16). */
export function refuseCoding(
  request: Request,
  code: 'UNSUPPORTED_MEDIA_TYPE' | 'UNSUPPORTED_DOCUMENT_TYPE' = 'UNSUPPORTED_MEDIA_TYPE',
): void {
  const coding = codingOf(request);
  if (coding === undefined) return;
  const cause = { text: 'contentCoding', values: { coding } } as const;
  throw new Problem(refuse(code, { cause }), ACCEPTED_CODING);
}

/** The content coding of a body, as it was sent; undefined for none. */
export function codingOf(request: Request): string | undefined {
  const sent = request.headers.get('content-encoding')?.trim() ?? '';
  return sent === '' || sent.toLowerCase() === 'identity' ? undefined : shortNameOf(sent);
}

export const ACCEPTED_CODING = { 'accept-encoding': 'identity' } as const;
