import { Problem } from '../../core/problem.ts';
import { refuse } from '../../core/result.ts';
import type { Exchange } from '../route-table.ts';
import { assetsUnavailable, browserFiles } from './asset-text.ts';

/** The name says what is in the file, and so it never changes (RFC 8246). */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';
/** As the build names files: what it was, what is in it, of what kind. */
const NAME = /^[\w-]+-[\w-]{8}\.(js|css|woff2)$/;
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
};

/** `GET /assets/{name}`: a script, a style or a font of the pages. A name of another build is 404. */
export async function showAsset(_request: Request, { services, parameters }: Exchange): Promise<Response> {
  const name = parameters['name'] ?? '';
  const mediaType = MEDIA_TYPES[NAME.exec(name)?.[1] ?? ''];
  if (mediaType === undefined) throw new Problem(refuse('ROUTE_NOT_FOUND'));
  const files = await browserFiles(services);
  if (!files.names.includes(name)) throw new Problem(refuse('ROUTE_NOT_FOUND'));
  const bytes = await services.readAsset(`assets/${name}`);
  if (bytes === undefined) throw assetsUnavailable();
  return new Response(bytes, { headers: { 'content-type': mediaType, 'cache-control': CACHE_CONTROL } });
}
