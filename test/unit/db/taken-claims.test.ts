import { expect, test } from 'vitest';
import { TakenClaims } from '../../../db/taken-claims.ts';

test('remembers nearly all claims of the last creations, and takes hardly any new one for a taken one', () => {
  const claims = new TakenClaims();
  const named = (kind: string) => Array.from({ length: 20_000 }, (_, index) => `company ${kind} ${index}`);
  for (const claim of [...named('old'), ...named('recent')]) claims.add(claim);
  const found = (kind: string) => named(kind).filter((claim) => claims.has(claim)).length;
  expect(found('recent')).toBeGreaterThan(18_000);
  expect(found('new')).toBeLessThan(20);
});
