import {
  array,
  assert,
  bigInt,
  constantFrom,
  dictionary,
  integer,
  letrec,
  oneof,
  property,
  string,
  tuple,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decimal, parseDecimal } from '../../../src/core/decimal.ts';
import { canonicalJson, ExactNumber, parseJson, rawNumber } from '../../../src/core/json.ts';

describe('parseJson', () => {
  it('parses ordinary numbers as numbers', () => {
    expect(parse('{"a":12.5,"b":[-0.000001,0,123456789012345],"c":null}')).toEqual({
      a: 12.5,
      b: [-0.000001, 0, 123456789012345],
      c: null,
    });
  });

  it.each([
    `0.${'0'.repeat(400)}1`,
    '9'.repeat(400),
    ...'1234567890123456 -1234567890123456789 0.1234567890123456 1234567890.123456789 1.0000000000000001'.split(' '),
    ...'9007199254740993 100000000000000000000 1e2 -1.5E+3 0e0 1e-7 1e400'.split(' '),
  ])('keeps the digits of %s in every position', (source) => {
    const exact = new ExactNumber(source);
    expect(parse(source)).toEqual(exact);
    expect(parse(`[${source}]`)).toEqual([exact]);
    expect(parse(`[1,${source}]`)).toEqual([1, exact]);
    expect(parse(`{"a":${source}}`)).toEqual({ a: exact });
    for (const space of ' \t\n\r') expect(parse(`{"a":${space}${source}}`)).toEqual({ a: exact });
  });

  it.each([
    ['123456789012345', 123456789012345],
    ['-12345.6789012345', -12345.6789012345],
    ['0.123456789012345', 0.123456789012345],
    ['0.000000000000000001', 1e-18],
    ['1.00000000000000000000', 1],
  ])('returns %s as a number, because a double holds it exactly', (text, expected) => {
    expect(parse(text)).toBe(expected);
  });

  it('does not mistake digits inside strings for numbers', () => {
    const text = '{"id":"0193a1f2-7e3a-4e5b-8def-0123456789ab","note":": 1e5 ,1234567890123456"}';
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it.each([
    '',
    '[1] 2',
    '\ufeff{}',
    '"\u0001"',
    ...`{ [1,] {"a":1,} {'a':1} {"a":1e5 [1234567890123456789 01 +1 .5 1. 1e NaN undefined`.split(' '),
  ])('refuses %j', (text) => {
    expect(parseJson(text)).toEqual({ ok: false });
  });

  it('uses the last of equal keys, exact or not', () => {
    expect(parse('{"a":1e5,"a":2}')).toEqual({ a: 2 });
    expect(parse('{"a":2,"a":1e5}')).toEqual({ a: new ExactNumber('1e5') });
    expect(parse('{"a":[1e5,1e6],"a":[3e5]}')).toEqual({ a: [new ExactNumber('3e5')] });
  });

  it.each(['1', '1e5'])('makes __proto__ a plain own property (beside %s)', (number) => {
    const value = parse(`{"__proto__":{"polluted":${number}},"constructor":{"prototype":{"polluted":1}}}`);
    expect(Object.keys(Object(value))).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Reflect.get(Object(value), 'polluted')).toBeUndefined();
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('never returns a number that a double would change', () => {
    assert(
      property(document, ({ text, value }) => {
        expect(parse(text)).toEqual(value);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('rawNumber', () => {
  it('prints a bare number', () => {
    const body = { amount: rawNumber(decimal('1234567890.123456789')) };
    expect(JSON.stringify(body)).toBe('{"amount":1234567890.123456789}');
  });

  it('prints 19 significant digits unchanged', () => {
    const nineteenDigits = bigInt({ min: 10n ** 18n, max: 10n ** 19n - 1n }).filter((value) => value % 10n !== 0n);
    assert(
      property(nineteenDigits, integer({ min: 1, max: 18 }), constantFrom('', '-'), (unscaled, point, sign) => {
        const digits = String(unscaled);
        const text = `{"amount":${sign}${digits.slice(0, point)}.${digits.slice(point)}}`;
        const value = parse(text);
        const amount: unknown = Reflect.get(Object(value), 'amount');
        if (!(amount instanceof ExactNumber)) throw new Error(`not exact: ${text}`);
        expect(JSON.stringify({ amount: rawNumber(decimal(amount.source)) })).toBe(text);
      }),
    );
  });
});

describe('canonicalJson', () => {
  it.each([
    [' { "b" : [ 1 , 2 ] , "a" : null } ', '{"a":null,"b":[1,2]}'],
    ['[3,true,{},[],""]', '[3,true,{},[],""]'],
    ['{"a":1.0,"b":1,"c":1e0,"d":10e-1}', '{"a":1,"b":1,"c":1,"d":1}'],
    ['[-0,0.0,-0e9,1e2,0.5e1,1e-7,0.0000001]', '[0,0,0,100,5,0.0000001,0.0000001]'],
    ['[1234567890123456789,1234567890123456789.0]', '[1234567890123456789,1234567890123456789]'],
    ['{"é":5,"a":4,"B":3,"9":2,"10":1}', '{"10":1,"9":2,"B":3,"a":4,"é":5}'],
    ['{"__proto__":{"b":1,"a":2}}', '{"__proto__":{"a":2,"b":1}}'],
    ['"\\u0041\\n\\""', '"A\\n\\""'],
  ])('writes %s as %s', (text, expected) => {
    expect(canonicalJson(parse(text))).toBe(expected);
  });

  it('writes different values differently', () => {
    const texts = ['1', '"1"', '[1]', '{"1":1}', 'null', '"null"', '1e61', '2e61', '0.1', '0.10000000000000001'];
    const written = texts.map((text) => canonicalJson(parse(text)));
    expect(new Set(written).size).toBe(texts.length);
  });

  it('escapes lone surrogates, so that different ones differ', () => {
    const written = ['"\\ud800"', '"\\ud801"', '"\\ufffd"'].map((text) => canonicalJson(parse(text)));
    expect(written).toEqual(['"\\ud800"', '"\\ud801"', '"\ufffd"']);
    expect(canonicalJson(parse('{"\\udfff":1}'))).toBe('{"\\udfff":1}');
  });

  it('leaves out undefined members and refuses values that JSON does not have', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
    for (const value of [undefined, Number.NaN, Infinity, 1n, Symbol('a'), () => 1, [undefined]]) {
      expect(() => canonicalJson(value)).toThrow(TypeError);
    }
  });

  it('ignores key order, number spelling and white space, and is stable', () => {
    assert(
      property(document, ({ text, otherText }) => {
        const written = canonicalJson(parse(text));
        expect(canonicalJson(parse(otherText))).toBe(written);
        expect(canonicalJson(parse(written))).toBe(written);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** A JSON text, its expected value, and a second text with the same meaning. */
interface Sample {
  readonly text: string;
  readonly otherText: string;
  readonly value: unknown;
}

/**
 * V8 (Node 24.21) reads the name `"` as a backslash if an earlier object had a backslash as its name in the same place:
 * JSON.parse('{"\\\\":0}') and then JSON.parse('{"\\"":0}'). So no name here ends in a backslash.
 */
function isSafeName(name: string): boolean {
  return !name.endsWith('\\');
}

const join = (parts: readonly string[]) => parts.join('');
const digits = (maxLength: number) => array(constantFrom(...'0123456789'), { maxLength }).map(join);
const gap = constantFrom('', '', ' ', '\n', '\t\r');

/** Every form of a JSON number; the expectation follows the grammar, not the code under test. */
const numberSample = tuple(
  constantFrom('', '-'),
  oneof(constantFrom('0'), tuple(constantFrom(...'123456789'), digits(18)).map(join)),
  digits(18),
  constantFrom(undefined, -9, 0, 3),
).map(([sign, whole, fraction, exponent]): Sample => {
  const plain = `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  const text = exponent === undefined ? plain : `${plain}e${exponent}`;
  const significant = (whole + fraction.replace(/0+$/, '')).replace(/^0+/, '');
  const isExact = exponent !== undefined || significant.length > 15;
  const unscaled = BigInt(`${whole}${fraction}0`);
  const otherText = `${sign}${unscaled}E${(exponent ?? 0) - fraction.length - 1}`;
  return { text, otherText, value: isExact ? new ExactNumber(text) : Number(text) };
});

/** Strings that look like numbers and structure. */
const stringValue = oneof(
  string(),
  array(constantFrom('1234567890', '1e5', '.', ',', ':', '[', '"', '\\', ' ', '-')).map(join),
);
const stringSample = stringValue.map((value): Sample => {
  const text = JSON.stringify(value);
  return { text, otherText: text, value };
});

const { document } = letrec<{ document: Sample }>((tie) => ({
  document: oneof(
    { maxDepth: 4, withCrossShrink: true },
    oneof(numberSample, numberSample, stringSample),
    tuple(array(tie('document'), { maxLength: 5 }), gap).map(arraySample),
    tuple(dictionary(stringValue.filter(isSafeName), tie('document'), { maxKeys: 5, noNullPrototype: true }), gap).map(
      objectSample,
    ),
  ),
}));

function arraySample([items, space]: [Sample[], string]): Sample {
  return {
    text: `[${items.map((item) => space + item.text + space).join(',')}]`,
    otherText: `[${items.map((item) => item.otherText).join(`${space},`)}]`,
    value: items.map((item) => item.value),
  };
}

function objectSample([members, space]: [Record<string, Sample>, string]): Sample {
  const entries = Object.entries(members);
  const write = ([key, text]: [string, string]) => `${space}${JSON.stringify(key)}${space}:${space}${text}`;
  const texts = entries.map(([key, member]) => write([key, member.text]));
  const otherTexts = entries.map(([key, member]) => write([key, member.otherText]));
  return {
    text: `{${texts.join(',')}}`,
    otherText: `{${otherTexts.reverse().join(',')}}`,
    value: Object.fromEntries(entries.map(([key, member]) => [key, member.value])),
  };
}

function parse(text: string): unknown {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(`not JSON: ${text}`);
  return parsed.value;
}

function decimal(text: string): Decimal {
  const parsed = parseDecimal(text);
  if (parsed === undefined) throw new Error(`not a decimal: ${text}`);
  return parsed;
}
