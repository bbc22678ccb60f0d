import { keyRules, referenceRules, wholeRules } from '../../rules/shipments.ts';
import { addTo, type Ledger } from './ledger.ts';
import { hold, requireNone } from './rule-broken.ts';
import type { CommittedUnit, Values } from './watched-rows.ts';

/** References, keys, holds and the parts of a creation. It fills the ledger that the other checks read. */
export function checkCreations(unit: CommittedUnit, ledger: Ledger): void {
  for (const forgotten of unit.of('key_forgotten')) ledger.keys.delete(forgotten.text(1));
  const shipments = unit.of('shipment');
  const returned = new Set(unit.of('follow_up').map((row) => row.text(1)));
  const ordered = shipments.filter((shipment) => !returned.has(shipment.text(1)));
  const keys = unit.of('key');
  for (const shipment of shipments) learn(shipment, unit, ledger);
  hold(keys.length === ordered.length, 'key', () => `${ordered.length} shipments came with ${keys.length} keys`);
  for (const key of keys) {
    const [name, location] = [key.text(1), key.text(2)];
    const boundTo = location.slice(location.lastIndexOf('/') + 1);
    const created = shipments.map((shipment) => shipment.text(1)).filter((id) => id === boundTo);
    const boundBefore = ledger.keys.get(name);
    requireNone(keyRules(name, boundBefore === undefined ? created : [boundBefore, ...created], boundTo));
    ledger.keys.set(name, boundTo);
  }
  checkHolds(unit, ledger);
}

function learn(shipment: Values, unit: CommittedUnit, ledger: Ledger): void {
  const [id, companyId, reference] = [shipment.text(1), shipment.text(2), shipment.text(3)];
  const [name, number] = [`${companyId} ${reference}`, `${companyId} ${shipment.text(4)}`];
  for (const unique of [name, number]) {
    const holder = ledger.references.get(unique);
    requireNone(referenceRules(unique, holder === undefined ? [id] : [holder, id]));
    ledger.references.set(unique, id);
  }
  addTo(ledger.shipmentsOf, companyId, id);
  ledger.shipments.set(id, {
    ...{ id, companyId, reference, shard: unit.shard, states: [shipment.text(5)], eventCount: 1 },
    ...{ lastDriverId: undefined, offer: undefined, namedDriverId: null, isHeld: false, searchOffers: 0 },
    ...{ address: 'MISSING', isOverridden: false },
    window: { start: shipment.number(9), end: shipment.number(10) },
  });
  // A return comes from its recipient.
  if (unit.of('follow_up').every((row) => row.text(1) !== id)) checkPlace(shipment, ledger);
  requireNone(wholeRules(id, { terms: unit.of('terms').filter((row) => row.text(1) === id).length }));
}

function checkPlace(shipment: Values, ledger: Ledger): void {
  const [id, companyId] = [shipment.text(1), shipment.text(2)];
  const latitude = ledger.latitudes.get(`${companyId} ${shipment.text(7)}`);
  const isThere = latitude === undefined || shipment.text(8).includes(`"latitude":"${latitude}"`);
  hold(isThere, 'place', () => `${id} is fetched from ${shipment.text(8)}, not from ${latitude}`);
}

/** While a sandbox holds dispatch, the first creation is held and consumes the hold. */
function checkHolds(unit: CommittedUnit, ledger: Ledger): void {
  const changes = unit.of('hold');
  const created = Map.groupBy(
    unit.of('shipment').filter((shipment) => shipment.text(5) === 'PENDING_APPROVAL'),
    (shipment) => shipment.text(2),
  );
  const held = new Set(unit.of('held').flatMap((change) => (change.number(3) === 1 ? [change.text(1)] : [])));
  for (const [companyId, shipments] of created) {
    const wasHeld = ledger.holds.get(companyId) === 1;
    const ids = shipments.map((row) => row.text(1)).filter((id) => held.delete(id));
    const expected = wasHeld ? 1 : 0;
    hold(ids.length === expected, 'hold', () => `${ids.length} of ${shipments.length} are held, not ${expected}`);
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
