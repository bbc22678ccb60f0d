import type { CompanyScope } from '../src/access/require.ts';
import { orThrow } from '../src/core/problem.ts';
import { ok, type Result } from '../src/core/result.ts';
import type { CompanyStore } from '../src/domain/clocks/company-clock.ts';
import {
  type Bind,
  bindAnswer,
  findAnswer,
  fingerprintOf,
  type KeyClaim,
  type StoredAnswer,
  unbound,
} from '../src/domain/idempotency/once.ts';
import type { Context } from './context.ts';

/** Problems of a procedure that takes an optional idempotency key. */
export const KEY_PROBLEMS = [
  'INVALID_IDEMPOTENCY_KEY',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_REQUEST_IN_PROGRESS',
] as const;

export interface CompanyContext extends Context {
  readonly company: CompanyScope;
  readonly store: CompanyStore;
}

export interface KeyedRequest {
  /** The name of the procedure, because two procedures may get the same key. */
  readonly operation: string;
  readonly idempotencyKey: string | undefined;
  /** The parts that identify the request: parameters and body. */
  readonly same: Readonly<Record<string, unknown>>;
}

interface Operation<Value, Body> {
  /** Does the work. `bind` adds the record of the response to its unit; a shipment lane gets the claim instead. */
  readonly run: (bind: Bind<Value>, claim: KeyClaim | undefined) => Promise<Result<Value>>;
  readonly present: (value: Value) => StoredAnswer<Body>;
}

/** Runs an operation, or repeats the answer of an earlier run with the same idempotency key and the same request. */
export async function answerOnce<Value, Body>(
  ctx: CompanyContext,
  { operation, idempotencyKey: key, same }: KeyedRequest,
  { run, present }: Operation<Value, Body>,
): Promise<Body> {
  const { services, store, company } = ctx;
  const dependencies = { ...services, ...store };
  const claim = key === undefined ? undefined : { operation, key, fingerprint: await fingerprintOf(same) };
  const find = async () => (claim === undefined ? ok(undefined) : findAnswer<Body>(dependencies, company, claim));
  const earlier = orThrow(await find());
  if (earlier !== undefined) return repeat(ctx, earlier);
  const bind: Bind<Value> =
    claim === undefined
      ? unbound
      : (unit, value) => bindAnswer(dependencies, company, claim, { unit, answer: present(value) });
  const result = await run(bind, claim);
  if (result.ok) return send(ctx, present(result.value));
  // The unit is also refused if a request with the same key was faster.
  const faster = await find();
  if (faster.ok && faster.value !== undefined) return repeat(ctx, faster.value);
  return orThrow(!faster.ok && faster.code === 'IDEMPOTENCY_KEY_REUSED' ? faster : result);
}

function repeat<Body>(ctx: Context, answer: StoredAnswer<Body>): Body {
  const body = send(ctx, { ...answer, status: 200 });
  noteReplay(ctx);
  return body;
}

/** Counts a repeated answer, and says that it is one. */
export function noteReplay({ services, reply }: Context): void {
  services.metrics.count('idempotent_replays', []);
  reply.headers['idempotency-replayed'] = 'true';
}

function send<Body>({ reply }: Context, { status, headers, body }: StoredAnswer<Body>): Body {
  reply.status = status;
  Object.assign(reply.headers, headers);
  return body;
}
