import { Problem } from '../../core/problem.ts';
import { refuse } from '../../core/result.ts';
import type { Services } from '../../service/services.ts';
import { ASSET_PATHS, BASE_URL_MARK, type BrowserFiles } from './asset-paths.ts';
import { escapeHtml } from './html.ts';

/** A missing page is a fault of the deployment, which people mend. */
const RETRY_AFTER_SECONDS = 60;

/** What was read, with the address in it. The assets are a few, and a process has one address. */
const texts = new Map<string, string>();

/** One of `ASSET_PATHS` as this deployment serves it: one build is for every address. */
export async function assetText({ config, readAsset }: Services, path: string): Promise<string> {
  const key = `${path} ${config.baseUrl}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const bytes = await readAsset(path);
  if (bytes === undefined) throw assetsUnavailable();
  const made = new TextDecoder().decode(bytes);
  const address = written(config.baseUrl, path);
  // A function: in a replacement that is text, a dollar sign would mean something.
  const text = made.replaceAll(BASE_URL_MARK, () => address);
  texts.set(key, text);
  return text;
}

/** What is answered when a file is not where the build has put it. */
export function assetsUnavailable(): Problem {
  return new Problem(refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
}

/** Where the browser finds scripts and styles of this build. */
export async function browserFiles(services: Services): Promise<BrowserFiles> {
  return JSON.parse(await assetText(services, ASSET_PATHS.browserFiles)) as BrowserFiles;
}

/** The address as it is written in a file with that ending. */
function written(baseUrl: string, path: string): string {
  if (path.endsWith('.html')) return escapeHtml(baseUrl);
  return path.endsWith('.json') ? JSON.stringify(baseUrl).slice(1, -1) : baseUrl;
}
