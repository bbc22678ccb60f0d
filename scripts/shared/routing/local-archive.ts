import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { writeAtomically } from '../local-files.ts';

const FOLDER = resolve(import.meta.dirname, '..', '..', '..', '.local', 'streets');
/** What decides the bytes of the archive. */
const SOURCES = ['street-map.ts', 'riyadh-map.ts', 'riyadh-tiles.ts', 'pmtiles-writer.ts'];

/** The path of an archive with the map of Riyadh for a trial. It is made if it is missing or its sources have changed. */
export async function localArchive(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of SOURCES) hash.update(readFileSync(join(import.meta.dirname, source)));
  const path = join(FOLDER, `riyadh-${hash.digest('hex').slice(0, 12)}.pmtiles`);
  if (!existsSync(path)) {
    const { makeRiyadhArchive } = await import('./riyadh-tiles.ts');
    mkdirSync(FOLDER, { recursive: true });
    writeAtomically(path, makeRiyadhArchive());
  }
  return path;
}

/** Answers requests for a file or a range of it, as object stores do. */
export function answerRange(
  { file, etag }: { readonly file: Buffer; readonly etag: string },
  { headers }: Pick<IncomingMessage, 'headers'>,
  response: ServerResponse,
): void {
  if (headers.range === undefined)
    return void response.writeHead(200, { etag, 'content-length': file.length }).end(file);
  const [first = 0, last = 0] = (/^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []).slice(1).map(Number);
  if (first >= file.length) return void response.writeHead(416, { 'content-range': `bytes */${file.length}` }).end();
  const bytes = file.subarray(first, last + 1);
  const range = `bytes ${first}-${first + bytes.length - 1}/${file.length}`;
  response.writeHead(206, { etag, 'content-range': range, 'content-length': bytes.length }).end(bytes);
}
