import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { instantFromMillis } from '../../../src/core/instant.ts';
import { noMetrics } from '../../../src/providers/absent.ts';
import { resendEmail, unifonicSms } from '../../../src/providers/messages/carriers.ts';
import { ProviderReports } from '../../../src/providers/provider-reports.ts';
import { osrmRouting } from '../../../src/providers/routing/osrm.ts';
import { s3Documents } from '../../../src/providers/s3-documents.ts';
import { BUCKET_KEY } from '../../support/bucket.ts';
import { type ProviderServer, SHORT, startProvider } from '../../support/provider-server.ts';
import { JEDDAH, RIYADH } from '../../support/routing/place.ts';

/* What the log and `/ready` say of a provider that does not do its work. */

let server: ProviderServer;
let nowMs = 0;
let lines: string[] = [];
beforeEach(async () => {
  server = await startProvider();
  nowMs = 0;
  lines = [];
  vi.spyOn(console, 'error').mockImplementation((line) => lines.push(String(line)));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server.stop();
});

const SMS = { channel: 'SMS', recipient: '+966512345678', purpose: 'SIGN_IN', code: '493017' } as const;
const EMAIL = { channel: 'EMAIL', recipient: 'reem@example.com', purpose: 'SIGN_IN', code: '493017' } as const;
const ACCOUNT = { appSid: 'secret-sid', baseUrl: 'https://mirsal.example' };
const CLOCK = { now: () => instantFromMillis(Date.UTC(2026, 10, 21)) };

function open(url = server.url) {
  const providerReports = new ProviderReports(() => nowMs);
  const platform = {
    fetch: (address: string, init: RequestInit) => fetch(address, init),
    monotonicMs: () => nowMs,
    metrics: noMetrics,
    providerReports,
  };
  return {
    reports: providerReports,
    sms: () => unifonicSms({ ...ACCOUNT, url }, platform).send(SMS),
    email: () =>
      resendEmail({ ...ACCOUNT, apiKey: 're_secret', from: 'Mirsal <a@b.example>', url }, platform).send(EMAIL),
    route: () => osrmRouting(`${url}/route/v1`, platform, { ...SHORT, answerBytesMax: 9999 }).findRoute(RIYADH, JEDDAH),
    read: () => s3Documents({ ...BUCKET_KEY, url: `${url}/mirsal` }, { ...platform, clock: CLOCK }).read('key1'),
  };
}

test.each([
  ['sms', 401, '{"success":false,"errorCode":"ER-01","message":"966512345678"}', 'failed', 'HTTP 401 ER-01'],
  ['sms', 200, '{"success":false,"errorCode":"ER-482"}', 'refused', 'HTTP 200 ER-482'],
  [
    'email',
    403,
    '{"name":"invalid_from_address","message":"reem@example.com"}',
    'failed',
    'HTTP 403 invalid_from_address',
  ],
  ['email', 422, '{"name":"0512345678"}', 'refused', 'HTTP 422'],
  // What OSRM answers if ROUTING_URL ends with `/route/v1`.
  ['routing', 400, '{"code":"InvalidQuery","message":"46.7,24.7"}', 'refused', 'HTTP 400 InvalidQuery'],
  ['routing', 502, '<html>', 'failed', 'HTTP 502'],
  ['documents', 404, '<Error><Code>NoSuchBucket</Code></Error>', 'failed', 'HTTP 404 NoSuchBucket'],
  ['documents', 403, '<Error><Code>SignatureDoesNotMatch</Code></Error>', 'failed', 'HTTP 403 SignatureDoesNotMatch'],
] as const)('%s: HTTP %d with %s', async (provider, status, text, outcome, cause) => {
  server.answer = (response) => response.writeHead(status).end(text);
  const { reports, sms, email, route, read } = open();
  const call = { sms, email, routing: route, documents: read }[provider];
  expect(await call()).not.toBe(true);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', provider, outcome, status, cause }]);
  expect(lines.join('')).not.toMatch(/secret|512345678|reem|493017|24\.7/);
  nowMs = 3999;
  expect(reports.lastCalls()).toEqual({ [provider]: { outcome, status, secondsAgo: 3 } });
});

test('a provider has one line a minute, and /ready has the end of its last call', async () => {
  const { reports, sms } = open();
  server.answer = (response) => response.writeHead(401).end();
  for (let time = 0; time < 3; time += 1) await sms();
  nowMs = 59_999;
  await sms();
  expect(lines).toHaveLength(1);
  nowMs = 60_000;
  await sms();
  expect(lines).toHaveLength(2);
  server.answer = (response) => response.end('{"success":true}');
  await sms();
  expect(reports.lastCalls()).toEqual({ sms: { outcome: 'answered', secondsAgo: 0 } });
});

test('a provider that is not there is named with its cause, and without the address of the request', async () => {
  await server.stop();
  expect(await open(server.url).route()).toEqual({ ok: false, reason: 'unavailable' });
  expect(JSON.parse(lines.join(''))).toMatchObject({
    cause: expect.stringMatching(/^TypeError: fetch failed: .*ECONNREFUSED/),
  });
  server = await startProvider();
});
