/** Seeded random numbers (mulberry32): the same seed gives the same plan. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The dice of a round, or of one client in it. Multiplied in 32 bits: past 2^53 neighbouring seeds would become equal. */
  static ofRound(seed: number, round: number, who?: number): Dice {
    const one = Math.imul(seed, 1_000_003) + round;
    return new Dice(who === undefined ? one : Math.imul(one, 31) + who + 1);
  }

  /** From 0 up to 1. */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  between(min: number, max: number): number {
    return min + this.roll() * (max - min);
  }

  /** One of these, by weight. */
  pick<Choice extends string>(weights: Readonly<Partial<Record<Choice, number>>>): Choice {
    const entries = Object.entries(weights) as [Choice, number][];
    let left = this.roll() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [choice, weight] of entries) {
      left -= weight;
      if (left < 0) return choice;
    }
    return (entries.at(-1) as [Choice, number])[0];
  }
}
