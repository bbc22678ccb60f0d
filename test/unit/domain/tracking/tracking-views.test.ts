import { afterEach, expect, it, vi } from 'vitest';
import type { CommitOutcome, Writer } from '../../../../db/writer.ts';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import { type Instant, instantFromMillis } from '../../../../src/core/instant.ts';
import type { Views } from '../../../../src/domain/tracking/store.ts';
import { gatherViews, ViewTally } from '../../../../src/domain/tracking/view-tally.ts';

/** Records what is written, and answers with these outcomes. */
function writerThat(answers: readonly CommitOutcome['status'][]) {
  const written: (readonly [string, number, number])[][] = [];
  const rest = [...answers];
  const writer: Writer = {
    commit({ statements }) {
      const views = statements[0]?.args.find((arg) => typeof arg === 'string');
      written.push(JSON.parse(String(views)) as (readonly [string, number, number])[]);
      const status = rest.shift() ?? 'committed';
      return Promise.resolve(
        status === 'unavailable'
          ? { status, reason: 'busy' }
          : ({ status } as Extract<CommitOutcome, { status: 'unknown' }>),
      );
    },
  };
  return { writer, written };
}

const at = (millis: number): Instant => instantFromMillis(millis);
const [ONE, OTHER] = [newId(), newId()];

const viewOf = (tokenHash: string, millis: number): Views => ({ tokenHash, count: 1, lastViewedAt: at(millis) });

function tallyOf(...views: readonly (readonly [string, number])[]): ViewTally {
  const tally = new ViewTally();
  tally.add(views.map(([tokenHash, millis]) => viewOf(tokenHash, millis)));
  return tally;
}

it('writes many views in one statement, as count and latest time per link', async () => {
  const { writer, written } = writerThat(['committed']);
  const tally = tallyOf([ONE, 5], [OTHER, 6], [ONE, 9], [ONE, 7]);
  expect(await tally.flush(writer)).toBe(true);
  expect(written).toEqual([
    [
      [ONE, 3, 9000],
      [OTHER, 1, 6000],
    ],
  ]);
});

it('writes nothing without views, and no view twice', async () => {
  const { writer, written } = writerThat(['committed']);
  const tally = tallyOf([ONE, 5]);
  await tally.flush(writer);
  expect(await tally.flush(writer)).toBe(true);
  expect(written).toHaveLength(1);
});

it('keeps views for the next flush when the database is unavailable', async () => {
  const { writer, written } = writerThat(['unavailable', 'committed']);
  const tally = tallyOf([ONE, 5]);
  expect(await tally.flush(writer)).toBe(false);
  tally.add([viewOf(ONE, 8)]);
  expect(await tally.flush(writer)).toBe(true);
  expect(written[1]).toEqual([[ONE, 2, 8000]]);
});

it('drops views after an unknown outcome, so that none is counted twice', async () => {
  const { writer, written } = writerThat(['unknown']);
  const tally = tallyOf([ONE, 5]);
  expect(await tally.flush(writer)).toBe(true);
  expect(await tally.flush(writer)).toBe(true);
  expect(written).toHaveLength(1);
});

it.each([
  ['unavailable', 450],
  ['unknown', 250],
] as const)('writes no more after an outcome that is %s, and the rest with the next flush', async (status, left) => {
  const { writer, written } = writerThat([status]);
  const tally = tallyOf(...Array.from({ length: 450 }, () => [newId(), 1] as const));
  expect(await tally.flush(writer)).toBe(false);
  expect(written.map(({ length }) => length)).toEqual([200]);
  expect(await tally.flush(writer)).toBe(true);
  expect(written.slice(1).flat()).toHaveLength(left);
});

it('uses several statements for many links', async () => {
  const { writer, written } = writerThat([]);
  await tallyOf(...Array.from({ length: 450 }, () => [newId(), 1] as const)).flush(writer);
  expect(written.map(({ length }) => length)).toEqual([200, 200, 50]);
});

afterEach(() => void vi.useRealTimers());

it('gathers the views of a shard for a quarter of a second, and reports them together', async () => {
  vi.useFakeTimers();
  const reported: (readonly [string, readonly Views[]])[] = [];
  const counter = gatherViews(
    async (shard, views) => void reported.push([shard, views]),
    () => performance.now(),
  );
  const first = counter.add('shard-1', ONE, at(5));
  await counter.add('shard-1', ONE, at(6));
  await counter.add('shard-1', OTHER, at(7));
  const elsewhere = counter.add('shard-2', OTHER, at(8));
  expect(reported).toEqual([]);
  await vi.advanceTimersByTimeAsync(250);
  await Promise.all([first, elsewhere]);
  expect(reported).toEqual([
    ['shard-1', [{ tokenHash: ONE, count: 2, lastViewedAt: at(6) }, viewOf(OTHER, 7)]],
    ['shard-2', [viewOf(OTHER, 8)]],
  ]);
});

it('reports views whose request was ended with those of a later request', async () => {
  vi.useFakeTimers();
  const reported: (readonly Views[])[] = [];
  const counter = gatherViews(
    async (_shard, views) => void reported.push(views),
    () => performance.now(),
  );
  void counter.add('shard-1', ONE, at(5));
  // Removes the timer, as a runtime does that ends a request.
  vi.clearAllTimers();
  vi.advanceTimersByTime(2250);
  void counter.add('shard-1', ONE, at(9));
  await vi.advanceTimersByTimeAsync(250);
  expect(reported).toEqual([[{ tokenHash: ONE, count: 2, lastViewedAt: at(9) }]]);
});
