import type { Resolver, WebhookAnswer, WebhookRequest, WebhookTransport } from '../../ports/webhook.ts';
import { AnswerHeadReader } from './answer-head.ts';

interface Connection {
  read(buffer: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
  close(): void;
}

/** The part of Deno that this adapter uses. */
declare const Deno: {
  connect(options: { hostname: string; port: number }): Promise<Connection>;
  resolveDns(name: string, type: 'A' | 'AAAA', options: { signal: AbortSignal }): Promise<string[]>;
  startTls(connection: Connection, options: { hostname: string; alpnProtocols: string[] }): Promise<Connection>;
};

/**
 * Promise: a request goes to an address that was looked at, and to no other. `fetch` would ask for the name's addresses
 * again, and whoever answers such questions could by then name an address within our network. So this speaks HTTP/1.1
 * itself: one request, the head of its answer, and the connection is closed.
 */
export const denoTransport: WebhookTransport = {
  async post(request): Promise<WebhookAnswer> {
    const progress: Progress = { connection: undefined, phase: 'CONNECT', isOver: false };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<WebhookAnswer>((resolve) => {
      timer = setTimeout(() => resolve({ ok: false, error: 'TIMEOUT' }), request.timeoutMs);
    });
    try {
      return await Promise.race([exchange(request, progress), timeout]);
    } finally {
      clearTimeout(timer);
      progress.isOver = true;
      close(progress.connection);
    }
  },
};

interface Progress {
  connection: Connection | undefined;
  phase: 'CONNECT' | 'TLS';
  /** Nobody waits for it any more: what is opened from now on is closed again. */
  isOver: boolean;
}

async function exchange({ url, addresses, headers, body }: WebhookRequest, progress: Progress): Promise<WebhookAnswer> {
  try {
    const isTls = url.protocol === 'https:';
    const hostname = addresses[0] ?? url.hostname.replace(/^\[(.*)\]$/, '$1');
    const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
    let connection = await hold(progress, Deno.connect({ hostname, port }));
    if (isTls) {
      progress.phase = 'TLS';
      const secured = Deno.startTls(connection, { hostname: url.hostname, alpnProtocols: ['http/1.1'] });
      connection = await hold(progress, secured);
    }
    await writeAll(connection, requestBytes(url, headers, body));
    // The handshake is done with the first bytes that go through.
    progress.phase = 'CONNECT';
    return await readAnswer(connection);
  } catch (error) {
    const isTls = progress.phase === 'TLS' || (error instanceof Error && /certificate|tls/i.test(error.message));
    return { ok: false, error: isTls ? 'TLS' : 'CONNECT' };
  }
}

async function hold(progress: Progress, opening: Promise<Connection>): Promise<Connection> {
  const connection = await opening;
  progress.connection = connection;
  if (progress.isOver) close(connection);
  return connection;
}

function close(connection: Connection | undefined): void {
  try {
    connection?.close();
  } catch {
    // Closed already.
  }
}

function requestBytes(url: URL, headers: WebhookRequest['headers'], body: string): Uint8Array {
  const content = new TextEncoder().encode(body);
  const all = { host: url.host, connection: 'close', 'content-length': String(content.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = new TextEncoder().encode(`POST ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const bytes = new Uint8Array(head.length + content.length);
  bytes.set(head);
  bytes.set(content, head.length);
  return bytes;
}

async function writeAll(connection: Connection, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) written += await connection.write(bytes.subarray(written));
}

async function readAnswer(connection: Connection): Promise<WebhookAnswer> {
  const reader = new AnswerHeadReader();
  while (reader.room.length > 0) {
    const count = await connection.read(reader.room);
    if (count === null) break;
    const head = reader.take(count);
    if (head === 'malformed') break;
    if (head !== undefined) return { ok: true, ...head };
  }
  // The receiver hung up before the end of the head, or its answer is not HTTP.
  return { ok: false, error: 'CONNECT' };
}

/** Asks the resolver that the machine is set up with. */
export const denoResolver: Resolver = {
  async resolve(host, timeoutMs) {
    const signal = AbortSignal.timeout(timeoutMs);
    const ask = async (type: 'A' | 'AAAA') => {
      try {
        return await Deno.resolveDns(host, type, { signal });
      } catch {
        // No such name, no address of this kind, or no answer in time.
        return [];
      }
    };
    return (await Promise.all([ask('A'), ask('AAAA')])).flat();
  },
};
