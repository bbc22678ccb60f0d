import { describe, expect, it } from 'vitest';
import { findExcess } from '../../../src/core/json-limits.ts';

const MANY = 1_000_000;
const excess = (text: string, valuesMax = MANY, entriesMax?: number) =>
  findExcess(new TextEncoder().encode(text), { valuesMax, entriesMax });

describe('levels', () => {
  it.each([
    ['lists', (levels: number) => '['.repeat(levels) + ']'.repeat(levels)],
    ['objects', (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`],
  ])('are at most 64, of %s', (_what, nest) => {
    expect(excess(nest(64))).toBeUndefined();
    expect(excess(nest(65))).toBe('levels');
  });

  it('are counted, not brackets', () => {
    expect(excess(`[${'[],{},'.repeat(500)}"${'['.repeat(500)}"]`)).toBeUndefined();
  });
});

describe('values', () => {
  it.each([
    ['{"a":1,"b":2,"c":3}', 3],
    ['[1,2,3]', 3],
    ['{"a":[1,{"b":2}]}', 4],
    ['[[],{}]', 4],
    [String.raw`{"a":",[{\",","b\\":","}`, 2],
  ])('of %s are %i', (text, values) => {
    expect(excess(text, values)).toBeUndefined();
    expect(excess(text, values - 1)).toBe('values');
  });
});

describe('entries', () => {
  it('are counted in lists of the outermost object alone', () => {
    expect(excess('{"a":[1,2,3]}', MANY, 3)).toBeUndefined();
    expect(excess('{"a":[1,2,3,4]}', MANY, 3)).toBe('entries');
    expect(excess('{"a":{"b":1,"c":2,"d":3,"e":4},"f":[[1,2,3,4],"5,6,7,8"]}', MANY, 3)).toBeUndefined();
  });
});

it('reads a text of 8 MiB in one pass, whatever is in its strings', () => {
  const length = 8 * 1024 * 1024;
  const startedAt = performance.now();
  for (const unit of ['\\', '\\"', '"', '[]', ' ', ',']) excess(`{"a":"${unit.repeat(length / unit.length)}`, length);
  // A second look at each character would take hours.
  expect(performance.now() - startedAt).toBeLessThan(5000);
});
