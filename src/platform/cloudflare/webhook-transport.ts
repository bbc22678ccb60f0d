import type { WebhookAnswer, WebhookTransport } from '../../ports/webhook.ts';

type Fetch = (address: string, init: RequestInit) => Promise<Response>;

/** Bytes of an answer's body that are read and discarded, so that the receiver can finish sending a short body. */
const BODY_BYTES_MAX = 16_384;

/** Sends with the runtime's `fetch`, which resolves the name again. Safe on Workers, which are not in our network. */
export function fetchTransport(fetcher: Fetch): WebhookTransport {
  return {
    async post({ url, headers, body, timeoutMs }): Promise<WebhookAnswer> {
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const response = await fetcher(url.href, { method: 'POST', headers, body, redirect: 'manual', signal });
        await discard(response);
        return { ok: true, status: response.status, retryAfter: response.headers.get('retry-after') };
      } catch (error) {
        return { ok: false, error: faultOf(error) };
      }
    },
  };
}

/** The status is already known, so errors of the body are ignored. */
async function discard(response: Response): Promise<void> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  try {
    for (let bytes = 0; bytes < BODY_BYTES_MAX; ) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.byteLength;
    }
    await reader.cancel();
  } catch {
    // The body was cut off or too slow.
  }
}

function faultOf(error: unknown): 'TIMEOUT' | 'TLS' | 'CONNECT' {
  if (!(error instanceof Error)) return 'CONNECT';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'TIMEOUT';
  return /certificate|\btls\b|\bssl\b|handshake/i.test(error.message) ? 'TLS' : 'CONNECT';
}
