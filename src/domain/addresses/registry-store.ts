import { and, desc, eq, gt, lt, lte, sql } from 'drizzle-orm';
import { registryAddresses, registryCalls } from '../../../db/directory/schema/addresses.ts';
import { compilePastRows, type PastRows } from '../../../db/past-rows.ts';
import { columnsOf, placeholder, placesOf, queries, read, setOf, write } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';

/* The SQL of the registry's answers and of its quota, both in the directory. They belong to no company. */

export type KeptAddress = typeof registryAddresses.$inferSelect;

const selectAddress = read(columnsOf(registryAddresses), (columns) =>
  queries
    .select(columns)
    .from(registryAddresses)
    .where(
      and(
        eq(registryAddresses.shortAddress, placeholder('shortAddress')),
        gt(registryAddresses.expiresAt, placeholder('now')),
      ),
    ),
);
/** What the registry answered for a code, while that is kept. */
export function keptAddress(shortAddress: string, now: Instant) {
  return selectAddress({ shortAddress, now });
}

const upsertAddress = write(
  queries
    .insert(registryAddresses)
    .values(placesOf(registryAddresses))
    .onConflictDoUpdate({
      target: registryAddresses.shortAddress,
      set: setOf(registryAddresses, ['shortAddress']),
    }),
);
export function addressUpsert(row: KeptAddress) {
  return upsertAddress({ ...row });
}

const pastAddresses = compilePastRows<{ now: Instant }>(
  registryAddresses,
  lte(registryAddresses.expiresAt, placeholder('now')),
);
/** For the sweep only. */
export function expiredAddresses(now: Instant): PastRows {
  return pastAddresses({ now });
}

/** At most `max` calls since an instant. */
export interface CallWindow {
  readonly since: Instant;
  readonly max: number;
}

const hasRoom = (window: number) =>
  sql`(select count(*) from registry_calls where called_at > ${placeholder(`since${window}`)}) < ${placeholder(`max${window}`)}`;
const insertCall = write(
  queries
    .insert(registryCalls)
    .select(sql`select ${placeholder('now')} where ${hasRoom(0)} and ${hasRoom(1)} and ${hasRoom(2)}`),
  { mustChange: true },
);
/** Counts a call. Refuses the unit if one of the windows has no room. */
export function callInsert(now: Instant, windows: readonly [CallWindow, CallWindow, CallWindow]) {
  const [first, second, third] = windows;
  return insertCall({
    now,
    since0: first.since,
    max0: first.max,
    since1: second.since,
    max1: second.max,
    since2: third.since,
    max2: third.max,
  });
}

const selectCall = read({ calledAt: registryCalls.calledAt }, (columns) =>
  queries
    .select(columns)
    .from(registryCalls)
    .where(gt(registryCalls.calledAt, placeholder('since')))
    .orderBy(desc(registryCalls.calledAt))
    .limit(1)
    .offset(placeholder('skipped')),
);
/** The call of a full window that has to leave it; none if the window has room. */
export function callOfFullWindow({ since, max }: CallWindow) {
  return selectCall({ since, skipped: max - 1 });
}

const pastCalls = compilePastRows<{ before: Instant }>(
  registryCalls,
  lt(registryCalls.calledAt, placeholder('before')),
);
/** For the sweep only. */
export function oldCalls(before: Instant): PastRows {
  return pastCalls({ before });
}
