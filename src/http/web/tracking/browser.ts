import { scriptOf } from '../../../ui/page-script.ts';
import type * as RouteMap from './route-map.ts';
import './tracking.css';

/* The script of the tracking page: it refreshes the page, shows the map, and makes its copy buttons work. */

const REFRESH_MS = 15_000;
/** After a message that the shipment has changed, so that several changes at once cost one request. */
const CHANGED_MS = 1_000;
/** A deployment closes all sockets at once, so each page waits for a time of its own before it opens another. */
const RECONNECT_MS = 15_000;
const RECONNECT_SPREAD_MS = 30_000;
/** Sockets in a row that could not be opened. Then the page only polls. */
const FAILURES_MAX = 5;
/** After this time, a mobile network is unlikely to answer. */
const TIMEOUT_MS = 10_000;

/** The sections as the service sent them, by id. The document itself differs once the copy buttons are visible. */
let shown = sectionsOf(document);
let tag = tagOf(document);
let timer: ReturnType<typeof setTimeout> | undefined;
let isRefreshing = false;
let requestedAtMs = performance.now();
let waitMs = REFRESH_MS;
let socket: WebSocket | undefined;
let failures = 0;
let reconnectAtMs = 0;
/** Takes the map along when the page has changed, once there is one. */
let keepMap: (() => void) | undefined;

enableCopying(document);
offerMap();
// A page without an entity tag, such as that of an expired link, never changes.
if (tag !== undefined) {
  document.addEventListener('visibilitychange', scheduleRefresh);
  scheduleRefresh();
}

/** Schedules the next refresh. A hidden page does not refresh; one that missed its refresh does so as soon as it is visible. */
function scheduleRefresh(): void {
  clearTimeout(timer);
  if (!document.hidden && tag !== undefined && !isRefreshing)
    timer = setTimeout(() => void refresh(), Math.max(0, requestedAtMs + waitMs - performance.now()));
  // Last, so that nothing about sockets can stop the refreshes.
  keepSocket();
}

/** Opens the socket that tells of changes, or keeps it alive. A page that is hidden or finished needs none. */
function keepSocket(): void {
  if (document.hidden || tag === undefined) {
    const last = socket;
    socket = undefined;
    last?.close();
  } else if (socket?.readyState === WebSocket.OPEN) {
    // Proxies close a connection that is idle for a minute.
    socket.send('ping');
  } else if (socket === undefined && failures < FAILURES_MAX && performance.now() >= reconnectAtMs) {
    openSocket();
  }
}

/** Without a socket, the page learns of changes by its next refresh. */
function openSocket(): void {
  const opened = new WebSocket(
    `${location.origin.replace('http', 'ws')}${location.pathname.replace(/(?<!\/)\/+$/, '')}/changes`,
  );
  socket = opened;
  opened.addEventListener('open', () => {
    failures = 0;
  });
  opened.addEventListener('message', ({ data }) => {
    if (data !== 'changed') return;
    waitMs = CHANGED_MS;
    scheduleRefresh();
  });
  opened.addEventListener('close', () => {
    if (socket !== opened) return;
    socket = undefined;
    failures += 1;
    reconnectAtMs = performance.now() + RECONNECT_MS + Math.random() * RECONNECT_SPREAD_MS;
  });
}

async function refresh(): Promise<void> {
  isRefreshing = true;
  waitMs = REFRESH_MS;
  requestedAtMs = performance.now();
  setOutdated(!(await fetchPage()));
  isRefreshing = false;
  scheduleRefresh();
}

/** Fetches the page and shows it if it changed. Resolves to whether the page is up to date. */
async function fetchPage(): Promise<boolean> {
  try {
    const headers = { 'if-none-match': tag ?? '' };
    const answer = await fetch(location.href, { headers, cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (answer.status === 304) return true;
    // Any other status is a temporary failure.
    if (answer.status !== 200 && answer.status !== 404) return false;
    show(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    return true;
  } catch {
    // No network or no answer in time. The page shows a notice and the next refresh tries again.
    return false;
  }
}

function show(next: Document): void {
  if (scriptOf(next) !== undefined && scriptOf(next) !== scriptOf(document)) {
    // A new version of the service is deployed, so the new page needs its new script.
    location.reload();
    return;
  }
  const before = headlineText();
  replaceSections(sectionsOf(next), next);
  document.title = next.title;
  tag = tagOf(next);
  const after = headlineText();
  if (after !== before) announce(after);
}

/** Replaces only the sections that changed, so that focus and selection stay in the others. */
function replaceSections(next: ReadonlyMap<string, string>, source: Document): void {
  const focused = document.activeElement;
  const isSameOutline = [...next.keys()].join() === [...shown.keys()].join();
  if (!isSameOutline) {
    document.querySelector('main')?.replaceChildren(...(source.querySelector('main')?.childNodes ?? []));
    enableCopying(document);
  }
  for (const [id, markup] of isSameOutline ? next : []) {
    const section = source.getElementById(id);
    if (markup === shown.get(id) || section === null) continue;
    document.getElementById(id)?.replaceWith(section);
    enableCopying(section);
  }
  shown = next;
  keepMap?.();
  offerMap();
  // The map has moved into the new section, and an element that moves loses the focus.
  if (focused instanceof HTMLElement && focused.isConnected && focused !== document.activeElement)
    focused.focus({ preventScroll: true });
}

function sectionsOf(page: Document): ReadonlyMap<string, string> {
  return new Map([...page.querySelectorAll('main > section')].map((section) => [section.id, section.outerHTML]));
}

/** The state and the sentence below it, for the announcement. */
function headlineText(): string {
  const parts = document.querySelectorAll('#answer h1, #answer .lead');
  return [...parts].map((part) => part.textContent.trim()).join('. ');
}

function tagOf(page: Document): string | undefined {
  return page.querySelector<HTMLMetaElement>('meta[name="entity-tag"]')?.content;
}

function setOutdated(isOutdated: boolean): void {
  const notice = document.getElementById('outdated');
  if (notice !== null && notice.hidden === isOutdated) notice.hidden = !isOutdated;
}

/** Makes screen readers say a text without moving the focus. */
function announce(text: string): void {
  const news = document.getElementById('news');
  if (news !== null) news.textContent = text;
}

/** Shows the button of the map if there is an archive, whose address is in the page. The code of the map loads with a tap. */
function offerMap(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-show-map]');
  const archive = document.body.dataset['map'];
  if (button === null || !button.hidden || archive === undefined || document.querySelector('.map') !== null) return;
  button.hidden = false;
  button.addEventListener('click', () => void openMap(button, archive));
}

async function openMap(button: HTMLButtonElement, archive: string): Promise<void> {
  const state = document.querySelector('[data-map-state]');
  if (state !== null) state.textContent = button.dataset['loading'] ?? '';
  try {
    const map: unknown = await import(/* @vite-ignore */ button.dataset['script'] ?? '');
    if (!isRouteMap(map)) return;
    keepMap = map.keepMap;
    await map.openMap(button, archive);
  } catch {
    // There is no network. The drawing shows the same.
    if (state !== null) state.textContent = button.dataset['showMap'] ?? '';
  }
}

function isRouteMap(code: unknown): code is typeof RouteMap {
  return typeof code === 'object' && code !== null && 'openMap' in code && 'keepMap' in code;
}

/** Shows the copy buttons. They are hidden until now because they need a script. */
function enableCopying(within: ParentNode): void {
  // Browsers allow the clipboard only over HTTPS and on localhost.
  if (!('clipboard' in navigator)) return;
  for (const button of within.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => void copy(button));
  }
}

async function copy({ dataset }: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(dataset['copy'] ?? '');
    announce(dataset['copied'] ?? '');
  } catch {
    // The browser denied access. People can still select the number by hand.
  }
}
