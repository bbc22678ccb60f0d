import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { TapGuard } from './tap-guard.ts';

interface TapButtonProps {
  /** What the button does, and to what: `ACCEPT` and an offer. A tap counts only if this stood there long enough. */
  readonly does: string;
  readonly onTap: () => void;
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'quiet' | 'danger' | 'plain';
  readonly isBusy?: boolean;
  /** Of a button that opens and closes what follows it. */
  readonly isExpanded?: boolean;
}

/** A button that changes something. Every such button of this page is one: see `TapGuard`. */
export function TapButton({ does, onTap, children, kind = 'quiet', isBusy = false, isExpanded }: TapButtonProps) {
  const element = useRef<HTMLButtonElement>(null);
  const guard = useRef(new TapGuard()).current;
  const [isReady, setIsReady] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const look = (isScrolled = false) => {
    const box = element.current?.getBoundingClientRect();
    if (box === undefined) return;
    guard.see(does, { x: box.left, y: box.top }, { nowMs: performance.now(), isScrolled });
    const waitMs = guard.waitMs(performance.now());
    setIsReady(waitMs === 0);
    clearTimeout(timer.current);
    if (waitMs > 0) timer.current = setTimeout(look, waitMs);
  };
  const latest = useRef(look);
  latest.current = look;
  useLayoutEffect(() => look(), [does]);
  useEffect(() => {
    const unwatch = watchLayout((isScrolled) => latest.current(isScrolled));
    return () => {
      unwatch();
      clearTimeout(timer.current);
    };
  }, []);
  return (
    <button
      ref={element}
      type="button"
      class={kind === 'plain' ? 'plain' : `button ${kind}`}
      aria-busy={isBusy}
      aria-expanded={isExpanded}
      aria-disabled={isBusy || !isReady}
      onClick={() => {
        if (isBusy || !guard.take(does, performance.now())) return;
        look();
        onTap();
      }}
    >
      {/* With a key, a translated text is replaced with its element: the words always say what the button does. */}
      <span key={does}>{children}</span>
    </button>
  );
}

type Watcher = (isScrolled: boolean) => void;
const watchers = new Set<Watcher>();
let stopWatching: (() => void) | undefined;

/** Calls `watcher` after anything on the page has changed that can move a button, before the browser handles a tap. */
function watchLayout(watcher: Watcher): () => void {
  watchers.add(watcher);
  stopWatching ??= startWatching();
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    stopWatching?.();
    stopWatching = undefined;
  };
}

function startWatching(): () => void {
  const tell = (isScrolled: boolean) => {
    for (const watcher of watchers) watcher(isScrolled);
  };
  const changed = () => tell(false);
  const scrolled = () => tell(true);
  const changes = new MutationObserver(changed);
  changes.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  // Fonts and pictures change sizes without a change of the document.
  const sizes = new ResizeObserver(changed);
  sizes.observe(document.body);
  addEventListener('scroll', scrolled, { capture: true, passive: true });
  addEventListener('resize', changed);
  return () => {
    changes.disconnect();
    sizes.disconnect();
    removeEventListener('scroll', scrolled, { capture: true });
    removeEventListener('resize', changed);
  };
}
