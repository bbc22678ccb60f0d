import { takeAllowance } from '../../../../routers/procedure.ts';
import { networkOf } from '../../../core/network-address.ts';
import { orThrow } from '../../../core/problem.ts';
import { readLogo } from '../../../domain/tracking/brand.ts';
import type { Exchange, Route } from '../../route-table.ts';

/** A new logo has a new address. A day, so that a removed one disappears from caches too. */
const CACHE_CONTROL = 'public, max-age=86400';
/** A browser that opens the address saves the file. Images in pages ignore this. */
const DISPOSITION = 'attachment; filename="logo"';
const POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** The logos of merchants. Their addresses contain no token, so that a page can name them, also one of a shop. */
export const logoRoute: Route = { method: 'GET', path: '/logos/{name}', handle: showLogo };

async function showLogo(_request: Request, exchange: Exchange): Promise<Response> {
  const { services, facts, parameters, enterShard } = exchange;
  await takeAllowance(exchange, 'tracking', networkOf(facts.address ?? 'unknown'));
  const { contentType, bytes } = orThrow(await readLogo({ ...services, enterShard }, parameters['name'] ?? ''));
  return new Response(bytes, {
    headers: {
      'content-type': contentType,
      'content-disposition': DISPOSITION,
      'content-security-policy': POLICY,
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': CACHE_CONTROL,
    },
  });
}
