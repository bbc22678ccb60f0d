import { assert, property, string, uuid } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUuid, parseUuid } from '../../../src/core/uuid.ts';

describe('parseUuid', () => {
  it.each([
    ['0193a1f2-7e3a-7abc-8def-0123456789ab', '0193a1f2-7e3a-7abc-8def-0123456789ab'],
    ['0193A1F2-7E3A-7ABC-8DEF-0123456789AB', '0193a1f2-7e3a-7abc-8def-0123456789ab'],
    ['550e8400-e29b-41d4-A716-446655440000', '550e8400-e29b-41d4-a716-446655440000'],
    ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ])('reads %s', (text, expected) => {
    expect(parseUuid(text)).toBe(expected);
    expect(isUuid(text)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['no hyphens', '0193a1f27e3a7abc8def0123456789ab'],
    ['misplaced hyphens', '0193a1f27-e3a-7abc-8def-0123456789ab'],
    ['braces', '{0193a1f2-7e3a-7abc-8def-0123456789ab}'],
    ['a URN', 'urn:uuid:0193a1f2-7e3a-7abc-8def-0123456789ab'],
    ['one digit short', '0193a1f2-7e3a-7abc-8def-0123456789a'],
    ['one digit long', '0193a1f2-7e3a-7abc-8def-0123456789abc'],
    ['a letter above f', '0193a1f2-7e3a-7abc-8def-0123456789ag'],
    ['a trailing newline', '0193a1f2-7e3a-7abc-8def-0123456789ab\n'],
    ['a leading space', ' 0193a1f2-7e3a-7abc-8def-0123456789ab'],
  ])('refuses %s', (_what, text) => {
    expect(parseUuid(text)).toBeUndefined();
    expect(isUuid(text)).toBe(false);
  });

  it('reads every version in upper and lower case', () => {
    assert(property(uuid(), (text) => parseUuid(text.toUpperCase()) === text && parseUuid(text) === text));
  });

  it('refuses random text without throwing', () => {
    assert(property(string(), (text) => !isUuid(text)));
  });
});
