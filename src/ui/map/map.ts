import arabic from '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-400-normal.woff2?url';
import arabicSemibold from '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-600-normal.woff2?url';
import latin from '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-latin-400-normal.woff2?url';
import latinSemibold from '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-latin-600-normal.woff2?url';
import {
  addProtocol,
  type LngLat,
  Map as MapCanvas,
  Marker,
  NavigationControl,
  removeProtocol,
  setWorkerUrl,
} from 'maplibre-gl';
import workerAddress from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import type { Locale } from '../../core/locale.ts';
import type { Point } from '../../core/polyline.ts';
import './map.css';
import { type Archive, openArchive } from './map-archive.ts';
import { degreesOf, extentOf, MAP_FONTS, type MapColours, type MapView, mapStyle, STREETS } from './map-style.ts';
import { MAP_WORDS } from './map-words.ts';

/* The code of the map with its library. It is large, so `load-map.ts` loads it only where a map is shown. */

export interface MapOptions {
  /** The map covers the box of this element. */
  readonly frame: HTMLElement;
  /** The address of the archive. */
  readonly archive: string;
  readonly locale: Locale;
  /** What the map is about, for people who do not see it. */
  readonly label: string;
  readonly view: MapView;
  /** A pin that the person moves. */
  readonly pin?:
    | { readonly at: Point /** With at most six decimals. */; readonly onMove: (to: Point) => void }
    | undefined;
  /** Called when tiles are missing, and when they are there again. */
  readonly onPartly: (isPartly: boolean) => void;
}

/** A map that is shown. */
export interface ShownMap {
  /** Shows other places. The map stays where the person has moved it. */
  readonly show: (view: MapView) => void;
  /** Moves the map and the pin to a place that was chosen elsewhere. */
  readonly setPin: (to: Point) => void;
  /** Puts the pin into the middle of the map, as if it had been dragged there. */
  readonly pinToMiddle: () => void;
  /** Puts the map over another element. */
  readonly moveTo: (frame: HTMLElement) => void;
  readonly remove: () => void;
}

/** Eleven centimetres. */
const DECIMALS = 6;
const PIN_ZOOM = 15;
const ZOOM_MAX = 19;
/** The pause before missing tiles are asked for again. It doubles up to the second one, because each retry reads all tiles. */
const RETRY_MS = 4_000;
const RETRY_MS_MAX = 60_000;
/** The places of a map keep this distance from its edge, in pixels. */
const MARGIN = 48;

/** Where the two files of letters end and begin. */
const LATIN = ['U+0-2FF', 'U+1E00-1EFF', 'U+2000-2BFF'];
const ARABIC = ['U+600-8FF', 'U+FB50-FDFF', 'U+FE70-FEFC'];
const FONTS = {
  [MAP_FONTS.regular]: [
    { url: latin, 'unicode-range': LATIN },
    { url: arabic, 'unicode-range': ARABIC },
  ],
  [MAP_FONTS.semibold]: [
    { url: latinSemibold, 'unicode-range': LATIN },
    { url: arabicSemibold, 'unicode-range': ARABIC },
  ],
};

/** Shapes of the drawings, in a square of 28. */
const SHAPES = {
  pickup: 'M7 7h14v14h-14z',
  destination: 'M14 28c-9-11-9-13-9-16a9 9 0 0 1 18 0c0 3 0 5-9 16zm-3-16a3 3 0 0 0 6 0a3 3 0 0 0-6 0z',
  driver: 'M14 5a9 9 0 1 1 0 18a9 9 0 0 1 0-18z',
} as const;
const SPOTS = ['pickup', 'destination', 'driver'] as const;

setWorkerUrl(workerAddress);
drawLettersLeftToRight();
let maps = 0;

/** Resolves with the first frame. Rejects if the archive is away or of another kind, or if the browser cannot draw it. */
export async function openMap(options: MapOptions): Promise<ShownMap> {
  const archive = await openArchive(options.archive);
  const scheme = `map${(maps += 1)}`;
  addProtocol(scheme, ({ url }, { signal }) => archive.readTile(url, signal));
  const container = document.createElement('div');
  container.className = 'map loading';
  container.dir = 'ltr';
  options.frame.classList.add('mapped');
  options.frame.append(container);
  try {
    return await startMap({ ...options, archive, container, scheme });
  } catch (error) {
    container.remove();
    removeProtocol(scheme);
    throw error;
  }
}

interface Started extends Omit<MapOptions, 'archive' | 'frame'> {
  readonly archive: Archive;
  readonly container: HTMLElement;
  readonly scheme: string;
}

async function startMap(options: Started): Promise<ShownMap> {
  const { archive, container, scheme, locale, pin } = options;
  let { view } = options;
  const tiles = { ...archive.tiles, url: `${scheme}://{z}/{x}/{y}` };
  const style = () => mapStyle({ tiles, fonts: FONTS, colours: coloursOf(container), locale, view });
  const map = new MapCanvas({ container, style: style(), ...cameraOf(view, pin?.at), ...settingsOf(options) });
  try {
    await Promise.all([firstFrame(map, archive), archive.checked]);
  } catch (error) {
    map.remove();
    throw error;
  }
  map.addControl(new NavigationControl({ showCompass: false }), 'top-left');
  map.getCanvas().setAttribute('aria-description', MAP_WORDS[locale].keys);
  container.append(creditOf());
  const spots = new Map(SPOTS.map((name) => [name, spotOf(name)]));
  const marker = pin === undefined ? undefined : pinOf(pin, locale).addTo(map);
  const placeSpots = () => {
    for (const [name, spot] of spots) {
      const at = view[name];
      if (at === undefined) spot.remove();
      else spot.setLngLat(degreesOf(at)).addTo(map);
    }
  };
  placeSpots();
  const theme = matchMedia('(prefers-color-scheme: dark)');
  const restyle = () => map.setStyle(style());
  theme.addEventListener('change', restyle);
  const stopRetrying = retryTiles(map, archive, options.onPartly);
  container.classList.remove('loading');
  return {
    show(next) {
      view = next;
      placeSpots();
      restyle();
    },
    setPin(to) {
      marker?.setLngLat(degreesOf(to));
      map.jumpTo({ center: degreesOf(to), zoom: Math.max(map.getZoom(), PIN_ZOOM) });
    },
    pinToMiddle() {
      const middle = map.getCenter();
      marker?.setLngLat(middle);
      pin?.onMove(pointOf(middle));
    },
    moveTo(frame) {
      frame.classList.add('mapped');
      frame.append(container);
      map.resize();
    },
    remove() {
      stopRetrying();
      theme.removeEventListener('change', restyle);
      map.remove();
      container.remove();
      removeProtocol(scheme);
    },
  };
}

/** What the map shows at first: the pin, or all places. */
function cameraOf(view: MapView, pin: Point | undefined) {
  if (pin !== undefined) return { center: degreesOf(pin), zoom: PIN_ZOOM };
  const extent = extentOf(view);
  if (extent === undefined) return {};
  const [west, south, east, north] = extent;
  const bounds: [number, number, number, number] = [west, south, east, north];
  return { bounds, fitBoundsOptions: { padding: MARGIN, maxZoom: PIN_ZOOM } };
}

function settingsOf({ locale, label }: Started) {
  const words = MAP_WORDS[locale];
  return {
    maxZoom: ZOOM_MAX,
    maxPitch: 0,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    rollEnabled: false,
    renderWorldCopies: false,
    // One finger scrolls the page.
    cooperativeGestures: true,
    attributionControl: false as const,
    // A label that fades keeps the processor busy.
    fadeDuration: 0,
    locale: {
      'Map.Title': label,
      'Marker.Title': words.pin,
      'NavigationControl.ZoomIn': words.zoomIn,
      'NavigationControl.ZoomOut': words.zoomOut,
      'CooperativeGesturesHandler.WindowsHelpText': words.wheel,
      'CooperativeGesturesHandler.MacHelpText': words.wheelOnMac,
      'CooperativeGesturesHandler.MobileHelpText': words.fingers,
    },
  };
}

/** A map counts as loaded although all of its tiles have failed. */
async function firstFrame(map: MapCanvas, archive: Archive): Promise<void> {
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  let failure: unknown;
  const fail = ({ error }: { readonly error: unknown }) => {
    failure = error;
  };
  map.on('error', fail);
  await map.once('load');
  map.off('error', fail);
  if (failure !== undefined && !archive.hasAnswered()) throw new Error('No tile was read.', { cause: failure });
}

/** Asks for missing tiles again, while the page is shown, until none fails. An archive that was replaced is read anew. */
function retryTiles(map: MapCanvas, archive: Archive, onPartly: (isPartly: boolean) => void): () => void {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRetrying = false;
  let failures = 0;
  let pauseMs = RETRY_MS;
  const later = (act: () => void) => {
    timer = setTimeout(() => {
      if (document.hidden) document.addEventListener('visibilitychange', act, { once: true, signal: stop.signal });
      else act();
    }, pauseMs);
  };
  const retry = () => {
    const before = failures;
    archive.forget();
    map.refreshTiles(STREETS);
    later(() => check(before));
  };
  const check = (before: number) => {
    if (failures > before) {
      pauseMs = Math.min(2 * pauseMs, RETRY_MS_MAX);
      retry();
    } else if (map.areTilesLoaded()) {
      isRetrying = false;
      pauseMs = RETRY_MS;
      onPartly(false);
    } else later(() => check(before));
  };
  map.on('error', () => {
    failures += 1;
    onPartly(true);
    if (!isRetrying) later(retry);
    isRetrying = true;
  });
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}

function coloursOf(container: HTMLElement): MapColours {
  const style = getComputedStyle(container);
  const colour = (name: keyof MapColours) => style.getPropertyValue(`--map-${name}`);
  return {
    earth: colour('earth'),
    green: colour('green'),
    water: colour('water'),
    building: colour('building'),
    street: colour('street'),
    edge: colour('edge'),
    text: colour('text'),
    halo: colour('halo'),
    way: colour('way'),
  };
}

/** The licence of the data asks for it (ODbL). */
function creditOf(): HTMLElement {
  const link = document.createElement('a');
  Object.assign(link, {
    href: 'https://www.openstreetmap.org/copyright',
    target: '_blank',
    rel: 'noopener noreferrer',
  });
  link.textContent = '© OpenStreetMap';
  const credit = document.createElement('div');
  credit.className = 'credit';
  credit.append(link);
  return credit;
}

const SVG = 'http://www.w3.org/2000/svg';

/** A sign that the legend below the map explains. */
function spotOf(name: (typeof SPOTS)[number]): Marker {
  const element = document.createElement('div');
  element.setAttribute('aria-hidden', 'true');
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', `spot ${name}`);
  svg.setAttribute('viewBox', '0 0 28 28');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', SHAPES[name]);
  svg.append(path);
  element.append(svg);
  return new Marker({ element, anchor: name === 'destination' ? 'bottom' : 'center' });
}

/** MapLibre moves its own marker by arrow keys too, and by ten times as much with Shift. */
function pinOf({ at, onMove }: NonNullable<MapOptions['pin']>, locale: Locale): Marker {
  const marker = new Marker({ draggable: true, className: 'pin' }).setLngLat(degreesOf(at));
  marker.getElement().setAttribute('aria-label', MAP_WORDS[locale].pin);
  marker.on('dragend', () => onMove(pointOf(marker.getLngLat())));
  return marker;
}

/** Rounded as forms write it, so that a page recognises a place that it has just been told. */
function pointOf({ lat, lng }: LngLat): Point {
  return { latitude: Number(lat.toFixed(DECIMALS)), longitude: Number(lng.toFixed(DECIMALS)) };
}

/**
 * MapLibre puts the letters of a label in their order, and then draws each on a canvas of its own. That canvas takes the
 * direction of the page, so on a page in Arabic it would turn brackets once more.
 */
function drawLettersLeftToRight(): void {
  if (typeof OffscreenCanvas === 'undefined') return;
  OffscreenCanvas.prototype.getContext = new Proxy(OffscreenCanvas.prototype.getContext, {
    apply(getContext, canvas, given) {
      const context: unknown = Reflect.apply(getContext, canvas, given);
      if (context instanceof OffscreenCanvasRenderingContext2D) context.direction = 'ltr';
      return context;
    },
  });
}
