import { ACCESS_TOKEN_SECONDS } from '../../access/access-token.ts';
import { COMPANY_SUSPENDED } from '../../access/authenticate.ts';
import type { Client } from '../../access/principal.ts';
import { SCOPES, type Scope } from '../../contract/scope.ts';
import {
  type AuthenticatedClient,
  authenticateClient,
  recordClientUse,
} from '../../domain/credentials/client-authentication.ts';
import type { Draft, Exchange } from '../route-table.ts';
import { fault, type OAuthFault, type OAuthRequest, readOAuthRequest } from './form.ts';
import { oauthErrorResponse, oauthResponse } from './response.ts';

/** `POST /oauth/token`: issues an access token, valid for an hour, for client credentials (RFC 6749 section 4.4). */
export async function issueToken(request: Request, exchange: Exchange): Promise<Draft> {
  const oauth = await readOAuthRequest(request, exchange);
  if (!oauth.ok) return oauthErrorResponse(oauth, exchange);
  const client = await admitClient(oauth, exchange);
  if (!client.ok) return oauthErrorResponse(client, exchange);
  // 403, as for the tokens that the company already has.
  if (client.isSuspended) {
    const refused = fault(403, 'unauthorized_client', 'The carrier has suspended the company');
    return oauthErrorResponse({ ...refused, members: COMPANY_SUSPENDED.members }, exchange);
  }
  const granted = grantOf(oauth.parameters, client.principal);
  if (!granted.ok) return oauthErrorResponse(granted, exchange);
  const { tokens, clock, directory } = exchange.services;
  exchange.later(recordClientUse(directory.writer, clock, client));
  return oauthResponse(
    {
      access_token: await tokens.issue({ ...client.principal, scopes: granted.scopes }, clock.now()),
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      scope: [...granted.scopes].join(' '),
    },
    200,
  );
}

/** Checks the client's rate limit and its secret, and returns the client. */
export async function admitClient(
  oauth: OAuthRequest,
  { services, facts }: Exchange,
): Promise<({ readonly ok: true } & AuthenticatedClient) | OAuthFault> {
  const taken = await services.limiter.take('tokens', oauth.clientId);
  if (!taken.ok) return fault(429, 'temporarily_unavailable', 'Too many token requests', taken.retryAfterSeconds);
  const { clock, random, directory, config, failures } = services;
  const dependencies = { directory: directory.database, clock, random, credentialKeys: config.credentialKeys };
  const found = await failures.bound(facts.address, async () => {
    const client = await authenticateClient(dependencies, oauth);
    return client.ok || client.code === 'SERVICE_UNAVAILABLE' ? client : undefined;
  });
  if (!found.ok) return fault(429, 'temporarily_unavailable', 'Too many failed requests', found.retryAfterSeconds);
  const client = found.value;
  if (client === undefined) return fault(401, 'invalid_client', 'The client is unknown or its secret is wrong');
  if (!client.ok) return fault(503, 'temporarily_unavailable', 'Try again shortly', 1);
  return { ok: true, ...client.value };
}

function grantOf(
  parameters: ReadonlyMap<string, string>,
  principal: Client,
): { readonly ok: true; readonly scopes: ReadonlySet<Scope> } | OAuthFault {
  const grantType = parameters.get('grant_type');
  if (grantType === undefined) return fault(400, 'invalid_request', 'grant_type is missing');
  if (grantType !== 'client_credentials')
    return fault(400, 'unsupported_grant_type', 'grant_type must be client_credentials');
  const requested = parameters.get('scope');
  if (requested === undefined) return { ok: true, scopes: principal.scopes };
  const words = new Set(requested.split(' ').filter((word) => word !== ''));
  const scopes = new Set(SCOPES.filter((scope) => words.has(scope) && principal.scopes.has(scope)));
  if (words.size === 0 || scopes.size !== words.size) {
    return fault(400, 'invalid_scope', 'A requested scope is unknown or not granted to this client');
  }
  return { ok: true, scopes };
}
