import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';
import { LOOPBACK } from '../ports.ts';

/** What a libSQL server was asked for, by its own count: rows are those of tables and of indexes. */
export interface Counted {
  readonly requests: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

export interface CountProxy {
  readonly url: string;
  counted(): Counted;
  close(): void;
}

const pipelineAnswer = z.looseObject({
  results: z.array(
    z.looseObject({
      response: z
        .looseObject({
          result: z
            .looseObject({
              step_results: z.array(z.looseObject({ rows_read: z.int(), rows_written: z.int() }).nullable()),
            })
            .optional(),
        })
        .optional(),
    }),
  ),
});

/** Stands before a libSQL server, and adds up what its answers say they cost. */
export async function startCountProxy(target: string): Promise<CountProxy> {
  const total = { requests: 0, rowsRead: 0, rowsWritten: 0 };
  const pass = async ({ url = '/', method, headers }: IncomingMessage, body: string): Promise<Response> => {
    const { authorization = '', 'content-type': contentType = '' } = headers;
    const init = { method: method ?? 'GET', headers: { authorization, 'content-type': contentType } };
    return fetch(new URL(url, target), method === 'POST' ? { ...init, body } : init);
  };
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const answered = await pass(incoming, await textOf(incoming));
    const text = await answered.text();
    if (incoming.url?.endsWith('/pipeline') === true) add(total, text);
    outgoing.writeHead(answered.status, { 'content-type': 'application/json' }).end(text);
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      console.error(error);
      outgoing.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  return {
    url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    counted: () => ({ ...total }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function add(total: { -readonly [Name in keyof Counted]: number }, text: string): void {
  total.requests += 1;
  for (const { response } of pipelineAnswer.parse(JSON.parse(text)).results)
    for (const step of response?.result?.step_results ?? []) {
      total.rowsRead += step?.rows_read ?? 0;
      total.rowsWritten += step?.rows_written ?? 0;
    }
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
