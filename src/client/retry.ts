import { type Operation, type OperationResultEnvelope, TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { type Repeatability, sendUntilDone } from './attempts.ts';
import { Failure, type FailureFacts } from './failure.ts';
import { idempotencyKeyOf, withKey } from './idempotency-key.ts';
import { MirsalError } from './mirsal-error.ts';
import { isRecord } from './problem.ts';
import { resolvedAfter } from './resolve.ts';
import { isOneVersion, type RetryRules } from './retry-rules.ts';
import type { MirsalRouter } from './router.ts';

type Envelope = OperationResultEnvelope<unknown, TRPCClientError<MirsalRouter>>;

/** Adds a missing idempotency key and retries the call as its failures allow. It ends with its result or a `MirsalError`. */
export function retryLink(rules: RetryRules): TRPCLink<MirsalRouter> {
  return () =>
    ({ op: given, next }) =>
      observable((observer) => {
        const send = (op: Operation) =>
          new Promise<Envelope>((resolve, reject) => {
            next(op).subscribe({ next: resolve, error: reject });
          });
        const run = async () => {
          const op = withKey(given, rules.host);
          const end = await call(rules, op, send);
          observer.next(end);
          observer.complete();
        };
        const fail = (error: unknown) =>
          error instanceof MirsalError
            ? error
            : new MirsalError({ facts: factsOf(error), attempts: 0, outcome: 'none' });
        run().catch((error: unknown) => observer.error(fail(error)));
      });
}

/** Rejects with a `MirsalError`. */
async function call(rules: RetryRules, op: Operation, send: (op: Operation) => Promise<Envelope>): Promise<Envelope> {
  const signal = op.signal ?? undefined;
  const repeatability = repeatabilityOf(op);
  const end = await sendUntilDone(rules, {
    call: repeatability,
    signal,
    send: (both) => send({ ...op, signal: both }),
    factsOf,
  });
  if ('answer' in end) return end.answer;
  const resolution = await resolvedAfter(end, op, async (path, input) => {
    const { result } = await send({ ...op, type: 'query', path, input, signal: end.signal });
    return result.type === 'data' ? result.data : undefined;
  });
  if (typeof resolution === 'object') return { result: { type: 'data', data: resolution.answer } };
  throw new MirsalError({ ...end, outcome: resolution ?? end.outcome, idempotencyKey: idempotencyKeyOf(op.input) });
}

function repeatabilityOf({ type, input }: Operation): Repeatability {
  return {
    isRead: type === 'query',
    isKeyed: idempotencyKeyOf(input) !== undefined,
    isOfOneVersion: isRecord(input) && isOneVersion(input['ifMatch']),
  };
}

function factsOf(error: unknown): FailureFacts {
  const cause = error instanceof TRPCClientError ? error.cause : error;
  if (cause instanceof Failure) return cause.facts;
  const message = error instanceof Error ? error.message : 'The call could not be sent';
  return { stage: 'call', code: 'CLIENT_FAILURE', message, mayHaveActed: false, cause: cause ?? error };
}
