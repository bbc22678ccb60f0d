import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listenLocally } from '../shared/ports.ts';
import { answerRange, localArchive } from '../shared/routing/local-archive.ts';
import type { Runtime } from '../shared/service.ts';

/** A map of Riyadh for a local service: on Deno a file, and for a Worker, which has no files, a server. */
export async function provideStreets(runtime: Runtime): Promise<{ readonly url: string; readonly stop: () => void }> {
  const path = await localArchive();
  if (runtime === 'deno') return { url: pathToFileURL(path).href, stop: () => undefined };
  const archive = { file: readFileSync(path), etag: `"${basename(path)}"` };
  const server = createServer((request, response) => answerRange(archive, request, response));
  return {
    url: `${await listenLocally(server)}/streets.pmtiles`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
