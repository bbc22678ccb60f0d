import { sql } from 'drizzle-orm';
import { isAtHome } from '../../../db/shard/moving.ts';
import { drivers } from '../../../db/shard/schema/dispatch.ts';
import { placeholder, queries, write } from '../../../db/statement.ts';
import type { Decimal } from '../../core/decimal.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of drivers' positions. Apart from the rest, because a Worker's writer needs it at its start. */

const updatePositions = write(
  queries
    .update(drivers)
    .set({
      latitude: sql`reported.value ->> 1`,
      longitude: sql`reported.value ->> 2`,
      positionAt: sql`reported.value ->> 3`,
    })
    .from(sql`json_each(${placeholder('positions')}) as reported`)
    .where(
      // A row that is moving with its company would refuse the positions of all.
      sql`${drivers.id} = reported.value ->> 0 and coalesce(${drivers.positionAt}, 0) < reported.value ->> 3 and ${isAtHome(drivers.companyId)}`,
    ),
);
export interface DriverPosition {
  readonly latitude: Decimal;
  readonly longitude: Decimal;
  readonly positionAt: Instant;
}
/** Stores the latest positions of drivers. A position that is not newer than the stored one changes nothing. */
export function positionsUpdate(positions: readonly (readonly [driverId: Uuid, position: DriverPosition])[]) {
  const rows = positions.map(([driverId, { latitude, longitude, positionAt }]) => [
    driverId,
    latitude,
    longitude,
    Number(positionAt),
  ]);
  return updatePositions({ positions: JSON.stringify(rows) });
}
