import { expect, test } from 'vitest';
import type { Database } from '../../../../db/database.ts';
import { instantFromMillis } from '../../../../src/core/instant.ts';
import { refusalOf } from '../../../../src/domain/challenges/limit.ts';

const now = instantFromMillis(Date.parse('2026-11-21T09:00:00Z'));
/** A directory in which the uses that caused the refusal have expired meanwhile. */
const emptied = { readAll: () => Promise.resolve({ ok: true, results: [[], []] }) } as unknown as Database;

test.each(['RATE_LIMITED', 'OTP_RATE_LIMITED'] as const)(
  'a limit of %s that has room again is still reported with its code',
  async (code) => {
    const limit = { bucket: 'b', max: 1, windowSeconds: 60, code };
    expect(await refusalOf(emptied, [limit], now)).toMatchObject({ code, retryAfterSeconds: 1 });
  },
);
