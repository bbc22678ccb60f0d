import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RouteAnswer } from '../../../../src/ports/routing.ts';
import { noMetrics } from '../../../../src/providers/absent.ts';
import { ProviderReports } from '../../../../src/providers/provider-reports.ts';
import { osrmRouting } from '../../../../src/providers/routing/osrm.ts';
import { type EngineServer, OK_BODY, sendJson, startEngine } from '../../../support/routing/engine-server.ts';
import { JEDDAH, RIYADH } from '../../../support/routing/place.ts';

/* The adapter with its breaker against a server, with real limits and a simulated clock. */

const FAILURES_MAX = 5;
const OPEN_MS = 5000;
/** The deadline of 2 s plus a second. */
const PROBE_MS = 3000;
const UNAVAILABLE = { ok: false, reason: 'unavailable' };

let engine: EngineServer;
let nowMs = 0;
let findRoute: () => Promise<RouteAnswer>;

beforeEach(async () => {
  engine = await startEngine();
  nowMs = 1000;
  const routing = osrmRouting(engine.url, {
    fetch: (url, init) => fetch(url, init),
    monotonicMs: () => nowMs,
    metrics: noMetrics,
    providerReports: new ProviderReports(() => nowMs),
  });
  findRoute = () => routing.findRoute(RIYADH, JEDDAH);
});
afterEach(async () => {
  await engine[Symbol.asyncDispose]();
});

async function askTimes(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await findRoute();
}

async function openBreaker(): Promise<void> {
  engine.answer = (response) => sendJson(response, 503, '{}');
  await askTimes(FAILURES_MAX);
  engine.asked.length = 0;
  engine.answer = (response) => sendJson(response, 200, OK_BODY);
}

describe('when open', () => {
  test('it answers at once without a request to the engine', async () => {
    await openBreaker();
    const startedAtMs = performance.now();
    for (let call = 0; call < 1000; call += 1) expect(await findRoute()).toEqual(UNAVAILABLE);
    expect((performance.now() - startedAtMs) / 1000).toBeLessThan(2);
    expect(engine.asked).toEqual([]);
  });

  test('after a while one probe is sent without delaying others, and its success closes the breaker', async () => {
    await openBreaker();
    nowMs += OPEN_MS;
    const answers = await Promise.all([findRoute(), findRoute(), findRoute()]);
    expect(answers.map(({ ok }) => ok)).toEqual([true, false, false]);
    expect(engine.asked).toHaveLength(1);
    expect(await findRoute()).toMatchObject({ ok: true });
    expect(engine.asked).toHaveLength(2);
  });

  test('a failed probe opens it again', async () => {
    await openBreaker();
    engine.answer = (response) => sendJson(response, 500, '{}');
    nowMs += OPEN_MS;
    await askTimes(10);
    expect(engine.asked).toHaveLength(1);
    nowMs += OPEN_MS;
    await askTimes(10);
    expect(engine.asked).toHaveLength(2);
  });

  test('an abandoned probe does not keep it open', async () => {
    await openBreaker();
    engine.answer = () => {};
    nowMs += OPEN_MS;
    void findRoute();
    expect(await findRoute()).toEqual(UNAVAILABLE);
    engine.answer = (response) => sendJson(response, 200, OK_BODY);
    nowMs += PROBE_MS;
    expect(await findRoute()).toMatchObject({ ok: true });
  });
});

describe('when closed', () => {
  test('fewer failures than the limit do not open it', async () => {
    engine.answer = (response) => sendJson(response, 500, '{}');
    await askTimes(FAILURES_MAX - 1);
    engine.answer = (response) => sendJson(response, 200, OK_BODY);
    expect(await findRoute()).toMatchObject({ ok: true });
  });

  test.each(['NoRoute', 'NoSegment', 'InvalidValue', 'DistanceExceeded'])(
    'refusals with %s do not open it',
    async (code) => {
      engine.answer = (response) => sendJson(response, 400, JSON.stringify({ code }));
      await askTimes(FAILURES_MAX * 2);
      expect(engine.asked).toHaveLength(FAILURES_MAX * 2);
      engine.answer = (response) => sendJson(response, 200, OK_BODY);
      expect(await findRoute()).toMatchObject({ ok: true });
    },
  );
});
