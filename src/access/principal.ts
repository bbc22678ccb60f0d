import type { Uuid } from '../core/uuid.ts';

/** What a token may be good for. `operations` belongs to the service's own operators. */
export const SCOPES = ['shipments:read', 'shipments:write', 'webhooks:manage', 'operations'] as const;
export type Scope = (typeof SCOPES)[number];

interface TokenHolder {
  readonly clientId: string;
  /** The secret that the token was obtained with: the token dies with it. */
  readonly secretId: Uuid;
  readonly tokenId: Uuid;
  readonly scopes: ReadonlySet<Scope>;
}

/** A merchant's system. */
export interface CompanyClient extends TokenHolder {
  readonly kind: 'company';
  readonly companyId: Uuid;
  /** The shard that holds all the company operates. */
  readonly shard: string;
}

/** An operator's program. It belongs to no company. */
export interface OperatorClient extends TokenHolder {
  readonly kind: 'operator';
}

export type Principal = CompanyClient | OperatorClient;
