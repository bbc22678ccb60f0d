import { useEffect, useRef } from 'preact/hooks';
import type { Inputs } from '../console/service/calls.ts';
import { POSITION_SECONDS } from '../core/limits.ts';

type Position = Inputs['driver']['reportPosition'];

/** Six decimals of a degree are about 0.1 m. */
const DIGITS = 6;

/**
 * Follows the phone's position while the driver is on duty, and reports it as often as the service stores it. Returns the
 * last known position, for actions. Without permission the page works as before.
 */
export function usePosition(
  isOnDuty: boolean,
  clockAheadMs: { readonly current: number },
  report: (position: Position) => void,
): () => Position | undefined {
  const last = useRef<GeolocationPosition | undefined>(undefined);
  const reported = useRef<GeolocationPosition | undefined>(undefined);
  const latest = useRef(report);
  latest.current = report;
  const read = (): Position | undefined => {
    if (last.current === undefined) return undefined;
    const { coords, timestamp } = last.current;
    return {
      latitude: coords.latitude.toFixed(DIGITS),
      longitude: coords.longitude.toFixed(DIGITS),
      recordedAt: new Date(timestamp - clockAheadMs.current).toISOString(),
    };
  };
  useEffect(() => {
    if (!isOnDuty || !('geolocation' in navigator)) return;
    const watch = navigator.geolocation.watchPosition(
      (position) => {
        last.current = position;
      },
      () => undefined,
      { enableHighAccuracy: true },
    );
    const timer = setInterval(() => {
      const position = read();
      if (position === undefined || last.current === reported.current) return;
      reported.current = last.current;
      latest.current(position);
    }, POSITION_SECONDS * 1000);
    return () => {
      navigator.geolocation.clearWatch(watch);
      clearInterval(timer);
      last.current = undefined;
    };
  }, [isOnDuty]);
  return read;
}
