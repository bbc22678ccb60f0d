import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { WindowStatus } from '../../contract/window-state.ts';
import type { Instant } from '../../core/instant.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { settle } from '../settle.ts';
import type { FactDependencies } from '../shipments/fact.ts';
import type { ShipmentRow } from '../shipments/store.ts';
import { windowAgreedEvent } from '../shipments/window-agreed.ts';
import { assignmentOf } from './store.ts';
import { windowAgreed } from './window-store.ts';

export interface AgreeDependencies extends FactDependencies {
  readonly database: Database;
  readonly writer: Writer;
}

interface Acknowledged {
  readonly row: ShipmentRow;
  readonly windowStatus: WindowStatus | null;
  readonly driverId: Uuid;
  /** The version that the driver has read. */
  readonly seen: number;
  readonly occurredAt: Instant;
  readonly correlationId: Uuid;
}

/**
 * A driver who has read what was amended agrees to the window, with its event. A window that was asked for meanwhile stays
 * ASKED, and the driver's page shows it; so does one at the door. False if the shipment has changed since it was read: then it
 * has to be read again. 503 if the outcome is unknown; a repeat agrees once.
 */
export async function agreeToWindow(
  dependencies: AgreeDependencies,
  { row, windowStatus, driverId, seen, ...event }: Acknowledged,
): Promise<Result<boolean>> {
  if (windowStatus !== 'ASKED') return ok(true);
  const told = windowAgreedEvent(dependencies, row, event);
  const unit = { statements: [windowAgreed(row, driverId, seen), ...told] };
  const agreed = settle(await dependencies.writer.commit(unit));
  if (!agreed.ok || agreed.value) return agreed;
  const found = await dependencies.database.read(assignmentOf(driverId, row.id));
  return found.ok ? ok(found.rows[0]?.version === row.version) : unavailable();
}
