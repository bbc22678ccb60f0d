import { part } from '../src/core/part.ts';

const causes = part(() => import('../src/core/error-cause.ts'));

/** How long sqld's admin address may take for both requests. It answers from memory. */
const ADMIN_TIMEOUT_MS = 1000;

/** sqld's admin address, and its key if it asks for one. */
export interface AdminAddress {
  readonly url: string;
  readonly key?: string | undefined;
}

/**
 * Sets sqld to sync the disk at every commit (`durability_mode: strong`). sqld starts in `relaxed` after each restart,
 * and SQL cannot change that. Returns false if there is no admin address or the request fails, and reports why.
 */
export async function restoreDurability(
  admin: AdminAddress | undefined,
  fetcher: (url: string, init: RequestInit) => Promise<Response>,
  report: (failure: string) => void = () => undefined,
): Promise<boolean> {
  const fail = (failure: string) => {
    report(`durability_mode was not restored: ${failure}`);
    return false;
  };
  if (admin === undefined) return fail('adminUrl is missing');
  const address = `${admin.url}/v1/namespaces/default/config`;
  const authorization: Record<string, string> = admin.key === undefined ? {} : { authorization: `Basic ${admin.key}` };
  const signal = AbortSignal.timeout(ADMIN_TIMEOUT_MS);
  try {
    // What is not sent is reset: an operator may have blocked the writes or limited the size, and the key of its tokens is there.
    const read = await fetcher(address, { headers: authorization, signal });
    const text = await read.text();
    if (!read.ok) return fail(`adminUrl answered HTTP ${read.status}`);
    const config: unknown = JSON.parse(text);
    const response = await fetcher(address, {
      method: 'POST',
      headers: { ...authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ ...Object(config), durability_mode: 'strong', txn_timeout_s: 5 }),
      signal,
    });
    await response.body?.cancel();
    return response.ok || fail(`adminUrl answered HTTP ${response.status}`);
  } catch (error) {
    // Unreachable: the callers of this commit get 503, and the next commit tries again.
    return fail(`adminUrl: ${(await causes()).causeOf(error)}`);
  }
}
