import { formatInstant } from '../src/core/instant.ts';
import { part } from '../src/core/part.ts';
import type { Refusal } from '../src/core/result.ts';
import type { Context } from './context.ts';

const texts = part(() => import('../src/core/problem-body.ts'));

/** Builds the body of a problem response and counts the problem. */
export async function buildProblem(refusal: Refusal, context: ProblemContext): Promise<Record<string, unknown>> {
  const build = await problemBuilder(context);
  return build(refusal);
}

/** The same for code that cannot wait. */
export async function problemBuilder(context: ProblemContext): Promise<(refusal: Refusal) => Record<string, unknown>> {
  const { problemBody } = await texts();
  return (refusal) => {
    context.services.metrics.count('problems', [refusal.code]);
    return problemBody(refusal, problemFacts(context));
  };
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
