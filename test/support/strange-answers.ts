import type { ServerResponse } from 'node:http';

/** What stands between a shop and the service may answer in its place. */
export interface StrangeAnswer {
  readonly name: string;
  readonly status: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** The connection ends before the answer does. */
  readonly isCut?: 'of-its-length' | 'of-its-chunks' | 'unnoticed';
}

const PORTAL = '<!doctype html><title>Welcome</title><form action="/login"></form>';
const HTML = 'text/html; charset=utf-8';
const PROXY_ID = { 'x-request-id': '7f1c0a52b3d40f9e' };

/** Answers that are none of the service's. `real` is the body that the operation would have. */
export function strangeAnswersTo(real: string): readonly StrangeAnswer[] {
  const half = real.slice(0, real.length / 2);
  return [
    { name: 'status-ok', status: 200, body: '{"status":"ok"}' },
    { name: 'status-ok-with-an-id', status: 200, headers: PROXY_ID, body: '{"status":"ok"}' },
    { name: 'created-ok', status: 201, headers: PROXY_ID, body: '{"success":true,"data":{}}' },
    { name: 'code-in-success', status: 200, body: '{"code":"SUCCESS","message":"ok"}' },
    { name: 'empty', status: 200, body: '' },
    { name: 'empty-created', status: 201, body: '' },
    { name: 'blank', status: 200, body: ' \n' },
    { name: 'no-content', status: 204, body: '' },
    { name: 'reset-content', status: 205, body: '' },
    { name: 'partial', status: 206, body: real },
    { name: 'portal', status: 200, type: HTML, body: PORTAL },
    { name: 'portal-as-json', status: 200, body: PORTAL },
    { name: 'redirect', status: 302, headers: { location: '/portal' }, body: '' },
    { name: 'redirect-with-method', status: 307, headers: { location: '/portal' }, type: HTML, body: PORTAL },
    { name: 'not-modified', status: 304, body: '' },
    { name: 'sign-in-to-network', status: 511, type: HTML, body: PORTAL },
    { name: 'refused-by-a-proxy', status: 403, type: HTML, body: '<h1>Forbidden</h1>' },
    { name: 'too-large-for-a-proxy', status: 413, type: HTML, body: '<h1>Payload too large</h1>' },
    { name: 'gone-wrong-in-a-proxy', status: 500, body: '{"error":"upstream"}' },
    { name: 'null', status: 200, headers: PROXY_ID, body: 'null' },
    { name: 'list', status: 200, headers: PROXY_ID, body: '[]' },
    { name: 'list-of-it', status: 200, headers: PROXY_ID, body: `[${real}]` },
    { name: 'text', status: 200, headers: PROXY_ID, body: '"ok"' },
    { name: 'no-members', status: 200, headers: PROXY_ID, body: '{}' },
    { name: 'null-members', status: 200, headers: PROXY_ID, body: withoutValues(real) },
    { name: 'page-after-json', status: 200, body: `${real}${PORTAL}` },
    { name: 'cut-after-headers', status: 200, body: '', isCut: 'of-its-length' },
    { name: 'cut-within', status: 201, body: half, isCut: 'of-its-length' },
    { name: 'cut-within-chunks', status: 201, body: half, isCut: 'of-its-chunks' },
    { name: 'cut-unnoticed', status: 201, body: half, isCut: 'unnoticed' },
  ];
}

function withoutValues(real: string): string {
  const members: unknown = JSON.parse(real === '' ? '{}' : real);
  return JSON.stringify(members, (name, value: unknown) => (name === '' ? value : null));
}

/** Sends an answer as the proxy would. */
export function sendStrange(response: ServerResponse, answer: StrangeAnswer, retryAfter?: string): void {
  const { status, type = 'application/json', headers = {}, body, isCut } = answer;
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  response.setHeader('content-type', type);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (isCut === undefined) {
    response.writeHead(status).end(body);
    return;
  }
  // Without chunks or a length the end of the connection is the end of the answer (RFC 9112 section 6.3).
  if (isCut === 'unnoticed') response.useChunkedEncodingByDefault = false;
  response.writeHead(status, isCut === 'of-its-length' ? { 'content-length': String(body.length + 100) } : {});
  response.flushHeaders();
  if (body !== '') response.write(body);
  setTimeout(() => response.socket?.destroySoon(), 20);
}
