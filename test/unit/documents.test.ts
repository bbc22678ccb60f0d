import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bodyLimitsOfAll } from '../../src/http/rest/routes.ts';
import { BATCH_FACTOR } from '../../src/http/trpc/serve.ts';

/* The documents name only files that exist, and every decision has a status and a row in the index. */

const ROOT = resolve(import.meta.dirname, '..', '..');
const DECISIONS = 'docs/decisions';
const LINES_MAX = 40;

const documents = [...list('.'), ...list('docs'), ...list(DECISIONS)].filter((file) => file.endsWith('.md'));
const decisions = list(DECISIONS).filter((file) => /\/\d{4}-/.test(file));
const testFiles = new Set(readdirSync(join(ROOT, 'test'), { recursive: true }).map((file) => basename(String(file))));

describe.each(documents)('%s', (file) => {
  const text = readFileSync(join(ROOT, file), 'utf8');

  test('names only paths that exist', () => {
    const paths = [...text.matchAll(/`((?:src|routers|db|scripts|test|docs|\.ci)\/[\w./-]*)`/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('names only test files that exist', () => {
    const names = [...text.matchAll(/`([\w-]+\.test\.ts)`/g)].map(([, name = '']) => name);
    expect(names.filter((name) => !testFiles.has(name))).toEqual([]);
  });

  test('links only to files that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(join(ROOT, dirname(file), link)))).toEqual([]);
  });
});

describe('decisions', () => {
  const index = readFileSync(join(ROOT, DECISIONS, 'README.md'), 'utf8');

  test.each(decisions)('%s has a number, a status, few lines and a row in the index', (file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const [number] = basename(file).split('-');
    expect(text).toMatch(new RegExp(`^# ${number}\\. `));
    expect(text).toMatch(/^Status: (?:accepted|superseded by \[)/m);
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(LINES_MAX);
    expect(index).toContain(`](${basename(file)}) | ${/^Status: (\w+)/m.exec(text)?.[1]}`);
  });

  test('have numbers of their own', () => {
    const numbers = decisions.map((file) => basename(file).slice(0, 4));
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});

test('docs/nginx.conf lets through the largest body that the service takes', () => {
  const [, mebibytes] = /client_max_body_size (\d+)m;/.exec(readFileSync(join(ROOT, 'docs/nginx.conf'), 'utf8')) ?? [];
  const ofTwoCalls = Array.from({ length: 2 }, () => 'shipmentBatches.create');
  expect(Number(mebibytes) * 1024 * 1024).toBeGreaterThanOrEqual(bodyLimitsOfAll(ofTwoCalls).bytesMax * BATCH_FACTOR);
});

function list(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(folder, entry.name).replaceAll('\\', '/'));
}
