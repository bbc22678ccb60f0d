import type { Database } from '../../../db/database.ts';
import type { CommitRequest } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import { toBase64Url } from '../../core/base64url.ts';
import { sha256 } from '../../core/crypto.ts';
import { addSeconds } from '../../core/instant.ts';
import { canonicalJson, parseStored } from '../../core/json.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { expiredKeyDelete, idempotencyByKey, idempotencyInsert, keyClaimOf } from './store.ts';

/*
 * Promise: an operation that is sent twice with one key takes effect once, and both responses are the same. The record
 * of the response is one more statement in the unit of the operation, so both are committed together or not at all.
 */

/** The key of a request. Plain data, so that it can be sent to the lane of a shipment. */
export interface KeyClaim {
  readonly operation: string;
  readonly key: string;
  /** The request without its key and preconditions. */
  readonly fingerprint: string;
  /** What the response has besides the headers of its body, if a lane makes it. */
  readonly headers?: StoredAnswer['headers'];
}

/** The response of an operation. Replays repeat the body and these headers. */
export interface StoredAnswer<Body = unknown> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
}

/** Adds the record of the response to the unit of an operation. */
export type Bind<Value> = (unit: CommitRequest, value: Value) => Promise<CommitRequest>;

/** For a request without a key. */
export const unbound: Bind<unknown> = (unit) => Promise.resolve(unit);

/** Responses can contain secrets, so they are encrypted in the database. `subject` is authenticated with the text. */
export interface AnswerSeal {
  seal(subject: string, text: string): Promise<string>;
  open(subject: string, sealed: string): Promise<string>;
}

export interface BindDependencies {
  readonly clock: CompanyClock;
  readonly endpointSecrets: AnswerSeal;
}

/** How long a key is kept. Keys of creations are kept longer. */
export const KEPT_SECONDS = 24 * 3600;

/** The unit with the record of its response. SQL refuses it if the key already has a response. */
export async function bindAnswer(
  { clock, endpointSecrets }: BindDependencies,
  scope: CompanyScope,
  { operation, key, fingerprint, headers }: KeyClaim,
  { unit, answer }: { readonly unit: CommitRequest; readonly answer: StoredAnswer },
): Promise<CommitRequest> {
  const now = clock.wall.now();
  const exclusiveKey = keyClaimOf(scope, operation, key);
  const record = idempotencyInsert({
    companyId: scope.companyId,
    clientId: scope.clientId,
    operation,
    key,
    fingerprint,
    status: answer.status,
    response: await endpointSecrets.seal(
      subjectOf(scope, { operation, key }),
      JSON.stringify({ ...answer, headers: { ...answer.headers, ...headers } }),
    ),
    // Both are in the encrypted response.
    etag: '',
    location: '',
    expiresAt: addSeconds(now, KEPT_SECONDS),
  });
  const statements = [...unit.statements, expiredKeyDelete(scope, operation, key, now), record];
  return { ...unit, statements, exclusiveKey, claims: [...(unit.claims ?? []), exclusiveKey] };
}

/** The earlier response for the key: undefined if there is none, refused if the key was used for another request. */
export async function findAnswer<Body>(
  { database, clock, endpointSecrets }: BindDependencies & { readonly database: Database },
  scope: CompanyScope,
  { operation, key, fingerprint }: KeyClaim,
): Promise<Result<StoredAnswer<Body> | undefined>> {
  const found = await database.read(idempotencyByKey(scope, operation, key));
  if (!found.ok) return unavailable();
  const [record] = found.rows;
  if (record === undefined || record.expiresAt <= clock.wall.now()) return ok(undefined);
  if (record.fingerprint !== fingerprint) return refuse('IDEMPOTENCY_KEY_REUSED');
  const text = await endpointSecrets.open(subjectOf(scope, { operation, key }), record.response);
  return ok(parseStored<StoredAnswer<Body>>(text));
}

/** SHA-256 of parsed values in canonical form, so that the same values in another spelling are the same request. */
export async function fingerprintOf(request: Readonly<Record<string, unknown>>): Promise<string> {
  const plain = Object.entries(request).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? String(value) : value,
  ]);
  return toBase64Url(await sha256(canonicalJson(Object.fromEntries(plain))));
}

function subjectOf({ companyId, clientId }: CompanyScope, { operation, key }: Pick<KeyClaim, 'operation' | 'key'>) {
  return `${companyId} ${clientId} ${operation} ${key}`;
}
