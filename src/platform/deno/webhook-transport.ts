import {
  ANSWER_BODY_MS_MAX,
  ANSWER_BYTES_MAX,
  type OutgoingWebhook,
  type Resolver,
  type WebhookAnswer,
  type WebhookTransport,
} from '../../ports/webhook.ts';
import { AnswerBodyReader } from './answer-body.ts';
import { type AnswerHead, AnswerHeadReader } from './answer-head.ts';

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
 * Promise: a request goes only to an address that was checked. `fetch` would resolve the name again, and the name's
 * owner could then return an address in our network (DNS rebinding). So this file implements HTTP/1.1 itself: it sends
 * one request, reads the head of the answer and the beginning of its body, and closes the connection.
 */
export const denoTransport: WebhookTransport = {
  async post(request): Promise<WebhookAnswer> {
    const progress: Progress = { connection: undefined, phase: 'CONNECT', answer: undefined, isOver: false };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<WebhookAnswer>((resolve) => {
      timer = setTimeout(() => resolve(progress.answer?.() ?? { ok: false, error: 'TIMEOUT' }), request.timeoutMs);
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
  /** The answer as far as it has arrived, once its head is complete. */
  answer: (() => WebhookAnswer) | undefined;
  /** The deadline has passed: a connection that opens later is closed at once. */
  isOver: boolean;
}

async function exchange(
  { url, addresses, headers, body }: OutgoingWebhook,
  progress: Progress,
): Promise<WebhookAnswer> {
  try {
    const isTls = url.protocol === 'https:';
    const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
    const hostnames =
      addresses.length > 0 ? addresses.slice(0, ADDRESSES_MAX) : [url.hostname.replace(/^\[(.*)\]$/, '$1')];
    let connection = await hold(progress, connectToOne(hostnames, port, progress));
    if (isTls) {
      progress.phase = 'TLS';
      const secured = Deno.startTls(connection, { hostname: url.hostname, alpnProtocols: ['http/1.1'] });
      connection = await hold(progress, secured);
    }
    await writeAll(connection, requestBytes(url, headers, body));
    // The handshake is complete when the first bytes are written.
    progress.phase = 'CONNECT';
    return await readAnswer(connection, progress);
  } catch (error) {
    const isTls = progress.phase === 'TLS' || (error instanceof Error && /certificate|tls/i.test(error.message));
    return { ok: false, error: isTls ? 'TLS' : 'CONNECT' };
  }
}

/** How long an address may take before the next one is tried beside it: the delay that RFC 8305 section 8 recommends. */
const NEXT_ADDRESS_MS = 250;
/** Addresses of one name that are tried, so that one delivery does not knock at many doors. */
const ADDRESSES_MAX = 8;

/** The first connection that opens. The addresses are tried in turn. Rejects when the last of them has failed. */
function connectToOne(hostnames: readonly string[], port: number, progress: Progress): Promise<Connection> {
  const { promise, resolve, reject } = Promise.withResolvers<Connection>();
  let [next, failed, isOpen] = [0, 0, false];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tryNext = (): void => {
    clearTimeout(timer);
    const hostname = hostnames[next];
    if (hostname === undefined || isOpen || progress.isOver) return;
    next += 1;
    timer = setTimeout(tryNext, NEXT_ADDRESS_MS);
    Deno.connect({ hostname, port }).then(
      (connection) => {
        if (isOpen) close(connection);
        isOpen = true;
        clearTimeout(timer);
        resolve(connection);
      },
      (error: unknown) => {
        failed += 1;
        if (failed === hostnames.length) reject(error);
        else tryNext();
      },
    );
  };
  tryNext();
  return promise;
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
    // The connection is already closed.
  }
}

function requestBytes(url: URL, headers: OutgoingWebhook['headers'], body: string): Uint8Array {
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

const NOT_READ = { bytes: new Uint8Array(), isWhole: false };

async function readAnswer(connection: Connection, progress: Progress): Promise<WebhookAnswer> {
  const reader = new AnswerHeadReader();
  while (reader.room.length > 0) {
    const count = await connection.read(reader.room);
    if (count === null) break;
    const head = reader.take(count);
    if (head === 'malformed') break;
    if (head !== undefined) return readBody(connection, progress, { head, rest: reader.rest });
  }
  // The receiver has answered, whatever headers follow the first 16 KiB.
  if (reader.room.length === 0 && reader.beginning !== undefined) {
    return { ok: true, ...reader.beginning, body: NOT_READ };
  }
  // The receiver hung up before the end of the head (RFC 9112 section 8), or its answer is not HTTP.
  return { ok: false, error: 'CONNECT' };
}

interface AnswerStart {
  readonly head: AnswerHead;
  /** The bytes that came with the head. */
  readonly rest: Uint8Array;
}

/** The status is already known, so an error of the body only cuts it off. */
async function readBody(
  connection: Connection,
  progress: Progress,
  { head, rest }: AnswerStart,
): Promise<WebhookAnswer> {
  const reader = new AnswerBodyReader(head);
  const answer = (): WebhookAnswer => ({ ok: true, ...head, body: reader.body });
  progress.answer = answer;
  reader.take(rest);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ANSWER_BODY_MS_MAX);
  });
  await Promise.race([readToEnd(connection, reader), timeout]);
  clearTimeout(timer);
  return answer();
}

async function readToEnd(connection: Connection, reader: AnswerBodyReader): Promise<void> {
  const buffer = new Uint8Array(ANSWER_BYTES_MAX);
  try {
    while (reader.isOpen) {
      const count = await connection.read(buffer);
      if (count === null) return reader.end();
      reader.take(buffer.subarray(0, count));
    }
  } catch {
    // The receiver broke off, or the time is over and the connection was closed.
  }
}

/** Uses the resolver of the machine. */
export const denoResolver: Resolver = {
  async resolve(host, timeoutMs) {
    const signal = AbortSignal.timeout(timeoutMs);
    const ask = async (type: 'A' | 'AAAA') => {
      try {
        return await Deno.resolveDns(host, type, { signal });
      } catch {
        // The name does not exist, has no address of this kind, or the resolver did not answer in time.
        return [];
      }
    };
    return (await Promise.all([ask('A'), ask('AAAA')])).flat();
  },
};
