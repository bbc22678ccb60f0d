import { describe, expect, test, vi } from 'vitest';
import { type Entry, foldOffers } from '../../../src/console/shipments/folded-offers.ts';

/* What the page of a shipment says of the search for a driver. */

const entriesOf = (...types: Entry['type'][]) =>
  types.map((type, index): Entry => {
    const [sequence, occurredAt] = [index + 1, `2026-11-29T06:${10 + index}:00.000000Z`];
    return { sequence, type, state: 'OFFERED', occurredAt, actor: 'SYSTEM', note: null };
  });
const foldedOf = (...types: Entry['type'][]) =>
  foldOffers(entriesOf(...types)).map(({ entries, offers }) => [entries.map(({ sequence }) => sequence), offers]);
const [OFFERED, EXPIRED, DECLINED] = [
  'shipment.offered',
  'shipment.offer_expired',
  'shipment.offer_declined',
] as const satisfies Entry['type'][];

describe('the timeline', () => {
  test('folds offers that follow each other, and leaves a single one as it is', () => {
    expect(foldedOf('shipment.created', 'shipment.approved', OFFERED, EXPIRED)).toEqual([
      [[1], 0],
      [[2], 0],
      [[3], 0],
      [[4], 0],
    ]);
    const eight = Array.from({ length: 8 }, () => [OFFERED, EXPIRED] as const).flat();
    expect(foldedOf('shipment.created', ...eight)).toEqual([
      [[1], 0],
      [Array.from({ length: 16 }, (_, index) => index + 2), 8],
    ]);
    expect(foldedOf()).toEqual([]);
  });

  test('keeps apart the offers before and after anything else', () => {
    expect(
      foldedOf(OFFERED, DECLINED, OFFERED, 'shipment.accepted', 'shipment.driver_released', OFFERED, EXPIRED, OFFERED),
    ).toEqual([
      [[1, 2, 3], 2],
      [[4], 0],
      [[5], 0],
      [[6, 7, 8], 2],
    ]);
  });
});

describe('the state of a search in words', () => {
  const loadIn = async (lang: 'en' | 'ar') => {
    vi.resetModules();
    vi.stubGlobal('document', { documentElement: { lang } });
    const { searchText } = await import('../../../src/console/shipments/search-words.ts');
    vi.unstubAllGlobals();
    return searchText;
  };

  test.each([
    [1, 'One driver was asked.', 'عُرضت الشحنة على سائق واحد.'],
    [2, 'Drivers were asked twice.', 'عُرضت الشحنة على السائقين مرتين.'],
    [8, 'Drivers were asked 8 times.', 'عُرضت الشحنة على السائقين 8 مرات.'],
    [11, 'Drivers were asked 11 times.', 'عُرضت الشحنة على السائقين 11 مرة.'],
  ])('counts %i offers', async (offers, english, arabic) => {
    expect((await loadIn('en'))(offers)).toBe(english);
    expect((await loadIn('ar'))(offers)).toBe(arabic);
  });

  test('names the next look and the end, as far as they are known', async () => {
    const at = (minute: number) => new Date(Date.now() + minute * 60_000).toISOString();
    const times = { nextLookAt: at(0), givesUpAt: at(6) };
    const english = await loadIn('en');
    expect(english(8, times)).toMatch(
      /^Drivers were asked 8 times\. The next search is at .*\d\d:\d\d\. The search ends at .*\d\d:\d\d\.$/,
    );
    expect(english(0, { ...times, nextLookAt: null })).toMatch(/^The search ends at /);
    expect(english(0, { nextLookAt: null, givesUpAt: null })).toBe('');
    expect((await loadIn('ar'))(8, times)).toMatch(
      /^عُرضت الشحنة على السائقين 8 مرات\. البحث التالي في .*\d\d:\d\d\. ينتهي البحث في .*\d\d:\d\d\.$/,
    );
  });
});
