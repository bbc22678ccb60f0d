const inMemory = new Map<string, string>();

/**
 * What this browser keeps between visits. Where it allows no storage, or has no room, a value lives as long as the page; no call
 * throws.
 */
export const keptHere = {
  getItem(name: string): string | null {
    const kept = inMemory.get(name);
    if (kept !== undefined) return kept;
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  setItem(name: string, text: string): void {
    try {
      localStorage.setItem(name, text);
      inMemory.delete(name);
    } catch {
      inMemory.set(name, text);
    }
  },
  removeItem(name: string): void {
    inMemory.delete(name);
    try {
      localStorage.removeItem(name);
    } catch {
      // Nothing was kept.
    }
  },
  /** Whether something is lost when the page is closed. */
  isLosing: (): boolean => inMemory.size > 0,
};
