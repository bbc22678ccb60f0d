import { STATE_FACTS } from '../../../contract/shipment-state.ts';
import type { StreetPaths } from '../../../contract/streets.ts';
import type { Spot } from '../../../core/earth.ts';
import type { Locale } from '../../../core/locale.ts';
import type { TrackingView } from '../../../domain/tracking/page-view.ts';
import type { Sketch } from '../../../domain/tracking/sketch.ts';
import { StreetMap, streetCreditOf } from '../../../ui/street-map.tsx';
import { formatNumber, formatTime } from '../formats.ts';
import { WORDS } from './words.ts';

/** On a long route, the circle of a few hundred metres would be too small to see. */
const RADIUS_MIN = 6;

/** A view with the streets under its drawing. They are undefined if the service has none now. */
export interface DrawnView extends TrackingView {
  readonly streets: StreetPaths | undefined;
}

interface WayProps {
  readonly view: DrawnView;
  readonly locale: Locale;
  /** The address of the code of the map. */
  readonly mapScript?: string | undefined;
}

/** The route as an SVG drawing. It uses no map service, which would learn who looks at the page. A map is not mirrored in Arabic. */
export function Way({ view, locale, mapScript }: WayProps) {
  const { sketch, streets } = view;
  if (sketch === null) return null;
  const words = WORDS[locale];
  const credit = streetCreditOf(streets);
  return (
    <section id="way">
      <h2>{words.way}</h2>
      <figure>
        <div class="map-drawing">
          <Drawing sketch={sketch} streets={streets} locale={locale} />
        </div>
        <figcaption>
          <button
            type="button"
            class="plain wide"
            data-show-map={words.drawingInstead}
            data-script={mapScript}
            data-loading={words.loadingMap}
            hidden
          >
            {words.showMap}
          </button>
          <p class="quiet" role="status" data-map-state />
          <ul class="legend">
            <li>
              <Sign class="pickup" />
              {words.pickup}
            </li>
            <li>
              <Sign class="area" />
              {words.area}
            </li>
            <Driver view={view} locale={locale} />
          </ul>
          <p class="quiet">{words.north}</p>
          {credit === undefined ? null : <p class="quiet">{credit[locale]}</p>}
        </figcaption>
      </figure>
    </section>
  );
}

function Driver({ view: { tracking, positionAt, sketch }, locale }: Parameters<typeof Way>[0]) {
  if (!STATE_FACTS[tracking.state].isPositionShared) return null;
  const words = WORDS[locale];
  if (positionAt === null) return <li class="quiet">{words.noPosition}</li>;
  const time = formatTime(positionAt, locale);
  if (tracking.livePosition === null || sketch?.driver == null)
    return <li class="quiet">{words.driverBefore(time)}</li>;
  return (
    <li>
      <Sign class="driver" />
      {words.driverAt(time)}
    </li>
  );
}

function Sign({ class: name }: { readonly class: string }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <circle class={name} cx="8" cy="8" r={name === 'driver' ? 6 : 7} />
    </svg>
  );
}

interface DrawingProps {
  readonly sketch: Sketch;
  readonly streets: StreetPaths | undefined;
  readonly locale: Locale;
}

function Drawing({ sketch, streets, locale }: DrawingProps) {
  const { width, height, line, pickup, destination, driver, scale } = sketch;
  return (
    <svg
      class="drawing"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={WORDS[locale].wayText}
      data-bounds={boundsText(sketch)}
    >
      <StreetMap streets={streets} frame={{ x: 0, y: 0, width, height }} />
      <Area class="pickup" area={pickup} />
      <Area class="area" area={destination} />
      <path class="line" d={pathOf(line)} />
      {driver === null ? null : <circle class="driver" cx={driver.x} cy={driver.y} r="7" />}
      <path class="scale" d={`M12 ${height - 16}v6h${scale.length}v-6`} />
      <text x={18 + scale.length} y={height - 10}>
        {lengthOf(scale.meters, locale)}
      </text>
    </svg>
  );
}

/** For the map, which places there what the drawing shows, and nothing else. To about ten metres: the corners follow from the driver's position. */
function boundsText({ bounds: { west, south, east, north } }: Sketch): string {
  return [west, south, east, north].map((degrees) => degrees.toFixed(4)).join(' ');
}

function Area({ class: name, area }: { readonly class: string; readonly area: Sketch['pickup'] }) {
  return <circle class={name} cx={area.x} cy={area.y} r={Math.max(area.radius, RADIUS_MIN)} />;
}

export function pathOf(line: readonly Spot[]): string {
  return line.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
}

function lengthOf(meters: number, locale: Locale): string {
  const words = WORDS[locale];
  return meters < 1000
    ? `${formatNumber(meters, locale)} ${words.meters}`
    : `${formatNumber(meters / 1000, locale)} ${words.kilometers}`;
}
