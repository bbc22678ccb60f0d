import { FAILURE_REASONS, type FailureReason, hasDriver, type ShipmentState } from '../../contract/shipment-state.ts';
import { CARRIER_FAULTS, commandsOf } from '../../domain/shipments/lifecycle.ts';
import type { Inputs } from './service/calls.ts';

/** ACKNOWLEDGE is no step of a delivery: it stands beside the changes that it confirms. */
export type DriverAction = Exclude<Inputs['driver']['act']['action'], 'ACKNOWLEDGE'>;

const ONWARD: readonly DriverAction[] = ['ACCEPT', 'PICK_UP', 'DEPART', 'DELIVER'];
const NAMES: readonly string[] = ['ACCEPT', 'DECLINE', 'RELEASE', 'PICK_UP', 'DEPART', 'DELIVER', 'FAIL'];

/** The actions of a driver in this state, as the lifecycle allows them. The action towards delivery comes first. */
export function driverActions(state: ShipmentState): DriverAction[] {
  const actions = commandsOf('DRIVER', state).filter((command): command is typeof command & DriverAction =>
    NAMES.includes(command),
  );
  const sorted = actions.toSorted((a, b) => Number(isOnward(b)) - Number(isOnward(a)));
  if (!hasDriver(state)) return sorted;
  // A driver arrives at the pickup location and at the door.
  return state === 'PICKED_UP' ? [...sorted, 'REPORT_POSITION'] : [...sorted, 'ARRIVE', 'REPORT_POSITION'];
}

/** Whether the action leads towards delivery. A state has at most one such action. */
export function isOnward(action: DriverAction): boolean {
  return ONWARD.includes(action);
}

/** The reasons for which a delivery can fail in this state. */
export function failureReasons(state: ShipmentState): readonly FailureReason[] {
  return state === 'PICKED_UP' ? CARRIER_FAULTS : FAILURE_REASONS;
}
