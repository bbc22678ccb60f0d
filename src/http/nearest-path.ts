import type { Route } from './route-table.ts';

/** A longer path is not compared. */
const PATH_LENGTH_MAX = 120;
/** More wrong letters than this are no slip. */
const SLIPS_MAX = 3;
const PREFIX = '/v2/external';

/**
 * The documented path that an unknown one is probably meant to be, such as `/v2/external/shipments` for `/v2/shipment`. Undefined
 * if none is near. It has no part of the request, which may contain a secret.
 */
export function nearestPath(pathname: string, routes: readonly Pick<Route, 'path'>[]): string | undefined {
  if (pathname.length > PATH_LENGTH_MAX) return undefined;
  const tail = pathname.replace(/^\/(?:api\/)?(?:v\d+\/)?(?:external\/)?/i, '/').replace(/\/$/, '');
  const wanted = [pathname, `${PREFIX}${tail}`].map((path) => path.split('/'));
  let best: { readonly path: string; readonly slips: number } | undefined;
  for (const { path } of routes) {
    if (!path.startsWith('/v2/') && !path.startsWith('/oauth/')) continue;
    const segments = path.split('/');
    for (const sent of wanted) {
      const slips = slipsBetween(sent, segments);
      if (slips <= SLIPS_MAX && slips < (best?.slips ?? Infinity)) best = { path, slips };
    }
  }
  return best?.path;
}

/** Wrong letters of all segments together; a parameter takes any segment. */
function slipsBetween(sent: readonly string[], segments: readonly string[]): number {
  if (sent.length !== segments.length) return Infinity;
  let slips = 0;
  for (const [at, segment] of segments.entries()) {
    if (!segment.startsWith('{')) slips += distance(sent[at] ?? '', segment);
    if (slips > SLIPS_MAX) return Infinity;
  }
  return slips;
}

/** The letters to insert, delete or replace (Levenshtein distance). */
function distance(first: string, second: string): number {
  if (Math.abs(first.length - second.length) > SLIPS_MAX) return Infinity;
  let row = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (let at = 0; at < first.length; at += 1) {
    const next = [at + 1];
    for (let to = 0; to < second.length; to += 1)
      next.push(
        Math.min((row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1, (row[to] ?? 0) + (first[at] === second[to] ? 0 : 1)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
