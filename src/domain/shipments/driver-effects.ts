import type { WriteStatement } from '../../../db/statement.ts';
import {
  isCarried,
  isDriverAssigned,
  isTerminal,
  type ShipmentState,
  takesDriverPlace,
} from '../../contract/shipment-state.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import {
  acceptanceStatements,
  completionStatements,
  driverGuard,
  endMark,
  levelAssignment,
  offerStatements,
  readyMark,
  takeOverStatements,
  waitEnd,
  withdrawalStatements,
} from '../offers/store.ts';
import type { Command } from './lifecycle.ts';

/**
 * What a transition means for drivers and offers, as SQL for the same unit. A driver's command begins with the guard
 * that the driver still has the shipment, because that may have changed since it was read.
 */
export function dispatchEffects(
  shipmentId: Uuid,
  command: Command,
  { from, to }: { from: ShipmentState; to: ShipmentState },
  { now, searchFrom }: { now: Instant; searchFrom: Instant },
): WriteStatement[] {
  const driverId = driverBehind(command);
  const guard = driverId === undefined ? [] : [driverGuard(shipmentId, driverId)];
  return [
    ...guard,
    ...placeEffects(shipmentId, command, { from, to }, now),
    ...waitEffects(shipmentId, command, to, { now, searchFrom }),
  ];
}

/** The driver who gives the command. OFFER and TAKE_OVER name a driver too, but dispatch and operators give them. */
export function driverBehind(command: Command): Uuid | undefined {
  return 'driverId' in command && command.name !== 'OFFER' ? command.driverId : undefined;
}

function placeEffects(
  shipmentId: Uuid,
  command: Command,
  { from, to }: { from: ShipmentState; to: ShipmentState },
  now: Instant,
): WriteStatement[] {
  if (command.name === 'OFFER') {
    const { offerId: id, driverId, expiresAt } = command;
    return offerStatements({ id, shipmentId, driverId, offeredAt: now, expiresAt });
  }
  if (command.name === 'ACCEPT') return acceptanceStatements(shipmentId, command.driverId, now);
  if (command.name === 'TAKE_OVER') {
    const { offerId: id, toDriverId: driverId } = command;
    return takeOverStatements({ id, shipmentId, driverId, offeredAt: now, expiresAt: now });
  }
  if (!takesDriverPlace(from) || takesDriverPlace(to)) return [];
  if (isCarried(from) && isTerminal(to)) return completionStatements(shipmentId, now);
  switch (command.name) {
    case 'DECLINE':
      return withdrawalStatements(shipmentId, 'DECLINED', command.isRefusal ?? true, now);
    case 'EXPIRE_OFFER':
      return withdrawalStatements(shipmentId, 'EXPIRED', true, now);
    case 'RELEASE':
      return withdrawalStatements(shipmentId, 'RELEASED', true, now);
    case 'REASSIGN':
      // The search that begins must not choose the same driver again.
      return withdrawalStatements(shipmentId, 'WITHDRAWN', true, now);
    case 'GIVE_UP':
      // It counts as a refusal, so that no driver gets two offers in a row, even after a retry of dispatch.
      return withdrawalStatements(shipmentId, 'WITHDRAWN', true, now);
    case 'CANCEL':
      // A driver who had accepted it can read the cancelled shipment for a while. A driver with an open offer cannot.
      return withdrawalStatements(shipmentId, isDriverAssigned(from) ? 'CANCELLED' : 'WITHDRAWN', false, now);
    default:
      return withdrawalStatements(shipmentId, 'WITHDRAWN', false, now);
  }
}

function waitEffects(
  shipmentId: Uuid,
  command: Command,
  to: ShipmentState,
  { now, searchFrom }: { now: Instant; searchFrom: Instant },
): WriteStatement[] {
  if (isTerminal(to)) return [endMark(shipmentId, now)];
  switch (command.name) {
    case 'GIVE_UP':
      return [waitEnd(shipmentId)];
    case 'RETRY_DISPATCH':
      return [levelAssignment(shipmentId, command.serviceLevelCode), readyMark(shipmentId, searchFrom, true)];
    case 'APPROVE':
    case 'RELEASE':
    case 'REASSIGN':
      return [readyMark(shipmentId, searchFrom, true)];
    default:
      return to === 'READY_FOR_DISPATCH' ? [readyMark(shipmentId, searchFrom, false)] : [];
  }
}
