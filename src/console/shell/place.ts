import { useEffect, useState } from 'preact/hooks';

/** Where in the console one is, as the address says: `/console/{area}/{id}/{part}?filters`. */
export interface Place {
  /** Empty at `/console` itself. */
  readonly area: string;
  readonly id: string | undefined;
  readonly part: string | undefined;
  readonly query: URLSearchParams;
}

const ROOT = '/console';
const MOVED = 'console-moved';

/** The place of now; whoever asks is drawn anew when it changes. */
export function usePlace(): Place {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const update = () => setPlace(readPlace());
    addEventListener('popstate', update);
    addEventListener(MOVED, update);
    return () => {
      removeEventListener('popstate', update);
      removeEventListener(MOVED, update);
    };
  }, []);
  return place;
}

/** Goes to a place without loading the page again. `isReplacing`: Back does not lead here. */
export function go(address: string, { isReplacing = false } = {}): void {
  if (isReplacing) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  dispatchEvent(new Event(MOVED));
  if (!isReplacing) scrollTo(0, 0);
}

/** The address of a place. Filters without a value are left out. */
export function addressOf(path: string, filters: Readonly<Record<string, string | undefined>> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value !== undefined && value !== '') query.set(name, value);
  const text = query.toString();
  return `${ROOT}${path === '' ? '' : `/${path}`}${text === '' ? '' : `?${text}`}`;
}

function readPlace(): Place {
  const [area = '', id, part] = location.pathname
    .slice(ROOT.length + 1)
    .split('/')
    .map(decodeURIComponent);
  return { area, id, part, query: new URLSearchParams(location.search) };
}
