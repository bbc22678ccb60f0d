import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePointLength, shortNameOf } from '../../../src/core/text.ts';

describe('codePointLength', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['مرسال', 5],
    ['😀', 1],
    ['a😀b😀', 4],
    ['e\u0301', 2],
    ['👩\u200d👧', 3],
    ['\ud800', 1],
    ['\udc00', 1],
    ['\udc00\ud800', 2],
    ['\ud800\ud800\udc00', 2],
    ['\ud800\udc00\udc00', 2],
  ])('counts %j as %d', (text, expected) => {
    expect(codePointLength(text)).toBe(expected);
  });

  it('agrees with the string iterator', () => {
    const unit = constantFrom('a', 'م', '😀', '\ud800', '\udc00', '\uffff');
    assert(property(string({ unit }), (text) => codePointLength(text) === [...text].length));
  });
});

it('shows at most 32 characters of an unknown name, and no half of a pair', () => {
  expect(shortNameOf('x'.repeat(33))).toBe('x'.repeat(32));
  expect(shortNameOf(`${'x'.repeat(31)}😀`)).toBe(`${'x'.repeat(31)}�`);
});
