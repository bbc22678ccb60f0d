import {
  ANSWER_BODY_MS_MAX,
  ANSWER_BYTES_MAX,
  type AnswerBody,
  type WebhookAnswer,
  type WebhookTransport,
} from '../../ports/webhook.ts';

type Fetch = (address: string, init: RequestInit) => Promise<Response>;

/** Sends with the runtime's `fetch`, which resolves the name again. Safe on Workers, which are not in our network. */
export function fetchTransport(fetcher: Fetch): WebhookTransport {
  return {
    async post({ url, headers, body, timeoutMs }): Promise<WebhookAnswer> {
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const response = await fetcher(url.href, { method: 'POST', headers, body, redirect: 'manual', signal });
        return { ok: true, status: response.status, headers: response.headers, body: await beginningOf(response) };
      } catch (error) {
        return { ok: false, error: faultOf(error) };
      }
    },
  };
}

/** The status is already known, so an error of the body only cuts it off. */
async function beginningOf({ body }: Response): Promise<AnswerBody> {
  if (body === null) return { bytes: new Uint8Array(), isWhole: true };
  const reader = body.getReader();
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ANSWER_BODY_MS_MAX);
  const kept = new Uint8Array(ANSWER_BYTES_MAX);
  let length = 0;
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), timeout]);
      if (next?.done === true) return { bytes: kept.subarray(0, length), isWhole: true };
      if (next === undefined) break;
      const room = ANSWER_BYTES_MAX - length;
      kept.set(next.value.subarray(0, room), length);
      length += Math.min(next.value.byteLength, room);
      if (next.value.byteLength > room) break;
    }
  } catch {
    // The body broke off.
  } finally {
    clearTimeout(timer);
  }
  reader.cancel().catch(() => undefined);
  return { bytes: kept.subarray(0, length), isWhole: false };
}

function faultOf(error: unknown): 'TIMEOUT' | 'TLS' | 'CONNECT' {
  if (!(error instanceof Error)) return 'CONNECT';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'TIMEOUT';
  return /certificate|\btls\b|\bssl\b|handshake/i.test(error.message) ? 'TLS' : 'CONNECT';
}
