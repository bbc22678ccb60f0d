/** How long sqld's admin address may take for both requests. It answers from memory. */
const ADMIN_TIMEOUT_MS = 1000;

/**
 * Sets sqld to sync the disk at every commit (`durability_mode: strong`). sqld starts in `relaxed` after each restart,
 * and SQL cannot change that. Returns false if there is no admin address or the request fails.
 */
export async function restoreDurability(
  adminUrl: string | undefined,
  fetcher: (url: string, init: RequestInit) => Promise<Response>,
): Promise<boolean> {
  if (adminUrl === undefined) return false;
  const address = `${adminUrl}/v1/namespaces/default/config`;
  const signal = AbortSignal.timeout(ADMIN_TIMEOUT_MS);
  try {
    // What is not sent is reset: an operator may have blocked the writes, or limited the size.
    const config: unknown = await (await fetcher(address, { signal })).json();
    const response = await fetcher(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...Object(config), durability_mode: 'strong', txn_timeout_s: 5 }),
      signal,
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    // Unreachable: the callers of this commit get 503, and the next commit tries again.
    return false;
  }
}
