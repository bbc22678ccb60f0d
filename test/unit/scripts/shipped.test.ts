import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { shippedPackages } from '../../../scripts/build/shipped.ts';

it('the bundles contain exactly the packages that docs/security.md lists', async () => {
  const text = readFileSync(resolve(import.meta.dirname, '..', '..', '..', 'docs', 'security.md'), 'utf8');
  const section = text.split('\n## ').find((part) => part.startsWith('What is shipped')) ?? '';
  const listed = [...section.matchAll(/^\| (\S+ \d+\.\d+\.\d+) \|/gm)].map(([, one]) => one);
  expect(await shippedPackages()).toEqual(listed);
}, 30_000);
