import { scopeForService } from '../../access/require.ts';
import type { Result } from '../../core/result.ts';
import { ok, unavailable } from '../../core/result.ts';
import { unbound } from '../idempotency/once.ts';
import { type ChooseDependencies, choose } from './resolution-choice.ts';
import { resolutionOf } from './resolution-store.ts';
import type { ShipmentRow } from './store.ts';

/** Takes the default for a failed shipment whose time to decide is over. False if there is nothing to decide any more. */
export async function chooseDefault(dependencies: ChooseDependencies, row: ShipmentRow): Promise<Result<boolean>> {
  const { database, random, clock } = dependencies;
  const scope = scopeForService(database.id, row.companyId);
  const found = await database.read(resolutionOf(scope, row.id));
  if (!found.ok) return unavailable();
  const [resolution] = found.rows;
  if (resolution?.state !== 'OPEN' || resolution.decideBy > clock.now()) return ok(false);
  const chosen = await choose(dependencies, scope, {
    shipmentId: row.id,
    kind: resolution.defaultKind,
    actor: 'SYSTEM',
    correlationId: random.uuid(),
    bind: unbound,
  });
  // Somebody may have decided in this moment.
  return !chosen.ok && chosen.code === 'RESOLUTION_ALREADY_CHOSEN' ? ok(true) : chosen.ok ? ok(true) : chosen;
}
