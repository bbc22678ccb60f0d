import { expect, test } from 'vitest';
import { newCode } from '../../../../src/domain/challenges/code.ts';
import type { Random } from '../../../../src/ports/random.ts';

/** Random source of these bytes, four at a time. */
function drawing(...draws: readonly number[][]): Random {
  const left = [...draws];
  return {
    uuid: () => {
      throw new Error('A code has no id');
    },
    bytes: () => Uint8Array.from(left.shift() ?? []),
  };
}

test.each([
  ['000000', [0, 0, 0, 0]],
  ['000001', [0, 0, 0, 1]],
  ['999999', [0, 0x0f, 0x42, 0x3f]],
  ['000000', [0, 0x0f, 0x42, 0x40]],
  ['999999', [0xff, 0xf1, 0x3d, 0x7f]],
])('is %s', (code, draw) => {
  expect(newCode(drawing(draw))).toBe(code);
});

test('is drawn again where low codes would be more likely', () => {
  // 4,294,000,000 is the greatest multiple of a million below 2^32.
  expect(newCode(drawing([0xff, 0xf1, 0x3d, 0x80], [0xff, 0xff, 0xff, 0xff], [0, 0, 0, 7]))).toBe('000007');
});
