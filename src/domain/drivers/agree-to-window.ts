import type { Writer } from '../../../db/writer.ts';
import type { WindowStatus } from '../../contract/window-state.ts';
import type { Instant } from '../../core/instant.ts';
import { ok, type Result } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { settle } from '../settle.ts';
import type { ShipmentRow } from '../shipments/store.ts';
import { type EventDependencies, windowAgreedEvent } from '../shipments/window-agreed.ts';
import { windowAgreed } from './window-store.ts';

export interface AgreeDependencies extends EventDependencies {
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
 * A driver who has read what was amended agrees to the window, with its event. True if they did. A window that was asked for
 * meanwhile stays ASKED, and the driver's page shows it. 503 if the outcome is unknown; a repeat agrees once.
 */
export async function agreeToWindow(
  dependencies: AgreeDependencies,
  { row, windowStatus, driverId, seen, ...event }: Acknowledged,
): Promise<Result<boolean>> {
  if (windowStatus !== 'ASKED') return ok(false);
  const told = windowAgreedEvent(row, { ...dependencies, ...event });
  return settle(await dependencies.writer.commit({ statements: [windowAgreed(row, driverId, seen), ...told] }));
}
