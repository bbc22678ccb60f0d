import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

/* docs/guarantees.md must stay true when a file or a test is renamed or removed. */

const ROOT = resolve(import.meta.dirname, '..', '..');
const [intro = '', ...sections] = readFileSync(resolve(ROOT, 'docs', 'guarantees.md'), 'utf8').split(/^## /m);

const testsIn = (text: string) =>
  [...text.matchAll(/^- Test `([^`]+)`: "(.+)"$/gm)].map(([, file = '', name = '']) => [file, name] as const);

test('the guarantees are numbered from 1 on', () => {
  expect(sections.map((section) => Number.parseInt(section, 10))).toEqual(sections.map((_, index) => index + 1));
  expect(sections.length).toBeGreaterThanOrEqual(11);
});

test('no test is named twice', () => {
  const names = [intro, ...sections].flatMap(testsIn).map(([file, name]) => `${file}: ${name}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

const parts = [['Introduction', intro], ...sections.map((section) => [section.split('\n')[0] ?? '', section])];
describe.each(parts)('%s', (title, section = '') => {
  const tests = testsIn(section);

  test('has tests, and a place in the code', () => {
    expect(tests.length).toBeGreaterThan(0);
    // A line that the pattern does not match would not be checked.
    expect(section.match(/^- Test /gm)).toHaveLength(tests.length);
    if (title !== 'Introduction') expect(section).toMatch(/^- Made in `/m);
  });

  test('names files that exist', () => {
    const files = [...section.matchAll(/`((?:src|db|test|routers|scripts)\/[^`\s]+)`/g)].map(([, file = '']) => file);
    expect(files.filter((file) => !existsSync(resolve(ROOT, file)))).toEqual([]);
  });

  test('names tests that exist', () => {
    const missing = tests.filter(([file, name]) => !titlesIn(file).includes(name));
    expect(missing).toEqual([]);
  });
});

/** The titles of the tests in a file, as they are written there. */
function titlesIn(file: string): string[] {
  const text = readFileSync(resolve(ROOT, file), 'utf8');
  const title = /\)?\(\s*(?:'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)")\s*,\s*(?:async\s*)?\(/g;
  return [...text.matchAll(title)].map(([, single, double]) => single ?? double ?? '');
}
