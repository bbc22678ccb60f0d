import { expect } from 'vitest';
import * as z from 'zod';

/**
 * Fails unless these responses to wrong codes count exactly five attempts. On a busy machine some are 503; whether they
 * counted is known only to the database.
 */
export async function expectFiveGuesses(answers: readonly Response[], attempts: unknown): Promise<void> {
  const codes = await Promise.all(
    answers.map(async (response) => z.object({ code: z.string() }).parse(await response.json()).code),
  );
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  const { OTP_INVALID = 0, OTP_EXPIRED = 0, SERVICE_UNAVAILABLE = 0, ...others } = Object.fromEntries(counts);
  expect({ attempts, others }).toEqual({ attempts: 5, others: {} });
  expect(OTP_INVALID + OTP_EXPIRED + SERVICE_UNAVAILABLE).toBe(answers.length);
  expect(OTP_INVALID).toBeLessThanOrEqual(5);
  expect(OTP_INVALID + SERVICE_UNAVAILABLE).toBeGreaterThanOrEqual(5);
}
