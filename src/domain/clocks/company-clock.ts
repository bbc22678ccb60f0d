import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import { addMillis, type Instant } from '../../core/instant.ts';
import { Kept } from '../../core/kept.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Clock, CompanyClock, StoredClock } from '../../ports/clock.ts';
import { type ClockRow, clockKept, movedClocks, unmovedClock } from './store.ts';

/*
 * The business time of companies. Only this file makes a `CompanyClock`, so nothing in the domain can take the real time for
 * a company's time without saying so.
 */

/**
 * How long a process uses the clocks that it has read. An advance begins only after this time, so every process knows of it
 * when the first instant is reached.
 */
export const CLOCKS_KEPT_MS = 500;
/** One request in this time reads them again, so that the others need not wait. */
const RENEWED_AFTER_MS = 300;
/** The pause between two reads of a stopped clock. */
const STANDING_LOOK_MS = 250;
const MICROS_PER_SECOND = 1_000_000n;

/** A clock that shows the real time: on production, and of every company that has not advanced its clock. */
export function realClock(wall: Clock): CompanyClock {
  return { now: () => wall.now(), wall, offsetSeconds: () => 0, wallAt: (instant) => instant };
}

/** A clock that is stopped at an instant while the work that is due then runs. */
function standingClock(wall: Clock, at: Instant, stored: StoredClock): CompanyClock {
  return {
    now: () => at,
    wall,
    stored,
    // The real time passes it if a receiver takes longer to answer than the advance is long.
    offsetSeconds: () => Math.max(0, secondsBetween(wall.now(), at)),
    wallAt: (instant) => (instant <= at ? wall.now() : addMillis(wall.now(), STANDING_LOOK_MS)),
  };
}

/** The clock of a company's sandbox, as it is stored. */
export function clockAt(wall: Clock, { companyId, offset, standsAt }: StoredClock): CompanyClock {
  const stored = { companyId, offset, standsAt };
  if (standsAt !== null) return standingClock(wall, standsAt, stored);
  const micros = BigInt(offset);
  if (micros === 0n) return realClock(wall);
  return {
    now: () => (wall.now() + micros) as Instant,
    wall,
    stored,
    offsetSeconds: () => Math.round(offset / Number(MICROS_PER_SECOND)),
    wallAt: (instant) => (instant - micros) as Instant,
  };
}

function secondsBetween(first: Instant, second: Instant): number {
  return Math.round(Number(second - first) / Number(MICROS_PER_SECOND));
}

/** A database of a company, with the company's clock. */
export interface CompanyStore {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
}

interface Store {
  readonly database: Database;
  readonly writer: Writer;
}

/** Work that a unit schedules is due at the company's time, and the alarm rings at the real time. */
export function companyStore(store: Store, clock: CompanyClock): CompanyStore {
  const { database } = store;
  const writer = keptWriter(store, clock);
  if (clock.stored === undefined) return { database, writer, clock };
  return {
    database,
    clock,
    writer: {
      commit: (request) =>
        writer.commit(request.dueAt === undefined ? request : { ...request, dueAt: clock.wallAt(request.dueAt) }),
    },
  };
}

/**
 * Commits only while the clock is where the unit was decided: a slow unit would put its work and its events behind the clock.
 * The caller may try again, with the new time. The real time is not compared, so production pays nothing.
 */
export function keptWriter({ database, writer }: Store, { stored }: CompanyClock): Writer {
  if (stored === undefined) return writer;
  const isKept = clockKept(stored);
  return {
    async commit(request) {
      const outcome = await writer.commit({ ...request, statements: [isKept, ...request.statements] });
      if (outcome.status !== 'refused') return outcome;
      const unmoved = await database.read(unmovedClock(stored));
      return unmoved.ok && unmoved.rows.length > 0 ? outcome : { status: 'unavailable', reason: 'busy' };
    },
  };
}

type Clocks = ReadonlyMap<Uuid, ClockRow>;

/** Finds the clocks of companies. On production every company has the real time, and nothing is read. */
export class ClockBook {
  readonly #wall: Clock;
  readonly #real: CompanyClock;
  /** False on production, where nothing of clocks is read. */
  readonly hasSandboxes: boolean;
  readonly #monotonicMs: () => number;
  readonly #moved: Kept<string, Clocks>;

  constructor(wall: Clock, monotonicMs: () => number, hasSandboxes: boolean) {
    this.#wall = wall;
    this.#real = realClock(wall);
    this.hasSandboxes = hasSandboxes;
    this.#monotonicMs = monotonicMs;
    this.#moved = new Kept({ keptMs: CLOCKS_KEPT_MS, renewedAfterMs: RENEWED_AFTER_MS, nowMs: monotonicMs });
  }

  /** The clock of a company of this shard; refused if the shard did not answer. */
  async clockOf(database: Database, companyId: Uuid): Promise<Result<CompanyClock>> {
    if (!this.hasSandboxes) return ok(this.#real);
    const known = await this.#moved.getOrRead(database.id, () => readMoved(database));
    const row = known?.get(companyId);
    if (known !== undefined && row === undefined) return ok(this.#real);
    if (row?.target === null) return ok(clockAt(this.#wall, row));
    // Each instant of an advance is another time.
    const askedAtMs = this.#monotonicMs();
    const moved = await readMoved(database);
    if (moved === undefined) return unavailable();
    this.#moved.set(database.id, moved, askedAtMs);
    const fresh = moved.get(companyId);
    return ok(fresh === undefined ? this.#real : clockAt(this.#wall, fresh));
  }

  /** Makes this process read the clocks of a shard again. */
  forget(databaseId: string): void {
    this.#moved.forget(databaseId);
  }
}

async function readMoved(database: Database): Promise<Clocks | undefined> {
  const answer = await database.read(movedClocks());
  return answer.ok ? new Map(answer.rows.map((row) => [row.companyId, row])) : undefined;
}
