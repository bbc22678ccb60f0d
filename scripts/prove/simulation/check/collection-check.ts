import type { Ledger } from './ledger.ts';
import { hold } from './rule-broken.ts';
import type { CommittedUnit } from './watched-rows.ts';

/**
 * A delivery of a shipment with an amount to collect comes with one collection of the amount of the version that is delivered,
 * and one event that tells it. Nothing else is collected.
 */
export function checkCollections(unit: CommittedUnit, ledger: Ledger): void {
  for (const priced of unit.of('cod')) ledger.codAmounts.set(priced.text(1), priced.text(2));
  const collections = unit.of('collection');
  const told = unit.of('event').filter((event) => event.text(4) === 'cod.collected');
  const delivered = unit
    .of('standing')
    .filter((change) => change.text(3) === 'DELIVERED' && change.text(2) !== 'DELIVERED');
  for (const change of delivered) {
    const [id, version] = [change.text(1), change.number(5)];
    const due = ledger.codAmounts.get(id) ?? '0';
    const own = collections.filter((collection) => collection.text(1) === id);
    const amounts = own.map((collection) => `${collection.text(2)} of ${collection.number(3)}`);
    const expected = due === '0' ? [] : [`${due} of ${version}`];
    hold(
      amounts.join() === expected.join(),
      'collected',
      () => `${id} is delivered with ${amounts.join()}, not ${expected.join()}`,
    );
    const events = told.filter((event) => event.textOrNull(5) === id);
    const isTold =
      events.length === own.length && events.every((event) => event.text(7).includes(`"collection":{"amount":${due},`));
    hold(isTold, 'collected', () => `the ${due} of ${id} are told by ${events.length} events, or by another one`);
    ledger.see(own.length === 0 ? 'delivered without money' : 'delivered with money');
  }
  const ids = new Set(delivered.map((change) => change.text(1)));
  const strays = collections.filter((collection) => !ids.has(collection.text(1)));
  hold(strays.length === 0, 'collected', () => `${strays[0]?.text(1)} is collected for without a delivery`);
}
