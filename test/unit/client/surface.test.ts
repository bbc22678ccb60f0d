import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entityTag } from '../../../src/client.ts';

it('entityTag quotes a version', () => {
  expect(entityTag({ version: 3 })).toBe('"3"');
});

describe('the imports', () => {
  const root = resolve(import.meta.dirname, '../../../src');
  const files = ['client.ts', ...readdirSync(join(root, 'client')).map((name) => `client/${name}`)];
  const imports = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^(?:import|export) ([^;]*?)from '([^']+)';/gm)].map(
      ([, what = '', from = '']) => ({ file, isType: what.startsWith('type '), from }),
    ),
  );

  it('add no server code to a bundle', () => {
    const wrong = imports.filter(
      ({ file, isType, from }) => from.startsWith('.') && !isType && !join(dirname(file), from).startsWith('client/'),
    );
    // Codes and their statuses, without their texts.
    expect(wrong).toEqual([{ file: 'client/testing.ts', isType: false, from: '../core/problem-code.ts' }]);
  });

  it('are only those of tRPC', () => {
    const packages = imports.filter(({ isType, from }) => !isType && !from.startsWith('.')).map(({ from }) => from);
    expect(new Set(packages)).toEqual(new Set(['@trpc/client', '@trpc/server/observable']));
  });
});
