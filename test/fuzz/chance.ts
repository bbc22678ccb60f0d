import { Dice } from '../../scripts/shared/dice.ts';

/** Decides one request: the same seed and index give the same request. */
export class Chance extends Dice {
  constructor(seed: number, index: number) {
    super(Math.imul(seed, 0x9e37_79b1) ^ Math.imul(index + 1, 0x85eb_ca6b));
  }

  /** True once in `times`. */
  once(times: number): boolean {
    return this.roll() * times < 1;
  }

  /** A whole number from 0 up to `count`. */
  below(count: number): number {
    return Math.floor(this.roll() * count);
  }

  oneOf<Choice>(choices: readonly Choice[]): Choice {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new RangeError('There is nothing to choose from');
    return choice;
  }
}
