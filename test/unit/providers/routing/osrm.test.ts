import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noMetrics } from '../../../../src/providers/absent.ts';
import { ProviderReports } from '../../../../src/providers/provider-reports.ts';
import { type OsrmLimits, osrmRouting } from '../../../../src/providers/routing/osrm.ts';
import { type EngineServer, GEOMETRY, OK_BODY, sendJson, startEngine } from '../../../support/routing/engine-server.ts';
import { JEDDAH, RIYADH } from '../../../support/routing/place.ts';

/*
 * The adapter against a server that answers correctly, wrongly, late or never. Its breaker is tested in
 * osrm-breaker.test.ts.
 */

const ROUTE = { ok: true, route: { distanceMeters: 1886, durationSeconds: 261, geometry: GEOMETRY } };
const UNAVAILABLE = { ok: false, reason: 'unavailable' };
const NO_ROUTE = { ok: false, reason: 'no_route' };
const MEBIBYTE = 1024 * 1024;

/** The real limits, with a shorter deadline for tests that wait for it. */
const SHORT: OsrmLimits = { timeoutMs: 150, answerBytesMax: MEBIBYTE, failuresMax: 5, openMs: 5000 };
/** Far above the delay of a slow machine, and far below a missed deadline. */
const MARGIN_MS = 600;

let engine: EngineServer;
const platform = {
  fetch: (url: string, init: RequestInit) => fetch(url, init),
  monotonicMs: () => performance.now(),
  metrics: noMetrics,
  providerReports: new ProviderReports(() => performance.now()),
};

beforeEach(async () => {
  engine = await startEngine();
});
afterEach(async () => {
  await engine[Symbol.asyncDispose]();
});

function findRoute(limits?: OsrmLimits) {
  return osrmRouting(engine.url, platform, limits).findRoute(RIYADH, JEDDAH);
}

function countingFetch() {
  let calls = 0;
  const counted = (url: string, init: RequestInit) => {
    calls += 1;
    return fetch(url, init);
  };
  return { fetch: counted, calls: () => calls };
}

async function expectUnavailableInTime(): Promise<void> {
  const startedAtMs = performance.now();
  expect(await findRoute(SHORT)).toEqual(UNAVAILABLE);
  expect(performance.now() - startedAtMs).toBeLessThan(SHORT.timeoutMs + MARGIN_MS);
}

describe('the request', () => {
  test('asks for the full geometry, longitude first, with all digits', async () => {
    expect(await findRoute()).toEqual(ROUTE);
    expect(engine.asked).toEqual([
      '/route/v1/driving/46.675296,24.713552;39.192505,21.485811123' +
        '?overview=full&geometries=polyline6&steps=false&alternatives=false',
    ]);
  });

  test('extends the path of the address, with or without a trailing slash', async () => {
    for (const base of [`${engine.url}/osrm/sa`, `${engine.url}/osrm/sa/`]) {
      expect(await osrmRouting(base, platform).findRoute(RIYADH, JEDDAH)).toEqual(ROUTE);
    }
    expect(engine.asked.map((path) => path.slice(0, 26))).toEqual([
      '/osrm/sa/route/v1/driving/',
      '/osrm/sa/route/v1/driving/',
    ]);
  });
});

describe('responses', () => {
  test.each(['NoRoute', 'NoSegment'])('%s means no route', async (code) => {
    engine.answer = (response) => sendJson(response, 400, JSON.stringify({ code, message: 'Impossible' }));
    expect(await findRoute()).toEqual(NO_ROUTE);
  });

  test.each([
    [429, '{"message":"Too Many Requests"}'],
    [500, '{"code":"InternalError"}'],
    [503, '<html>'],
    [400, '{"code":"InvalidValue","message":"No"}'],
    [404, 'Not found'],
    [200, 'garbage'],
    [200, ''],
    [200, '{"code":"Ok","routes":[]}'],
    [500, OK_BODY],
    [204, ''],
  ])('status %d with %s is unavailable, without a retry', async (status, body) => {
    engine.answer = (response) => sendJson(response, status, body);
    expect(await findRoute()).toEqual(UNAVAILABLE);
    expect(engine.asked).toHaveLength(1);
  });

  test('a redirect is not followed', async () => {
    engine.answer = (response) => response.writeHead(302, { location: `${engine.url}/elsewhere` }).end();
    expect(await findRoute()).toEqual(UNAVAILABLE);
    expect(engine.asked).toHaveLength(1);
  });

  test('bytes that are not UTF-8 are unavailable', async () => {
    const named = OK_BODY.replace('"code"', '"name":"#","code"');
    engine.answer = (response) => response.writeHead(200).end(Buffer.from(named.replace('#', '\u00FF'), 'latin1'));
    expect(await findRoute()).toEqual(UNAVAILABLE);
  });
});

describe('connections', () => {
  test('that are reset are retried once', async () => {
    engine.resetNext(1);
    expect(await findRoute()).toEqual(ROUTE);
    expect(engine.connectionCount()).toBe(2);
  });

  test('that are reset twice are not retried again', async () => {
    engine.resetNext(2);
    expect(await findRoute()).toEqual(UNAVAILABLE);
    expect(engine.connectionCount()).toBe(2);
    expect(engine.asked).toEqual([]);
  });

  test('that are refused are retried once', async () => {
    const { url } = engine;
    await engine[Symbol.asyncDispose]();
    const counting = countingFetch();
    expect(await osrmRouting(url, { ...platform, fetch: counting.fetch }).findRoute(RIYADH, JEDDAH)).toEqual(
      UNAVAILABLE,
    );
    expect(counting.calls()).toBe(2);
    engine = await startEngine();
  });

  test('that break during a response are unavailable, without a retry', async () => {
    engine.answer = (response) => {
      response.writeHead(200, { 'content-length': String(OK_BODY.length) });
      response.write(OK_BODY.slice(0, 40), () => response.destroy());
    };
    expect(await findRoute()).toEqual(UNAVAILABLE);
    expect(engine.asked).toHaveLength(1);
  });

  test('that close during a response without a length are unavailable', async () => {
    engine.answer = (response) => {
      response.useChunkedEncodingByDefault = false;
      response.writeHead(200, { connection: 'close' }).end(OK_BODY.slice(0, 40));
    };
    expect(await findRoute()).toEqual(UNAVAILABLE);
  });
});

describe('the deadline', () => {
  test('ends the wait for a response, without a retry', async () => {
    engine.answer = () => {};
    await expectUnavailableInTime();
    expect(engine.asked).toHaveLength(1);
  });

  test('prevents a retry after it has passed', async () => {
    const counting = countingFetch();
    engine.answer = () => {};
    expect(
      await osrmRouting(engine.url, { ...platform, fetch: counting.fetch }, SHORT).findRoute(RIYADH, JEDDAH),
    ).toEqual(UNAVAILABLE);
    expect(counting.calls()).toBe(1);
  });

  test('ends a response that stalls', async () => {
    engine.answer = (response) => response.writeHead(200).write(OK_BODY.slice(0, 40));
    await expectUnavailableInTime();
  });

  test('ends a response that drips, and closes the connection', async () => {
    let closed: Promise<unknown> | undefined;
    engine.answer = (response) => {
      closed = once(response, 'close');
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip));
    };
    await expectUnavailableInTime();
    await closed;
  });

  test('covers both attempts together', async () => {
    engine.resetNext(1);
    engine.answer = () => {};
    await expectUnavailableInTime();
  });

  test('holds even if the runtime does not abort the call', async () => {
    const deaf = { ...platform, fetch: () => new Promise<Response>(() => {}) };
    expect(await osrmRouting(engine.url, deaf, SHORT).findRoute(RIYADH, JEDDAH)).toEqual(UNAVAILABLE);
  });
});

describe('the size of a response', () => {
  test('is at most one mebibyte', async () => {
    engine.answer = (response) => sendJson(response, 200, OK_BODY.padEnd(MEBIBYTE));
    expect(await findRoute()).toEqual(ROUTE);
    engine.answer = (response) => sendJson(response, 200, OK_BODY.padEnd(MEBIBYTE + 1));
    expect(await findRoute()).toEqual(UNAVAILABLE);
  });

  test('is enforced for an endless one', async () => {
    let closed: Promise<unknown> | undefined;
    engine.answer = (response) => {
      closed = once(response, 'close');
      const pour = () => {
        while (!response.destroyed && response.write(OK_BODY.padEnd(65_536)));
      };
      response.writeHead(200).on('drain', pour);
      pour();
    };
    expect(await findRoute()).toEqual(UNAVAILABLE);
    await closed;
  });

  test('is counted after decompression', async () => {
    const bomb = gzipSync(OK_BODY.padEnd(64 * MEBIBYTE));
    engine.answer = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    expect(await findRoute()).toEqual(UNAVAILABLE);
  });
});
