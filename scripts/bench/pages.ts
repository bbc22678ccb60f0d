import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openWindow, startBrowser } from '../shared/browser.ts';
import type { OwnEnvironment } from '../shared/connection.ts';
import { signedIn } from '../shared/console.ts';
import { journeyTo } from '../shared/journeys.ts';
import { answering, type Receiver, startReceiver } from '../shared/receiver.ts';
import { newSandbox } from '../shared/sandbox.ts';
import { startSite } from '../shared/site.ts';
import { webhooksOf } from '../shared/webhooks.ts';
import { describeOthers, type Findings, isQuiet, type StudyOptions, tableOf, type Verdict } from './result.ts';
import { median } from './statistics.ts';
import { watchUsage } from './usage.ts';

const LOADS = 7;
const LOADS_QUICK = 2;
const SHIPMENTS = 100;
/** The processor of a cheap phone or an old desktop, beside that of a developer. */
const SLOWDOWN = 4;
const USABLE_MS_MAX = 1500;
/** Before each load: until the browser is idle, and then to see what other programs do. */
const PAUSE_MS = 400;
const DISPATCHED_MS = 15_000;

interface Target {
  readonly name: string;
  readonly path: string;
  /** An element that appears with the content that people came for. */
  readonly shown: string;
}

interface Load {
  /** From the navigation until the content is there and the main thread is free. */
  readonly usableMs: number;
  /** The tasks of the main thread until then. */
  readonly workMs: number;
  readonly othersPercent?: number | undefined;
}

interface Measured {
  readonly target: Target;
  readonly loads: readonly Load[];
}

/** How soon people can use a page: each one again and again, with an empty cache and a slow processor. */
export async function measurePages({ isQuick, runtime, log }: StudyOptions): Promise<Findings> {
  log('starting the service and a browser');
  const [site, browser, receiver] = await Promise.all([
    startSite(runtime),
    startBrowser(),
    startReceiver(answering(200)),
  ]);
  try {
    const { areas, tracking, storageState } = await fill(site, receiver);
    log('until the shipments are dispatched');
    await delay(DISPATCHED_MS);
    const measured: Measured[] = [];
    for (const target of [...areas, ...tracking]) {
      log(target.name);
      const open = () => openEmpty(browser, storageState);
      const address = `${site.address}${target.path}`;
      const loads: Load[] = [];
      while (loads.length < (isQuick ? LOADS_QUICK : LOADS)) loads.push(await loadOnce(open, address, target.shown));
      measured.push({ target, loads });
    }
    const all = measured.flatMap(({ loads }) => loads);
    return {
      settings: { loads: isQuick ? LOADS_QUICK : LOADS, slowdown: SLOWDOWN, shipments: SHIPMENTS, runtime },
      circumstances: [`A processor ${SLOWDOWN} times slower.`, describeOthers(all)],
      tables: [
        tableOf(measured, [
          ['page', ({ target }) => target.name],
          ['usable ms, median', ({ loads }) => median(loads.map(({ usableMs }) => usableMs))],
          ['least', ({ loads }) => Math.min(...loads.map(({ usableMs }) => usableMs))],
          ['most', ({ loads }) => Math.max(...loads.map(({ usableMs }) => usableMs))],
          ['work ms', ({ loads }) => median(loads.map(({ workMs }) => workMs))],
        ]),
      ],
      verdicts: judge(measured.slice(0, areas.length), all.every(isQuiet)),
      measurements: measured,
    };
  } finally {
    await browser.close();
    await site.stop();
    await receiver.close();
  }
}

/** A company with shipments and an endpoint, and the pages to open, in Arabic, which has the larger fonts. */
async function fill(site: OwnEnvironment, receiver: Receiver) {
  const { path } = await journeyTo(site, 'out for delivery');
  const sandbox = await newSandbox(site);
  const { storageState } = await signedIn(site, sandbox.company, { assurance: 'AAL2' });
  await (await webhooksOf(site, sandbox.merchant)).add(`${receiver.url}/orders`, { description: 'Warehouse' });
  const orders = Array.from({ length: SHIPMENTS }, (_, index) => ({ externalReference: `ORDER-${index}` }));
  const [first] = await Promise.all(orders.map((order) => sandbox.create(order)));
  const area = (name: string, below: string, shown: string) => ({ name, path: `/console${below}?lang=ar`, shown });
  return {
    storageState,
    areas: [
      area('home', '', '.today dd'),
      area('shipments', '/shipments', '.rows tbody tr'),
      area('one shipment', `/shipments/${first?.shipmentId}`, '.timeline li'),
      area('new shipment', '/shipments/new', 'form .primary'),
      area('webhooks', '/webhooks', 'main a[href*="/webhooks/0"]'),
      area('requests', '/requests', '.listing tbody tr'),
      area('branches', '/places', '.listing tbody tr'),
      area('API credential', '/credentials', '.facts'),
      area('sandbox', '/sandbox', '.dial'),
    ],
    tracking: ['ar', 'en'].map((lang) => ({
      name: `tracking page, ${lang === 'ar' ? 'Arabic' : 'English'}`,
      path: `${path}?lang=${lang}`,
      shown: 'h1',
    })),
  };
}

function openEmpty(browser: Browser, storageState: NonNullable<BrowserContextOptions['storageState']>) {
  return openWindow(browser, 'about:blank', { storageState, viewport: { width: 1280, height: 800 } });
}

type Open = () => ReturnType<typeof openEmpty>;

async function loadOnce(open: Open, address: string, shown: string): Promise<Load> {
  const { page, close } = await open();
  await page.addInitScript((selector) => {
    const look = () => {
      const isThere = document.querySelector('h1') !== null && document.querySelector(selector) !== null;
      if (isThere)
        requestIdleCallback(() => Object.assign(globalThis, { usableMs: performance.now() }), { timeout: 5000 });
      else requestAnimationFrame(look);
    };
    look();
  }, shown);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await delay(PAUSE_MS);
  const usage = watchUsage({});
  await delay(PAUSE_MS);
  const others = usage.stop();
  // The browser slows its thread down by work of its own.
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.goto(address, { waitUntil: 'commit' });
  const usable = await page.waitForFunction(() => (globalThis as unknown as { usableMs?: number }).usableMs);
  const usableMs = Number(await usable.jsonValue());
  const { metrics } = await session.send('Performance.getMetrics');
  const workMs = 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  await page.waitForLoadState('networkidle');
  await close();
  return { usableMs, workMs, ...others };
}
function judge(areas: readonly Measured[], wasQuiet: boolean): Verdict[] {
  const slowest = Math.max(...areas.map(({ loads }) => median(loads.map(({ usableMs }) => usableMs))));
  return [
    {
      what: `an area is usable within ${USABLE_MS_MAX} ms`,
      told: `the slowest after ${slowest.toFixed(0)} ms in the median`,
      isReached: wasQuiet ? slowest <= USABLE_MS_MAX : undefined,
    },
  ];
}
