import { type Objection, unless } from '../../rules/promises.ts';
import { memberOf } from '../load/history.ts';
import { nameOf } from './creation-rules.ts';
import type { CaseFile } from './evidence.ts';

/**
 * Every amendment of the load has instructions that no other one has. What was acknowledged is there, and nothing is there
 * twice, however often it was sent with its key.
 */
export function amendmentRules({ calls, rows }: CaseFile): Objection[] {
  const made = Map.groupBy(rows.amendments, ({ instructions }) => instructions ?? '');
  return [
    ...[...made].flatMap(([instructions, found]) =>
      unless(found.length === 1, 'once', () => `${instructions} is there ${found.length} times`, found[0]?.shipment_id),
    ),
    ...calls.flatMap((call) => {
      const { operation, outcome, instructions = '', shipmentId, ifMatch } = call;
      if (operation !== 'amend' || outcome !== 'ok') return [];
      const row = made.get(instructions)?.find((one) => one.shipment_id === shipmentId);
      const version = row?.shipment_version;
      const isTold = version !== undefined && String(version) === memberOf(call.answer, 'version');
      const isNamed = ifMatch === undefined || ifMatch === '*' || version === Number(ifMatch) + 1;
      return [
        ...unless(isTold, 'acknowledged', () => `${nameOf(call)} is stored with version ${version}`, shipmentId),
        ...unless(isNamed, 'precondition', () => `${nameOf(call)} named ${ifMatch}, and made ${version}`, shipmentId),
      ];
    }),
  ];
}
