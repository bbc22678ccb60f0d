import { announce } from './announce.ts';
import { enableCopying } from './copying.ts';

const REFRESH_MS = 15_000;
/** A mobile network that has not answered by then will not. */
const ANSWER_MS = 10_000;

/** The sections of the page as the service wrote them, by their ids: what is shown may differ by a button. */
let shown = sectionsOf(document);
let tag = tagOf(document);
let timer: ReturnType<typeof setTimeout> | undefined;
let isAsking = false;
let askedAtMs = performance.now();

/** Asks every 15 seconds whether there is news, as long as somebody can see it and there can be any. */
export function followNews(): void {
  if (tag === undefined) return;
  document.addEventListener('visibilitychange', plan);
  plan();
}

/** The next look: none while hidden; at once when it was due meanwhile. */
function plan(): void {
  clearTimeout(timer);
  if (document.hidden || tag === undefined || isAsking) return;
  timer = setTimeout(() => void look(), Math.max(0, askedAtMs + REFRESH_MS - performance.now()));
}

async function look(): Promise<void> {
  isAsking = true;
  askedAtMs = performance.now();
  setOutdated(!(await ask()));
  isAsking = false;
  plan();
}

/** Whether what is shown is what the service says now. */
async function ask(): Promise<boolean> {
  try {
    const headers = { 'if-none-match': tag ?? '' };
    const answer = await fetch(location.href, { headers, cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) });
    if (answer.status === 304) return true;
    // Anything but the page or its end is trouble, which passes.
    if (answer.status !== 200 && answer.status !== 404) return false;
    show(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    return true;
  } catch {
    // No network, or no answer in time: said on the page, and asked again.
    return false;
  }
}

function show(next: Document): void {
  if (scriptOf(next) !== undefined && scriptOf(next) !== scriptOf(document)) {
    // The service was renewed meanwhile; its new page comes with a new script.
    location.reload();
    return;
  }
  const before = headline();
  replaceSections(sectionsOf(next), next);
  document.title = next.title;
  tag = tagOf(next);
  const after = headline();
  if (after !== before) announce(after);
}

/** Replaces what has changed, so that nobody loses his place in the rest. */
function replaceSections(next: ReadonlyMap<string, string>, source: Document): void {
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
}

function sectionsOf(page: Document): ReadonlyMap<string, string> {
  return new Map([...page.querySelectorAll('main > section')].map((section) => [section.id, section.outerHTML]));
}

/** The state and the sentence below it. */
function headline(): string {
  const parts = document.querySelectorAll('#answer h1, #answer .lead');
  return [...parts].map((part) => part.textContent.trim()).join('. ');
}

function tagOf(page: Document): string | undefined {
  return page.querySelector<HTMLMetaElement>('meta[name="entity-tag"]')?.content;
}

function scriptOf(page: Document): string | undefined {
  return page.querySelector('script[src]')?.getAttribute('src') ?? undefined;
}

function setOutdated(isOutdated: boolean): void {
  const notice = document.getElementById('outdated');
  if (notice !== null && notice.hidden === isOutdated) notice.hidden = !isOutdated;
}
