/** How long sqld's admin address may take. It answers from memory. */
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
  try {
    const response = await fetcher(`${adminUrl}/v1/namespaces/default/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ block_reads: false, block_writes: false, durability_mode: 'strong', txn_timeout_s: 5 }),
      signal: AbortSignal.timeout(ADMIN_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    // Unreachable: the callers of this commit get 503, and the next commit tries again.
    return false;
  }
}
