import { expect } from 'vitest';

/** Expects a whole document in one language with one heading, and nothing that a strict content policy forbids: no script but that of the reference. */
export function expectPlainDocument(page: string, locale: 'en' | 'ar'): void {
  const direction = locale === 'ar' ? 'rtl' : 'ltr';
  expect(page.startsWith(`<!doctype html>\n<html lang="${locale}" dir="${direction}">`)).toBe(true);
  expect(page).toMatch(/<title>[^<]+<\/title>/);
  expect(page.match(/<h1[ >]/g)).toHaveLength(1);
  expect(page).toContain('<a class="skip" href="#content">');
  expect(page).not.toMatch(
    /<script(?! type="module" src="\/assets\/reference(?:-\w+)?\.js"><\/script>)|<style|<iframe|<object|<embed|<base/i,
  );
  expect(page).not.toMatch(/<[^>]+\s(?:style|on[a-z]+)\s*=/i);
  expect(page).not.toContain('javascript:');
  expect(page).not.toMatch(/undefined|\[object /);
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]);
  expect(new Set(ids).size).toBe(ids.length);
  const targets = [...page.matchAll(/ (?:href="#|aria-labelledby=")([^"]*)"/g)].map((match) => match[1]);
  expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
}
