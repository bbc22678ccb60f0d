import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { pathOf, type RequestDraft } from './request-draft.ts';

/* Requests that no client library sends: GET with a body, repeated headers, half of a body. */

const TIMEOUT_MS = 30_000;
/** Statuses without a body (Fetch standard: null body status). */
const WITHOUT_BODY = [204, 205, 304];

/** Sends requests to one address over kept connections. */
export class Sender {
  readonly #address: URL;
  readonly #agent: Agent;

  constructor(address: string, connections: number) {
    this.#address = new URL(address);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** The answer. Undefined when the connection was cut on purpose. */
  async send(draft: RequestDraft): Promise<Response | undefined> {
    if (draft.isCut) return this.#cut(draft);
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          agent: this.#agent,
          host: this.#address.hostname,
          port: this.#address.port,
          method: draft.method,
          path: pathOf(draft),
          headers: this.#headersOf(draft),
          timeout: TIMEOUT_MS,
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const status = incoming.statusCode ?? 0;
            const headers = pairsOf(incoming.rawHeaders);
            const body = WITHOUT_BODY.includes(status) ? null : Buffer.concat(chunks);
            resolve(new Response(body, { status, headers }));
          });
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error(`No answer within ${TIMEOUT_MS} ms`)));
      outgoing.on('error', reject);
      outgoing.end(draft.body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  /** A flat list of names and values, which `http` sends unchanged. */
  #headersOf({ headers, body }: RequestDraft): string[] {
    const length = body === undefined ? [] : ['Content-Length', String(body.length)];
    return ['Host', this.#address.host, ...length, ...headers.flat()];
  }

  /** Sends half of the body and closes the connection. */
  async #cut(draft: RequestDraft): Promise<undefined> {
    const headers = this.#headersOf(draft);
    const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []));
    const head = `${draft.method} ${pathOf(draft)} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
    const socket = connect(Number(this.#address.port), this.#address.hostname);
    const half = draft.body?.subarray(0, draft.body.length / 2) ?? Buffer.alloc(0);
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.write(Buffer.concat([Buffer.from(head, 'latin1'), half]), () => resolve());
    });
    socket.destroy();
  }
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as [string, string]] : []));
}
