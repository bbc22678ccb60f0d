import { expect, test } from 'vitest';
import { portOf } from '../../../src/platform/deno/serve.ts';

test.each([
  [undefined, 8787],
  ['0', 0],
  ['8800', 8800],
])('PORT=%s', (text, port) => {
  expect(portOf(text)).toBe(port);
});

test.each(['', ' ', '65536', '-1', '8e3', '0x10', '80 '])('PORT=%j is refused', (text) => {
  expect(() => portOf(text)).toThrow('PORT: must be a whole number up to 65535');
});
