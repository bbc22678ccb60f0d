import { useEffect, useRef } from 'preact/hooks';

/** Who has not touched the page for so long is not in front of it. Asking on would also keep his session alive. */
const AWAY_MS = 300_000;
const SIGNS_OF_LIFE = ['pointerdown', 'pointermove', 'keydown', 'visibilitychange', 'focus'] as const;

let seenAt = Date.now();
for (const sign of SIGNS_OF_LIFE)
  addEventListener(
    sign,
    () => {
      seenAt = Date.now();
    },
    { capture: true, passive: true },
  );

/** Does something again and again while `isActive` and while somebody is looking at the page. */
export function useEvery(periodMs: number, act: () => void, isActive: boolean): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (!isActive) return;
    const timer = setInterval(() => {
      if (!document.hidden && Date.now() - seenAt < AWAY_MS) latest.current();
    }, periodMs);
    return () => clearInterval(timer);
  }, [periodMs, isActive]);
}
