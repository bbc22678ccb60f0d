import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ASSET_PATHS, BASE_URL_MARK } from '../../src/http/web/asset-paths.ts';
import { renderSite } from '../../src/pages/site/site.ts';
import { failWith, isCommand } from '../shared/command.ts';
import { replaceFolder } from '../shared/replace-folder.ts';
import { readText } from '../shared/repository-file.ts';
import { browserBuild } from './browser-files.ts';

const DIST = join(import.meta.dirname, '..', '..', 'dist');

/** Makes the folder `assets`: the files that the service serves. Several runs may do this while a service reads. */
export async function makePages(dist = DIST): Promise<void> {
  const { files, browserFiles } = await browserBuild();
  const texts = renderSite({ baseUrl: BASE_URL_MARK, browserFiles, readText });
  // Files that pages refer to are written before the pages.
  const site = new Map([...files, ...[...texts].map(([path, text]) => [path, Buffer.from(text)] as const)]);
  site.set(ASSET_PATHS.shaper, readFileSync(createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz.wasm')));
  replaceFolder(join(dist, 'assets'), site);
}

if (isCommand(import.meta.filename)) {
  try {
    await makePages();
  } catch (error) {
    failWith(error);
  }
}
