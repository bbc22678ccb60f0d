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
])('the cookies named lang in %j are %j', (header, values) => {
  expect(parseCookies(header, 'lang')).toEqual(values);
});
