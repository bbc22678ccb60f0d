import { SIMULATED_WAITS } from '../../../shared/memory/genesis.ts';
import type { Ledger } from './ledger.ts';
import { hold, object } from './rule-broken.ts';
import type { CommittedUnit, Values } from './watched-rows.ts';

const BEGINNINGS: ReadonlySet<string> = new Set([
  'shipment.approved',
  'shipment.driver_released',
  'shipment.dispatch_retried',
]);
const REASONS: ReadonlySet<string> = new Set([
  'NATIONAL_ADDRESS',
  'NO_SERVICE_LEVEL',
  'NO_DRIVER',
  'OFFERS_DECLINED',
  'SEARCH_TIMED_OUT',
]);
const OFFERS_MAX = 12;
const MISSED_MAX = 3;
const ANSWERS: readonly string[] = ['ACCEPTED', 'DECLINED'];
const isCurrent = (state: string) => state === 'OPEN' || state === 'ACCEPTED';
const WITH_DRIVER: readonly (string | undefined)[] = ['OFFERED', 'ACCEPTED', 'PICKED_UP', 'OUT_FOR_DELIVERY'];

/** Offers and the places of drivers. */
export function checkDispatch(unit: CommittedUnit, ledger: Ledger): void {
  const touched = new Set<string>();
  const leaving = new Set(unit.of('work').flatMap((driver) => (driver.number(2) === 1 ? [] : [driver.text(1)])));
  for (const step of unit.of('history')) checkSearch(step, ledger);
  learnAddresses(unit, ledger);
  for (const change of unit.of('offer_changed')) {
    const [id, shipmentId, driverId, from, to] = [1, 2, 3, 4, 5].map((place) => change.text(place)) as [
      ...[string, string, string, string, string],
    ];
    const known = ledger.shipment(shipmentId);
    hold(isCurrent(from) || from === to, 'offer', () => `offer ${id} of ${shipmentId} was ${from} and is ${to}`);
    hold(!(from === 'ACCEPTED' && to === 'OPEN'), 'offer', () => `offer ${id} is open again`);
    if (isCurrent(from) && !isCurrent(to)) ledger.take(driverId, shipmentId);
    touched.add(driverId);
    if (to === 'EXPIRED') ledger.missedOffers.set(driverId, (ledger.missedOffers.get(driverId) ?? 0) + 1);
    else if (ANSWERS.includes(to) && to !== from && !leaving.has(driverId)) ledger.missedOffers.delete(driverId);
    if (known?.offer?.id === id && !isCurrent(to)) known.offer = undefined;
    // A driver who goes off duty has not refused, and may be asked again.
    if (known !== undefined && to === 'DECLINED' && leaving.has(driverId)) known.lastDriverId = undefined;
  }
  for (const offered of unit.of('offer')) {
    const [id, shipmentId, driverId] = [offered.text(1), offered.text(2), offered.text(3)];
    const known = ledger.shipment(shipmentId);
    if (known === undefined) return object('offer', `${shipmentId} is offered and does not exist`);
    hold(
      known.offer === undefined,
      'offer',
      () => `${shipmentId} is with ${known.offer?.driverId} and with ${driverId}`,
    );
    hold(known.lastDriverId !== driverId, 'twice', () => `${shipmentId} to ${driverId}`);
    const early = known.window.start - SIMULATED_WAITS.leadSeconds * 1e6 - offered.number(5);
    hold(early <= 0, 'lead', () => `${shipmentId} is offered ${early} µs too early`);
    // A driver who takes a parcel over was not asked by the search.
    if (offered.text(4) === 'OPEN') {
      known.searchOffers += 1;
      hold(
        !ledger.isHeldBack(shipmentId),
        'address',
        () => `${shipmentId} is offered, its address is ${known.address}`,
      );
      if (ledger.requiring.has(known.companyId))
        ledger.see(`offered: ${known.isOverridden ? 'overridden' : known.address}`);
    }
    hold(known.searchOffers <= OFFERS_MAX, 'search', () => `${shipmentId} is offered ${known.searchOffers} times`);
    // A follow-up begins in the hands of the driver, who may have no free place.
    known.offer = { id, driverId, isBirth: unit.of('follow_up').some((row) => row.text(1) === shipmentId) };
    known.lastDriverId = driverId;
    ledger.give(driverId, shipmentId);
    touched.add(driverId);
  }
  for (const driver of unit.of('driver')) {
    ledger.driverPlaces.set(driver.text(1), { taken: driver.number(2), max: driver.number(3) });
    touched.add(driver.text(1));
  }
  for (const driver of unit.of('work')) checkDuty(driver, ledger);
  checkHolders(unit, ledger);
  for (const change of unit.of('standing')) {
    const [id, state] = [change.text(1), change.text(3)];
    const hasOffer = ledger.shipment(id)?.offer !== undefined;
    hold(
      hasOffer === WITH_DRIVER.includes(state),
      'offer',
      () => `${id} is ${state} ${hasOffer ? 'with' : 'without'} one`,
    );
  }
  for (const driverId of touched) checkPlaces(ledger, driverId);
}

function learnAddresses(unit: CommittedUnit, ledger: Ledger): void {
  for (const address of unit.of('address')) {
    const known = ledger.shipment(address.text(1));
    if (known === undefined) continue;
    known.address = address.text(2);
    if (ledger.requiring.has(known.companyId)) ledger.see(`address ${known.address}`);
  }
  for (const gate of unit.of('gate')) {
    const known = ledger.shipment(gate.text(1));
    if (known === undefined || gate.text(2) !== 'OVERRIDDEN') continue;
    hold(ledger.overridden.has(known.id), 'address', () => `no operator has let ${known.id} pass`);
    known.isOverridden = true;
  }
}

/** The service puts a driver off duty only after offers in a row that nobody answered. */
function checkDuty(driver: Values, ledger: Ledger): void {
  const [driverId, works, reason] = [driver.text(1), driver.number(2) === 1, driver.textOrNull(3)];
  const worked = ledger.workOf(driverId)?.works ?? true;
  const missed = ledger.missedOffers.get(driverId) ?? 0;
  if (works && !worked) ledger.missedOffers.delete(driverId);
  // Who is blocked later keeps the reason.
  if (reason === 'OFFERS_MISSED' && worked && !works) {
    ledger.see('put off duty');
    hold(missed >= MISSED_MAX, 'offer', () => `${driverId} missed ${missed} and is off duty`);
  }
  ledger.setWork(driverId, works);
}

const CARRIED: readonly (string | undefined)[] = ['PICKED_UP', 'OUT_FOR_DELIVERY'];

/** A parcel that was picked up has a driver after every change, and its dispatch names that driver. */
function checkHolders(unit: CommittedUnit, ledger: Ledger): void {
  const changed = new Set<string>();
  for (const step of unit.of('named')) {
    const known = ledger.shipment(step.text(1));
    if (known !== undefined) known.namedDriverId = step.textOrNull(2);
    changed.add(step.text(1));
  }
  for (const kind of ['offer', 'offer_changed'] as const) for (const row of unit.of(kind)) changed.add(row.text(2));
  for (const change of unit.of('standing')) changed.add(change.text(1));
  for (const id of changed) {
    const known = ledger.shipment(id);
    if (known === undefined || !CARRIED.includes(known.states.at(-1))) continue;
    const holder = known.offer?.driverId;
    const isHeld = holder !== undefined && holder === known.namedDriverId;
    hold(isHeld, 'holder', () => `${id} is with ${holder}, and its dispatch names ${known.namedDriverId}`);
  }
}

/** A search begins with approval, release or retry. One that finds nobody says why. */
function checkSearch(step: Values, ledger: Ledger): void {
  const [id, type] = [step.text(1), step.text(3)];
  const known = ledger.shipment(id);
  if (known !== undefined && BEGINNINGS.has(type)) known.searchOffers = 0;
  if (type !== 'shipment.dispatch_unresolved') return;
  const reason = step.textOrNull(9) ?? '';
  hold(REASONS.has(reason), 'search', () => `${id} is unresolved because of "${reason}"`);
}

function checkPlaces(ledger: Ledger, driverId: string): void {
  const own = [...ledger.driverShipments(driverId)];
  const offers = own.length;
  const asked = own.filter((id) => ledger.shipment(id)?.offer?.isBirth !== true).length;
  const places = ledger.driverPlaces.get(driverId);
  hold((places?.taken ?? 0) === offers, 'places', () => `${driverId} has ${offers} of ${places?.taken} taken`);
  hold(places === undefined || asked <= places.max, 'places', () => `${driverId} has ${asked} of ${places?.max}`);
}
