import { useEffect, useRef } from 'preact/hooks';

/** Calls `beat` each `everyMs` while the page is looked at; undefined stops it. */
export function usePulse(everyMs: number | undefined, beat: () => void): void {
  const latest = useRef(beat);
  latest.current = beat;
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
