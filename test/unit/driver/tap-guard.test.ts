import fc from 'fast-check';
import { expect, it } from 'vitest';
import { STOOD_MS, TapGuard } from '../../../src/driver/tap-guard.ts';

/* The rule of every button of the drivers' page, for any history of one place on the screen. */

const step = fc.record({
  waitMs: fc.integer({ min: 0, max: 1000 }),
  /** What is rendered, and where; a person may have scrolled it there. */
  does: fc.constantFrom('DELIVER 1', 'DELIVER 2', 'FAIL LOST 1'),
  y: fc.constantFrom(100, 104, 300),
  isScrolled: fc.boolean(),
  isTapped: fc.boolean(),
});

it('a tap counts exactly if the same action on the same shipment stood there for 700 ms', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const guard = new TapGuard();
      let nowMs = 5000;
      let [stood, since]: [{ does: string; y: number } | undefined, number] = [undefined, nowMs];
      for (const { waitMs, does, y, isScrolled, isTapped } of steps) {
        nowMs += waitMs;
        guard.see(does, { x: 0, y }, { nowMs, isScrolled });
        const isSame = stood?.does === does && (isScrolled || Math.abs(stood.y - y) <= 8);
        if (!isSame) since = nowMs;
        stood = { does, y };
        expect(guard.waitMs(nowMs)).toBe(Math.max(0, since + STOOD_MS - nowMs));
        if (!isTapped) continue;
        const counts = nowMs - since >= STOOD_MS;
        expect(guard.take(does, nowMs)).toBe(counts);
        if (counts) since = nowMs;
        // What was rendered with other words is never done, and the second tap of a double tap neither.
        expect(guard.take('DELIVER 3', nowMs)).toBe(false);
        expect(guard.take(does, nowMs + STOOD_MS - 1 - (counts ? 0 : nowMs - since))).toBe(false);
      }
    }),
    { numRuns: 500 },
  );
});
