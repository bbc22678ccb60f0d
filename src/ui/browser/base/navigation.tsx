import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Deployment } from '../../../core/deployment.ts';
import { focusOn, keepFocusIn } from './kept-focus.ts';

/** Operators work at `/operations`, merchants at `/console`. */
export const isOperations = /^\/operations(?:\/|$)/.test(location.pathname);

/** The parts of the page's address: `/console/{area}/{id}/{part}?filters`. */
interface Address {
  /** Empty for `/console` itself. */
  readonly area: string;
  readonly id: string | undefined;
  readonly part: string | undefined;
  readonly query: URLSearchParams;
}

/** What the page of every area receives. */
export interface AreaProps {
  readonly address: Address;
  readonly deployment: Deployment;
}

const ROOT = isOperations ? '/operations' : '/console';
const NAVIGATED = 'console-navigated';

/** The current address. The component renders again when it changes. */
export function useAddress(): Address {
  const [address, setAddress] = useState(readAddress);
  useEffect(() => {
    const update = () => setAddress(readAddress());
    addEventListener('popstate', update);
    addEventListener(NAVIGATED, update);
    return () => {
      removeEventListener('popstate', update);
      removeEventListener(NAVIGATED, update);
    };
  }, []);
  return address;
}

interface Navigation {
  /** Replaces the current entry of the history. */
  readonly isReplacing?: boolean;
  /** The pages of a list that were read before this one, by their cursors; undefined is the first. */
  readonly trail?: Trail;
}

/** Kept with an entry of the history, also after a reload. */
export type Trail = readonly (string | undefined)[];

export function trailHere(): Trail {
  const state: unknown = history.state;
  return Array.isArray(state) ? (state as Trail) : [];
}

/** Shows another address without reloading the page. */
export function navigate(address: string, { isReplacing = false, trail }: Navigation = {}): void {
  if (isReplacing) history.replaceState(trail, '', address);
  else history.pushState(trail, '', address);
  dispatchEvent(new Event(NAVIGATED));
  if (!isReplacing) scrollTo(0, 0);
}

/** The address of a path within the console. Filters without a value are omitted. */
export function addressOf(path: string, filters: Readonly<Record<string, string | undefined>> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value !== undefined && value !== '') query.set(name, value);
  const text = query.toString();
  return `${ROOT}${path === '' ? '' : `/${path}`}${text === '' ? '' : `?${text}`}`;
}

export function readAddress(): Address {
  const [area = '', id, part] = location.pathname
    .slice(ROOT.length + 1)
    .split('/')
    .map(decoded);
  return { area, id, part, query: new URLSearchParams(location.search) };
}

/** A part of an address. One that is no UTF-8 stays as it is, and names nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

interface LinkProps {
  readonly to: string;
  readonly class?: string;
  readonly isCurrent?: boolean;
  readonly trail?: Trail;
  readonly onFollow?: () => void;
  readonly children: ComponentChildren;
}

/** A link within the console. It stays a real link, so that people can open it in a new tab or copy its address. */
export function Link({ to, isCurrent = false, trail, onFollow, children, ...rest }: LinkProps) {
  const onClick = (event: TargetedMouseEvent<HTMLAnchorElement>) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onFollow?.();
    navigate(to, trail === undefined ? {} : { trail });
  };
  return (
    <a href={to} onClick={onClick} aria-current={isCurrent ? 'page' : undefined} {...rest}>
      {children}
    </a>
  );
}

/** Whether no page was shown since the document was loaded. The pages before and after a sign-in share a document. */
let isFirst = true;

/**
 * Sets the document's title from the page's heading, and moves the focus to that heading after a navigation, so that
 * screen readers announce the new page. The code of an area loads late, so this waits for the heading. If the focus is
 * already inside the page, for example in a field, it stays there, or near there if its element is removed.
 */
export function useHeadingFocus(path: string, main: { readonly current: HTMLElement | null }, name: string): void {
  useEffect(() => (main.current === null ? undefined : keepFocusIn(main.current)), []);
  useEffect(() => {
    const content = main.current;
    if (content === null) return;
    // After a full page load, screen readers start at the top of the document by themselves.
    let isFocusDue = !isFirst;
    isFirst = false;
    const update = () => {
      const heading = content.querySelector('h1');
      if (heading === null) return;
      const title = `${heading.textContent} · ${name}`;
      if (document.title !== title) document.title = title;
      if (!isFocusDue) return;
      isFocusDue = false;
      if (!content.contains(document.activeElement)) focusOn(heading);
    };
    update();
    const observer = new MutationObserver(update);
    observer.observe(content, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [path]);
}
