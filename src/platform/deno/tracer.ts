import { SpanStatusCode, trace } from '@opentelemetry/api';
import type { Tracer } from '../../ports/tracer.ts';

/**
 * Spans by Deno's own OpenTelemetry, which exports them with those of `Deno.serve` and `fetch`. It is on with `OTEL_DENO=true`, and
 * continues the trace of a request's `traceparent`.
 */
export const denoTracer: Tracer = (name, work) =>
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
