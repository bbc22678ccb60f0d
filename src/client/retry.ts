import { type Operation, type OperationResultEnvelope, TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { Failure, type FailureFacts } from './failure.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { type FailedCall, MirsalError } from './mirsal-error.ts';
import { isRecord } from './problem.ts';
import { abortedAfter, isOneVersion, type RetryRules, waitBeforeRetry } from './retry-rules.ts';
import type { MirsalRouter } from './router.ts';

type Envelope = OperationResultEnvelope<unknown, TRPCClientError<MirsalRouter>>;

/** Retries each call as its failures allow. The call ends with its result or a `MirsalError`. */
export function retryLink(rules: RetryRules): TRPCLink<MirsalRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const send = () =>
          new Promise<Envelope>((resolve, reject) => {
            next(op).subscribe({ next: resolve, error: reject });
          });
        const finish = (end: Envelope | MirsalError) => {
          if (end instanceof MirsalError) return observer.error(end);
          observer.next(end);
          observer.complete();
        };
        // Only an error in the host functions reaches this line. The call must still end.
        const fail = (error: unknown) => finish(new MirsalError(factsOf(error), endOf(op, 0)));
        void sendUntilDone(rules, op, send).then(finish, fail);
      });
}

async function sendUntilDone(
  rules: RetryRules,
  op: Operation,
  send: () => Promise<Envelope>,
): Promise<Envelope | MirsalError> {
  const signal = op.signal ?? undefined;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await send();
    } catch (error) {
      const facts = factsOf(error);
      const waitMs = waitBeforeRetry(rules, { facts, attempts, isRepeatable: isRepeatable(op) });
      if (waitMs !== undefined) await rules.host.sleep(waitMs, signal);
      if (signal?.aborted === true) return new MirsalError(abortedAfter(facts, signal), endOf(op, attempts));
      if (waitMs === undefined) return new MirsalError(facts, endOf(op, attempts));
    }
  }
}

function isRepeatable({ type, input }: Operation): boolean {
  if (type === 'query') return true;
  if (idempotencyKeyOf(input) !== undefined) return true;
  return isRecord(input) && isOneVersion(input['ifMatch']);
}

function endOf({ input }: Operation, attempts: number): FailedCall {
  return { attempts, idempotencyKey: idempotencyKeyOf(input) };
}

function factsOf(error: unknown): FailureFacts {
  const cause = error instanceof TRPCClientError ? error.cause : error;
  if (cause instanceof Failure) return cause.facts;
  const message = error instanceof Error ? error.message : 'The call could not be sent';
  return { stage: 'call', code: 'CLIENT_FAILURE', message, cause: cause ?? error };
}
