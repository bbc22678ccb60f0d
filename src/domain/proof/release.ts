import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { ReleasedProof } from '../../contract/proof.ts';
import { isCarried } from '../../contract/shipment-state.ts';
import { formatInstant } from '../../core/instant.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, changeVersioned } from '../audit/change.ts';
import { shipmentById } from '../shipments/store.ts';
import { carriedCheck, progressOf, proofReleased } from './store.ts';

/**
 * Lets a delivery or a failure pass without all that it has to prove, for a reason that the audit keeps. A repeat changes nothing. 409 unless
 * a driver holds the parcel.
 */
export function releaseProof(
  dependencies: {
    readonly database: Database;
    readonly writer: Writer;
    readonly clock: CompanyClock;
    readonly random: Random;
  },
  scope: CompanyScope,
  { shipmentId, reason }: { readonly shipmentId: Uuid; readonly reason: string },
): Promise<Result<ReleasedProof>> {
  const { database, clock } = dependencies;
  return changeVersioned(dependencies, {
    read: async () => {
      const read = await database.readAll([shipmentById(scope, shipmentId), progressOf(scope, shipmentId)] as const);
      if (!read.ok) return unavailable();
      const [[shipment], [progress]] = read.results;
      return shipment === undefined
        ? refuse('ACCESS_DENIED')
        : ok({ state: shipment.state, releasedAt: progress?.releasedAt ?? null });
    },
    decide: ({ state: currentState, releasedAt }) => {
      if (releasedAt !== null)
        return ok({ kind: 'unchanged', value: { shipmentId, releasedAt: formatInstant(releasedAt) } });
      if (!isCarried(currentState)) return refuse('INVALID_STATE_TRANSITION', { members: { currentState } });
      const now = clock.now();
      return ok({
        kind: 'change',
        value: { shipmentId, releasedAt: formatInstant(now) },
        unit: { statements: [carriedCheck(scope, shipmentId), proofReleased(scope, shipmentId, now)] },
        audit: auditOf(dependencies, scope, {
          action: 'shipment.proof_released',
          subject: shipmentId,
          at: now,
          detail: { reason },
        }),
      });
    },
  });
}
