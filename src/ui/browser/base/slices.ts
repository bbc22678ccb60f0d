import { pause } from '../../../core/timer.ts';

/** Shorter than two frames of a screen, so that typing and scrolling stay smooth. */
const SLICE_MS = 24;

/** Does `work` with each item in order, and lets a page breathe between slices of some milliseconds. */
export async function inSlices<Item>(items: readonly Item[], work: (item: Item, index: number) => void): Promise<void> {
  let until = performance.now() + SLICE_MS;
  for (const [index, item] of items.entries()) {
    work(item, index);
    if (performance.now() < until) continue;
    await pause(0);
    until = performance.now() + SLICE_MS;
  }
}
