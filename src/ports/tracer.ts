/*
 * Spans of the service's own work, for traces. Both runtimes trace requests and calls by themselves; these show what happens between.
 * Off unless an entry calls `traceWith`. Like log lines, spans never contain bodies, tokens, codes, phone numbers or addresses.
 */

/** A group commit, a command in the lane of its shipment, a route for a price, and one request to a webhook endpoint. */
export type SpanName = 'commit group' | 'lane command' | 'route' | 'webhook attempt';

export interface Span {
  set(name: string, value: string | number): void;
}

/** Runs the work in a span that ends with it. The span is the parent of those that the work makes. */
export type Tracer = <Value>(name: SpanName, work: (span: Span) => Promise<Value>) => Promise<Value>;

let tracer: Tracer | undefined;

/** Sets the tracer of this process or isolate. */
export function traceWith(own: Tracer): void {
  tracer = own;
}

const NO_SPAN: Span = { set: () => undefined };

/** Runs the work, in a span if traces are on. */
export function traced<Value>(name: SpanName, work: (span: Span) => Promise<Value>): Promise<Value> {
  return tracer === undefined ? work(NO_SPAN) : tracer(name, work);
}
