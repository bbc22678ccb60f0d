/** A megabyte. With two claims for each creation, nine tenths of those of the last 10,000 creations are remembered. */
const PLACES = 2 ** 18;

/**
 * The claims that units have taken, as far as this process remembers. Adding and finding one cost the same at any number.
 * A claim is kept as 32 bits in one place, which a later claim may take. So a claim may be forgotten, and one in some
 * thousands is found although it is new. Neither changes an outcome.
 */
export class TakenClaims {
  readonly #places = new Uint32Array(PLACES);

  add(claim: string): void {
    const hash = hashOf(claim);
    this.#places[hash % PLACES] = hash;
  }

  has(claim: string): boolean {
    const hash = hashOf(claim);
    return this.#places[hash % PLACES] === hash;
  }
}

/** FNV-1a of 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
