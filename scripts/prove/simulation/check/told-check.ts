import { hold } from './rule-broken.ts';
import type { CommittedUnit, Values } from './watched-rows.ts';

/** Each of the changes, whose first value is the shipment, has one event of the type in its unit, and there are no others. */
export function checkTold(
  rule: Parameters<typeof hold>[1],
  unit: CommittedUnit,
  type: string,
  changes: readonly Values[],
): void {
  const told = unit.of('event').filter((event) => event.text(4) === type);
  const [of, owed] = [
    told.map((event) => event.text(5)).toSorted(),
    changes.map((change) => change.text(1)).toSorted(),
  ];
  hold(of.join() === owed.join(), rule, () => `${type} tells of ${of.join()}, and owes ${owed.join()}`);
}
