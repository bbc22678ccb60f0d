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

/** Of the units that create, the one that finds the hold takes it, and only that one is held. */
function checkHolds(unit: CommittedUnit, ledger: Ledger): void {
  const changes = unit.of('hold');
  for (const created of unit.of('dispatch')) {
    const [shipmentId, companyId, isHeld] = [created.text(1), created.text(2), created.number(3) === 1];
    const wasHeld = ledger.holds.get(companyId) === 1;
    hold(isHeld === wasHeld, 'hold', () => `${shipmentId} is ${isHeld ? '' : 'not '}held`);
    const taken = changes.filter((change) => change.text(1) === companyId && change.number(3) === 0);
    hold(taken.length === (isHeld ? 1 : 0), 'hold', () => `the hold was taken ${taken.length} times for ${shipmentId}`);
    const known = ledger.shipment(shipmentId);
    if (known !== undefined) known.isHeld = isHeld;
  }
  for (const change of changes) ledger.holds.set(change.text(1), change.number(3));
  for (const released of unit.of('released')) {
    const known = ledger.shipment(released.text(1));
    hold(released.number(3) === 0, 'hold', () => `${released.text(1)} is held later`);
    if (known !== undefined) known.isHeld = false;
  }
}
