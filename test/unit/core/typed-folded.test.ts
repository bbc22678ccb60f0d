import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldedOf } from '../../../src/core/typed/folded.ts';
import { EMPTY_TEXTS, NAMES } from '../../support/cast.ts';

describe('a folded text', () => {
  it.each(NAMES)('of $name is found under each spelling', ({ name, searched }) => {
    for (const text of searched) expect(` ${foldedOf(name)}`).toContain(` ${foldedOf(text)}`);
  });

  it.each([
    ['vowel signs', 'مُحَمَّدٌ بْنُ عَلِيٍّ', 'محمد بن علي'],
    ['a small alef and Quranic marks', 'رحمٰن ۖ', 'رحمن'],
    ['names of places', 'مَرَّاكُش آسفي الحلّة', 'مراكش اسفي الحله'],
    ['the letter extender', 'عـبـد اللـه', 'عبد الله'],
    ['forms of alef', 'أإآٱا', 'ااااا'],
    ['a hamza that is a mark of its own', 'ا\u0654حمد', 'احمد'],
    ['ya, alef maqsura and the letters of neighbours', 'علي على علی', 'علي علي علي'],
    ['ta marbuta and ha', 'فاطمة فاطمه', 'فاطمه فاطمه'],
    ['Persian kaf', 'کریم', 'كريم'],
    ['hamza on waw and ya', 'مؤنس رئيف', 'مونس رييف'],
    ['presentation forms', '\uFEE3\uFEA4\uFEE4\uFEAA \uFEFB\uFEF7', 'محمد لالا'],
    ['presentation forms of marks', '\uFEE3\uFE77\uFEA4\uFE7C\uFEE4\uFEAA', 'محمد'],
    ['a word that is one character', '\uFDF2', 'الله'],
    ['case', 'SARA Ünal İnci ILGIN ılgın Straße', 'sara unal inci ilgin ilgin strasse'],
    ['accents, composed or not', 'Zoë Zoe\u0308 Łukasz Đỗ Søren', 'zoe zoe lukasz do soren'],
    ['spaces of any kind', '\u00A0 Sara\u3000Al\t\n\r\n Harbi\u2028', 'sara al harbi'],
    ['invisible characters', '\u202ASa\u200Bra\u2060\u00AD\u202C\uFE0F\u0007', 'sara'],
    ['dashes and apostrophes', 'Al\u2011Harbi Al–Harbi O’Neil', "al-harbi al-harbi o'neil"],
    ['digits', 'فرع ٢ ۳ ४ ５ ²', 'فرع 2 3 4 5 2'],
    ['wide letters', 'Ｓａｒａ', 'sara'],
    ['letters that differ', 'باب پاپ قلم گلم', 'باب پاپ قلم گلم'],
  ])('has one form for %s', (_name, text, folded) => {
    expect(foldedOf(text)).toBe(folded);
  });

  it('has nothing of a text without visible characters', () => {
    for (const text of EMPTY_TEXTS) expect(foldedOf(text)).toBe('');
  });

  it('is its own folded text, and nothing of it is a space at an end, a mark or a capital', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const folded = foldedOf(text);
        expect(foldedOf(folded)).toBe(folded);
        expect(folded).toBe(folded.trim());
      }),
    );
  });
});
