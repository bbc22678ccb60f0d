import { env, tracing } from 'cloudflare:workers';
import { type Tracer, traceWith } from '../../ports/tracer.ts';

/** Turns traces on, in the isolates of requests and of Durable Objects alike, if the Worker has the variable. */
export function traceOnCloudflare(): void {
  if (env['TRACES'] === 'on') traceWith(cloudflareTracer);
}

/** Spans of Workers' own tracing. They are recorded if the Worker has `observability.traces`, in the platform's trace of the request. */
const cloudflareTracer: Tracer = (name, work) =>
  tracing.enterSpan(name, (span) => work({ set: (key, value) => void span.setAttribute(key, value) }));
