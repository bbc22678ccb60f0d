import * as z from 'zod';
import { parsePlainJson } from '../../../src/core/json.ts';
import { messageOf, SetupError } from '../../shared/setup-error.ts';

export interface CallOptions<Answer extends z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is bytes or a form. */
  readonly body?: unknown;
  /** Every status that is a success. */
  readonly expected: readonly number[];
  readonly answer: Answer;
}

/** Sends a request to the service. Any other status throws a SetupError with the service's problem. */
export type SendCall = <Answer extends z.ZodType>(call: CallOptions<Answer>) => Promise<z.output<Answer>>;

/** `fetch`, or a test double. */
export type Send = (address: string, init: RequestInit) => Promise<Response>;

export function openHttp(baseUrl: string, send: Send): SendCall {
  return async ({ method, path, headers = {}, body, expected, answer }) => {
    const content = contentOf(body);
    const response = await sendOrExplain(send, baseUrl, path, {
      method,
      headers: { ...content.headers, ...headers },
      ...(content.body === undefined ? {} : { body: content.body }),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    const text = await response.text();
    const parsed = expected.includes(response.status) ? answer.safeParse(parsePlainJson(text)) : undefined;
    if (parsed?.success === true) return parsed.data;
    const why = parsed === undefined ? `answered ${response.status}` : `answered ${parsed.error.message}`;
    throw new SetupError(`${method} ${path} ${why}${problemOf(text)}`);
  };
}

/** Longer than the service's slowest answer. */
const ANSWER_TIMEOUT_MS = 20_000;

async function sendOrExplain(send: Send, baseUrl: string, path: string, init: RequestInit): Promise<Response> {
  try {
    return await send(`${baseUrl}${path}`, init);
  } catch (error) {
    throw new SetupError(`${baseUrl} does not answer (${messageOf(error)}); start the service with npm run dev`);
  }
}

function contentOf(body: unknown): { readonly headers: Record<string, string>; readonly body?: BodyInit } {
  if (body === undefined) return { headers: {} };
  if (body instanceof Uint8Array) return { headers: {}, body: new Uint8Array(body) };
  if (body instanceof URLSearchParams) return { headers: {}, body };
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

const problem = z.object({
  code: z.string(),
  detail: z.string(),
  requestId: z.string(),
  violations: z.optional(z.array(z.unknown())),
});

/** Code, detail and request id of a problem. */
function problemOf(text: string): string {
  const parsed = problem.safeParse(parsePlainJson(text));
  if (!parsed.success) return '.';
  const { code, detail, requestId, violations } = parsed.data;
  const broken = violations === undefined ? '' : ` ${JSON.stringify(violations)}`;
  return `: ${code}. ${detail}${broken} (request ${requestId})`;
}
