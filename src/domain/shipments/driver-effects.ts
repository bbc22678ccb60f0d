import type { WriteStatement } from '../../../db/statement.ts';
import type { OfferState } from '../../contract/driver-state.ts';
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
  offerStatements,
  takeOverStatements,
  withdrawalStatements,
} from '../offers/store.ts';
import type { Command } from './lifecycle.ts';
import type { DispatchChange } from './store.ts';

/** What a transition means for drivers and offers. */
export interface DispatchEffects {
  /** Of the shipment's row. */
  readonly changes: readonly DispatchChange[];
  /** The driver who is offered the shipment or takes it. */
  readonly driverId: Uuid | null;
  /** Of other rows, for the same unit. */
  readonly statements: readonly WriteStatement[];
}

interface Move {
  readonly from: ShipmentState;
  readonly to: ShipmentState;
  readonly now: Instant;
}

/**
 * What a transition means for drivers and offers, for the same unit. A driver's command begins with the guard that the
 * driver still has the shipment, because that may have changed since it was read.
 */
export function dispatchEffects(shipmentId: Uuid, command: Command, move: Move): DispatchEffects {
  const driverId = driverBehind(command);
  const guard = driverId === undefined ? [] : [driverGuard(shipmentId, driverId)];
  const { changes, driverId: given = null, statements } = placeEffects(shipmentId, command, move);
  return {
    changes: [...changes, ...waitChanges(command, move.to)],
    driverId: given,
    statements: [...guard, ...statements],
  };
}

/** The driver who gives the command. OFFER and TAKE_OVER name a driver too, but dispatch and operators give them. */
export function driverBehind(command: Command): Uuid | undefined {
  return 'driverId' in command && command.name !== 'OFFER' ? command.driverId : undefined;
}

interface PlaceEffects extends Pick<DispatchEffects, 'changes' | 'statements'> {
  readonly driverId?: Uuid;
}

function placeEffects(shipmentId: Uuid, command: Command, { from, to, now }: Move): PlaceEffects {
  if (command.name === 'OFFER') {
    const { offerId: id, driverId, expiresAt } = command;
    const order = { id, shipmentId, driverId, offeredAt: now, expiresAt };
    return { changes: ['offer'], driverId, statements: offerStatements(order) };
  }
  if (command.name === 'ACCEPT') {
    return { changes: [], statements: acceptanceStatements(shipmentId, command.driverId, now) };
  }
  if (command.name === 'TAKE_OVER') {
    const { offerId: id, toDriverId: driverId } = command;
    const order = { id, shipmentId, driverId, offeredAt: now, expiresAt: now };
    return { changes: ['takeOver'], driverId, statements: takeOverStatements(order) };
  }
  if (!takesDriverPlace(from) || takesDriverPlace(to)) return { changes: [], statements: [] };
  if (isCarried(from) && isTerminal(to)) return { changes: [], statements: completionStatements(shipmentId, now) };
  const [state, isRefusal] = endOf(command, from);
  return {
    changes: [isRefusal ? 'refuse' : 'withdraw'],
    statements: withdrawalStatements(shipmentId, state, now),
  };
}

/** How the offer of a driver ends who does not keep the shipment, and whether the next offer must go to another driver. */
function endOf(command: Command, from: ShipmentState): [state: OfferState, isRefusal: boolean] {
  switch (command.name) {
    case 'DECLINE':
      return ['DECLINED', command.isRefusal ?? true];
    case 'EXPIRE_OFFER':
      return ['EXPIRED', true];
    case 'RELEASE':
      return ['RELEASED', true];
    case 'REASSIGN':
      // The search that begins must not choose the same driver again.
      return ['WITHDRAWN', true];
    case 'GIVE_UP':
      // It counts as a refusal, so that no driver gets two offers in a row, even after a retry of dispatch.
      return ['WITHDRAWN', true];
    case 'CANCEL':
      // A driver who had accepted it can read the cancelled shipment for a while. A driver with an open offer cannot.
      return [isDriverAssigned(from) ? 'CANCELLED' : 'WITHDRAWN', false];
    default:
      return ['WITHDRAWN', false];
  }
}

function waitChanges(command: Command, to: ShipmentState): readonly DispatchChange[] {
  if (isTerminal(to)) return ['end'];
  switch (command.name) {
    case 'GIVE_UP':
      return [command.reasonCode === 'NATIONAL_ADDRESS' ? 'endAddressWait' : 'endWait'];
    case 'RETRY_DISPATCH':
      return ['level', 'search'];
    case 'APPROVE':
    case 'RELEASE':
    case 'REASSIGN':
      return ['search'];
    default:
      return to === 'READY_FOR_DISPATCH' ? ['wait'] : [];
  }
}
