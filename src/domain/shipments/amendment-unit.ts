import type { WriteStatement } from '../../../db/statement.ts';
import type { CommitRequest } from '../../../db/writer.ts';
import { AMENDERS } from '../../contract/amendment-event.ts';
import { literalDecimal } from '../../core/decimal.ts';
import type { Instant } from '../../core/instant.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { addressToCompare } from '../addresses/gate-change-store.ts';
import { effectOf } from '../pricing/amendment.ts';
import { amendmentChargeInsert, amendmentsReversal } from '../pricing/amendment-store.ts';
import type { Amendment } from './amendment.ts';
import { amendmentInsert, routeFollows, shipmentAmended } from './amendment-store.ts';
import { keptValues } from './amendment-values.ts';
import { CARRIER_FAULTS, type Command, type Transition } from './lifecycle.ts';
import type { ShipmentRow } from './store.ts';
import { type TransitionParts, transitionEvent, transitionUnit } from './transition.ts';

type Amend = Extract<Command, { name: 'AMEND' }>;

/**
 * The unit of an amendment, or of another transition of a shipment that was amended: what takes the charges back takes back
 * those of its amendments too.
 */
export function amendedUnit(
  subject: ShipmentRow,
  command: Command,
  transition: Transition,
  made: TransitionParts,
): CommitRequest {
  if (command.name === 'AMEND') return amendmentUnit(subject, command, transition, made);
  const unit = transitionUnit(subject, command, transition, made);
  if (subject.amendmentCount === 0 || !takesChargesBack(command)) return unit;
  const reversal = amendmentsReversal(subject.id, transition.event.occurredAt);
  return { ...unit, statements: [...unit.statements, reversal] };
}

function takesChargesBack(command: Command): boolean {
  return command.name === 'CANCEL' || (command.name === 'FAIL' && CARRIER_FAULTS.includes(command.reasonCode));
}

/** Changes no state, no offer and no driver. What is due stays due, unless the pickup window moves the search. */
function amendmentUnit(
  subject: ShipmentRow,
  { amendment, reasonCode }: Amend,
  transition: Transition,
  made: TransitionParts,
): CommitRequest {
  const { row, changes, amount, vatAmount } = amendment;
  const { next, event } = transition;
  const { id, companyId, version } = subject;
  const by = AMENDERS.find((amender) => amender === event.actor);
  if (by === undefined) throw new Error(`${event.actor} amends nothing`);
  const window = windowMove(subject, amendment, event.occurredAt);
  const { amendmentCount: _count, searchFrom: _from, ...columns } = row;
  const told = {
    amendmentId: amendment.id,
    by,
    changes: [...changes],
    reasonCode,
    priceEffect: effectOf(amount, vatAmount),
  };
  return {
    statements: [
      shipmentAmended({ id, companyId, version, ...columns }, window),
      ...transitionEvent({ ...subject, ...row }, transition, made, { amendment: told }),
      amendmentInsert({
        shipmentId: id,
        number: amendment.number,
        id: amendment.id,
        companyId,
        actor: by,
        state: 'APPLIED',
        changes: JSON.stringify(changes),
        before: JSON.stringify(keptValues(subject, changes)),
        after: JSON.stringify(keptValues(row, changes)),
        reasonCode,
        amount,
        vatAmount,
        pricedDistanceMeters: pricedDistance(amendment),
        shipmentVersion: next.version,
        requestedAt: event.occurredAt,
        acknowledgedAt: null,
        decideBy: null,
        decidedAt: null,
        version: 0,
      }),
      ...priceStatements(subject, amendment, event.occurredAt),
      ...addressStatements(subject, amendment, { now: event.occurredAt, clock: made.clock }),
    ],
    // A search that an address has held back may begin.
    dueAt: isMoved(amendment) ? event.occurredAt : window && (row.searchFrom ?? undefined),
  };
}

const ZERO = literalDecimal('0');

function priceStatements(
  { id: shipmentId, companyId }: ShipmentRow,
  amendment: Amendment,
  createdAt: Instant,
): WriteStatement[] {
  const { number, amount, route } = amendment;
  const charge = { shipmentId, number, companyId, amount, createdAt };
  return [
    ...(amount === ZERO ? [] : [amendmentChargeInsert(charge)]),
    ...(route === null ? [] : [routeFollows({ id: shipmentId, companyId }, route, pricedDistance(amendment))]),
  ];
}

/** The National Address is compared with the new pin. */
function addressStatements(
  { id: shipmentId, companyId }: ShipmentRow,
  amendment: Amendment,
  { now, clock }: { readonly now: Instant; readonly clock: CompanyClock },
): WriteStatement[] {
  if (!isMoved(amendment)) return [];
  return addressToCompare({ companyId, shipmentId, now, checkDueAt: clock.wall.now() });
}

function isMoved({ changes }: Amendment): boolean {
  return changes.includes('LOCATION') || changes.includes('LOCATION_NEARBY');
}

function pricedDistance({ route, isPriced }: Amendment): number | null {
  return isPriced && route !== null ? route.distanceMeters : null;
}

/** How far the beginning of the search moves; undefined if the shipment is searched for at once, whatever its window is. */
function windowMove(subject: ShipmentRow, { row }: Amendment, now: Instant) {
  if (subject.searchFrom === null || row.searchFrom === null || row.searchFrom === subject.searchFrom) return undefined;
  return { shift: row.searchFrom - subject.searchFrom, now };
}
