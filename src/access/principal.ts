import type { MessageChannel } from '../contract/message.ts';
import type { AssuranceLevel, Role } from '../contract/person-role.ts';
import type { Scope } from '../contract/scope.ts';
import type { Instant } from '../core/instant.ts';
import type { Uuid } from '../core/uuid.ts';

interface TokenHolder {
  readonly clientId: string;
  /** The secret that the token was obtained with. The token becomes invalid with it. */
  readonly secretId: Uuid;
  readonly tokenId: Uuid;
  readonly scopes: ReadonlySet<Scope>;
}

/** A merchant's system. */
export interface CompanyClient extends TokenHolder {
  readonly kind: 'company';
  readonly companyId: Uuid;
  /** The shard with the company's data. */
  readonly shard: string;
}

/** An operator's program. It belongs to no company. */
export interface OperatorClient extends TokenHolder {
  readonly kind: 'operator';
}

/** The session of a person. */
interface PersonSession {
  readonly personId: Uuid;
  readonly fullName: string;
  /** Empty once another person has proved the address. */
  readonly email: string;
  readonly sessionId: Uuid;
  /** The channel of the sign-in. The second factor uses the other channel. */
  readonly channel: MessageChannel;
  readonly assurance: AssuranceLevel;
  /** Until when the second factor counts as fresh; null at AAL1. */
  readonly freshUntil: Instant | null;
  /** When the code of the sign-in was answered. */
  readonly signedInAt: Instant;
  /** When it ends, however often it is used. */
  readonly expiresAt: Instant;
  /** Until when the person may not change credentials, webhooks and people; null if no identifier was changed. */
  readonly heldUntil: Instant | null;
}

/** A person of a merchant, in a session. */
export interface Person extends PersonSession {
  readonly kind: 'person';
  readonly companyId: Uuid;
  readonly companyName: string;
  readonly shard: string;
  readonly role: Role;
}

/** A person who runs the deployment, in a session. An operator belongs to no company. */
export interface OperatorPerson extends PersonSession {
  readonly kind: 'operatorPerson';
}

/** Everybody who signs in. */
export type AnyPerson = Person | OperatorPerson;

/** Everybody who may use the procedures of operators. */
export type Operator = OperatorClient | OperatorPerson;

/** A person, an operator or an operator's program that makes a change, and by which request. The audit names it. */
export interface AuditActor {
  readonly personId: Uuid | null;
  /** An operator's program, or `operations`; null for a person of a merchant. */
  readonly clientId: string | null;
  readonly address: string | null;
  readonly requestId: Uuid;
}

/** The owner of an access token. */
export type Client = CompanyClient | OperatorClient;

export type Principal = Client | AnyPerson;
