import { formatInstant } from '../src/core/instant.ts';
import { problemBody } from '../src/core/problem-body.ts';
import type { Refusal } from '../src/core/result.ts';
import type { Context } from './context.ts';

/** The body of a problem that a caller is told, and counted as such. */
export function tellProblem(refusal: Refusal, context: ProblemContext): Record<string, unknown> {
  context.services.metrics.count('problems', [refusal.code]);
  return problemBody(refusal, problemFacts(context));
}

type ProblemContext = Pick<Context, 'services' | 'facts'>;

/** What a problem body says of its request. */
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
