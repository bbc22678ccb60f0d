import { initTRPC, TRPCError } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import { authenticate } from '../src/access/authenticate.ts';
import type { DriverPrincipal } from '../src/access/driver-token.ts';
import {
  type AnyPerson,
  type AuditActor,
  type Client,
  type Operator,
  type Principal,
} from '../src/access/principal.ts';
import {
  type CompanyScope,
  MEMBER,
  type OperatorProof,
  type PersonDemands,
  requireAnyCompany,
  requireCompany,
  requireCompanyOf,
  requireOperator,
  requireOperatorPerson,
  scopeWithActor,
} from '../src/access/require.ts';
import { authenticatePerson, hasSessionCredential } from '../src/access/session-token.ts';
import { OPERATIONS } from '../src/contract/audit.ts';
import { type Scope } from '../src/contract/scope.ts';
import type { Deployment } from '../src/core/deployment.ts';
import { Kept } from '../src/core/kept.ts';
import { SEEN_SECONDS } from '../src/core/limits.ts';
import { networkOf } from '../src/core/network-address.ts';
import { part } from '../src/core/part.ts';
import { orThrow, Problem } from '../src/core/problem.ts';
import { PROBLEM_STATUSES, type ProblemCode } from '../src/core/problem-code.ts';
import { type Refusal, refuse } from '../src/core/result.ts';
import type { Uuid } from '../src/core/uuid.ts';
import { companyStore, realClock } from '../src/domain/clocks/company-clock.ts';
import type { Budget } from '../src/ports/limiter.ts';
import { logError } from '../src/ports/log.ts';
import {
  authenticateDependencies,
  currentShardOf,
  driverOf,
  type Store,
  sessionDependencies,
} from '../src/service/services.ts';
import type { Context, RequestFacts } from './context.ts';

/** The metadata of a procedure: its REST path, its authentication and its own problems. */
export interface Meta extends OpenApiMeta {
  readonly scope?: Scope;
  /** The kind of token, if it is not that of a merchant's system or an operator's program. */
  readonly security?: 'upload' | 'driver' | 'recipient' | 'session' | 'none';
  /** Also accepts a person's session, of any role. */
  readonly alsoSession?: true;
  /** The requirements for a person besides a session. */
  readonly demands?: PersonDemands;
  /** The deployments that offer it; all by default. */
  readonly deployments?: readonly Deployment[];
  /** Whether REST answers 304 if If-None-Match contains the current entity tag. */
  readonly isConditional?: boolean;
  /** Whether the last segment of the path is a secret that must not be logged. */
  readonly endsInSecret?: boolean;
  /** Success statuses other than 200; the first is the usual one. */
  readonly successStatuses?: readonly number[];
  /** The limit of its JSON body, if it is not the usual one. */
  readonly bodyBytesMax?: number;
  /** Problem codes of this operation, besides those of every operation. */
  readonly problems?: readonly ProblemCode[];
}

const trpc = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    // Otherwise tRPC sends stack traces to callers on runtimes without NODE_ENV.
    isDev: false,
    errorFormatter({ shape, error, ctx }) {
      const refusal = refusalOfError(error);
      if (refusal.code === 'INTERNAL_ERROR')
        logError({ requestId: ctx?.facts.requestId, error: describe(error.cause ?? error) });
      return { ...shape, message: refusal.code, data: { ...shape.data, problem: ctx?.problemOf?.(refusal) } };
    },
  });

export const router = trpc.router;

/** Gives a `Problem` the tRPC code of its status, so that REST and tRPC answer alike, and notes the call for the request log. */
export const procedure = trpc.procedure.use(async ({ ctx, path, type, batchIndex, getRawInput, next }) => {
  const { inputOf, log } = ctx;
  const { calls } = log;
  const startedAtMs = calls === undefined ? 0 : ctx.services.monotonicMs();
  let input: unknown;
  const readInput = async () => {
    input = await (inputOf === undefined ? getRawInput() : inputOf(batchIndex));
    return input;
  };
  const isAsCalled = calls === undefined && inputOf === undefined;
  const result = isAsCalled ? await next() : await next({ getRawInput: readInput });
  calls?.push({
    operation: path,
    input,
    output: result.ok ? result.data : undefined,
    refusal: result.ok ? undefined : refusalOfError(result.error),
    isRead: type === 'query',
    durationMs: ctx.services.monotonicMs() - startedAtMs,
  });
  if (!result.ok && result.error.cause instanceof Problem) throw toTrpcError(result.error.cause);
  return result;
});

/** A procedure without authentication. */
export const publicProcedure = procedure.meta({ security: 'none' });

/** A procedure without authentication, with a rate limit per network address. Unknown addresses share one limit. */
export function publicProcedureWithin(budget: Budget) {
  return publicProcedure.use(async ({ ctx, next }) => {
    await takeAllowance(ctx, budget, networkOf(ctx.facts.address ?? 'unknown'));
    return next();
  });
}

/**
 * A procedure of a merchant's system. It checks token, scope and rate limit before it reads the input. Over tRPC it
 * also accepts the session of a person who meets `people`, because the console uses the same procedures, and so does the
 * API reference over REST.
 */
export function merchantProcedure(scope: Scope, budget: Budget, people: PersonDemands) {
  return procedure.meta({ scope }).use(async ({ ctx, next }) => {
    if (ctx.face === 'trpc' || isTrial(ctx)) return next({ ctx: await enterCompany(ctx, { scope, budget, people }) });
    const principal = await clientOf(ctx);
    const entered = await enter(ctx, budget, { principal, company: requireCompany(principal, scope) });
    return next({ ctx: entered });
  });
}

/** Deployments with sandboxes. */
const SANDBOXES: readonly Deployment[] = ['local', 'sandbox'];

/**
 * Whether a page of this service sends the request with the session cookie, as the API reference does. Browsers set
 * Sec-Fetch-Site themselves, so pages of other sites cannot send this value. Production has no such requests.
 */
function isTrial({ services, facts }: Context): boolean {
  if (facts.authorization !== null || !SANDBOXES.includes(services.config.deployment)) return false;
  return facts.fetchSite === 'same-origin' && hasSessionCredential(facts);
}

/**
 * A procedure of a company. It accepts a token of its system with `scope`, or a session of a person who meets `people`.
 */
export function companyProcedure(scope: Scope, budget: Budget, people: PersonDemands) {
  return procedure
    .meta({ scope, alsoSession: true })
    .use(async ({ ctx, next }) => next({ ctx: await enterCompany(ctx, { scope, budget, people }) }));
}

/**
 * A procedure of a merchant's sandbox. It accepts a token with `scope` (any scope by default), or a session of a person
 * who meets `people`. Production does not have it.
 */
export function sandboxProcedure(budget: Budget, people: PersonDemands, scope?: Scope) {
  return procedure
    .meta({ deployments: SANDBOXES, alsoSession: true, ...(scope === undefined ? {} : { scope }) })
    .use(async ({ ctx, next }) => {
      if (!SANDBOXES.includes(ctx.services.config.deployment)) throw new Problem(refuse('ROUTE_NOT_FOUND'));
      return next({ ctx: await enterCompany(ctx, { scope, budget, people }) });
    });
}

/** The requirements of a procedure for a company's clients and people. */
interface Admission {
  /** Undefined for any scope. */
  readonly scope: Scope | undefined;
  readonly people: PersonDemands;
  readonly budget: Budget;
}

async function enterCompany(ctx: Context, { scope, people, budget }: Admission) {
  if (hasSessionCredential(ctx.facts)) return enterAsPerson(ctx, budget, people);
  const principal = await clientOf(ctx);
  const company = scope === undefined ? requireAnyCompany(principal) : requireCompany(principal, scope);
  return enter(ctx, budget, { principal, company });
}

/** The client of the token. The request log has also the requests that its scopes do not allow. */
async function clientOf({ services, facts, log }: Context): Promise<Client> {
  const client = await authenticate(authenticateDependencies(services, facts), facts.authorization);
  if (client.kind === 'company') {
    log.companyId = client.companyId;
    log.clientId = client.clientId;
  }
  return client;
}

/** Session, role and second factor are checked in this order. */
async function enterAsPerson(ctx: Context, budget: Budget, people: PersonDemands) {
  return enterAs(await personOf(ctx), ctx, { budget, people });
}

function personOf(ctx: Context, suspended?: 'admitted'): Promise<AnyPerson> {
  return authenticatePerson(sessionDependencies(ctx.services, ctx, suspended), ctx.facts);
}

async function enterAs(person: AnyPerson, ctx: Context, { budget, people }: Omit<Admission, 'scope'>) {
  const { services, facts } = ctx;
  if (person.kind === 'person') ctx.log.companyId = person.companyId;
  const company = requireCompanyOf(person, people, services.clock.now());
  const actor: AuditActor = { personId: person.personId, clientId: null, ...whereOf(facts) };
  const entered = await enter(ctx, budget, { principal: person, company: scopeWithActor(company, actor) });
  return { ...entered, person, actor };
}

/** Counts the call and finds the company's current shard. */
async function enter(
  ctx: Context,
  budget: Budget,
  { principal, company }: { readonly principal: Principal; readonly company: CompanyScope },
) {
  ctx.enterCompany(company.companyId);
  await takeAllowance(ctx, budget, identityOf(principal));
  return enterCurrentShard(ctx, company);
}

/** Finds a company's current shard and its clock. The request first counts for the shard in the token, then for the current one. */
export async function enterCurrentShard(
  { services, enterShard, reply }: Pick<Context, 'services' | 'enterShard' | 'reply'>,
  named: CompanyScope,
) {
  enterShard(named.shard);
  const { company, store } = orThrow(await currentShardOf(services, named));
  if (company.shard !== named.shard) enterShard(company.shard, named.shard);
  const clock = orThrow(await services.clockBook.clockOf(store.database, company.companyId));
  if (services.config.deployment !== 'production') reply.sandboxClock = clock;
  return { company, store: companyStore(store, clock) };
}

/** A procedure of a signed-in person of a merchant who meets `demands`. */
export function personProcedure(budget: Budget, demands: PersonDemands) {
  return procedure
    .meta({ security: 'session', demands })
    .use(async ({ ctx, next }) => next({ ctx: await enterAsPerson(ctx, budget, demands) }));
}

/**
 * A procedure of everybody who has signed in. An operator has no company, and need not have proved the second factor yet.
 * People of suspended companies are admitted only where a call does nothing but take rights away.
 */
export function signedInProcedure(budget: Budget, suspended?: 'admitted') {
  return procedure.meta({ security: 'session', demands: MEMBER }).use(async ({ ctx, next }) => {
    const person = await personOf(ctx, suspended);
    if (person.kind === 'person') return next({ ctx: await enterAs(person, ctx, { budget, people: MEMBER }) });
    await takeAllowance(ctx, budget, person.personId);
    return next({ ctx: { person, actor: operatorActor(person, ctx.facts), company: undefined } });
  });
}

/** The parts of a request that the audit stores. */
export function whereOf({ address, requestId }: RequestFacts): Pick<AuditActor, 'address' | 'requestId'> {
  return { address: address ?? null, requestId };
}

/** A procedure of a signed-in driver. */
export function driverProcedure(budget: Budget) {
  return procedure.meta({ security: 'driver' }).use(async ({ ctx, next }) => {
    const { driver, store } = await driverOf({ ...ctx.services, enterShard: ctx.enterShard }, ctx.facts);
    await takeAllowance(ctx, budget, driver.driverId);
    noteDriver(ctx, store, driver);
    return next({ ctx: { driver, store: await driverStore(ctx, store, driver) } });
  });
}

const silencePart = part(() => import('../src/domain/drivers/silence.ts'));
const SEEN_MAX = 20_000;
const seen = new WeakMap<Context['services'], Kept<Uuid, true>>();

/** Writes now and then that the driver is there, so that the sweep finds the silent ones. */
function noteDriver({ services, later }: Context, store: Store, { driverId, companyId }: DriverPrincipal): void {
  if (services.waits.silenceSeconds === null || companyId !== null) return;
  const noted =
    seen.get(services) ??
    new Kept<Uuid, true>({ entriesMax: SEEN_MAX, keptMs: SEEN_SECONDS * 1000, nowMs: services.monotonicMs });
  seen.set(services, noted);
  if (noted.get(driverId) !== undefined) return;
  noted.set(driverId, true);
  const { writer } = store;
  later(silencePart().then(({ noteSeen }) => noteSeen({ writer, clock: services.clock }, driverId)));
}

/** A sandbox's driver has the time of the company. Only these drivers carry for a company with its own time. */
async function driverStore({ services, reply }: Context, store: Store, { companyId }: DriverPrincipal) {
  if (companyId === null) return companyStore(store, realClock(services.clock));
  const clock = orThrow(await services.clockBook.clockOf(store.database, companyId));
  if (services.config.deployment !== 'production') reply.sandboxClock = clock;
  return companyStore(store, clock);
}

/** A procedure of operators: for a program's token, or the session of an operator whose second factor meets `proof`. */
export function operatorProcedure(budget: Budget, proof: OperatorProof = 'in-session') {
  return procedure.meta({ scope: 'operations' }).use(async ({ ctx, next }) => {
    const operator = await operatorOf(ctx, proof);
    await takeAllowance(ctx, budget, identityOf(operator));
    return next({ ctx: { operator, actor: operatorActor(operator, ctx.facts) } });
  });
}

/**
 * A procedure of operators in person whose second factor was proved recently: for what a program must not do, so that a
 * stolen secret cannot make others.
 */
export function operatorPersonProcedure(budget: Budget) {
  return procedure.meta({ security: 'session' }).use(async ({ ctx, next }) => {
    const operator = requireOperatorPerson(await personOf(ctx), 'recently', ctx.services.clock.now());
    await takeAllowance(ctx, budget, operator.personId);
    return next({ ctx: { operator, actor: operatorActor(operator, ctx.facts) } });
  });
}

async function operatorOf(ctx: Context, proof: OperatorProof): Promise<Operator> {
  const { services, facts } = ctx;
  if (hasSessionCredential(facts)) return requireOperatorPerson(await personOf(ctx), proof, services.clock.now());
  return requireOperator(await authenticate(authenticateDependencies(services, facts), facts.authorization));
}

function operatorActor(operator: Operator, facts: RequestFacts): AuditActor {
  const who =
    operator.kind === 'operator'
      ? { personId: null, clientId: operator.clientId }
      : { personId: operator.personId, clientId: OPERATIONS };
  return { ...who, ...whereOf(facts) };
}

/** Whose uses a rate limit counts. */
function identityOf(principal: Principal): string {
  return 'personId' in principal ? principal.personId : principal.clientId;
}

/** Counts one use; 429 above the rate limit. */
export async function takeAllowance(ctx: Context, budget: Budget, identity: string): Promise<void> {
  const taken = await ctx.services.limiter.take(budget, identity);
  // Several people can share a network address, and must not learn of each other.
  if (budget !== 'tracking') ctx.reply.rateLimit = { budget, left: taken.left };
  if (taken.ok) return;
  throw new Problem(refuse('RATE_LIMITED', { retryAfterSeconds: taken.retryAfterSeconds }));
}

/**
 * The refusal for a thrown value. An error that is neither a `Problem` nor tRPC's is a bug, and its refusal reveals
 * nothing.
 */
export function refusalOfError(error: unknown): Refusal {
  if (error instanceof Problem) return error.refusal;
  if (!(error instanceof TRPCError)) return refuse('INTERNAL_ERROR');
  if (error.cause instanceof Problem) return error.cause.refusal;
  return refuse(TRPC_FAULTS[error.code] ?? 'INTERNAL_ERROR');
}

/** Faults that tRPC finds before a procedure runs. */
const TRPC_FAULTS: Partial<Record<TRPCError['code'], ProblemCode>> = {
  PARSE_ERROR: 'MALFORMED_JSON',
  BAD_REQUEST: 'MALFORMED_JSON',
  NOT_FOUND: 'ROUTE_NOT_FOUND',
  METHOD_NOT_SUPPORTED: 'METHOD_NOT_ALLOWED',
  UNSUPPORTED_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  PAYLOAD_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
};

const TRPC_CODES: Readonly<Record<number, TRPCError['code']>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  408: 'TIMEOUT',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  428: 'PRECONDITION_REQUIRED',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
};

export function toTrpcError(problem: Problem): TRPCError {
  const code = TRPC_CODES[PROBLEM_STATUSES[problem.refusal.code]] ?? 'INTERNAL_SERVER_ERROR';
  return new TRPCError({ code, message: problem.refusal.code, cause: problem });
}

/** An error for the log. Error messages of this service never contain data of a request. */
export function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
