import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { addSeconds } from '../../../../src/core/instant.ts';
import {
  findInRegistry,
  findNearest,
  LOOK_UP_SHARE,
  longestWindow,
} from '../../../../src/domain/addresses/registry.ts';
import { expiredAddresses, oldCalls } from '../../../../src/domain/addresses/registry-store.ts';
import { deletePast } from '../../../../src/domain/delete-past.ts';
import { noMetrics } from '../../../../src/providers/absent.ts';
import { chooseAddresses } from '../../../../src/providers/addresses/choose-addresses.ts';
import { ProviderReports } from '../../../../src/providers/provider-reports.ts';
import { ownShard } from '../../../support/dispatch/own-shard.ts';
import { startProvider } from '../../../support/provider-server.ts';

/* What is kept of the registry's answers, and its quota, in a real directory and with the real adapter. */

const DAY = 24 * 3600;
const STARTER = [
  { calls: 5, seconds: 60 },
  { calls: 100, seconds: 7 * DAY },
];
const server = await startProvider();
afterAll(() => server.stop());
const { shard } = await ownShard();

/** Codes that no other test of the file has looked up. */
let codes = 1000;
const newCode = () => `ABCD${(codes += 1)}`;
/** The codes that reached the registry, in order. */
const asked = () => server.asked.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('shortaddress'));

beforeEach(() => {
  server.asked.length = 0;
  server.answer = (response, { path }) => {
    const ShortAddress = new URLSearchParams(path.split('?')[1]).get('shortaddress') ?? 'RRRD2929';
    const Addresses = [{ ShortAddress, City: 'الرياض', Latitude: '24.7743', Longitude: '46.6572' }];
    response.end(JSON.stringify({ success: true, totalSearchResults: '1', Addresses }));
  };
  // Past the windows of the test before.
  shard.clock.advance(31 * DAY);
});

const answerUnknown = () => {
  server.answer = (response) => response.end('{"success":true,"totalSearchResults":"0","Addresses":[]}');
};

/** One process of the service, with its own writers, adapter and circuit breaker. */
function openProcess(quota = STARTER) {
  const { directory } = shard.process();
  const config = {
    deployment: 'production',
    addresses: { registry: { apiKey: 'key', url: server.url, quota } },
  } as const;
  const addresses = chooseAddresses(config, {
    fetch: (url, init) => fetch(url, init),
    monotonicMs: () => Number(shard.clock.now() / 1000n),
    metrics: noMetrics,
    providerReports: new ProviderReports(() => 0),
  });
  return { directory, addresses, clock: shard.clock, config };
}

describe('an answer', () => {
  it('is kept for 30 days, for all processes', async () => {
    const code = newCode();
    const first = await findInRegistry(openProcess(), code);
    expect(first).toMatchObject({ kind: 'found', address: { shortAddress: code, city: 'الرياض', street: null } });
    shard.clock.advance(30 * DAY - 5);
    expect(await findInRegistry(openProcess(), code)).toEqual(first);
    expect(asked()).toEqual([code]);
    shard.clock.advance(10);
    await findInRegistry(openProcess(), code);
    expect(asked()).toEqual([code, code]);
    shard.clock.advance(30 * DAY - 5);
    await findInRegistry(openProcess(), code);
    expect(asked()).toEqual([code, code]);
  });

  it('that a code is unknown is kept for an hour', async () => {
    const code = newCode();
    answerUnknown();
    for (const seconds of [0, 3590, 20]) {
      shard.clock.advance(seconds);
      expect(await findInRegistry(openProcess(), code)).toEqual({ kind: 'unknown' });
    }
    expect(asked()).toEqual([code, code]);
  });

  it('replaces an older one', async () => {
    const code = newCode();
    const working = server.answer;
    answerUnknown();
    await findInRegistry(openProcess(), code);
    server.answer = working;
    shard.clock.advance(3700);
    expect(await findInRegistry(openProcess(), code)).toMatchObject({ kind: 'found' });
    shard.clock.advance(3700);
    expect(await findInRegistry(openProcess(), code)).toMatchObject({ kind: 'found' });
    expect(asked()).toHaveLength(2);
  });

  // https://github.com/alexreisner/geocoder/issues/148, https://github.com/geocoder-php/GeocoderLaravel/issues/106
  it.each([
    [500, '{}'],
    [429, '{"message":"Rate limit is exceeded. Try again in 2 seconds."}'],
    [200, '{"success":false,"statusdescription":"OVER_QUERY_LIMIT"}'],
    [200, 'status: PROXY_OVER_QUERY_LIMIT'],
  ])('of a failure (%i %s) is not kept', async (status, body) => {
    const code = newCode();
    const working = server.answer;
    server.answer = (response) => response.writeHead(status).end(body);
    const process = openProcess();
    expect(await findInRegistry(process, code)).toMatchObject({ kind: 'unavailable' });
    server.answer = working;
    shard.clock.advance(3);
    expect(await findInRegistry(process, code)).toMatchObject({ kind: 'found' });
  });

  it('for a point is not kept', async () => {
    const point = { latitude: literalDecimal('24.7743'), longitude: literalDecimal('46.6572') };
    for (let time = 0; time < 2; time += 1)
      expect(await findNearest(openProcess(), point)).toMatchObject({ address: { shortAddress: 'RRRD2929' } });
    expect(server.asked).toHaveLength(2);
  });

  it('that is kept is given while the registry is down', async () => {
    const [known, other] = [newCode(), newCode()];
    const process = openProcess();
    await findInRegistry(process, known);
    server.answer = (response) => response.writeHead(503).end();
    for (let time = 0; time < 3; time += 1) await findInRegistry(process, other);
    expect(await findInRegistry(process, other)).toEqual({ kind: 'unavailable', retryAfterSeconds: 60 });
    expect(await findInRegistry(process, known)).toMatchObject({ kind: 'found' });
    expect(asked()).toEqual([known, other, other, other]);
  });
});

describe('the quota', () => {
  it('of a minute holds for two processes that ask at once', async () => {
    const processes = [openProcess(), openProcess()];
    const look = () =>
      Promise.all(Array.from({ length: 20 }, (_, i) => findInRegistry(processes[i % 2] ?? openProcess(), newCode())));
    // Two writers that commit at once may find the database busy. Then nothing was counted and nothing was asked.
    for (let time = 0; time < 3; time += 1) {
      const answers = await look();
      const found = answers.filter(({ kind }) => kind === 'found');
      expect(found.length).toBeLessThanOrEqual(5);
    }
    expect(server.asked).toHaveLength(5);
    expect(await findInRegistry(openProcess(), newCode())).toEqual({ kind: 'unavailable', retryAfterSeconds: 60 });
    shard.clock.advance(45);
    expect(await findInRegistry(openProcess(), newCode())).toEqual({ kind: 'unavailable', retryAfterSeconds: 15 });
    shard.clock.advance(16);
    for (let time = 0; time < 3; time += 1) await look();
    expect(server.asked).toHaveLength(10);
  });

  it('of a week holds beside that of a minute', async () => {
    const quota = [
      { calls: 5, seconds: 60 },
      { calls: 8, seconds: 7 * DAY },
    ];
    const look = async () => {
      const answers = [];
      for (let time = 0; time < 6; time += 1) answers.push(await findInRegistry(openProcess(quota), newCode()));
      return answers;
    };
    await look();
    shard.clock.advance(61);
    const answers = await look();
    expect(server.asked).toHaveLength(8);
    expect(answers.at(-1)).toEqual({ kind: 'unavailable', retryAfterSeconds: 7 * DAY - 61 });
    shard.clock.advance(7 * DAY - 60);
    await look();
    expect(server.asked).toHaveLength(8 + 5);
  });

  it('is not used by kept answers, by points it has no room for, or while the registry is down', async () => {
    const code = newCode();
    const point = { latitude: literalDecimal('24.7743'), longitude: literalDecimal('46.6572') };
    const process = openProcess();
    for (let time = 0; time < 9; time += 1) await findInRegistry(process, code);
    // Look-ups have four of the five calls; the fifth is left for the check of a shipment.
    for (let time = 0; time < 3; time += 1) expect(await findNearest(process, point)).toMatchObject({ kind: 'found' });
    expect(await findNearest(process, point)).toMatchObject({ kind: 'unavailable' });
    expect(await findInRegistry(process, newCode(), LOOK_UP_SHARE)).toMatchObject({ kind: 'unavailable' });
    expect(await findInRegistry(process, newCode())).toMatchObject({ kind: 'found' });
    expect(server.asked).toHaveLength(5);
    shard.clock.advance(61);
    server.answer = (response) => response.writeHead(503).end();
    const failing = openProcess();
    for (let time = 0; time < 9; time += 1) await findInRegistry(failing, newCode());
    expect(server.asked).toHaveLength(5 + 3);
    server.answer = (response) => response.end('{"success":true,"Addresses":[]}');
    // Two of the five calls of this minute are left.
    const others = openProcess();
    for (let time = 0; time < 4; time += 1) await findInRegistry(others, newCode());
    expect(server.asked).toHaveLength(5 + 3 + 2);
  });

  it('may be none', async () => {
    const process = openProcess([]);
    await Promise.all(Array.from({ length: 12 }, () => findInRegistry(process, newCode())));
    expect(server.asked).toHaveLength(12);
  });
});

describe('a directory that does not answer', () => {
  const away = (part: 'database' | 'writer') => {
    const process = openProcess();
    const database = { ...process.directory.database, read: () => Promise.resolve({ ok: false as const }) };
    const writer = { commit: () => Promise.resolve({ status: 'unknown' as const }) };
    const directory = part === 'database' ? { ...process.directory, database } : { ...process.directory, writer };
    return { ...process, directory };
  };

  it.each(['database', 'writer'] as const)('costs no call (%s)', async (part) => {
    expect(await findInRegistry(away(part), newCode())).toEqual({ kind: 'unavailable', retryAfterSeconds: 1 });
    expect(server.asked).toEqual([]);
  });

  it('after the call changes nothing about its answer', async () => {
    const process = openProcess([]);
    const writer = { commit: () => Promise.resolve({ status: 'unknown' as const }) };
    const answer = await findInRegistry({ ...process, directory: { ...process.directory, writer } }, newCode());
    expect(answer).toMatchObject({ kind: 'found' });
  });
});

it('keeps nothing and counts nothing where a fixture answers', async () => {
  const process = openProcess([{ calls: 1, seconds: 60 }]);
  const addresses = chooseAddresses(
    { addresses: {}, deployment: 'local' },
    { fetch, monotonicMs: () => 0, metrics: noMetrics, providerReports: new ProviderReports(() => 0) },
  );
  for (let time = 0; time < 3; time += 1)
    expect(await findInRegistry({ ...process, addresses }, 'RRRD2929')).toMatchObject({ kind: 'found' });
  expect(server.asked).toEqual([]);
});

it('sweeps answers that have expired, and calls that no window counts', async () => {
  const process = openProcess();
  const { database, writer } = process.directory;
  const left = async () => {
    const at = addSeconds(shard.clock.now(), 400 * DAY);
    const answer = await database.readAll([expiredAddresses(at).some, oldCalls(at).some] as const);
    if (!answer.ok) throw new Error('The directory does not answer');
    return answer.results.map((rows) => rows.length > 0);
  };
  const sweep = () => {
    const now = shard.clock.now();
    const before = addSeconds(now, -longestWindow(process.config));
    return deletePast({ database, writer, clock: shard.clock }, [expiredAddresses(now), oldCalls(before)]);
  };
  await findInRegistry(process, newCode());
  shard.clock.advance(6 * DAY);
  await sweep();
  expect(await left()).toEqual([true, true]);
  shard.clock.advance(2 * DAY);
  await sweep();
  expect(await left()).toEqual([true, false]);
  shard.clock.advance(23 * DAY);
  await sweep();
  expect(await left()).toEqual([false, false]);
  expect(longestWindow({ addresses: {} })).toBe(0);
});
