import type * as z from 'zod';
import type { Database } from '../../../db/database.ts';
import type { Sealer } from '../../access/sealer.ts';
import type { boardDriver, driver, serviceLevel } from '../../contract/fleet.ts';
import { formatInstant, type Instant, toMillis } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { maskPhone } from '../../core/phone.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DriverRow, ServiceLevelRow } from '../offers/store.ts';
import { type Page, type PageDependencies, type PageRequest, positionOf, readMergedPage, readPage } from '../page.ts';
import { type DriverFilter, driverPage, fleetDriverById } from './fleet-store.ts';
import type { PositionBook } from './positions.ts';

type ServiceLevel = z.output<typeof serviceLevel>;
type Driver = z.output<typeof driver>;
type BoardDriver = z.output<typeof boardDriver>;

interface Positions {
  readonly positionBook: PositionBook;
}

/** Drivers of a shard, newest first. */
export function listDrivers(
  dependencies: PageDependencies & Positions,
  { limit, cursor, ...filter }: PageRequest & DriverFilter,
): Promise<Result<Page<Driver>>> {
  return readPage(
    dependencies,
    { limit, cursor },
    {
      binding: ['drivers', dependencies.database.id, filter.cityCode, filter.status, 'createdAt desc'],
      select: (after, rows) => driverPage(filter, positionOf(after), rows),
      positionOf: (row) => [String(row.createdAt), row.id],
      present: (row) => presentDriver(dependencies.positionBook.locate(row.id, row)),
    },
  );
}

export interface BoardDependencies extends Positions {
  readonly shards: ReadonlyMap<string, { readonly database: Database }>;
  readonly cursors: Sealer;
  readonly clock: Clock;
}

/** Drivers of a city in all shards, newest first. */
export function listBoard(
  { shards, cursors, clock, positionBook }: BoardDependencies,
  { cityCode, ...request }: PageRequest & { readonly cityCode: string },
): Promise<Result<Page<BoardDriver>>> {
  const databases = [...shards.values()].map(({ database }) => database);
  const now = clock.now();
  return readMergedPage({ databases, cursors }, request, {
    binding: ['drivers of a city', cityCode, 'createdAt desc'],
    select: (after, rows) => driverPage({ cityCode }, positionOf(after), rows),
    keyOf: ({ id }) => id,
    positionOf: (row) => [String(row.createdAt), row.id],
    compare: newestFirst,
    present: (stored, shard) => {
      const row = positionBook.locate(stored.id, stored);
      return { ...presentDriver(row), shard, positionAgeSeconds: ageOf(row.positionAt, now) };
    },
  });
}

function newestFirst(left: DriverRow, right: DriverRow): number {
  if (left.createdAt !== right.createdAt) return left.createdAt < right.createdAt ? 1 : -1;
  return left.id < right.id ? 1 : -1;
}

function ageOf(positionAt: Instant | null, now: Instant): number | null {
  return positionAt === null ? null : Math.max(0, Math.floor((toMillis(now) - toMillis(positionAt)) / 1000));
}

/** A driver of the shard; 404 if the shard has no such driver. */
export async function readDriver(
  { database, positionBook }: Pick<PageDependencies, 'database'> & Positions,
  id: Uuid,
): Promise<Result<Driver>> {
  const answer = await database.read(fleetDriverById(id));
  if (!answer.ok) return unavailable();
  const [row] = answer.rows;
  return row === undefined ? refuse('RESOURCE_NOT_FOUND') : ok(presentDriver(positionBook.locate(id, row)));
}

export function presentServiceLevel(row: ServiceLevelRow): ServiceLevel {
  return {
    ...row,
    capabilities: parseStored<string[]>(row.capabilities),
    cities: parseStored<string[]>(row.cities),
    createdAt: formatInstant(row.createdAt),
    updatedAt: formatInstant(row.updatedAt),
  };
}

/** A driver with only the last four digits of the phone. */
export function presentDriver(row: DriverRow): Driver {
  const { id, phone, latitude, longitude, positionAt, onDuty, missedOffers: _missed, seenAt: _seen, ...rest } = row;
  const recordedAt = positionAt === null ? null : formatInstant(positionAt);
  return {
    ...rest,
    driverId: id,
    maskedPhone: maskPhone(phone),
    capabilities: parseStored<string[]>(row.capabilities),
    onDuty: onDuty === 1,
    position: latitude === null || longitude === null ? null : { latitude, longitude, recordedAt },
    idleSince: formatInstant(row.idleSince),
    createdAt: formatInstant(row.createdAt),
    updatedAt: formatInstant(row.updatedAt),
  };
}
