import type { Ledger } from './ledger.ts';
import { hold } from './rule-broken.ts';
import type { CommittedUnit, Values } from './watched-rows.ts';

/**
 * Each of the changes, whose first value is the shipment, has one event of the type in its unit, and there are no others. The event has the
 * shipment as it is after the unit.
 */
export function checkTold(
  rule: Parameters<typeof hold>[1],
  unit: CommittedUnit,
  type: string,
  { changes, ledger }: { readonly changes: readonly Values[]; readonly ledger: Ledger },
): void {
  const told = unit.of('event').filter((event) => event.text(4) === type);
  const [of, owed] = [
    told.map((event) => event.text(5)).toSorted(),
    changes.map((change) => change.text(1)).toSorted(),
  ];
  hold(of.join() === owed.join(), rule, () => `${type} tells of ${of.join()}, and owes ${owed.join()}`);
  for (const event of told) {
    const { data } = JSON.parse(event.text(7)) as {
      readonly data: { readonly shipment: { readonly version: number } };
    };
    const [shown, version] = [data.shipment.version, ledger.versionOf(event.text(5))];
    hold(shown === version, rule, () => `${type} shows version ${shown} of ${event.text(5)}, which has ${version}`);
  }
}
