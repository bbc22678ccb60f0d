import { AdmissionLimiter } from '../../src/http/admission-limiter.ts';

export const BURST_MAX = 384;

/** A limiter with as many requests inside, and the clock in the test's hands. */
export function openLimiter(inside: number, shards = 2) {
  const clock = { nowMs: 0 };
  const limiter = new AdmissionLimiter({ monotonicMs: () => clock.nowMs, shards });
  const permits = Array.from({ length: inside }, () => {
    const permit = limiter.acquire();
    if (permit === undefined) throw new Error('Nobody was admitted');
    return permit;
  });
  const [first] = permits;
  if (first === undefined) throw new Error('Nobody asked');
  /** How many more are admitted, until one is refused. */
  const more = () => {
    let admitted = 0;
    while (admitted < BURST_MAX && limiter.acquire() !== undefined) admitted += 1;
    return admitted;
  };
  return { clock, limiter, permits, first, more };
}
