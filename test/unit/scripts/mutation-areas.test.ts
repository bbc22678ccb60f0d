import { existsSync, globSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AREAS } from '../../../scripts/prove/mutation/areas.ts';

/* `npm run mutate` silently skips files that were moved. This test notices. */

const ROOT = resolve(import.meta.dirname, '..', '..', '..');

describe.each(Object.entries(AREAS))('the area %s', (_name, { files, tests }) => {
  test('names files that exist', () => {
    expect(files.filter((file) => !existsSync(resolve(ROOT, file)))).toEqual([]);
  });

  test('names tests that exist', () => {
    expect(tests.flatMap(alternatives).filter((pattern) => globSync(pattern, { cwd: ROOT }).length === 0)).toEqual([]);
  });
});

/** `a/{b,c}.ts` stands for two files. */
function alternatives(pattern: string): string[] {
  const [, before = '', among, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  return among === undefined ? [pattern] : among.split(',').map((one) => `${before}${one}${after}`);
}
