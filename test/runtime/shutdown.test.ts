import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { type Mortal, makeMortal } from '../../scripts/shared/mortal-service.ts';
import { type MortalService, startDeno } from '../../scripts/shared/service.ts';
import { newKey, shipmentBody } from '../../scripts/shared/shipments.ts';
import { createLink } from '../../scripts/shared/tracking.ts';
import { until } from '../../scripts/shared/until.ts';
import { watch } from '../support/change-sockets.ts';
import { rawRequest, sendInParts } from '../support/raw-http.ts';

/* The Deno process gets SIGTERM while requests are running. */

let mortal: Mortal;
let service: MortalService;
let environment: OwnEnvironment;

beforeAll(async () => {
  mortal = await makeMortal('deno');
  environment = await startEnvironment('deno', {}, async (variables) => {
    service = await mortal.start(variables);
    return service;
  });
});
afterAll(async () => {
  await environment.stop();
  mortal.forget();
});

it('a body cut off by the shutdown is 503, not a client error, and nothing is stored; sockets are closed', async () => {
  const [company] = environment.companies;
  const merchant = await merchantOf(environment, company);
  const { token: link } = await createLink(merchant, (await merchant.create()).shipmentId);
  const socket = await watch(environment, link);
  const token = await environment.token(company);
  const body = shipmentBody(company);
  const text = JSON.stringify(body);
  const headers = [
    'Host: api.mirsal.test',
    'Content-Type: application/json',
    `Content-Length: ${text.length}`,
    `Authorization: Bearer ${token}`,
    `Idempotency-Key: ${newKey()}`,
  ];
  const begin = rawRequest(`POST ${SHIPMENTS} HTTP/1.1`, headers, text.slice(0, 40));
  const { promise: rest, resolve } = Promise.withResolvers<string>();
  const answered = sendInParts(environment.address, begin, rest);
  // The service is reading the body now.
  await delay(500);
  service.signal('SIGTERM');
  await until('nobody is let in', () =>
    environment.fetch('/health').then(
      () => undefined,
      () => true as const,
    ),
  );
  resolve(text.slice(40));

  // Otherwise the process would wait for them.
  expect(await socket.closed).toBe(1001);
  const answer = await answered;
  expect(answer.statuses).toEqual([503]);
  expect(answer.text).toMatch(/^retry-after: 2\r$/im);
  expect(answer.text).toContain('"code":"SERVICE_UNAVAILABLE"');
  const stored = 'select * from shipments where external_reference = ?';
  expect(await environment.sql(company.shard, stored, [String(body['externalReference'])])).toEqual([]);
});

it.each([
  ['half a head', 'POST /oauth/token HTTP/1.1\r\nHost: a\r\n'],
  ['half a body', `POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\ngrant`],
])('%s holds a stop for ten seconds at most', async (_what, begin) => {
  const deno = await startDeno(environment.variables);
  const { port, hostname } = new URL(deno.address);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(begin);
  await delay(500);
  const startedAtMs = performance.now();
  deno.signal('SIGTERM');
  expect(await deno.exited).toBe('code 0');
  expect(performance.now() - startedAtMs).toBeLessThan(11_000);
  socket.destroy();
});
