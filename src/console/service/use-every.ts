import { useEffect, useRef } from 'preact/hooks';

/** Who has not touched the page for so long is not in front of it. Asking on would also keep his session alive. */
const AWAY_MS = 300_000;
const SIGNS_OF_LIFE = ['pointerdown', 'pointermove', 'keydown', 'visibilitychange', 'focus'] as const;

/** Does something again and again while `isActive` and while somebody is looking at the page. */
export function useEvery(periodMs: number, act: () => void, isActive: boolean): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (!isActive) return;
    let seenAt = Date.now();
    const see = () => {
      seenAt = Date.now();
    };
    const timer = setInterval(() => {
      if (!document.hidden && Date.now() - seenAt < AWAY_MS) latest.current();
    }, periodMs);
    for (const sign of SIGNS_OF_LIFE) addEventListener(sign, see, { capture: true, passive: true });
    return () => {
      clearInterval(timer);
      for (const sign of SIGNS_OF_LIFE) removeEventListener(sign, see, { capture: true });
    };
  }, [periodMs, isActive]);
}
