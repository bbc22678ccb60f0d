import { Problem } from '../../core/problem.ts';
import { refuse } from '../../core/result.ts';
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

/** An hour. Compressed, a range would be other bytes. */
const CACHE_CONTROL = 'public, max-age=3600, no-transform';
/** More is read and sent in pieces of this size, so that a request never has more of the file in memory. */
const PIECE_BYTES = 1024 * 1024;
/** As long as a failed archive is not asked. */
const RETRY_AFTER_SECONDS = 30;
/** The file may be replaced between its description and the read. Twice in one request it is not. */
const TRIES_MAX = 2;

async function showStreetFile(request: Request, { services }: Exchange): Promise<Response> {
  const streetFile = services.streets.file;
  if (streetFile === undefined) throw new Problem(refuse('ROUTE_NOT_FOUND'));
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const file = await streetFile.find();
    if (file === undefined) break;
    const answer = await answerFrom(streetFile, file, request);
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
  const piece = await streetFile.read(file, { first, length: Math.min(PIECE_BYTES, last - first + 1) });
  if (piece === undefined || piece === 'replaced') return piece;
  const isComplete = piece.length === last - first + 1;
  return new Response(isComplete ? piece : inPieces(streetFile, file, { piece, first, last }), {
    status: range.kind === 'whole' ? 200 : 206,
    headers: { ...described, ...(range.kind === 'whole' ? {} : { 'content-range': `bytes ${first}-${last}/${size}` }) },
  });
}

/** The bytes from `first` to `last`, which begin with `piece`. Each next piece is read when the client has room for it. */
function inPieces(
  streetFile: StreetFile,
  file: FileVersion,
  { piece, first, last }: { readonly piece: Uint8Array; readonly first: number; readonly last: number },
): ReadableStream<Uint8Array> {
  let at = first + piece.length;
  return new ReadableStream({
    start: (controller) => controller.enqueue(piece),
    async pull(controller) {
      if (at > last) return controller.close();
      const next = await streetFile.read(file, { first: at, length: Math.min(PIECE_BYTES, last - at + 1) });
      // The head of the answer is sent. A connection that breaks off tells the client that the rest is missing.
      if (next === undefined || next === 'replaced') return controller.error(new Error('The archive broke off'));
      at += next.length;
      controller.enqueue(next);
    },
  });
}
