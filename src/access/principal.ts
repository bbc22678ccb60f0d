import type { MessageChannel } from '../contract/message.ts';
import type { AssuranceLevel, Role } from '../contract/person-role.ts';
import type { Instant } from '../core/instant.ts';
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

/** A person of a merchant's, in a session. */
export interface Person {
  readonly kind: 'person';
  readonly personId: Uuid;
  readonly companyId: Uuid;
  readonly shard: string;
  readonly role: Role;
  readonly sessionId: Uuid;
  /** How the session was signed in: its second factor goes the other way. */
  readonly channel: MessageChannel;
  readonly assurance: AssuranceLevel;
  /** Until when the second factor counts as just proved; null at AAL1. */
  readonly freshUntil: Instant | null;
}

/** Whose access token it is. */
export type Client = CompanyClient | OperatorClient;

export type Principal = Client | Person;
