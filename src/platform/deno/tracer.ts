import { SpanStatusCode, trace } from '@opentelemetry/api';
import { type Tracer, traceWith } from '../../ports/tracer.ts';

/** Turns traces on if Deno records any. */
export function traceOnDeno(variables: Readonly<Record<string, string>>): void {
  if (variables['OTEL_DENO'] === 'true') traceWith(denoTracer);
}

/**
 * Spans by Deno's own OpenTelemetry, which exports them with those of `Deno.serve` and `fetch`. It is on with `OTEL_DENO=true`, and
 * continues the trace of a request's `traceparent`.
 */
const denoTracer: Tracer = (name, work) =>
  trace.getTracer('mirsal').startActiveSpan(name, async (span) => {
    try {
      return await work({ set: (key, value) => void span.setAttribute(key, value) });
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
