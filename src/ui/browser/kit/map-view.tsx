import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Point } from '../../../core/polyline.ts';
import { loadMap, mapArchive } from '../../map/load-map.ts';
import type { ShownMap } from '../../map/map.ts';
import type { MapView as View } from '../../map/map-style.ts';
import { MAP_WORDS, type MapTrouble } from '../../map/map-words.ts';
import { locale } from '../base/locale.ts';

interface MapViewProps {
  /** What the map is about. */
  readonly label: string;
  readonly view?: View;
  /** A pin that the person moves. It follows `at` if that is changed elsewhere. */
  readonly pin?: { readonly at: Point; readonly onMove: (to: Point) => void };
  /** Shown until the map is loaded, and if it cannot be shown. */
  readonly children?: ComponentChildren;
  /** What else somebody without the map can do. */
  readonly otherwise?: string;
}

/** A map that takes the place of its children. Its code loads once the page is usable and the place is in sight. */
export function MapView({ label, view = NOTHING, pin, children, otherwise = '' }: MapViewProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<ShownMap>();
  const [trouble, setTrouble] = useState<MapTrouble>();
  const latest = useRef(pin);
  latest.current = pin;
  /** Where the person has put the pin on this map, so that the map does not move then. */
  const moved = useRef<Point | undefined>(undefined);
  const archive = mapArchive();
  useEffect(() => {
    const element = frame.current;
    if (archive === undefined || element === null) return;
    let opened: ShownMap | undefined;
    let isGone = false;
    const open = async () => {
      const { current } = latest;
      const onMove = (to: Point) => {
        moved.current = to;
        latest.current?.onMove(to);
      };
      const found = await loadMap({
        frame: element,
        archive,
        locale,
        label,
        view,
        pin: current === undefined ? undefined : { at: current.at, onMove },
        onPartly: (isPartly) => setTrouble(isPartly ? 'partly' : undefined),
      });
      if (typeof found === 'string') setTrouble(found);
      else if (isGone) found.remove();
      else {
        opened = found;
        setMap(found);
      }
    };
    const stop = whenInSight(element, () => void open());
    return () => {
      isGone = true;
      stop();
      opened?.remove();
    };
  }, [archive]);
  useEffect(() => map?.show(view), [map, JSON.stringify(view)]);
  useEffect(() => {
    if (pin !== undefined && !isSame(pin.at, moved.current)) map?.setPin(pin.at);
  }, [map, pin?.at.latitude, pin?.at.longitude]);
  const words = MAP_WORDS[locale];
  if (archive === undefined && children === undefined) return null;
  const isBare = children === undefined && (trouble === 'unable' || trouble === 'away');
  return (
    <>
      {/* Preact does not see the map in it. */}
      <div ref={frame} class={isBare ? '' : children === undefined ? 'map-place' : 'map-drawing'}>
        {children}
      </div>
      {map === undefined || pin === undefined ? null : (
        <button type="button" class="plain" onClick={() => map.pinToMiddle()}>
          {words.toMiddle}
        </button>
      )}
      <p class="small quiet map-trouble" role="status" dir="auto">
        {trouble === undefined ? '' : `${words.troubles[trouble]} ${trouble === 'partly' ? '' : otherwise}`}
      </p>
    </>
  );
}

const NOTHING: View = {};

function isSame(one: Point, other: Point | undefined): boolean {
  return one.latitude === other?.latitude && one.longitude === other.longitude;
}

/** Calls `act` once the page has nothing more urgent to do and the element is near. The result stops waiting. */
function whenInSight(element: Element, act: () => void): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      act();
    },
    { rootMargin: '200px' },
  );
  // Safari has no requestIdleCallback.
  const timer = setTimeout(() => observer.observe(element), QUIET_MS);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}

/** By then the page has its data and has been drawn. */
const QUIET_MS = 300;
