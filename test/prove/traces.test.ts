import { createServer } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { shipmentBody } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';

/** What a trace shows of the service's own work, and that a creation is answered alike with traces. */

interface SentSpan {
  readonly traceId: string;
  readonly name: string;
  readonly attributes?: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}
interface Sent {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[] }[];
}

/** A receiver of OTLP over HTTP in JSON. */
const spans: SentSpan[] = [];
const receiver = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    if (request.url === '/v1/traces') {
      const sent = JSON.parse(Buffer.concat(parts).toString()) as Sent;
      for (const { scopeSpans } of sent.resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
}).listen(0, '127.0.0.1');
await new Promise((resolve) => receiver.once('listening', resolve));
const address = receiver.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;
afterAll(() => receiver.close());

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const VARIABLES = {
  deno: {
    OTEL_DENO: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  },
  // Whether the platform keeps the spans is a setting of the Worker; here their calls must change nothing.
  worker: { TRACES: 'on' },
} as const;

describe.each(['deno', 'worker'] as const)('with traces on %s', (runtime) => {
  it('a creation, a command and their commits are spans of the caller’s trace, without personal data', async () => {
    const environment = await startEnvironment(runtime, VARIABLES[runtime]);
    try {
      const merchant = await merchantOf(environment, environment.companies[0]);
      const headers = { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` };
      const made = await merchant.postShipment(shipmentBody(merchant.company), headers);
      expect(made.status).toBe(201);
      const { shipmentId } = (await made.json()) as { shipmentId: string };
      const path = `/v2/external/shipments/${shipmentId}/cancellations`;
      const cancelled = await merchant.post(path, { reasonCode: 'DUPLICATE' }, { ...headers, 'if-match': '*' });
      expect(cancelled.status).toBe(200);
      if (runtime === 'worker') return;
      const names = await until('the spans of the trace have arrived', () => {
        const own = spans.filter(({ traceId }) => traceId === TRACE_ID).map(({ name }) => name);
        return ['route', 'commit group', 'lane command'].every((name) => own.includes(name)) ? own : undefined;
      });
      expect(names.length).toBeGreaterThan(3);
      const told = spans.filter(({ name }) => ['route', 'commit group', 'lane command'].includes(name));
      expect([...new Set(told.flatMap(({ attributes = [] }) => attributes.map(({ key }) => key)))].toSorted()).toEqual([
        'command',
        'engine',
        'units',
      ]);
    } finally {
      await environment.stop();
    }
  });
});
