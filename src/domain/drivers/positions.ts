import type { Writer } from '../../../db/writer.ts';
import type { ReportedPosition } from '../../contract/driver.ts';
import type { Decimal } from '../../core/decimal.ts';
import { metersBetween } from '../../core/earth.ts';
import { Gathering } from '../../core/gathering.ts';
import { addMillis, addSeconds, type Instant, toMillis } from '../../core/instant.ts';
import { Kept } from '../../core/kept.ts';
import { POSITION_SECONDS } from '../../core/limits.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type DriverPosition, positionsUpdate } from './position-store.ts';

/** Takes positions that drivers report. The writer of the shard collects them and stores the latest of each driver. */
export interface PositionReports {
  /**
   * False if the position cannot be kept. One that was kept may still be lost before it is stored: the driver's next one takes its
   * place. `later`: for work that goes on after the answer. Never rejects.
   */
  report(shard: string, driverId: Uuid, position: DriverPosition, later: Later): Promise<boolean>;
}
type Later = (work: Promise<unknown>) => void;

/** Clocks of phones differ by less. A position from further ahead says nothing about when it was measured. */
const CLOCK_TOLERANCE_SECONDS = 10;
/** A worse fix comes from a mast or a network, and may lie in another district. */
const ACCURACY_METERS_MAX = 200;

/**
 * The position as it is stored; undefined if it cannot be used. It may be old, because phones lose their connection. A
 * phone’s clock that is slightly ahead counts as the service’s. Browsers report 0,0 when they know nothing.
 */
export function usablePosition(
  { latitude, longitude, recordedAt, accuracyMeters }: ReportedPosition,
  now: Instant,
): DriverPosition | undefined {
  const isAhead = recordedAt !== undefined && recordedAt > addSeconds(now, CLOCK_TOLERANCE_SECONDS);
  const isRough = Number(accuracyMeters ?? 0) > ACCURACY_METERS_MAX;
  const isNowhere = Number(latitude) === 0 && Number(longitude) === 0;
  if (isAhead || isRough || isNowhere) return undefined;
  return { latitude, longitude, positionAt: recordedAt === undefined || recordedAt > now ? now : recordedAt };
}

/** Drivers whose positions fit in memory, some 200 bytes each. */
const DRIVERS_MAX = 50_000;

/** A row that shows where its driver is; nothing if no position is stored. */
interface Located {
  readonly latitude: Decimal | null;
  readonly longitude: Decimal | null;
  readonly positionAt: Instant | null;
}

/** The positions that this process has received, because the stored ones are some seconds older. */
export class PositionBook {
  readonly #positions = new Kept<Uuid, DriverPosition>({ entriesMax: DRIVERS_MAX });
  /** The last jump of each driver, in case that the position before it was the wrong one. */
  readonly #jumps = new Kept<Uuid, DriverPosition>({ entriesMax: DRIVERS_MAX });

  /** Whether a driver can be there after the last position. The second of two that agree is believed. */
  isReachable(driverId: Uuid, position: DriverPosition): boolean {
    const known = this.#positions.get(driverId);
    if (known === undefined || position.positionAt < known.positionAt || isWithinReach(known, position)) return true;
    const jump = this.#jumps.get(driverId);
    this.#jumps.set(driverId, position);
    return jump !== undefined && position.positionAt > jump.positionAt && isWithinReach(jump, position);
  }

  note(driverId: Uuid, position: DriverPosition): void {
    const known = this.#positions.get(driverId);
    if (known === undefined || position.positionAt > known.positionAt) this.#positions.set(driverId, position);
  }

  /** The row with the driver's newest position. */
  locate<Row extends Located>(driverId: Uuid | null, row: Row): Row {
    const known = driverId === null ? undefined : this.#positions.get(driverId);
    return known === undefined || (row.positionAt ?? 0n) >= known.positionAt ? row : { ...row, ...known };
  }
}

/** 252 km/h, which nobody drives. */
const METERS_PER_SECOND_MAX = 70;
/** Two usable fixes of one place may lie this far apart. */
const BLUR_METERS = 2 * ACCURACY_METERS_MAX;

function isWithinReach(from: DriverPosition, to: DriverPosition): boolean {
  const seconds = (toMillis(to.positionAt) - toMillis(from.positionAt)) / 1000;
  return metersBetween(from, to) <= BLUR_METERS + METERS_PER_SECOND_MAX * seconds;
}

/** The time between two writes of positions. A crash loses at most the positions of this time. */
const WRITE_MS = POSITION_SECONDS * 1000;
/** The first position after a pause waits this long for those of other drivers. */
const GATHER_MS = 1000;
/** Drivers in one statement. */
const DRIVERS_AT_ONCE = 500;

/** Collects positions in the memory of a shard's writer, so that a report costs no commit. */
export class PositionTally {
  readonly #positions = new Map<Uuid, DriverPosition>();
  #writtenAt: Instant | undefined;
  #dueAt: Instant | undefined;

  /** When positions are to be stored; undefined if none waits. */
  get dueAt(): Instant | undefined {
    return this.#dueAt;
  }

  /** Positions of further drivers than fit are dropped. */
  add(driverId: Uuid, position: DriverPosition, now: Instant): void {
    const known = this.#positions.get(driverId);
    if (known === undefined && this.#positions.size >= DRIVERS_MAX) return;
    if (known === undefined || position.positionAt > known.positionAt) this.#positions.set(driverId, position);
    this.#dueAt ??= later(addMillis(now, GATHER_MS), this.#writtenAt && addMillis(this.#writtenAt, WRITE_MS));
  }

  /**
   * Stores the latest positions if they are due. At the first part that the database does not take, this part and the
   * rest wait for the next write, because each failure may take as long as a commit may.
   */
  async flush(writer: Writer, now: Instant): Promise<void> {
    if (this.#dueAt === undefined || now < this.#dueAt) return;
    const taken = [...this.#positions];
    this.#positions.clear();
    this.#dueAt = undefined;
    this.#writtenAt = now;
    for (let start = 0; start < taken.length; start += DRIVERS_AT_ONCE) {
      const part = taken.slice(start, start + DRIVERS_AT_ONCE);
      const { status } = await writer.commit({ statements: [positionsUpdate(part)] });
      if (status === 'invalid') throw new Error('The SQL of positions is wrong');
      if (status === 'committed') continue;
      // To store a position again changes nothing, so an unknown outcome is not looked up.
      for (const [driverId, position] of taken.slice(start)) this.add(driverId, position, now);
      return;
    }
  }
}

/** A driver and a position. */
export type DriverAt = readonly [driverId: Uuid, position: DriverPosition];

/** Positions wait this long for those of other drivers, so that many are one call of the writer. */
const PASSED_ON_MS = 2000;

/** Gathers the positions of a process whose writers are elsewhere. `report` passes those of a shard to its writer. */
export function gatherPositions(
  report: (shard: string, positions: readonly DriverAt[]) => Promise<void>,
  monotonicMs: () => number,
): PositionReports['report'] {
  const gathering = new Gathering({
    make: () => new Map<Uuid, DriverPosition>(),
    report: (shard, positions) => report(shard, [...positions]),
    waitMs: PASSED_ON_MS,
    monotonicMs,
  });
  return (shard, driverId, position, passLater) => {
    const { tally, passing } = gathering.of(shard);
    if (passing !== undefined) passLater(passing);
    const known = tally.get(driverId);
    if (known === undefined && tally.size >= DRIVERS_MAX) return Promise.resolve(false);
    if (known === undefined || position.positionAt > known.positionAt) tally.set(driverId, position);
    return Promise.resolve(true);
  };
}

function later(first: Instant, second: Instant | undefined): Instant {
  return second !== undefined && second > first ? second : first;
}

const MICROS_PER_HOUR = 3_600_000_000n;
/** Some 200 bytes each: the shipments that ten thousand drivers carry in an hour. */
const LOOKS_MAX = 100_000;

/** The records of access that this process has stored, so that a driver who reports positions writes one in an hour. */
export class LookBook {
  readonly #stored = new Kept<string, true>({ entriesMax: LOOKS_MAX });

  has(driverId: Uuid, shipmentId: Uuid, now: Instant): boolean {
    return this.#stored.get(keyOf(driverId, shipmentId, now)) === true;
  }

  note(driverId: Uuid, shipmentId: Uuid, now: Instant): void {
    this.#stored.set(keyOf(driverId, shipmentId, now), true);
  }
}

function keyOf(driverId: Uuid, shipmentId: Uuid, now: Instant): string {
  return `${driverId} ${shipmentId} ${now / MICROS_PER_HOUR}`;
}
