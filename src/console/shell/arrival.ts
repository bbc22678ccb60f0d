import { useEffect, useRef } from 'preact/hooks';

/**
 * Says where one has arrived: the document is called after the heading of the page, and the focus moves there, so that
 * a page that came without being loaded is read aloud like one that was. Areas are fetched late, so the heading is
 * waited for. Whoever is typing within the page by then keeps his focus.
 */
export function useArrival(path: string, main: { readonly current: HTMLElement | null }, name: string): void {
  const isFirst = useRef(true);
  useEffect(() => {
    const content = main.current;
    if (content === null) return;
    // Where a page was loaded, the browser begins to read at its start.
    let isAwaited = !isFirst.current;
    isFirst.current = false;
    const arrive = () => {
      const heading = content.querySelector('h1');
      if (heading === null) return;
      const title = `${heading.textContent} · ${name}`;
      if (document.title !== title) document.title = title;
      if (!isAwaited) return;
      isAwaited = false;
      if (content.contains(document.activeElement)) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    };
    arrive();
    const observer = new MutationObserver(arrive);
    observer.observe(content, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [path]);
}
