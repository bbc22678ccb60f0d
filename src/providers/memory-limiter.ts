import type { Budget, Limiter } from '../ports/limiter.ts';

interface Window {
  readonly startedAtMs: number;
  used: number;
}

const WINDOW_MS = 60_000;
/** Identities with their own window, for each budget. A window takes about 200 bytes. */
const IDENTITIES_MAX = 50_000;
/** Windows that the identities past `IDENTITIES_MAX` share, for each budget. */
const SHARED_WINDOWS = 1024;

/**
 * Counts uses in fixed windows of a minute, in this process only. It uses monotonic time, so a correction of the wall
 * clock does not change the length of a window.
 *
 * Every call has constant cost, and a live window is never evicted: a caller who invents identities cannot reset
 * anyone's count. When a budget has no room for one more identity, the newcomers share a fixed number of windows.
 * Each budget has its own room, so invented client ids at the token endpoint cannot displace authenticated clients.
 */
export function memoryLimiter(
  monotonicMs: () => number,
  allowances: Readonly<Record<Budget, number>>,
  identitiesMax = IDENTITIES_MAX,
): Limiter {
  const windowsOf = new Map<Budget, Map<string, Window>>();
  return {
    take(budget, identity) {
      const nowMs = monotonicMs();
      const windows = windowsOf.get(budget) ?? new Map<string, Window>();
      windowsOf.set(budget, windows);
      const window = currentWindow(windows, identity, { nowMs, identitiesMax });
      window.used += 1;
      if (window.used <= allowances[budget]) return Promise.resolve({ ok: true });
      const retryAfterSeconds = Math.max(1, Math.ceil((window.startedAtMs + WINDOW_MS - nowMs) / 1000));
      return Promise.resolve({ ok: false, retryAfterSeconds });
    },
  };
}

function currentWindow(
  windows: Map<string, Window>,
  identity: string,
  { nowMs, identitiesMax }: { readonly nowMs: number; readonly identitiesMax: number },
): Window {
  forgetEnded(windows, nowMs);
  const own = windows.get(identity);
  if (own !== undefined && isLive(own, nowMs)) return own;
  const key = own !== undefined || windows.size < identitiesMax ? identity : sharedKeyOf(identity);
  const known = windows.get(key);
  if (known !== undefined && isLive(known, nowMs)) return known;
  const begun = { startedAtMs: nowMs, used: 0 };
  // Removed first, because the order of the map must be the order in which windows start and end.
  windows.delete(key);
  windows.set(key, begun);
  return begun;
}

/** Removes at most two windows that are over, the oldest first: each call adds at most one, so the map shrinks. */
function forgetEnded(windows: Map<string, Window>, nowMs: number): void {
  let looked = 0;
  for (const [key, window] of windows) {
    if (looked === 2 || isLive(window, nowMs)) return;
    windows.delete(key);
    looked += 1;
  }
}

function isLive({ startedAtMs }: Window, nowMs: number): boolean {
  return nowMs - startedAtMs < WINDOW_MS;
}

/** FNV-1a. The leading space prevents a clash with identities, which have no spaces. */
function sharedKeyOf(identity: string): string {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < identity.length; index += 1)
    hash = Math.imul(hash ^ identity.charCodeAt(index), 0x01_00_01_93);
  return ` ${(hash >>> 0) % SHARED_WINDOWS}`;
}
