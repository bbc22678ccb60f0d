/** Moves the focus to a heading, which has it only by a script. */
export function focusOn(heading: HTMLElement): void {
  if (heading.tabIndex < 0) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** What can take the focus in place of an element that is gone: it says where one is. */
export const HEADINGS = 'h1, h2, h3, legend, summary';

/**
 * When the element with the focus is removed or folded away, moves the focus to the nearest heading around its place.
 * Otherwise the document's body would get it, and people who use a keyboard or a screen reader would lose their place.
 */
export function keepFocusIn(content: HTMLElement): () => void {
  // The element that had the focus last, and the elements around it.
  let places: HTMLElement[] = [];
  const remember = ({ target }: FocusEvent) => {
    places = [];
    for (let place = target; place instanceof HTMLElement && content.contains(place); place = place.parentElement)
      places.push(place);
  };
  // The person, or a script, left the content for something that is still there.
  const forget = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof HTMLElement && !content.contains(relatedTarget)) places = [];
  };
  const observer = new MutationObserver(() => {
    const [last] = places;
    const isElsewhere = document.activeElement !== document.body && document.activeElement !== last;
    if (last === undefined || isElsewhere || (last.isConnected && last.checkVisibility())) return;
    const shown = places.filter((place) => place.isConnected && place.checkVisibility());
    const heading = shown.map((place) => place.querySelector<HTMLElement>(HEADINGS)).find((found) => found !== null);
    if (heading !== undefined) focusOn(heading);
  });
  content.addEventListener('focusin', remember);
  content.addEventListener('focusout', forget);
  observer.observe(content, { childList: true, subtree: true, attributeFilter: ['open'] });
  return () => {
    observer.disconnect();
    content.removeEventListener('focusin', remember);
    content.removeEventListener('focusout', forget);
  };
}
