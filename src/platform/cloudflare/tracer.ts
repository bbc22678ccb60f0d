import { tracing } from 'cloudflare:workers';
import type { Tracer } from '../../ports/tracer.ts';

/** Spans of Workers' own tracing. They are recorded if the Worker has `observability.traces`, in the platform's trace of the request. */
export const cloudflareTracer: Tracer = (name, work) =>
  tracing.enterSpan(name, (span) => work({ set: (key, value) => void span.setAttribute(key, value) }));
