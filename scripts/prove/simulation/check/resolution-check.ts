import { halalasOf } from './charge-check.ts';
import { addTo, type Ledger, type ReturnedItem } from './ledger.ts';
import { hold } from './rule-broken.ts';
import type { CommittedUnit, Values } from './watched-rows.ts';

const DAY_MICROS = 24 * 3600 * 1e6;
const DOOR_METERS = 300;

/** After a failure it is decided once, and in time, what becomes of the parcel. The table says who pays. */
export function checkResolutions(unit: CommittedUnit, ledger: Ledger): void {
  learnFacts(unit, ledger);
  for (const change of unit.of('standing')) {
    if (change.text(3) === 'DELIVERY_FAILED' && change.text(2) !== 'DELIVERY_FAILED')
      checkFailure(change, unit, ledger);
  }
  for (const change of unit.of('resolution_changed')) checkChoice(change, unit, ledger);
  for (const followUp of unit.of('follow_up')) {
    if (followUp.textOrNull(6) === null) checkFollowUp(followUp, unit, ledger);
    else checkReturn(followUp, ledger);
  }
}

function learnFacts(unit: CommittedUnit, ledger: Ledger): void {
  for (const pin of unit.of('pin')) ledger.pins.set(pin.text(1), [Number(pin.text(2)), Number(pin.text(3))]);
  for (const reply of unit.of('confirmed')) {
    if (reply.numberOrNull(2) === null) ledger.confirmed.delete(reply.text(1));
    else ledger.confirmed.add(reply.text(1));
  }
  for (const door of unit.of('door')) {
    const [latitude, longitude] = [door.textOrNull(3), door.textOrNull(4)];
    const isKnown = latitude !== null && longitude !== null;
    ledger.doors.set(door.text(1), isKnown ? [Number(latitude), Number(longitude)] : null);
  }
  for (const row of unit.of('items')) {
    const items = JSON.parse(row.text(2)) as { readonly quantity: number }[];
    ledger.quantities.set(
      row.text(1),
      items.map(({ quantity }) => quantity),
    );
  }
  for (const change of unit.of('standing')) {
    const [id, from, to] = [change.text(1), change.text(2), change.text(3)];
    if (to === 'DELIVERED' && from !== to && ledger.follows.get(id)?.kind !== 'RETURN') ledger.delivered.push(id);
  }
  // A driver who takes over was not at the door.
  for (const step of unit.of('history'))
    if (step.text(3) === 'shipment.driver_changed') ledger.doors.delete(step.text(1));
}

interface Failed {
  readonly reason: string;
  /** In microseconds. */
  readonly at: number;
  /** Whether the driver was at the door, and long enough: `proof-check.ts` reads the record of it. */
  readonly isProven: boolean;
}

/** The table of who pays, written once more. */
function payerOf(id: string, { reason, at, isProven }: Failed, ledger: Ledger): 'MERCHANT' | 'CARRIER' {
  const window = ledger.windows.get(id);
  if (window?.status === 'MISSED') return 'CARRIER';
  if (window?.status === 'AGREED' && at > window.end) return 'CARRIER';
  if (window?.status === 'AGREED' && at < window.start && reason !== 'RECALLED') return 'CARRIER';
  if (ledger.follows.get(id)?.kind === 'RETURN' && !isProven) return 'CARRIER';
  if (['RECIPIENT_UNREACHABLE', 'OTHER'].includes(reason)) return isProven ? 'MERCHANT' : 'CARRIER';
  if (['RECIPIENT_REFUSED', 'COD_NOT_PAID', 'RECALLED'].includes(reason)) return 'MERCHANT';
  if (reason !== 'WRONG_ADDRESS') return 'CARRIER';
  return ledger.confirmed.has(id) && !wasAtDoor(id, ledger) ? 'CARRIER' : 'MERCHANT';
}

function wasAtDoor(id: string, ledger: Ledger): boolean {
  const [door, pin] = [ledger.doors.get(id), ledger.pins.get(id)];
  if (door === undefined || door === null || pin === undefined) return false;
  const north = (door[0] - pin[0]) * 111_195;
  const east = (door[1] - pin[1]) * 111_195 * Math.cos((pin[0] * Math.PI) / 180);
  return Math.hypot(north, east) <= DOOR_METERS;
}

function checkFailure(change: Values, unit: CommittedUnit, ledger: Ledger): void {
  const id = change.text(1);
  const step = unit.of('history').find((history) => history.text(1) === id);
  const [reason, at] = [step?.textOrNull(9) ?? '', step?.number(10) ?? 0];
  const rows = unit.of('resolution').filter((row) => row.text(1) === id);
  const [row] = rows;
  ledger.see(`failed: ${reason}`);
  hold(
    rows.length === (reason === 'LOST' ? 0 : 1),
    'resolved',
    () => `${id}, ${reason}, has ${rows.length} resolutions`,
  );
  if (row === undefined) return;
  const attempt = unit.of('attempt').find((one) => one.text(1) === id);
  const payer = payerOf(id, { reason, at, isProven: attempt?.text(3) === 'COMPLETE' }, ledger);
  if (payer === 'CARRIER') ledger.carrierPays.add(id);
  hold(row.text(3) === payer, 'fault', () => `${id} failed for ${reason}: ${row.text(3)} pays, not ${payer}`);
  ledger.payers.set(id, payer);
  ledger.see(`paid by ${payer}: ${reason}`);
  const isRecall = reason === 'RECALLED';
  const isOpen = row.text(2) === 'OPEN';
  hold(isOpen !== isRecall, 'resolved', () => `${id} failed for ${reason} and is ${row.text(2)}`);
  if (!isOpen) return;
  const due = change.numberOrNull(8);
  const decideBy = row.number(4);
  hold(due === decideBy && decideBy === at + DAY_MICROS, 'resolved', () => `${id} is due at ${due}, not ${decideBy}`);
  ledger.undecided.set(id, { decideBy, defaultKind: row.text(5) });
}

function checkChoice(change: Values, unit: CommittedUnit, ledger: Ledger): void {
  const [id, from, to, kind] = [change.text(1), change.text(2), change.text(3), change.text(4)];
  const open = ledger.undecided.get(id);
  const name = `${id} from ${from} to ${to} by ${kind}`;
  hold(from === 'OPEN' && open !== undefined, 'resolved', () => `${name} was decided before`);
  ledger.undecided.delete(id);
  const isTaken = to === 'AUTOMATIC' && change.number(5) >= (open?.decideBy ?? Infinity) && kind === open?.defaultKind;
  hold(to === 'CHOSEN' || isTaken, 'resolved', () => `${name} at ${change.number(5)}, before ${open?.decideBy}`);
  const followUps = unit.of('follow_up').filter((row) => row.text(2) === id);
  hold(
    followUps.length === (kind === 'DISPOSE' ? 0 : 1),
    'resolved',
    () => `${name} has ${followUps.length} follow-ups`,
  );
  ledger.see(`decided ${to}: ${kind}`);
}

/** What goes back of a delivery is at most what was delivered. A return that was cancelled does not count. */
function checkReturn(row: Values, ledger: Ledger): void {
  const [id, delivered] = [row.text(1), row.text(2)];
  const items = JSON.parse(row.text(6)) as ReturnedItem[];
  hold(ledger.delivered.includes(delivered), 'returned', () => `${id} returns ${delivered}, which was not delivered`);
  addTo(ledger.returnsOf, delivered, { id, items });
  ledger.follows.set(id, { preceding: undefined, kind: 'RETURN', attempt: 1 });
  const known = ledger.shipment(id);
  // It comes from a recipient and goes to a pickup location, so nobody asks for its National Address.
  if (known !== undefined) known.isOverridden = true;
  const living = (ledger.returnsOf.get(delivered) ?? []).filter((one) => ledger.stateOf(one.id) !== 'CANCELLED');
  for (const [index, had] of (ledger.quantities.get(delivered) ?? []).entries()) {
    const back = living
      .flatMap((one) => one.items)
      .reduce((sum, item) => sum + (item.index === index ? item.quantity : 0), 0);
    hold(
      back <= had,
      'returned',
      () => `${back} of ${had} of item ${index} of ${delivered} go back, the last by ${id}`,
    );
    if (back === had) ledger.see('all of an item goes back');
  }
  ledger.see(living.length > 1 ? 'a later return of a delivery' : 'a return of a delivery');
}

function checkFollowUp(row: Values, unit: CommittedUnit, ledger: Ledger): void {
  const [id, preceding, root, kind] = [row.text(1), row.text(2), row.text(3), row.text(4)];
  const name = `${id}, the ${kind} of ${preceding}`;
  const before = ledger.followedBy.get(preceding);
  hold(before === undefined, 'goods', () => `${name}: its parcel is in ${before}`);
  ledger.followedBy.set(preceding, id);
  hold(ledger.stateOf(preceding) === 'DELIVERY_FAILED', 'goods', () => `${name}: it is ${ledger.stateOf(preceding)}`);
  hold(ledger.stateOf(id) === 'PICKED_UP', 'goods', () => `${name} begins ${ledger.stateOf(id)}`);
  const [had, has] = [
    ledger.shipment(preceding)?.namedDriverId,
    unit.of('offer').find((offer) => offer.text(2) === id),
  ];
  hold(has?.text(3) === had, 'goods', () => `${name} is with ${has?.text(3)}, and the parcel with ${had}`);
  const [last, attempt] = [ledger.follows.get(preceding), row.number(5)];
  ledger.follows.set(id, { preceding, kind, attempt });
  // The way back is counted anew.
  const expected = kind === 'RETURN' && last?.kind !== 'RETURN' ? 1 : (last?.attempt ?? 1) + 1;
  hold(attempt === expected, 'resolved', () => `${name} is attempt ${attempt}, not ${expected}`);
  hold(kind === 'RETURN' || attempt <= 3, 'resolved', () => `${name} is attempt ${attempt}`);
  if (last?.kind === 'RETURN') ledger.see('a return tried again');
  const lines =
    unit
      .of('terms')
      .find((terms) => terms.text(1) === id)
      ?.text(2) ?? '[]';
  const actor = unit
    .of('history')
    .find((step) => step.text(1) === id)
    ?.text(6);
  const isFree = ledger.payers.get(preceding) === 'CARRIER' || actor === 'DRIVER';
  const net = (ledger.terms.get(root) ?? []).reduce((sum, { amount }) => sum + halalasOf(Number(amount)), 0n);
  const [line, ...others] = JSON.parse(lines) as { readonly code: string; readonly amount: string }[];
  const isPriced = line?.code === kind && others.length === 0 && halalasOf(Number(line.amount)) === (isFree ? 0n : net);
  hold(isPriced, 'fault', () => `${name} costs ${lines}, and is ${isFree ? 'free' : `for ${net} halalas`}`);
  ledger.see(`a ${kind} ${isFree ? 'for nothing' : 'for money'}`);
}
