import { resolve } from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { startBrowser } from '../../scripts/shared/browser.ts';
import { STOOD_MS } from '../../src/driver/tap-guard.ts';

/* The button of the drivers' page in a browser, on a page that renders anything at any time. */

const browser = await startBrowser();
afterAll(() => browser.close());

const PAGE = `
  import { render } from 'preact';
  import { TapButton } from './src/driver/tap-button.tsx';
  const done = [];
  window.show = (does, above) => render(
    <div style={{ paddingTop: above + 'px' }}><TapButton does={does} onTap={() => done.push(does)}>{does}</TapButton></div>,
    document.body,
  );
  window.tap = (x, y) => {
    document.elementFromPoint(x, y)?.closest('button')?.click();
    return done.splice(0);
  };`;

const step = fc.record({
  waitMs: fc.integer({ min: 20, max: 2000 }),
  does: fc.constantFrom('DELIVER 1', 'DELIVER 2', 'FAIL LOST 1'),
  /** Other things above the button, such as a notice or an offer. */
  above: fc.constantFrom(0, 4, 200),
  isTapped: fc.boolean(),
});
/** In the button if little stands above it. */
const FINGER = { x: 20, y: 20 } as const;

test('a tap counts exactly if the same action on the same shipment stood under the finger for 700 ms', async () => {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, loader: 'jsx', resolveDir: resolve(import.meta.dirname, '../..') },
    ...{ bundle: true, write: false, format: 'iife', jsx: 'automatic', jsxImportSource: 'preact' },
  });
  const page = await browser.newPage();
  await page.clock.install({ time: 0 });
  await page.setContent('<style>button { width: 200px; height: 60px; }</style>');
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
  await page.clock.pauseAt(10_000);
  const evaluate = (expression: string) => page.evaluate<string[]>(expression);
  let taps = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      let [nowMs, since]: number[] = [0, 0];
      let stood: { does: string; above: number } | undefined;
      for (const { waitMs, does, above, isTapped } of steps) {
        await page.clock.runFor(waitMs);
        nowMs = Number(nowMs) + waitMs;
        await evaluate(`void window.show(${JSON.stringify(does)}, ${above})`);
        if (stood?.does !== does || Math.abs(stood.above - above) > 8) since = nowMs;
        stood = { does, above };
        if (!isTapped) continue;
        const isCounted = above < FINGER.y && nowMs - Number(since) >= STOOD_MS;
        // The same finger twice, as in a double tap.
        const done = await evaluate(
          `[...window.tap(${FINGER.x}, ${FINGER.y}), ...window.tap(${FINGER.x}, ${FINGER.y})]`,
        );
        expect(done).toEqual(isCounted ? [does] : []);
        if (isCounted) [since, taps] = [nowMs, taps + 1];
      }
      await evaluate(`void window.show('', 1000)`);
      await page.clock.runFor(2000);
    }),
    { numRuns: 40 },
  );
  expect(taps).toBeGreaterThan(10);
  await page.close();
});
