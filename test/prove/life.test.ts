import { expect, test } from 'vitest';
import { measureLife } from '../../scripts/bench/life.ts';

/** What the databases write for one shipment: 110 rows, and a few more on a slow machine. Providers bill each of them. */
test('the life of a shipment writes at most 114 rows', async () => {
  const steps = await measureLife();
  const rows = steps.measurements.map(({ rowsWritten }) => rowsWritten);
  expect(rows.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(114);
  // The shipment was delivered, and its merchant was notified of every step.
  expect(steps.measurements.reduce((sum, { webhooks }) => sum + webhooks, 0)).toBe(8);
}, 300_000);
