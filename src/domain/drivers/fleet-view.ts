import type * as z from 'zod';
import type { driver, serviceLevel } from '../../contract/fleet.ts';
import { formatInstant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { maskPhone } from '../../core/phone.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { DriverRow, ServiceLevelRow } from '../offers/store.ts';
import { type Page, type PageDependencies, type PageRequest, positionOf, readPage } from '../page.ts';
import { type DriverFilter, driverPage, fleetDriverById } from './fleet-store.ts';

type ServiceLevel = z.output<typeof serviceLevel>;
type Driver = z.output<typeof driver>;

/** Drivers of a shard, newest first. */
export function listDrivers(
  dependencies: PageDependencies,
  { limit, cursor, ...filter }: PageRequest & DriverFilter,
): Promise<Result<Page<Driver>>> {
  return readPage(
    dependencies,
    { limit, cursor },
    {
      binding: ['drivers', dependencies.database.id, filter.cityCode, filter.status, 'createdAt desc'],
      select: (after, rows) => driverPage(filter, positionOf(after), rows),
      positionOf: (row) => [String(row.createdAt), row.id],
      present: presentDriver,
    },
  );
}

/** A driver of the shard; 404 if the shard has no such driver. */
export async function readDriver({ database }: Pick<PageDependencies, 'database'>, id: Uuid): Promise<Result<Driver>> {
  const answer = await database.read(fleetDriverById(id));
  if (!answer.ok) return unavailable();
  const [row] = answer.rows;
  return row === undefined ? refuse('RESOURCE_NOT_FOUND') : ok(presentDriver(row));
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
  const { id, phone, latitude, longitude, positionAt, onDuty, ...rest } = row;
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
