import { expect, test } from 'vitest';
import { isApple, mapLink } from '../../../src/driver/map-link.ts';

const TOWER = { addressLine: 'برج المملكة (المدخل 2)، العليا', latitude: '24.711667', longitude: '46.674167' };

test('opens Apple Maps on an iPhone, with the Arabic name', () => {
  const link = new URL(mapLink(TOWER, true));
  expect(link.origin).toBe('https://maps.apple.com');
  expect(Object.fromEntries(link.searchParams)).toEqual({
    ll: '24.711667,46.674167',
    q: 'برج المملكة (المدخل 2)، العليا',
  });
});

test('opens any map application elsewhere; brackets in a name do not end it', () => {
  const link = mapLink(TOWER, false);
  expect(link.startsWith('geo:24.711667,46.674167?q=24.711667,46.674167(')).toBe(true);
  expect(link.match(/[()]/g)).toEqual(['(', ')']);
  expect(decodeURIComponent(link)).toBe('geo:24.711667,46.674167?q=24.711667,46.674167(برج المملكة المدخل 2 ، العليا)');
});

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 5, true],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5, true],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, false],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 8)', 5, false],
] as const)('%s with %i touches is Apple’s: %s', (userAgent, maxTouchPoints, expected) => {
  expect(isApple({ userAgent, maxTouchPoints })).toBe(expected);
});
