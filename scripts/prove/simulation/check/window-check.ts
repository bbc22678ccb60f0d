import { microsOf } from './clock-check.ts';
import type { Ledger } from './ledger.ts';
import { hold } from './rule-broken.ts';
import { checkTold } from './told-check.ts';
import type { CommittedUnit, Values } from './watched-rows.ts';

const RESULTS: readonly (string | null)[] = ['MET', 'MISSED'];

/**
 * The delivery window of a shipment. A driver agrees to one that was asked for, and the first arrival at the door decides it, or else
 * the delivery.
 */
export function checkWindows(unit: CommittedUnit, ledger: Ledger): void {
  for (const change of unit.of('window')) followWindow(change, unit, ledger);
  const agreed = unit.of('window').filter((change) => change.textOrNull(3) === 'AGREED');
  checkTold('window', unit, 'delivery_window.agreed', { changes: agreed, ledger });
  for (const id of [...unit.of('door'), ...deliveries(unit)].map((row) => row.text(1))) {
    const status = ledger.windows.get(id)?.status;
    hold(status !== 'AGREED', 'window', () => `${id} is at the door, and its window is still ${status}`);
  }
}

function followWindow(change: Values, unit: CommittedUnit, ledger: Ledger): void {
  const [id, from, to] = [change.text(1), change.textOrNull(2), change.textOrNull(3)];
  const [start, end, isSame] = [change.numberOrNull(4), change.numberOrNull(5), change.number(6) === 1];
  const name = `the window of ${id} from ${from} to ${to}`;
  const known = ledger.windows.get(id);
  hold((known?.status ?? null) === from, 'window', () => `${name} was ${known?.status}`);
  ledger.see(`window ${from} to ${to}`);
  if (to === null || start === null || end === null) {
    const isGone = to === null && start === null && end === null;
    hold(isGone && !RESULTS.includes(from), 'window', () => `${name} is from ${start} to ${end}`);
    return void ledger.windows.delete(id);
  }
  ledger.windows.set(id, { status: to, start, end });
  hold(isSame || to === 'ASKED', 'window', () => `${name} is another one`);
  hold(!RESULTS.includes(from), 'window', () => `${name} was decided before`);
  if (to === 'AGREED') return hold(from === 'ASKED', 'window', () => `${name} was not asked for`);
  if (!RESULTS.includes(to)) return;
  hold(from === 'AGREED', 'window', () => `${name} is decided, and no driver has agreed to it`);
  const at = instantAtDoor(id, unit);
  const due = at !== undefined && start <= at && at <= end ? 'MET' : 'MISSED';
  hold(at !== undefined && to === due, 'window', () => `${name} is ${start} to ${end}, and the door was at ${at}`);
}

function deliveries(unit: CommittedUnit): Values[] {
  return unit.of('history').filter((step) => step.text(3) === 'shipment.delivered');
}

/** Of the first arrival at the door that this unit stores, or else of its delivery. */
function instantAtDoor(id: string, unit: CommittedUnit): number | undefined {
  const arrival = unit.of('door').find((door) => door.text(1) === id);
  if (arrival !== undefined) return microsOf(arrival.text(2));
  return deliveries(unit)
    .find((step) => step.text(1) === id)
    ?.number(10);
}
