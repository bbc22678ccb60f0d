import { assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toE164 } from '../../../src/core/phone.ts';
import { latinDigits } from '../../../src/core/text.ts';
import { cityOf, foldedCityName, foldedNamesOf } from '../../../src/core/typed/city.ts';
import { nearCityOf } from '../../../src/core/typed/near-city.ts';
import { readNumber, unmistakable, wholeOr } from '../../../src/core/typed/number.ts';
import {
  readEmail,
  readIdentifier,
  readMobile,
  readPhone,
  readRegistrationNumber,
} from '../../../src/core/typed/phone.ts';
import { isRounded } from '../../../src/core/typed/rounded.ts';
import {
  readCode,
  readCodes,
  readDigits,
  readNumbered,
  readOneLine,
  readText,
  withoutUnseen,
} from '../../../src/core/typed/text.ts';
import * as numberReaders from '../../../src/ui/browser/kit/number-readers.ts';
import * as readers from '../../../src/ui/browser/kit/readers.ts';
import {
  ALIKE_REFERENCES,
  AMOUNTS,
  CITIES,
  DOUBTFUL_NUMBERS,
  EMPTY_TEXTS,
  KEPT_EDGES,
  NAMES,
  NOT_NUMBERS,
  NOT_PHONES,
  PHONES,
  QUANTITIES,
  SAME_REFERENCE,
  TELEPHONES,
} from '../../support/cast.ts';

describe('a text', () => {
  test.each(SAME_REFERENCE.map((typed) => [JSON.stringify(typed), typed]))('%s is one reference', (_shown, typed) => {
    expect(readOneLine(typed)).toBe('A-1001');
  });

  test.each(ALIKE_REFERENCES)('$stored is one reference, however it is typed', ({ typed, stored }) => {
    expect([...new Set(typed.map(readOneLine))]).toEqual([stored]);
  });

  test.each(EMPTY_TEXTS.map((typed) => [JSON.stringify(typed), typed]))('%s is empty', (_shown, typed) => {
    expect(readText(typed)).toBe('');
  });

  test('keeps every name of the cast, and what its last letter is drawn with', () => {
    for (const { name } of NAMES) expect(readText(`\u200f ${name}\u00a0`)).toBe(name);
    for (const text of KEPT_EDGES) expect(readText(` ${text} `)).toBe(text);
  });

  test('has every character of Unicode that nobody sees cut from its edges, and none from its middle', () => {
    const unseen = /[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}]/u;
    for (let code = 0; code <= 0x10_ff_ff; code += 1) {
      const character = String.fromCodePoint(code);
      if (!unseen.test(character)) continue;
      expect([code, readText(`${character}X${character}`)]).toEqual([code, 'X']);
      expect(readText(`X${character}X`)).toBe(`X${character}X`);
    }
  });

  test('is the same when it is read again, whatever reads it', () => {
    for (const { read } of Object.values({ ...readers, ...numberReaders }))
      assert(property(string({ unit: 'binary' }), (typed) => read(read(typed)) === read(typed)));
  });

  test('may have digits of any script, which become Latin', () => {
    expect(latinDigits('٠١٢٣٤٥٦٧٨٩ ۰۹ ०९ ০৯ ௦௯ ൦൯ ０９ 𝟎𝟗𝟘𝟡')).toBe('0123456789 09 09 09 09 09 09 0909');
    expect(readNumbered('\u200fORD-١٢ ')).toBe('ORD-12');
    expect(readCode(' sar\u200e')).toBe('SAR');
    expect(readCodes('cold_chain، FRAGILE\u200e;\u200f')).toEqual(['COLD_CHAIN', 'FRAGILE']);
    expect(['١٠١٠ ١٢٣٤٥٦', '1010-123456', ' \u202a1010123456\u202c'].map(readDigits)).toEqual(
      Array.from({ length: 3 }, () => '1010123456'),
    );
    const exported = ['١٠١٠ ١٢٣٤٥٦', '="1010123456"', '1010.123.456', '1010123456.0', '١٠١٠/١٢٣٤٥٦'];
    expect(exported.map(readRegistrationNumber)).toEqual(exported.map(() => '1010123456'));
    expect(readRegistrationNumber('س.ت ١٠١٠')).toBe('س.ت 1010');
    expect(withoutUnseen('\u200f10 10\u00a0\u2060')).toBe('1010');
    expect(readDigits('شركة ١٠')).toBe('شركة 10');
  });
});

describe('a mobile number', () => {
  test.each(PHONES.map(({ typed, e164 }) => [JSON.stringify(typed), typed, e164]))(
    '%s is read',
    (_shown, typed, e164) => {
      expect(toE164(readMobile(typed) ?? '')).toBe(e164);
      expect(readPhone(typed)).toBe(e164);
      expect(readIdentifier(typed)).toBe(e164);
    },
  );

  test.each(NOT_PHONES)('%j is none', (typed) => {
    expect(readMobile(typed)).toBeUndefined();
    if (!typed.startsWith('+971')) expect(readPhone(typed)).toBeUndefined();
  });

  test.each(TELEPHONES)('%j is a telephone', ({ typed, e164 }) => {
    expect(readPhone(typed)).toBe(e164);
    expect(readPhone('011 234 5678')).toBeUndefined();
  });

  test('is an identifier, as an e-mail address is', () => {
    expect(readIdentifier('\u202aOwner@najd.example\u202c ')).toBe('Owner@najd.example');
    expect(readEmail('\u200bowner＠najd.example\u00a0')).toBe('owner@najd.example');
    expect(readIdentifier(' nobody\u200f')).toBe('nobody');
  });
});

describe('a number', () => {
  test.each(AMOUNTS.map(({ typed, value }) => [JSON.stringify(typed), typed, value]))(
    '%s is an amount',
    (_shown, typed, value) => {
      expect(readNumber(typed)).toMatchObject({ value, isDoubtful: false });
    },
  );

  test.each(QUANTITIES.map(({ typed, value }) => [JSON.stringify(typed), typed, value]))(
    '%s is a quantity',
    (_shown, typed, value) => {
      expect(wholeOr(readNumber(typed)?.value ?? '', 0)).toBe(value);
    },
  );

  test.each(NOT_NUMBERS)('%j is none', (typed) => {
    expect(readNumber(typed)).toBeUndefined();
  });

  test.each(DOUBTFUL_NUMBERS)(
    '%j can be read in two ways, and is shown as it is read',
    ({ typed, value, other, shown }) => {
      expect(readNumber(typed)).toMatchObject({ value, isDoubtful: true });
      const marks = (['.', ','] as const).map((mark) => readNumber(typed, { mark }));
      expect(marks.map((read) => read?.value)).toEqual([value, other]);
      expect(marks.map((read) => read?.isDoubtful)).toEqual([false, false]);
      expect(unmistakable(value)).toBe(shown);
    },
  );

  test('is never grouped in degrees', () => {
    const degrees = ['24.713', '24,713', '٢٤٫٧١٣', '-24.713', '24.7130'].map((typed) =>
      readNumber(typed, { isGrouped: false }),
    );
    expect(degrees.map((read) => [read?.value, read?.isDoubtful])).toEqual(
      ['24.713', '24.713', '24.713', '-24.713', '24.713'].map((value) => [value, false]),
    );
  });

  test.each(['9.66501E+11', '9,66501E+11', '٩٫٦٦٥E+11', ' 5.01235e8 '])('%s is a rounded number', (typed) => {
    expect(isRounded(typed)).toBe(true);
  });

  test.each(['0501234567', '966501234567.0', 'E+11', '12', ''])('%s is none', (typed) => {
    expect(isRounded(typed)).toBe(false);
  });

  test('that is not whole is refused where a whole one is needed', () => {
    expect([wholeOr('2.5', 0), wholeOr('', -1), wholeOr('two', 0), wholeOr('12', 0)]).toEqual([0, -1, 0, 12]);
  });
});

describe('a city', () => {
  const cities = [
    { cityCode: 'RUH', name: 'Riyadh', nameAr: 'الرياض' },
    { cityCode: 'JED', name: 'Jeddah', nameAr: 'جدة' },
    { cityCode: 'GIZ', name: 'Jazan', nameAr: 'جازان' },
    { cityCode: 'MED', name: 'Madinah', nameAr: 'المدينة المنورة' },
    { cityCode: 'MKK', name: 'Makkah', nameAr: 'مكة المكرمة' },
    { cityCode: 'KHM', name: 'Khamis Mushait', nameAr: 'خميس مشيط' },
    { cityCode: 'KHB', name: 'Khamis Bahr', nameAr: 'خميس البحر' },
  ];

  test.each(CITIES.map(({ typed, cityCode }) => [JSON.stringify(typed), typed, cityCode]))(
    'is found by %s',
    (_shown, typed, cityCode) => {
      expect(cityOf(cities, typed)?.cityCode).toBe(cityCode);
    },
  );

  test('is found by the first words of its name alone, and never guessed', () => {
    const codes = [
      'مكة',
      'مكه',
      'Ar-Riyadh',
      'Jedda',
      'خميس مشيط',
      'خميس',
      'Nowhere',
      'R',
      'ال',
      '',
      '\u200f',
      '-',
    ].map((typed) => cityOf(cities, typed)?.cityCode);
    expect(codes).toEqual(['MKK', 'MKK', 'RUH', 'JED', 'KHM', ...Array.from({ length: 7 })]);
  });

  test.each([
    ['Riyad', 'RUH'],
    ['Ryiadh', 'RUH'],
    ['الريا ض', 'RUH'],
    ['الرباض', 'RUH'],
    ['Jedda', undefined],
    ['Jedah', 'JED'],
    ['Madina', undefined],
    ['المدينه المنوره', undefined],
    ['المدينة المنوة', 'MED'],
    ['Jizzan', 'GIZ'],
    ['Nowhere', undefined],
    ['ريض', undefined],
    ['', undefined],
  ])('%s is near to %s', (typed, cityCode) => {
    expect(nearCityOf(cities, typed)?.cityCode).toBe(cityCode);
  });

  test('has one form of each of its names', () => {
    const [riyadh] = cities;
    expect(riyadh === undefined ? [] : foldedNamesOf(riyadh)).toEqual([
      foldedCityName('Ar-Riyadh'),
      foldedCityName('رياض'),
    ]);
  });

  test('is near to none if it is the name of one', () => {
    for (const { typed } of CITIES) expect(nearCityOf(cities, typed)).toBeUndefined();
  });
});
