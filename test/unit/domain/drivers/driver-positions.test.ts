import { afterEach, expect, it, vi } from 'vitest';
import type { CommitOutcome, Writer } from '../../../../db/writer.ts';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import { DriverSessions } from '../../../../src/access/driver-token.ts';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { instantFromMillis } from '../../../../src/core/instant.ts';
import {
  type DriverAt,
  gatherPositions,
  LookBook,
  PositionBook,
  PositionTally,
} from '../../../../src/domain/drivers/positions.ts';

/* What the service keeps of drivers in memory: positions until they are stored, sessions, records of access. */

const at = (seconds: number) => instantFromMillis(seconds * 1000);
const where = (latitude: string, seconds: number) => ({
  latitude: literalDecimal(latitude),
  longitude: literalDecimal('46.6'),
  positionAt: at(seconds),
});
const [ONE, OTHER] = [newId(), newId()];

/** Records the latitudes that are written, and answers with these outcomes. */
function writerThat(...answers: readonly CommitOutcome['status'][]) {
  const written: (readonly [driver: string, latitude: string])[][] = [];
  const rest = [...answers];
  const writer: Writer = {
    commit({ statements }) {
      const rows = JSON.parse(String(statements[0]?.args[0])) as [string, string, string, number][];
      written.push(rows.map(([driver, latitude]) => [driver, latitude]));
      const status = rest.shift() ?? 'committed';
      return Promise.resolve({ status } as CommitOutcome);
    },
  };
  return { writer, written };
}

afterEach(() => void vi.useRealTimers());

it('positions that a process receives in two seconds are one call of the writer, with the latest of each driver', async () => {
  vi.useFakeTimers();
  const [reported, passed]: [(readonly [string, readonly DriverAt[]])[], Promise<unknown>[]] = [[], []];
  const report = gatherPositions(
    async (shard, positions) => void reported.push([shard, positions]),
    () => performance.now(),
  );
  const later = (work: Promise<unknown>) => void passed.push(work);
  for (const [driver, latitude, seconds] of [
    [ONE, '24.1', 100],
    [OTHER, '24.2', 100],
    [ONE, '24.3', 101],
    [ONE, '24.4', 99],
  ] as const)
    expect(await report('shard-1', driver, where(latitude, seconds), later)).toBe(true);
  expect(passed).toHaveLength(1);
  expect(reported).toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  const together = [
    'shard-1',
    [
      [ONE, where('24.3', 101)],
      [OTHER, where('24.2', 100)],
    ],
  ];
  expect(reported).toEqual([together]);
  // A runtime ends the work of a request that takes too long. A later request takes its positions along.
  await report('shard-1', ONE, where('24.5', 110), later);
  vi.clearAllTimers();
  vi.advanceTimersByTime(8000);
  await report('shard-1', OTHER, where('24.6', 114), later);
  await vi.advanceTimersByTimeAsync(2000);
  expect(reported).toEqual([
    together,
    [
      'shard-1',
      [
        [ONE, where('24.5', 110)],
        [OTHER, where('24.6', 114)],
      ],
    ],
  ]);
});

it('positions of many drivers are stored in one statement, the latest of each, at most every 15 seconds', async () => {
  const { writer, written } = writerThat();
  const tally = new PositionTally();
  tally.add(ONE, where('24.1', 100), at(100));
  tally.add(OTHER, where('24.2', 100), at(100));
  tally.add(ONE, where('24.3', 101), at(101));
  tally.add(ONE, where('24.4', 99), at(101));
  await tally.flush(writer, at(100));
  expect(written).toEqual([]);
  await tally.flush(writer, at(101));
  const first = [
    [ONE, '24.3'],
    [OTHER, '24.2'],
  ];
  expect(written).toEqual([first]);
  tally.add(ONE, where('24.5', 102), at(102));
  expect(tally.dueAt).toBe(at(116));
  await tally.flush(writer, at(115));
  await tally.flush(writer, at(116));
  expect(written).toEqual([first, [[ONE, '24.5']]]);
  expect(tally.dueAt).toBeUndefined();
});

it.each(['unavailable', 'unknown'] as const)(
  'positions are stored again after %s, if no newer came',
  async (status) => {
    const { writer, written } = writerThat(status);
    const tally = new PositionTally();
    tally.add(ONE, where('24.1', 100), at(100));
    await tally.flush(writer, at(101));
    tally.add(ONE, where('24.2', 102), at(102));
    await tally.flush(writer, at(116));
    expect(written).toEqual([[[ONE, '24.1']], [[ONE, '24.2']]]);
  },
);

it.each(['unavailable', 'unknown'] as const)(
  'after %s the rest of the positions is not tried, and all wait for the next write',
  async (status) => {
    const { writer, written } = writerThat('committed', status);
    const tally = new PositionTally();
    const drivers = Array.from({ length: 2001 }, () => newId());
    for (const driver of drivers) tally.add(driver, where('24.1', 100), at(100));
    await tally.flush(writer, at(101));
    expect(written.map((rows) => rows.length)).toEqual([500, 500]);
    expect(tally.dueAt).toBe(at(116));
    await tally.flush(writer, at(116));
    const [stored = [], refused, ...retried] = written;
    expect(retried.map((rows) => rows.length)).toEqual([500, 500, 500, 1]);
    expect(retried[0]).toEqual(refused);
    expect([stored, ...retried].flat()).toEqual(drivers.map((driver) => [driver, '24.1']));
    expect(tally.dueAt).toBeUndefined();
  },
);

it('the process sees the newer of the reported and the stored position', () => {
  const book = new PositionBook();
  book.note(ONE, where('24.2', 100));
  book.note(ONE, where('24.1', 90));
  expect(book.locate(ONE, { ...where('24', 99), name: 'Salem' })).toEqual({ ...where('24.2', 100), name: 'Salem' });
  expect(book.locate(ONE, where('24.3', 101)).latitude).toBe('24.3');
  expect(book.locate(OTHER, { latitude: null, longitude: null, positionAt: null }).latitude).toBeNull();
});

it('a jump is not believed, unless the next position agrees with it', () => {
  const book = new PositionBook();
  const seen = (latitude: string, seconds: number) => {
    const position = where(latitude, seconds);
    const isReachable = book.isReachable(ONE, position);
    if (isReachable) book.note(ONE, position);
    return isReachable;
  };
  // 0.01 degrees are 1.1 km.
  expect([seen('24.70', 100), seen('24.71', 115), seen('24.80', 120)]).toEqual([true, true, false]);
  // Back where the driver was, and the jump is forgotten by nobody until another one agrees.
  expect([seen('24.712', 130), seen('24.80', 300)]).toEqual([true, true]);
  expect([seen('25.70', 315), seen('26.70', 330), seen('26.705', 345)]).toEqual([false, false, true]);
  expect(book.isReachable(OTHER, where('10', 0))).toBe(true);
});

it('an access counts as recorded for its driver, its shipment and its hour', () => {
  const book = new LookBook();
  const [shipment, another] = [newId(), newId()];
  book.note(ONE, shipment, at(3600));
  const has = (driver: typeof ONE, id: typeof ONE, seconds: number) => book.has(driver, id, at(seconds));
  expect([has(ONE, shipment, 7199), has(ONE, shipment, 7200)]).toEqual([true, false]);
  expect([has(OTHER, shipment, 3600), has(ONE, another, 3600)]).toEqual([false, false]);
});

it('a session is known for less than a minute after it was read, not beyond its end, and not after it was ended', () => {
  let now = at(0);
  const sessions = new DriverSessions({ now: () => now });
  const session = { driverId: ONE, shard: 'shard-1', companyId: null, expiresAt: at(3600) };
  sessions.set('kept', session, at(0));
  sessions.set('short', { ...session, driverId: OTHER, expiresAt: at(10) }, at(0));
  const known = (seconds: number) => {
    now = at(seconds);
    return ['kept', 'short'].map((token) => sessions.get(token) !== undefined);
  };
  expect(known(9)).toEqual([true, true]);
  expect(known(10)).toEqual([true, false]);
  expect(known(49)).toEqual([true, false]);
  expect(known(50)).toEqual([false, false]);
  sessions.set('kept', session, at(50));
  sessions.deleteOf(OTHER);
  expect(known(51)).toEqual([true, false]);
  sessions.deleteOf(ONE);
  expect(known(51)).toEqual([false, false]);
});
