import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/*
 * Every regular expression that reads what callers send must run in linear time. Each literal in the sources is run on
 * long repetitions of its own characters with an end that makes it fail: a quadratic pattern takes four times as long
 * for twice the length, which is seconds for 40,000 characters.
 */

const ROOT = resolve(import.meta.dirname, '..', '..');
/** Patterns that run at build time, in the browser, or on the service's configuration. */
const ELSEWHERE = [
  /^src\/(?:pages|console|ui\/browser|client)\/|^src\/client\.ts$/,
  /^src\/providers\/(?:s3-documents|routing\/osrm|addresses\/(?:photon|spl))\.ts$/,
];
const LENGTH = 40_000;
/** For text of this length, a linear pattern takes some 100 microseconds, and a quadratic one a second. */
const MS_MAX = 250;

/** A regular expression literal follows one of these characters; a division does not. */
const LITERAL = /(?<=[=(:,[!&|?]\s*|return )\/(?![*/])((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuy]*)/g;

const patterns = ['src', 'routers', 'db']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && !ELSEWHERE.some((other) => other.test(file)))
  .flatMap((file) => {
    const code = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    return [...code.matchAll(LITERAL)].map(([literal, source = '', flags = '']) => ({ file, literal, source, flags }));
  });

/** The characters to repeat: the pattern's own, and one of each character class. */
function runsFor(source: string): string[] {
  const own = [...source.replaceAll(/\\[a-zA-Z]|[[\](){}^$|?*+]/g, '')];
  const words = source.match(/[A-Za-z]{2,}/g) ?? [];
  const classes = ['a', 'A', '0', '9', ' ', '\t', '.', '-', '_', ':', '"', '\\', '\\"', '%', '=', '0.'];
  return [...new Set([...own, ...words, ...classes])];
}

function msOf({ source, flags }: { readonly source: string; readonly flags: string }, text: string): number {
  const pattern = new RegExp(source, flags);
  const before = performance.now();
  if (flags.includes('g')) text.replace(pattern, '');
  else pattern.test(text);
  return performance.now() - before;
}

describe('patterns', { timeout: 60_000 }, () => {
  it('are found in the sources', () => {
    expect(patterns.length).toBeGreaterThan(60);
    expect(patterns.map(({ file }) => file)).toContain('src/access/authenticate.ts');
  });

  it('all run in linear time', () => {
    expect(patterns.map((pattern) => ({ ...pattern, slow: slowTextOf(pattern) })).filter(({ slow }) => slow)).toEqual(
      [],
    );
  });

  it('a quadratic pattern is detected', () => {
    const ms = msOf({ source: '[\\s.]+$', flags: '' }, `x${' .'.repeat(LENGTH / 2)}x`);
    expect(ms).toBeGreaterThan(MS_MAX);
  });
});

/** The repetition for which the pattern takes too long. */
function slowTextOf(pattern: { readonly source: string; readonly flags: string }): string | undefined {
  const starts = ['', 'bearer ', 'x', '"', '-', '1', 'https://', 'charset='];
  const texts = runsFor(pattern.source).flatMap((run) =>
    starts.flatMap((start) =>
      ['', '\u0001', 'x', ' x'].map((end) => start + run.repeat(Math.ceil(LENGTH / run.length)) + end),
    ),
  );
  const slow = texts.find((text) => msOf(pattern, text) > MS_MAX);
  // Measured twice, because a busy machine may be slow once.
  return slow !== undefined && msOf(pattern, slow) > MS_MAX ? slow.slice(0, 20) : undefined;
}
