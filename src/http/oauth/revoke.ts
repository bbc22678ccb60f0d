import { instantFromMillis } from '../../core/instant.ts';
import { revocationInsert } from '../../domain/credentials/store.ts';
import type { Draft, Exchange } from '../route-table.ts';
import { fault, readOAuthRequest } from './form.ts';
import { oauthErrorResponse, oauthResponse } from './response.ts';
import { admitClient } from './token.ts';

/**
 * `POST /oauth/revoke` (RFC 7009): a client revokes one of its tokens. The answer is the same for other clients' tokens
 * and for invalid ones, so it reveals nothing about them.
 */
export async function revokeToken(request: Request, exchange: Exchange): Promise<Draft> {
  const oauth = await readOAuthRequest(request, exchange);
  if (!oauth.ok) return oauthErrorResponse(oauth, exchange);
  const client = await admitClient(oauth, exchange);
  if (!client.ok) return oauthErrorResponse(client, exchange);
  const token = oauth.parameters.get('token');
  if (token === undefined) return oauthErrorResponse(fault(400, 'invalid_request', 'token is missing'), exchange);
  const { tokens, tokenCache, clock, directory } = exchange.services;
  const verified = await tokens.verify(token, clock.now());
  if (verified !== undefined && verified.principal.clientId === client.principal.clientId) {
    const expiresAt = instantFromMillis(verified.expiresAt * 1000);
    const outcome = await directory.writer.commit({
      statements: [revocationInsert(verified.principal.tokenId, expiresAt)],
    });
    if (outcome.status !== 'committed') {
      return oauthErrorResponse(fault(503, 'temporarily_unavailable', 'Try again shortly', 1), exchange);
    }
    tokenCache.delete(token);
  }
  return oauthResponse(undefined, 200);
}
