import { Problem } from '../../core/problem.ts';
import { refuse } from '../../core/result.ts';
import { type Release, Semaphore } from '../../core/semaphore.ts';
import type { FileVersion } from '../../ports/ranged-file.ts';
import type { StreetFile } from '../../ports/streets.ts';
import { hasCurrent } from '../conditional.ts';
import { askedRange } from '../range.ts';
import type { Exchange, Route } from '../route-table.ts';
import { STREETS_PATH } from './asset-paths.ts';

export const streetFileRoute: Route = {
  method: 'GET',
  path: STREETS_PATH,
  needsNoPermit: true,
  handle: showStreetFile,
};

/** `no-transform`: a proxy that compresses would change the byte positions. */
const CACHE_CONTROL = 'public, max-age=3600, no-transform';
/** More is read and sent in pieces of this size, so that a request never has more of the file in memory. */
const PIECE_BYTES = 1024 * 1024;
/** The circuit breaker stays open this long. */
const RETRY_AFTER_SECONDS = 30;
/** The file may be replaced between its description and the read. One retry is enough: two replacements during one request do not happen. */
const TRIES_MAX = 2;
/** Answers of several pieces that a process sends at once. Maps ask for single tiles, which are one piece. */
const LONG_ANSWERS_MAX = 8;
/** A longer answer is broken off, so that slow readers cannot hold the places. */
const LONG_ANSWER_MS = 10 * 60_000;

function showStreetFile(request: Request, { services: { streets, monotonicMs } }: Exchange): Promise<Response> {
  if (streets.file === undefined) throw new Problem(refuse('ROUTE_NOT_FOUND'));
  return answerFile(request, streets.file, monotonicMs);
}

/** The file or the range that was asked for. 503 if it cannot be read, or if too many long answers are on their way. */
export async function answerFile(
  request: Request,
  streetFile: StreetFile,
  monotonicMs: () => number,
): Promise<Response> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const file = await streetFile.find();
    if (file === undefined) break;
    const answer = await answerFrom(streetFile, file, request, monotonicMs);
    if (answer !== 'replaced') return answer ?? unavailable();
  }
  return unavailable();
}

function unavailable(): never {
  throw new Problem(refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
}

/** The answer from this version of the file, unless it cannot be read or was replaced. */
async function answerFrom(
  streetFile: StreetFile,
  file: FileVersion,
  { method, headers: asked }: Request,
  monotonicMs: () => number,
): Promise<Response | 'replaced' | undefined> {
  const { size, etag } = file;
  const headers = { etag, 'cache-control': CACHE_CONTROL, 'accept-ranges': 'bytes' };
  if (hasCurrent(asked.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  const described = { ...headers, 'content-type': 'application/vnd.pmtiles' };
  // Range has a meaning only for GET (section 14.2).
  if (method === 'HEAD') return new Response(null, { headers: { ...described, 'content-length': String(size) } });
  const range = askedRange(asked, file);
  if (range.kind === 'unsatisfiable')
    return new Response(null, {
      status: 416,
      headers: { 'accept-ranges': 'bytes', 'content-range': `bytes */${size}` },
    });
  const { first, last } = range.kind === 'whole' ? { first: 0, last: size - 1 } : range;
  const isLong = last - first + 1 > PIECE_BYTES;
  const release = isLong ? await placesOf(streetFile, monotonicMs).acquire() : () => undefined;
  if (release === undefined) return unavailable();
  const piece = await streetFile.read(file, { first, length: Math.min(PIECE_BYTES, last - first + 1) });
  if (piece === undefined || piece === 'replaced') {
    release();
    return piece;
  }
  const rest = { piece, first, last, release, endsAtMs: monotonicMs() + LONG_ANSWER_MS, monotonicMs };
  return new Response(isLong ? inPieces(streetFile, file, rest) : piece, {
    status: range.kind === 'whole' ? 200 : 206,
    headers: { ...described, ...(range.kind === 'whole' ? {} : { 'content-range': `bytes ${first}-${last}/${size}` }) },
  });
}

function placesOf(streetFile: StreetFile, monotonicMs: () => number): Semaphore {
  const limits = { places: LONG_ANSWERS_MAX, waitingMax: 0, waitMs: 0, holdMs: LONG_ANSWER_MS, monotonicMs };
  const known = places.get(streetFile) ?? new Semaphore(limits);
  places.set(streetFile, known);
  return known;
}
const places = new WeakMap<StreetFile, Semaphore>();

interface LongAnswer {
  readonly piece: Uint8Array;
  readonly first: number;
  readonly last: number;
  readonly release: Release;
  readonly endsAtMs: number;
  readonly monotonicMs: () => number;
}

/** The bytes from `first` to `last`, which begin with `piece`. Each next piece is read when the client has room for it. */
function inPieces(
  streetFile: StreetFile,
  file: FileVersion,
  { piece, first, last, release, endsAtMs, monotonicMs }: LongAnswer,
): ReadableStream<Uint8Array> {
  let at = first + piece.length;
  return new ReadableStream({
    start: (controller) => controller.enqueue(piece),
    async pull(controller) {
      const range = { first: at, length: Math.min(PIECE_BYTES, last - at + 1) };
      const next = monotonicMs() < endsAtMs ? await streetFile.read(file, range) : undefined;
      // The head of the answer is sent. A connection that breaks off tells the client that the rest is missing.
      if (next === undefined || next === 'replaced') {
        release();
        return controller.error(new Error('The archive broke off'));
      }
      at += next.length;
      controller.enqueue(next);
      if (at <= last) return;
      release();
      controller.close();
    },
    cancel: release,
  });
}
