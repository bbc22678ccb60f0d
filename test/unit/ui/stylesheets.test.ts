import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const stylesheets = globSync('src/**/*.css').map((file) => [file, readFileSync(file, 'utf8')] as const);

test('there are stylesheets', () => {
  expect(stylesheets.length).toBeGreaterThan(5);
});

test.each(stylesheets)('%s loads nothing from outside and uses only logical sides', (_file, text) => {
  expect(text).not.toMatch(/https?:|url\(\s*["']?\/\//);
  expect(text).not.toMatch(/(?:^|[\s;{-])(?:left|right)\s*[:;]/m);
  expect(text).not.toMatch(/(?:margin|padding|border)-(?:left|right|top|bottom)/);
});
