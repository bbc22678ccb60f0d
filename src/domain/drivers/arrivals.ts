import type { ReportedPosition } from '../../contract/driver.ts';
import type { ShipmentState } from '../../contract/shipment-state.ts';
import { formatInstant, type Instant, instantOrNull } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { usablePosition } from './positions.ts';
import { ARRIVAL_STATES, type ArrivalState, type Arrived } from './store.ts';
import type { Taken } from './taken-at.ts';
import type { Arrival, Sight } from './view.ts';

export function isArrivalState(state: ShipmentState): state is ArrivalState {
  return (ARRIVAL_STATES as readonly ShipmentState[]).includes(state);
}

/** The arrival to store; undefined where a driver arrives nowhere. */
export function arrivalIn(
  state: ShipmentState,
  position: ReportedPosition | undefined,
  now: Instant,
  { takenAt }: Taken,
): Arrived | undefined {
  if (!isArrivalState(state)) return undefined;
  const held = position && usablePosition(position, now);
  const arrival: Arrival = {
    arrivedAt: formatInstant(now),
    ...(takenAt === undefined ? {} : { takenAt: instantOrNull(takenAt) }),
    position: held === undefined ? null : { ...held, positionAt: formatInstant(held.positionAt) },
  };
  return { state, arrival: JSON.stringify(arrival) };
}

/** A repeated arrival keeps the first one, unless only the later one has a position. */
export function sightAfter(seen: Sight, arrived: Arrived | undefined): Sight {
  if (arrived === undefined) return seen;
  const column = arrived.state === 'ACCEPTED' ? 'pickupArrival' : 'doorArrival';
  const [first, later] = [seen[column] ?? arrived.arrival, arrived.arrival];
  const isPlaced = (arrival: string) => parseStored<Arrival>(arrival).position !== null;
  return { ...seen, [column]: isPlaced(later) && !isPlaced(first) ? later : first };
}
