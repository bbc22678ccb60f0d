import { expect, test } from 'vitest';
import { parseCookies, parseWeighted } from '../../../src/core/header.ts';

test.each([
  [null, [{ value: '', quality: 1 }]],
  ['text/html', [{ value: 'text/html', quality: 1 }]],
  ['AR-sa ; q=0.5', [{ value: 'ar-sa', quality: 0.5 }]],
  [
    'text/html;level=1;q=0.3, */*;q=0',
    [
      { value: 'text/html', quality: 0.3 },
      { value: '*/*', quality: 0 },
    ],
  ],
  ['ar;q=high', [{ value: 'ar', quality: Number.NaN }]],
])('the elements of %j are %j', (header, elements) => {
  expect(parseWeighted(header)).toEqual(elements);
});

test.each([
  [null, []],
  ['', []],
  ['lang', []],
  ['xlang=en', []],
  ['lang=', ['']],
  ['a=b; lang=ar; c=d', ['ar']],
  ['lang=a=b;lang=en', ['a=b', 'en']],
  // Two lines, as workerd joins them.
  ['a=b, lang=ar', ['ar']],
  ['lang=ar, a=b; c=d', ['ar']],
  ['lang=ar, lang=en', ['ar', 'en']],
  // The value of another cookie has a comma.
  ['a=b, lang=ar; lang=en', ['en']],
  // So has this one's, which is then no value of ours.
  ['lang=ar, ar', ['ar, ar']],
  ['lang=ar,ar; a=b', ['ar,ar']],
])('the cookies named lang in %j are %j', (header, values) => {
  expect(parseCookies(header, 'lang')).toEqual(values);
});

test('a header of elements is read up to its longest useful length, at the end of an element', () => {
  const elements = parseWeighted(`ar;q=0.5,${'text/html;q=0.25,'.repeat(4000)}`);
  expect(elements.length).toBeLessThan(150);
  expect(elements.every(({ quality }) => quality === 0.5 || quality === 0.25)).toBe(true);
  expect(elements[0]).toEqual({ value: 'ar', quality: 0.5 });
  expect(parseWeighted(';'.repeat(60_000))).toEqual([{ value: '', quality: 1 }]);
});
