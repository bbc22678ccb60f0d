import { expect, test } from 'vitest';
import { Dice } from '../../../scripts/shared/dice.ts';

test.each([1, 648_621_754, 999_999_999])(
  'every participant in a round of seed %i has its own random sequence',
  (seed) => {
    for (let round = 1; round <= 200; round += 1) {
      const rolls = Array.from({ length: 100 }, (_, who) => Dice.ofRound(seed, round, who).roll());
      expect(new Set(rolls).size).toBe(rolls.length);
    }
  },
);
