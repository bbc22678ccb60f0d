import { addTo, type Ledger } from '../ledger.ts';
import type { CommittedUnit, Values } from '../watched-rows.ts';
import { hold } from './objection.ts';

/** References, keys, holds, and that a creation has all its parts. Comes before what looks shipments up. */
export function checkCreations(unit: CommittedUnit, ledger: Ledger): void {
  for (const forgotten of unit.of('key_forgotten')) ledger.keys.delete(forgotten.text(1));
  const shipments = unit.of('shipment');
  const keys = unit.of('key');
  for (const shipment of shipments) learn(shipment, unit, ledger);
  hold(keys.length === shipments.length, 'key', () => `${shipments.length} shipments came with ${keys.length} keys`);
  for (const key of keys) {
    const bound = ledger.keys.get(key.text(1));
    hold(bound === undefined, 'key', () => `${key.text(1)} was bound to ${bound}`);
    const shipment = shipments.find((candidate) => key.text(2).endsWith(candidate.text(1)));
    hold(
      shipment !== undefined,
      'key',
      () => `${key.text(1)} is bound to ${key.text(2)}, which its unit did not create`,
    );
    ledger.keys.set(key.text(1), shipment?.text(1) ?? '');
  }
  checkHolds(unit, ledger);
}

function learn(shipment: Values, unit: CommittedUnit, ledger: Ledger): void {
  const [id, companyId, reference] = [shipment.text(1), shipment.text(2), shipment.text(3)];
  const [name, number] = [`${companyId} ${reference}`, `${companyId} ${shipment.text(4)}`];
  hold(!ledger.references.has(name), 'reference', () => `${reference} is of ${ledger.references.get(name)} and ${id}`);
  hold(!ledger.numbers.has(number), 'reference', () => `${number} was given twice`);
  const isFirst = shipment.text(5) === 'PENDING_APPROVAL' && shipment.number(6) === 0;
  hold(isFirst, 'edge', () => `${id} begins as ${shipment.text(5)}, version ${shipment.number(6)}`);
  ledger.references.set(name, id);
  ledger.numbers.add(number);
  addTo(ledger.shipmentsOf, companyId, id);
  ledger.shipments.set(id, {
    ...{ id, companyId, reference, shard: unit.shard, states: ['PENDING_APPROVAL'], eventCount: 1 },
    ...{ lastDriverId: undefined, offer: undefined, isHeld: false },
  });
  const latitude = ledger.latitudes.get(`${companyId} ${shipment.text(7)}`);
  const isThere = latitude === undefined || shipment.text(8).includes(`"latitude":"${latitude}"`);
  hold(isThere, 'place', () => `${id} is fetched from ${shipment.text(8)}, not from ${latitude}`);
  const isOf = (place: number) => (row: Values) => row.textOrNull(place) === id;
  const isWhole = unit.of('terms').some(isOf(1)) && unit.of('dispatch').some(isOf(1));
  hold(isWhole, 'whole', () => `${id} has no terms or no dispatch`);
  const told = unit.of('event').filter((event) => event.textOrNull(5) === id && event.text(4) === 'shipment.created');
  hold(told.length === 1, 'event', () => `the creation of ${id} was told ${told.length} times`);
}

/** Of what is created together while a company holds, one shipment is held, and the hold is gone. */
function checkHolds(unit: CommittedUnit, ledger: Ledger): void {
  const changes = unit.of('hold');
  const created = Map.groupBy(unit.of('dispatch'), (dispatch) => dispatch.text(2));
  const held = new Set(unit.of('held').flatMap((change) => (change.number(3) === 1 ? [change.text(1)] : [])));
  for (const [companyId, dispatches] of created) {
    const wasHeld = ledger.holds.get(companyId) === 1;
    const ids = dispatches.filter((row) => row.number(3) === 1 || held.delete(row.text(1))).map((row) => row.text(1));
    const expected = wasHeld ? 1 : 0;
    hold(ids.length === expected, 'hold', () => `${ids.length} of ${dispatches.length} are held, not ${expected}`);
    const taken = changes.filter((change) => change.text(1) === companyId && change.number(3) === 0);
    hold(taken.length === expected, 'hold', () => `the hold was taken ${taken.length} times for ${ids.join(' ')}`);
    for (const id of ids) {
      const known = ledger.shipment(id);
      if (known !== undefined) known.isHeld = true;
    }
  }
  for (const id of held) hold(false, 'hold', () => `${id} is held later`);
  for (const change of changes) ledger.holds.set(change.text(1), change.number(3));
  for (const change of unit.of('held')) {
    const known = ledger.shipment(change.text(1));
    if (change.number(3) === 0 && known !== undefined) known.isHeld = false;
  }
}
