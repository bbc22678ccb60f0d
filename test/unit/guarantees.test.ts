import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

/* What docs/guarantees.md names is there: a promise whose test was renamed or removed is no promise. */

const ROOT = resolve(import.meta.dirname, '..', '..');
const sections = readFileSync(resolve(ROOT, 'docs', 'guarantees.md'), 'utf8')
  .split(/^## /m)
  .slice(1);

test('the promises are numbered from 1 on', () => {
  expect(sections.map((section) => Number.parseInt(section, 10))).toEqual(sections.map((_, index) => index + 1));
  expect(sections.length).toBeGreaterThanOrEqual(11);
});

describe.each(sections.map((section) => [section.split('\n')[0] ?? '', section] as const))('%s', (_title, section) => {
  const tests = [...section.matchAll(/^- Test `([^`]+)`: "(.+)"$/gm)].map(([, file = '', name = '']) => [file, name]);

  test('has a place in the code and a test', () => {
    expect(section).toMatch(/^- Made in `/m);
    expect(tests.length).toBeGreaterThan(0);
    // No line about a test is written so that it is not looked at.
    expect(section.match(/^- Test /gm)).toHaveLength(tests.length);
  });

  test('names files that exist', () => {
    const files = [...section.matchAll(/`((?:src|db|test|routers|scripts)\/[^`\s]+)`/g)].map(([, file = '']) => file);
    expect(files.filter((file) => !existsSync(resolve(ROOT, file)))).toEqual([]);
  });

  test('names tests that exist', () => {
    const missing = tests.filter(([file = '', name = '']) => !titlesIn(file).includes(name));
    expect(missing).toEqual([]);
  });
});

/** The titles of the tests in a file, as they stand there. */
function titlesIn(file: string): string[] {
  const text = readFileSync(resolve(ROOT, file), 'utf8');
  const title = /\)?\(\s*(?:'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)")\s*,\s*(?:async\s*)?\(/g;
  return [...text.matchAll(title)].map(([, single, double]) => single ?? double ?? '');
}
