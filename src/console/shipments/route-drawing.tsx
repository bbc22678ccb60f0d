import { useState } from 'preact/hooks';
import type { MapBounds, StreetPaths } from '../../contract/streets.ts';
import type { Point } from '../../core/polyline.ts';
import { formatDistance, formatTime, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { MapView } from '../../ui/browser/kit/map-view.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useEvery, useLoaded } from '../../ui/browser/service/loading.ts';
import type { MapView as View } from '../../ui/map/map-style.ts';
import { StreetMap, streetCreditOf } from '../../ui/street-map.tsx';
import { type GeoPoint, sketchOf } from './route-geometry.ts';

const TEXTS = {
  en: {
    drawing: 'Pickup, destination and driver, north up',
    pickup: 'Pickup',
    destination: 'Destination',
    driver: 'Driver',
    line: 'The line is straight; it is not the road.',
    instead: 'The drawing shows the same places.',
  },
  ar: {
    drawing: 'موقع الاستلام والوجهة والسائق، والشمال في الأعلى',
    pickup: 'موقع الاستلام',
    destination: 'الوجهة',
    driver: 'السائق',
    line: 'خط مستقيم لا يمثل الطريق.',
    instead: 'يعرض الرسم الأماكن نفسها.',
  },
};
const FRAME = { width: 480, height: 280, padding: 44 } as const;
/** The start of the scale bar. */
const BAR = { x: 16, y: FRAME.height - 16 } as const;

interface RouteProps {
  readonly pickup: GeoPoint | null;
  readonly destination: GeoPoint;
  readonly driver: (GeoPoint & { readonly recordedAt: string }) | null;
}

/** A drawing of the pickup location, the destination and the driver, and a map of them where there is one. Neither is mirrored in Arabic: east stays right. */
export function RouteDrawing({ pickup, destination, driver }: RouteProps) {
  const text = textsOf(TEXTS);
  const { spots, scale, bounds } = sketchOf<'pickup' | 'destination' | 'driver'>(
    { destination, ...(pickup === null ? {} : { pickup }), ...(driver === null ? {} : { driver }) },
    FRAME,
  );
  const streets = useStreets(bounds);
  const credit = streetCreditOf(streets);
  return (
    <figure class="route" dir="ltr">
      <MapView label={text.drawing} view={viewOf({ pickup, destination, driver })} otherwise={text.instead}>
        <svg viewBox={`0 0 ${FRAME.width} ${FRAME.height}`} role="img" aria-label={text.drawing}>
          <StreetMap streets={streets} frame={{ x: 0, y: 0, width: FRAME.width, height: FRAME.height }} />
          {spots.pickup === undefined || spots.destination === undefined ? null : (
            <path
              class="way"
              d={`M${spots.pickup.x} ${spots.pickup.y}L${spots.destination.x} ${spots.destination.y}`}
            />
          )}
          {spots.pickup === undefined ? null : <Pickup {...spots.pickup} />}
          {spots.destination === undefined ? null : <Destination {...spots.destination} />}
          {spots.driver === undefined ? null : <Driver {...spots.driver} />}
          <path class="bar" d={`M${BAR.x} ${BAR.y - 5}v5h${scale.length}v-5`} />
          <text x={BAR.x + scale.length + 8} y={BAR.y}>
            {formatDistance(scale.meters)}
          </text>
        </svg>
      </MapView>
      <figcaption class="small" dir="auto">
        <ul class="legend">
          {spots.pickup === undefined ? null : (
            <li>
              <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
                <Pickup x={10} y={10} />
              </svg>
              {text.pickup}
            </li>
          )}
          <li>
            <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
              <Destination x={10} y={17} />
            </svg>
            {text.destination}
          </li>
          {driver === null ? null : (
            <li>
              <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
                <Driver x={10} y={10} />
              </svg>
              {text.driver} <time dateTime={driver.recordedAt}>{formatTime(driver.recordedAt)}</time>
            </li>
          )}
        </ul>
        <span class="quiet">{text.line}</span>
        {credit === undefined ? null : <p class="quiet">{credit[locale]}</p>}
      </figcaption>
    </figure>
  );
}

function viewOf({ pickup, destination, driver }: RouteProps): View {
  const [from, to] = [pickup === null ? undefined : pointOf(pickup), pointOf(destination)];
  return {
    pickup: from,
    destination: to,
    driver: driver === null ? undefined : pointOf(driver),
    line: from === undefined ? [] : [from, to],
    isStraight: true,
  };
}

function pointOf({ latitude, longitude }: GeoPoint): Point {
  return { latitude: Number(latitude), longitude: Number(longitude) };
}

/** A slow map is asked again after this time, and not more often than this. */
const STREETS_RETRY_MS = 2_000;
const STREETS_RETRIES_MAX = 3;

/** The streets of a rectangle, once they are there. A drawing without them says as much, so a failure is not shown. */
function useStreets(bounds: MapBounds): StreetPaths | undefined {
  const { value, reload } = useLoaded(JSON.stringify(bounds), () => service.streets.read.query({ bounds }));
  const [retries, setRetries] = useState(0);
  const retry = () => {
    setRetries(retries + 1);
    reload();
  };
  useEvery(STREETS_RETRY_MS, retry, value?.paths === null && retries < STREETS_RETRIES_MAX);
  return value?.paths ?? undefined;
}

interface SpotProps {
  readonly x: number;
  readonly y: number;
}

function Pickup({ x, y }: SpotProps) {
  return <rect class="pickup" x={x - 6} y={y - 6} width="12" height="12" rx="2" />;
}

export function Destination({ x, y }: SpotProps) {
  return (
    <path
      class="destination"
      d={`M${x} ${y}c-7-8-7-9-7-11a7 7 0 0 1 14 0c0 2 0 3-7 11zm-2-11a2 2 0 0 0 4 0a2 2 0 0 0-4 0z`}
    />
  );
}

function Driver({ x, y }: SpotProps) {
  return <circle class="driver" cx={x} cy={y} r="6" />;
}
