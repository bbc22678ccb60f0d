import { COMPANY_SCOPES } from '../../contract/scope.ts';
import { Problem } from '../../core/problem.ts';
import { problemResponse } from '../problem-response.ts';
import type { Draft, Exchange, Route } from '../route-table.ts';
import { fault } from './form.ts';
import { oauthErrorResponse } from './response.ts';
import { revokeToken } from './revoke.ts';
import { issueToken } from './token.ts';

/** Keys and addresses change rarely; a client may keep them for five minutes. */
const PUBLIC_HEADERS = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' };

/** The OAuth endpoints: token, revocation and metadata (RFC 8414, RFC 7517). */
export const oauthRoutes: readonly Route[] = [
  { method: 'POST', path: '/oauth/token', handle: issueToken, answerError },
  { method: 'POST', path: '/oauth/revoke', handle: revokeToken, answerError },
  {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    needsNoPermit: true,
    handle: (_request, { services }) => {
      const { baseUrl } = services.config;
      const metadata = {
        issuer: baseUrl,
        token_endpoint: `${baseUrl}/oauth/token`,
        revocation_endpoint: `${baseUrl}/oauth/revoke`,
        jwks_uri: `${baseUrl}/.well-known/jwks.json`,
        grant_types_supported: ['client_credentials'],
        response_types_supported: [],
        scopes_supported: COMPANY_SCOPES,
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
        revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
        service_documentation: `${baseUrl}/docs`,
      };
      return new Response(JSON.stringify(metadata), { headers: PUBLIC_HEADERS });
    },
  },
  {
    method: 'GET',
    path: '/.well-known/jwks.json',
    needsNoPermit: true,
    handle: (_request, { services }) =>
      new Response(JSON.stringify({ keys: services.tokens.publicKeys() }), { headers: PUBLIC_HEADERS }),
  },
];

/** Temporary failures get an OAuth error. Other errors are bugs or malformed requests and get a problem. */
function answerError(error: unknown, exchange: Exchange): Promise<Draft> {
  if (error instanceof Problem && error.refusal.code === 'REQUEST_TIMEOUT')
    return oauthErrorResponse(fault(408, 'temporarily_unavailable', 'The body arrived too slowly'), exchange);
  if (!(error instanceof Problem) || error.refusal.code !== 'SERVICE_UNAVAILABLE')
    return problemResponse(error, exchange);
  const { retryAfterSeconds } = error.refusal;
  return oauthErrorResponse(fault(503, 'temporarily_unavailable', 'Try again shortly', retryAfterSeconds), exchange);
}
