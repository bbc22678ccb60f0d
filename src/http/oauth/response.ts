import { buildProblem } from '../../../routers/problem.ts';
import type { ProblemCode } from '../../core/catalogue.ts';
import { refuse } from '../../core/result.ts';
import type { Draft, Exchange } from '../route-table.ts';
import type { OAuthFault } from './form.ts';

const CODES: Readonly<Record<number, ProblemCode>> = {
  400: 'VALIDATION_FAILED',
  401: 'AUTHENTICATION_REQUIRED',
  403: 'ACCESS_DENIED',
  408: 'REQUEST_TIMEOUT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
  503: 'SERVICE_UNAVAILABLE',
};

/** Both authentication schemes: HTTP Basic at these endpoints, Bearer at all others. */
const CHALLENGE = 'Basic realm="mirsal", Bearer realm="mirsal"';

/** An OAuth error (RFC 6749 section 5.2). It also has the members of a problem, for clients that read problems. */
export async function oauthErrorResponse(refused: OAuthFault, exchange: Exchange): Promise<Draft> {
  const { status, error, description, retryAfterSeconds, members, headers } = refused;
  const problem = await buildProblem(refuse(CODES[status] ?? 'INTERNAL_ERROR', { members }), exchange);
  const body = { error, error_description: description, ...problem, status, detail: description };
  return oauthResponse(body, status, {
    ...headers,
    ...(status === 401 ? { 'www-authenticate': CHALLENGE } : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  });
}

/** JSON that no cache may keep. */
export function oauthResponse(body: unknown, status: number, headers: Record<string, string> = {}): Draft {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache', ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  };
}
