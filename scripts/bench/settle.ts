import { setTimeout as delay } from 'node:timers/promises';
import { totalUsage } from './usage.ts';

const LOOK_MS = 300;
/** Of one core. Less than this takes nothing from the next measurement. */
const REST_SHARE = 0.1;
const SETTLE_TIMEOUT_MS = 8000;

/** Waits until the processes have nothing left to do; false when that does not come. */
export async function settle(pids: readonly number[]): Promise<boolean> {
  const deadline = performance.now() + SETTLE_TIMEOUT_MS;
  let before = totalUsage(pids);
  while (performance.now() < deadline) {
    await delay(LOOK_MS);
    const now = totalUsage(pids);
    // Where nothing is known of processes, the pause has to do.
    if (before === undefined || now === undefined) return true;
    if (now.cpuMs - before.cpuMs < LOOK_MS * REST_SHARE) return true;
    before = now;
  }
  return false;
}
