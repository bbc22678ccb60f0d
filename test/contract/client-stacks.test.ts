import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newKey, shipmentBody } from '../../scripts/shared/shipments.ts';
import { CLIENT_STACKS, type ClientStack } from '../../src/pages/guides/client-stacks.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/* The libraries of merchants' programs with their own headers, from a token to a shipment that is read, on both runtimes. */

const environment = sharedEnvironment();

describe.each(CLIENT_STACKS)('$name', (stack) => {
  it('gets a token, creates a shipment and reads it', async () => {
    const company = await addCompany(environment);
    const basic = `Basic ${Buffer.from(`${company.clientId}:${company.clientSecret}`).toString('base64')}`;
    const form = 'grant_type=client_credentials&scope=shipments%3Aread+shipments%3Awrite';
    const token = await send(stack, 'POST /oauth/token', { authorization: basic, type: stack.form, body: form });
    if (isRefusedByDeno(stack)) {
      expect(token).toEqual({ status: 400, body: '' });
      return;
    }
    expect(token).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
    const authorization = `Bearer ${(token.body as { access_token: string }).access_token}`;
    const order = shipmentBody(company);
    const body = JSON.stringify(order);
    const created = await send(stack, `POST ${SHIPMENTS}`, { authorization, type: stack.json, body });
    const { externalReference } = order;
    expect(created).toMatchObject({ status: 201, body: { externalReference } });
    const { shipmentId } = created.body as { shipmentId: string };
    const read = await send(stack, `GET ${SHIPMENTS}/${shipmentId}`, { authorization });
    expect(read).toMatchObject({ status: 200, body: { shipmentId, externalReference } });
    const list = await send(stack, `GET ${SHIPMENTS}?limit=1`, { authorization });
    expect(list).toMatchObject({ status: 200, body: { data: [{ shipmentId }] } });
  });
});

it('refuses the list that PHP makes of an empty body', async () => {
  const merchant = await merchantOf(environment, await addCompany(environment));
  const answer = await merchant.post('/v2/external/shipment-price-estimates', []);
  await expectProblem(answer, { status: 422, code: 'VALIDATION_FAILED', violations: ['body TYPE_MISMATCH'] });
});

/** Deno itself answers a bare 400 to a body beside `Upgrade: h2c`: see docs/client.md. */
function isRefusedByDeno({ headers }: ClientStack): boolean {
  return environment.runtime === 'deno' && headers.includes('Upgrade: h2c');
}

interface Sent {
  readonly authorization: string;
  readonly type?: string;
  readonly body?: string;
}

/** Sends exactly these headers, and decodes the answer as the library does. */
async function send(stack: ClientStack, line: string, { authorization, type, body }: Sent) {
  const [method = '', path = ''] = line.split(' ');
  const own = body === undefined ? (stack.read ?? []) : [...(stack.write ?? []), `Content-Type: ${type}`];
  const isChunked = stack.isChunked === true && type === stack.json;
  const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${Buffer.byteLength(body ?? '')}`;
  const key = path === SHIPMENTS && body !== undefined ? [`Idempotency-Key: ${newKey()}`] : [];
  const lines = [`Host: ${new URL(environment.address).host}`, ...stack.headers, ...own, ...key];
  const all = [...lines, `Authorization: ${authorization}`, ...(body === undefined ? [] : [length])];
  const headers = all.flatMap((one) => [one.slice(0, one.indexOf(':')), one.slice(one.indexOf(':') + 2)]);
  const asked = request(`${environment.address}${path}`, { method, headers, setDefaultHeaders: false, agent: false });
  if (headers.includes('Expect')) {
    asked.flushHeaders();
    await once(asked, 'continue');
  }
  const [answer] = (await once(asked.end(body), 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(Buffer.from(chunk));
  const bytes = Buffer.concat(chunks);
  const coding = answer.headers['content-encoding'];
  if (coding !== undefined)
    expect(all.join('\n').toLowerCase()).toMatch(new RegExp(`accept-encoding: .*\\b${coding}\\b`));
  const text = (
    coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes
  ).toString();
  return { status: answer.statusCode, body: text === '' ? '' : (JSON.parse(text) as unknown) };
}
