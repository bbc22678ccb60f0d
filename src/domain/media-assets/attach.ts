import type { Database } from '../../../db/database.ts';
import type { WriteStatement } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import { addSeconds } from '../../core/instant.ts';
import { PROOF_MEDIA_KEPT_DAYS } from '../../core/limits.ts';
import { ok, type Result, refuse, unavailable, type Violation } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Attach, Attached } from '../shipments/open-case.ts';
import { attachStatements, keepStatement, picturesByIds } from './store.ts';

const KEPT_SECONDS = PROOF_MEDIA_KEPT_DAYS * 24 * 3600;

/**
 * Takes pictures of the shipment, and attaches those that have no shipment yet. Refuses all others with 422. They are kept as long as the
 * pictures of deliveries, because a complaint may be older than what merchants see of the shipment's events.
 */
export function attaching(
  { database, clock }: { readonly database: Database; readonly clock: CompanyClock },
  scope: CompanyScope,
  mediaAssetIds: readonly Uuid[] = [],
): Attach {
  return async ({ id: shipmentId, externalReference }): Promise<Result<Attached>> => {
    if (mediaAssetIds.length === 0) return ok({ named: null, statements: [] });
    const found = await database.read(picturesByIds(scope, mediaAssetIds));
    if (!found.ok) return unavailable();
    const known = new Map(found.rows.map((row) => [row.id, row]));
    const violations: Violation[] = [];
    const statements: WriteStatement[] = [];
    const dueAt = addSeconds(clock.wall.now(), KEPT_SECONDS);
    for (const [index, id] of mediaAssetIds.entries()) {
      const picture = known.get(id);
      const isTheirs = picture !== undefined && (picture.shipmentId === null || picture.shipmentId === shipmentId);
      if (!isTheirs) violations.push({ field: `mediaAssetIds[${index}]`, code: 'NOT_IN_ENUM' });
      else if (picture.shipmentId === null)
        statements.push(...attachStatements(scope, picture, { shipmentReference: externalReference, dueAt }));
      else statements.push(keepStatement(scope, id, dueAt));
    }
    if (violations.length > 0) return refuse('VALIDATION_FAILED', { violations });
    return ok({ named: JSON.stringify(mediaAssetIds), statements });
  };
}
