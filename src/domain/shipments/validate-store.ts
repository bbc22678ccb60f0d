import { and, eq, gte, sql } from 'drizzle-orm';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { placeholder, queries, read } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';

const selectTwin = read({ id: shipments.id }, (columns) =>
  queries
    .select(columns)
    .from(shipments)
    .where(
      and(
        eq(shipments.companyId, placeholder('companyId')),
        gte(shipments.createdAt, placeholder('since')),
        eq(shipments.recipientPhone, placeholder('recipientPhone')),
        eq(shipments.declaredValue, placeholder('declaredValue')),
        sql`${shipments.destination} ->> '$.latitude' = ${placeholder('latitude')}`,
        sql`${shipments.destination} ->> '$.longitude' = ${placeholder('longitude')}`,
      ),
    )
    .limit(1),
);

/** What makes two shipments the same delivery, most likely. Empty text finds nothing. */
export interface Likeness {
  readonly recipientPhone: string;
  readonly declaredValue: string;
  readonly latitude: string;
  readonly longitude: string;
}

/** A shipment of the company since this time with the same phone, value and pin. */
export function twinSince(scope: CompanyScope, since: Instant, likeness: Likeness) {
  return selectTwin({ companyId: scope.companyId, since, ...likeness });
}
