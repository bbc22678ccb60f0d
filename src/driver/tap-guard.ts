/** How long a button must have stood in its place. The second tap of a double tap comes within 120 to 550 ms. */
export const STOOD_MS = 700;
/** A button that moved by less is still under the finger. */
const MOVED_PIXELS = 8;

/** The upper left corner of a button in the window. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/**
 * Decides whether a tap on a button counts: only if what the button does, and where it stands, has not changed for 700 ms.
 * Otherwise the finger may have aimed at another button that stood there before.
 */
export class TapGuard {
  #does: string | undefined;
  #spot: Spot | undefined;
  #since = 0;

  /** Takes what stands there now. Scrolling is not a move: the person sees where the button goes. */
  see(does: string, spot: Spot, { nowMs, isScrolled = false }: { readonly nowMs: number; isScrolled?: boolean }): void {
    if (does !== this.#does || (!isScrolled && hasMoved(this.#spot, spot))) this.#since = nowMs;
    this.#does = does;
    this.#spot = spot;
  }

  /** How long a tap does not count yet. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.#since + STOOD_MS - nowMs);
  }

  /** Takes a tap. One that counts is followed by 700 ms in which none does. */
  take(does: string, nowMs: number): boolean {
    if (does !== this.#does || this.waitMs(nowMs) > 0) return false;
    this.#since = nowMs;
    return true;
  }
}

function hasMoved(from: Spot | undefined, to: Spot): boolean {
  return from === undefined || Math.abs(from.x - to.x) > MOVED_PIXELS || Math.abs(from.y - to.y) > MOVED_PIXELS;
}
