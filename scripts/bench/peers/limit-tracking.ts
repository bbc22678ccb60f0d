import { execute } from './limit-pipeline.ts';

/*
 * The limit's public tracking: the token's hash and the service's own two statements in one request. It answers their
 * rows as they are, counts no view and chooses no language.
 */

export interface TrackingEnvironment {
  /** libSQL's `/v3/pipeline`. */
  readonly PIPELINE: string;
  /** The service's own statements, with a placeholder for the token's hash. */
  readonly TRACK: string;
  readonly STEPS: string;
}

/** The placeholder for the token's hash. */
const HASH_MARK = '@hash@';

export async function track(token: string, { PIPELINE, TRACK, STEPS }: TrackingEnvironment): Promise<Response> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)));
  const hash = btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  const statements = [TRACK, STEPS].map((stmt) => stmt.replace(HASH_MARK, hash));
  const [tracked, steps] = (await execute<{ rows: unknown[] }>(PIPELINE, statements)).map(({ rows }) => rows);
  if (tracked?.[0] === undefined) return new Response(null, { status: 404 });
  return new Response(JSON.stringify({ tracked: tracked[0], steps }), {
    headers: { 'content-type': 'application/json' },
  });
}
