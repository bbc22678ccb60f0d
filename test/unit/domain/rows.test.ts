import { expect, test } from 'vitest';
import type { Rows } from '../../../db/database.ts';
import { readUpTo } from '../../../src/domain/rows.ts';

/** A server that sends at most this many rows, and the limits it was asked for. */
function serverOf(rowsMax: number, failure: Rows<number> = { ok: false, isTooLarge: true }) {
  const asked: number[] = [];
  const read = (limit: number): Promise<Rows<number>> => {
    asked.push(limit);
    const rows = Array.from({ length: limit }, (_, index) => index);
    return Promise.resolve(limit > rowsMax ? failure : { ok: true, rows });
  };
  return { asked, read };
}

test('reads as many rows as the server can send, halving its limit', async () => {
  const { asked, read } = serverOf(3);
  expect(await readUpTo(25, read)).toEqual([0, 1]);
  expect(asked).toEqual([25, 13, 7, 4, 2]);
});

test('reads once if all rows can be sent', async () => {
  const { asked, read } = serverOf(25);
  expect(await readUpTo(25, read)).toHaveLength(25);
  expect(asked).toEqual([25]);
});

test('gives up if a single row is too large', async () => {
  const { asked, read } = serverOf(0);
  expect(await readUpTo(2, read)).toBeUndefined();
  expect(asked).toEqual([2, 1]);
});

test('does not ask again if the server does not answer', async () => {
  const { asked, read } = serverOf(0, { ok: false });
  expect(await readUpTo(8, read)).toBeUndefined();
  expect(asked).toEqual([8]);
});
