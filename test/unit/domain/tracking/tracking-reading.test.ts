import { expect, it } from 'vitest';
import type { Database } from '../../../../db/database.ts';
import { shardOfTrackingToken } from '../../../../src/access/tracking-token.ts';
import { ClockBook } from '../../../../src/domain/clocks/company-clock.ts';
import { PositionBook } from '../../../../src/domain/drivers/positions.ts';
import { MoveBook } from '../../../../src/domain/moves/move-book.ts';
import { readTracking } from '../../../../src/domain/tracking/reading.ts';
import { SystemClock } from '../../../../src/providers/system.ts';

/** A shard without links, which records the number of statements of each request. */
function emptyShard(id: string) {
  const asked: number[] = [];
  const texts: string[] = [];
  const database = {
    id,
    // The read of moves, which is cached.
    read: () => Promise.resolve({ ok: true, rows: [] }),
    readAll: (statements: readonly { readonly sql: string }[]) => {
      asked.push(statements.length);
      texts.push(...statements.map(({ sql }) => sql));
      return Promise.resolve({ ok: true, results: statements.map(() => []) });
    },
  } as unknown as Database;
  return { database, asked, texts };
}

const RANDOM = '0h5q7c4m2x9vt8ekdw3zrnjby6p1sgaf';

it.each([
  [`shard-1_${RANDOM}`, 'shard-1'],
  [`a-shard-of-its-own_${RANDOM}`, 'a-shard-of-its-own'],
  [`Shard-1_${RANDOM}`, undefined],
  [`shard-1_${RANDOM}0`, undefined],
  [`shard-1_${RANDOM.slice(1)}`, undefined],
  [`shard-1_${RANDOM.replace('0', 'u')}`, undefined],
  [`_${RANDOM}`, undefined],
  [RANDOM, undefined],
])('the shard in the token %s is %s', (token, shard) => {
  expect(shardOfTrackingToken(token)).toBe(shard);
});

function dependenciesOf(shards: ReadonlyMap<string, ReturnType<typeof emptyShard>>, hasSandboxes: boolean) {
  return {
    config: { baseUrl: 'https://api.example.com' },
    shards,
    clock: new SystemClock(),
    clockBook: new ClockBook(new SystemClock(), () => 0, hasSandboxes),
    moveBook: new MoveBook(() => 0),
    positionBook: new PositionBook(),
    enterShard: () => undefined,
  };
}

it.each([`shard-1_${RANDOM}`, `shard-9_${RANDOM}`, 'x', ''])(
  'an unknown or malformed link costs one request with two statements, as a valid one does: %s',
  async (token) => {
    const [one, two] = [emptyShard('shard-1'), emptyShard('shard-2')];
    const shards = new Map([
      ['shard-1', one],
      ['shard-2', two],
    ]);
    const answer = await readTracking(dependenciesOf(shards, false), token, { locale: 'en' });
    expect(answer).toEqual({ ok: false, code: 'TRACKING_LINK_UNAVAILABLE' });
    expect([one.asked, two.asked]).toEqual([[2], []]);
  },
);

it.each([true, false])(
  'reads whose link it is, for the clock of the company, only where there are sandboxes: %j',
  async (hasSandboxes) => {
    const shard = emptyShard('shard-1');
    await readTracking(dependenciesOf(new Map([['shard-1', shard]]), hasSandboxes), `shard-1_${RANDOM}`, {
      locale: 'en',
    });
    const isRead = ['company_id', 'expires_at'].map((column) =>
      shard.texts.some((sql) =>
        sql.slice(0, sql.indexOf(' from "tracking_links"')).includes(`"tracking_links"."${column}"`),
      ),
    );
    expect(isRead).toEqual([hasSandboxes, hasSandboxes]);
  },
);
