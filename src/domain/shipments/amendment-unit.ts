import type { WriteStatement } from '../../../db/statement.ts';
import type { CommitRequest } from '../../../db/writer.ts';
import { ADDRESS_SOURCES } from '../../contract/address-state.ts';
import { AMENDERS } from '../../contract/amendment-event.ts';
import { CHANGE_RULES } from '../../contract/amendment-rules.ts';
import type { Actor } from '../../contract/shipment-state.ts';
import { literalDecimal } from '../../core/decimal.ts';
import type { Instant } from '../../core/instant.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { confirmationCleared, confirmationInsert, replyDelete } from '../addresses/confirmation-store.ts';
import { addressToCompare, gateOpened } from '../addresses/gate-change-store.ts';
import { addressAmended } from '../addresses/record-store.ts';
import { effectOf } from '../pricing/amendment.ts';
import { amendmentChargeInsert } from '../pricing/amendment-store.ts';
import type { Amendment } from './amendment.ts';
import { amendmentInsert, routeFollows, shipmentAmended, waitingApplied, waitingReplaced } from './amendment-store.ts';
import { keptValues } from './amendment-values.ts';
import { factEvent } from './fact.ts';
import { type Command, type Transition } from './lifecycle.ts';
import type { ShipmentRow } from './store.ts';
import { type TransitionParts, transitionEvent } from './transition.ts';

type Amend = Extract<Command, { name: 'AMEND' }>;

/** The unit of an amendment. It changes no state, no offer and no driver. What is due stays due, unless the pickup window moves the search. */
export function amendmentUnit(
  subject: ShipmentRow,
  { amendment, reasonCode }: Amend,
  transition: Transition,
  made: TransitionParts & { readonly random: Random },
): CommitRequest {
  const { row, changes, address, amount, vatAmount } = amendment;
  const { next, event } = transition;
  const { id, companyId, version } = subject;
  const by = AMENDERS.find((amender) => amender === event.actor);
  if (by === undefined) throw new Error(`${event.actor} amends nothing`);
  const window = windowMove(subject, amendment, event.occurredAt);
  const { searchFrom: _from, ...columns } = row;
  const number = amendment.waiting?.number ?? next.amendmentCount;
  const told = {
    amendmentId: amendment.id,
    by,
    changes: [...changes],
    reasonCode,
    priceEffect: effectOf(amount, vatAmount),
  };
  const counts = { countBefore: subject.amendmentCount, amendmentCount: next.amendmentCount };
  const applied = {
    changes: JSON.stringify(changes),
    before: JSON.stringify(keptValues(subject, changes, address?.from ?? null)),
    after: JSON.stringify(keptValues(row, changes, address?.to ?? null)),
    amount,
    vatAmount,
    shipmentVersion: next.version,
  };
  return {
    statements: [
      shipmentAmended({ id, companyId, version, ...counts, ...columns }, window),
      ...transitionEvent(subject, transition, made, { amendment: told }),
      ...(amendment.isConfirmed ? [confirmationInsert({ id, companyId, now: event.occurredAt })] : []),
      ...recipientStatements(subject, amendment, { number, by }),
      amendment.waiting === null
        ? amendmentInsert({
            ...NOT_WAITING,
            ...applied,
            shipmentId: id,
            number,
            id: amendment.id,
            companyId,
            actor: by,
            reasonCode,
            requestedAt: event.occurredAt,
          })
        : waitingApplied({ id, companyId }, amendment.waiting, { ...applied, decidedAt: event.occurredAt }),
      ...(amendment.waiting === null
        ? []
        : factEvent(
            made,
            { ...subject, ...row, ...next },
            {
              type: 'shipment.amendment_decided',
              occurredAt: event.occurredAt,
              correlationId: made.correlationId,
              data: { amendment: { ...told, state: 'APPLIED' } },
            },
          )),
      ...priceStatements(subject, amendment, { number, createdAt: event.occurredAt }),
      ...addressStatements(subject, amendment, { by, now: event.occurredAt, clock: made.clock }),
    ],
    // A search that an address has held back may begin.
    dueAt: isMoved(amendment) || address !== null ? event.occurredAt : window && (row.searchFrom ?? undefined),
  };
}

const NOT_WAITING = { state: 'APPLIED', acknowledgedAt: null, decideBy: null, decidedAt: null, version: 0 } as const;
const ZERO = literalDecimal('0');

function priceStatements(
  { id: shipmentId, companyId }: ShipmentRow,
  { amount, route, pricedDistanceMeters }: Amendment,
  made: { readonly number: number; readonly createdAt: Instant },
): WriteStatement[] {
  const charge = { shipmentId, companyId, amount, ...made };
  return [
    ...(amount === ZERO ? [] : [amendmentChargeInsert(charge)]),
    ...(route === null ? [] : [routeFollows({ id: shipmentId, companyId }, route, pricedDistanceMeters)]),
  ];
}

/**
 * What the recipient has said was about the address of its time. A waiting request was priced from it, and another person has the new
 * phone.
 */
function recipientStatements(
  { id, companyId, amendmentCount }: ShipmentRow,
  { changes }: Amendment,
  { number, by }: { readonly number: number; readonly by: Actor },
): WriteStatement[] {
  const isOfAddress = changes.some((change) => CHANGE_RULES[change].recipient === 'ADDRESS');
  const isOfOther = changes.includes('RECIPIENT_PHONE');
  const isOver = amendmentCount > 0 && (isOfAddress || isOfOther);
  return [
    ...(isOver ? [waitingReplaced({ id, companyId }, number)] : []),
    ...(isOfOther ? [replyDelete({ id, companyId })] : []),
    ...(isOfAddress && by !== 'RECIPIENT' ? [confirmationCleared({ id, companyId })] : []),
  ];
}

/** A new short code is checked, and that compares it with a new pin, too. A code that stays is compared with the new pin. */
function addressStatements(
  { id: shipmentId, companyId }: ShipmentRow,
  amendment: Amendment,
  { by, now, clock }: { readonly by: string; readonly now: Instant; readonly clock: CompanyClock },
): WriteStatement[] {
  const { address } = amendment;
  if (address !== null) {
    const source = ADDRESS_SOURCES.find((known) => known === by) ?? 'OPERATOR';
    return [addressAmended({ companyId, shipmentId, source, ...address }), gateOpened({ companyId, shipmentId, now })];
  }
  if (!isMoved(amendment)) return [];
  return addressToCompare({ companyId, shipmentId, now, checkDueAt: clock.wall.now() });
}

function isMoved({ changes }: Amendment): boolean {
  return changes.includes('LOCATION') || changes.includes('LOCATION_NEARBY');
}

/** How far the beginning of the search moves; undefined if the shipment is searched for at once, whatever its window is. */
function windowMove(subject: ShipmentRow, { row }: Amendment, now: Instant) {
  if (subject.searchFrom === null || row.searchFrom === null || row.searchFrom === subject.searchFrom) return undefined;
  return { shift: row.searchFrom - subject.searchFrom, now };
}
