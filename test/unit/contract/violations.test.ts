import { expect, test } from 'vitest';
import * as z from 'zod';
import { violationsOf } from '../../../src/contract/violations.ts';
import { VIOLATIONS_MAX } from '../../../src/core/limits.ts';

const MANY = 30_000;

test.each([
  ['unknown members', z.strictObject({}), Object.fromEntries(Array.from({ length: MANY }, (_, at) => [`u${at}`, at]))],
  ['entries of another type', z.array(z.string()), Array.from({ length: MANY }, (_, at) => at)],
])('no more violations are collected than are answered, of %s', (_what, schema, raw) => {
  const { error } = schema.safeParse(raw);
  const issues = error?.issues ?? [];
  expect(violationsOf(issues, raw)).toHaveLength(VIOLATIONS_MAX);
  expect(violationsOf(issues, raw, 3)).toEqual(violationsOf(issues, raw).slice(0, 3));
});
