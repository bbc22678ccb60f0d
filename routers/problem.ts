import { formatInstant } from '../src/core/instant.ts';
import { problemBody } from '../src/core/problem-body.ts';
import type { Refusal } from '../src/core/result.ts';
import type { Context } from './context.ts';

/** Builds the body of a problem response and counts the problem. */
export function buildProblem(refusal: Refusal, context: ProblemContext): Record<string, unknown> {
  context.services.metrics.count('problems', [refusal.code]);
  return problemBody(refusal, problemFacts(context));
}

type ProblemContext = Pick<Context, 'services' | 'facts'>;

/** The facts of a request for its problem body. */
function problemFacts({ services, facts }: ProblemContext) {
  return {
    baseUrl: services.config.baseUrl,
    instance: facts.path,
    timestamp: formatInstant(services.clock.now()),
    requestId: facts.requestId,
    correlationId: facts.correlationId,
    traceId: facts.traceId,
    locale: facts.locale,
  };
}
