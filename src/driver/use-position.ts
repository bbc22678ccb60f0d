import { useEffect, useRef, useState } from 'preact/hooks';
import { POSITION_SECONDS } from '../core/limits.ts';
import { companyNow } from '../ui/browser/base/company-clock.ts';
import type { Inputs } from '../ui/browser/service/calls.ts';

type Position = Inputs['driver']['reportPosition'];

/** Six decimals of a degree are about 0.1 m. */
const DIGITS = 6;
const ACCURACY_METERS_MAX = 100_000;
const EVERY_MS = POSITION_SECONDS * 1000;
/** A phone that stands still gets no new fix from the browser, but is still there: it reports at least once a minute. */
const STILL_MS = 60_000;
/** How long the phone may look for a new fix before the page reports the last one. */
const FIX_MS = EVERY_MS / 2;

/** A fix, and when the page got it by both clocks of the browser. */
interface Fix {
  readonly coords: GeolocationCoordinates;
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/**
 * Follows the phone's position while the driver is on duty, and reports it as often as the service stores it. Returns the
 * last known position, for actions, and whether the driver has forbidden it. Without permission the page works as before.
 */
export function usePosition(isOnDuty: boolean, report: (position: Position) => void) {
  const [isHidden, setIsHidden] = useState(false);
  const last = useRef<Fix | undefined>(undefined);
  const latest = useRef(report);
  latest.current = report;
  const read = (): Position | undefined => last.current && positionOf(last.current);
  useEffect(() => {
    if (!isOnDuty || !('geolocation' in navigator)) return;
    let reported: Fix | undefined;
    let reportedMs = performance.now();
    let isOver = false;
    const take = ({ coords }: GeolocationPosition) => {
      // A fix may come after the driver has gone off duty.
      if (isOver) return;
      setIsHidden(false);
      last.current = { coords, wallMs: Date.now(), monotonicMs: performance.now() };
    };
    const send = () => {
      const position = read();
      if (position === undefined) return;
      [reported, reportedMs] = [last.current, performance.now()];
      latest.current(position);
    };
    // No fix under a roof is no refusal.
    const refuse = ({ code, PERMISSION_DENIED }: GeolocationPositionError) => setIsHidden(code === PERMISSION_DENIED);
    const watch = navigator.geolocation.watchPosition(take, refuse, { enableHighAccuracy: true });
    const timer = setInterval(() => {
      if (last.current !== reported) return send();
      // A fix may take until its timeout, and the next look would be too late.
      if (performance.now() - reportedMs < STILL_MS - EVERY_MS - FIX_MS) return;
      const again = (position: GeolocationPosition) => {
        take(position);
        send();
      };
      navigator.geolocation.getCurrentPosition(again, send, { enableHighAccuracy: true, timeout: FIX_MS });
    }, EVERY_MS);
    return () => {
      navigator.geolocation.clearWatch(watch);
      clearInterval(timer);
      isOver = true;
      last.current = undefined;
    };
  }, [isOnDuty]);
  return { read, isHidden };
}

/**
 * The position with the instant at which it was measured by the clock of the service. The phone's own instant is not used:
 * its clock may be wrong, and browsers disagree on the epoch of a fix.
 */
function positionOf({ coords, wallMs, monotonicMs }: Fix): Position {
  // The wall clock may have been set back, and the monotonic clock may stop while the phone sleeps.
  const ageMs = Math.max(Date.now() - wallMs, performance.now() - monotonicMs);
  return {
    latitude: coords.latitude.toFixed(DIGITS),
    longitude: coords.longitude.toFixed(DIGITS),
    recordedAt: new Date(companyNow() - ageMs).toISOString(),
    ...(Number.isFinite(coords.accuracy)
      ? { accuracyMeters: Math.min(coords.accuracy, ACCURACY_METERS_MAX).toFixed(1) }
      : {}),
  };
}
