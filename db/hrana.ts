import { part } from '../src/core/part.ts';
import type { SqlValue } from './statement.ts';
import { NONE_KEPT, ONCE, type Stream, type StreamPool } from './streams.ts';

/*
 * The part of Hrana 3 over HTTP that this service uses: one batch, its answer and a deadline. libSQL defines the protocol
 * (github.com/tursodatabase/libsql, docs/HRANA_3_SPEC.md).
 */

const causes = part(() => import('../src/core/error-cause.ts'));

/** How to reach a libSQL server. */
export interface Connection {
  readonly url: string;
  readonly authToken: string | undefined;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Reports why a batch got no usable answer: a text for the log, and its kind. The text has no data of the batch. */
  readonly report: (failure: string, kind: DatabaseFailure) => void;
}

/**
 * - `overloaded`, `http_status`: the server answered 429, or another non-2xx status.
 * - `timeout`: no answer in time. `network`: the connection was refused or closed.
 * - `not_understood`: the answer does not follow this protocol.
 * - `statement`: the batch was answered, but a read in it failed, or a write failed for a reason that no rule knows.
 * - `wrong_database`: another database answered, and nothing was written to it or used of it.
 * - `no_place`: the batch was not sent, because too many reads were in progress.
 */
export const DATABASE_FAILURES = [
  'overloaded',
  'http_status',
  'timeout',
  'network',
  'not_understood',
  'statement',
  'wrong_database',
  'no_place',
] as const;
export type DatabaseFailure = (typeof DATABASE_FAILURES)[number];

export interface BatchStep {
  readonly condition?: Condition;
  readonly stmt: { readonly sql: string; readonly args: readonly HranaValue[]; readonly want_rows: boolean };
}

export type Condition =
  | { readonly type: 'ok'; readonly step: number }
  | { readonly type: 'not'; readonly cond: Condition }
  | { readonly type: 'and'; readonly conds: readonly Condition[] }
  | { readonly type: 'is_autocommit' };

export const isOk = (step: number): Condition => ({ type: 'ok', step });
export const not = (cond: Condition): Condition => ({ type: 'not', cond });
export const allOf = (...conds: Condition[]): Condition => ({ type: 'and', conds });
export const IN_TRANSACTION = not({ type: 'is_autocommit' });
/** The step before succeeded and the transaction is still open: without one, each statement would commit by itself. */
export const inTransactionAfter = (step: number): Condition => allOf(isOk(step), IN_TRANSACTION);

type HranaValue =
  | { readonly type: 'null' }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'integer'; readonly value: string }
  | { readonly type: 'float'; readonly value: number };

/** A step of a batch. Integers are sent as text, because a JSON number would lose digits of 64 bits. */
export function stepOf(sql: string, args: readonly SqlValue[], wantRows: boolean, condition?: Condition): BatchStep {
  const stmt = { sql, args: args.map(toHrana), want_rows: wantRows };
  return condition === undefined ? { stmt } : { stmt, condition };
}

function toHrana(value: SqlValue): HranaValue {
  if (value === null) return { type: 'null' };
  if (typeof value === 'string') return { type: 'text', value };
  return { type: 'integer', value: value.toString() };
}

export interface StepError {
  readonly message: string;
  readonly code?: string | null;
}
export interface StepResult {
  readonly rows: readonly (readonly HranaValue[])[];
}

/**
 * - `answered`: a result or an error for each step; both are null for a step whose condition did not hold.
 * - `overloaded`: the server ran nothing (429).
 * - `too_large`: the batch ran, but its rows exceed the server's response limit.
 * - `failed`: no usable answer in time. The batch may have run, or may still run.
 */
export type BatchReply =
  | {
      readonly status: 'answered';
      readonly results: readonly (StepResult | null)[];
      readonly errors: readonly (StepError | null)[];
    }
  | { readonly status: 'overloaded' }
  | { readonly status: 'too_large' }
  | { readonly status: 'failed' };

/** Sends one batch. The HTTP status is 200 even if steps fail, so the caller checks every step. Never rejects. */
export async function sendBatch(
  connection: Connection,
  steps: readonly BatchStep[],
  timeoutMs: number,
  streams: StreamPool = NONE_KEPT,
): Promise<BatchReply> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const stream = streams.take();
    let response = await post(connection, steps, { stream, signal });
    // The server that had the stream may be gone, and another one says so in its own way: sqld by 400, Turso's also by 404.
    if (!response.ok && response.status !== TOO_MANY && stream.baton !== null) {
      streams.forget(stream);
      await response.body?.cancel();
      response = await post(connection, steps, { stream: ONCE, signal });
    }
    if (response.ok) {
      const body: unknown = await response.json();
      settle(streams, stream, body);
      const reply = parseReply(body, steps.length);
      if (reply.status === 'failed') connection.report(faultOf(body), 'not_understood');
      return reply;
    }
    await response.body?.cancel();
    const isOverloaded = response.status === TOO_MANY;
    if (isOverloaded) {
      streams.drop(stream);
      streams.pause();
    }
    connection.report(`HTTP ${response.status}`, isOverloaded ? 'overloaded' : 'http_status');
    return { status: isOverloaded ? 'overloaded' : 'failed' };
  } catch (error) {
    // The connection was refused, closed or timed out. The batch may have run.
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    const cause = await causes().then(
      ({ causeOf }) => causeOf(error),
      () => 'no answer',
    );
    connection.report(cause, isTimeout ? 'timeout' : 'network');
    return { status: 'failed' };
  }
}

/** The server has no free connection, and ran nothing. */
const TOO_MANY = 429;

function post(
  { url, authToken, fetch }: Connection,
  steps: readonly BatchStep[],
  { stream, signal }: { readonly stream: Stream; readonly signal: AbortSignal },
): Promise<Response> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (authToken !== undefined) headers['authorization'] = `Bearer ${authToken}`;
  const last = { type: stream.isKept ? 'get_autocommit' : 'close' };
  const body = JSON.stringify({ baton: stream.baton, requests: [{ type: 'batch', batch: { steps } }, last] });
  return fetch(`${url}/v3/pipeline`, { method: 'POST', headers, body, signal });
}

/** Keeps or drops the stream. One with an open transaction is not reused, but counts until the server closes it. */
function settle(streams: StreamPool, stream: Stream, body: unknown): void {
  const { baton, base_url, results } = (body as PipelineBody | null) ?? {};
  const isAtRest = results?.[1]?.response?.is_autocommit;
  if (typeof baton !== 'string') streams.drop(stream);
  else if (base_url != null || typeof isAtRest !== 'boolean') streams.stopKeeping();
  else if (isAtRest) streams.giveBack(stream, baton);
}

interface PipelineBody {
  readonly baton?: string | null;
  readonly base_url?: string | null;
  readonly results?: readonly {
    readonly type: string;
    readonly error?: StepError;
    readonly response?: {
      readonly is_autocommit?: boolean;
      readonly result?: { readonly step_results?: (StepResult | null)[]; readonly step_errors?: (StepError | null)[] };
    };
  }[];
}

function parseReply(body: unknown, stepCount: number): BatchReply {
  const batch = (body as PipelineBody | null)?.results?.[0];
  if (batch?.error?.code === 'RESPONSE_TOO_LARGE') return { status: 'too_large' };
  const results = batch?.response?.result?.step_results;
  const errors = batch?.response?.result?.step_errors;
  if (batch?.type !== 'ok' || results?.length !== stepCount || errors?.length !== stepCount)
    return { status: 'failed' };
  return { status: 'answered', results, errors };
}

/** Why the server rejected the whole batch, for example a statement that its parser does not know. That is a bug. */
function faultOf(body: unknown): string {
  const error = (body as PipelineBody | null)?.results?.[0]?.error;
  return error === undefined ? 'not an answer to a batch' : `no batch: ${error.message}`;
}

/** The values of a row: text, bigint for integers, null. */
export function valuesOf(row: readonly HranaValue[]): unknown[] {
  return row.map((cell) => {
    if (cell.type === 'integer') return BigInt(cell.value);
    return cell.type === 'null' ? null : cell.value;
  });
}
