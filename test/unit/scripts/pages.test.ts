import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makePages } from '../../../scripts/build/pages.ts';

let dist = '';
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'mirsal-dist-'));
});
afterEach(() => rmSync(dist, { recursive: true, force: true }));

test('a second run rewrites changed files, deletes extra files and leaves the others untouched', async () => {
  await makePages(dist);
  const assets = join(dist, 'assets');
  const [right, wrong, old] = ['openapi.json', 'docs.ar.html', 'problems/of-the-past.en.html'] as const;
  const made = readFileSync(join(assets, wrong), 'utf8');
  const before = statSync(join(assets, right));
  writeFileSync(join(assets, wrong), 'half a pa');
  writeFileSync(join(assets, old), '');
  await makePages(dist);
  expect(readFileSync(join(assets, wrong), 'utf8')).toBe(made);
  expect(readdirSync(join(assets, 'problems'))).not.toContain('of-the-past.en.html');
  const after = statSync(join(assets, right));
  expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
  expect(readdirSync(dist)).toEqual(['assets']);
});
