import type { WriteStatement } from '../../../db/statement.ts';
import type { FailurePayer, FollowUpKind } from '../../contract/resolution-state.ts';
import type { Location } from '../../contract/shipment.ts';
import type { Actor } from '../../contract/shipment-state.ts';
import { literalDecimal } from '../../core/decimal.ts';
import type { Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { foldedOf } from '../../core/typed/folded.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { type EventConfig, recordTransition } from '../events/record.ts';
import { type TermsRow, termsInsert } from '../pricing/store.ts';
import type { WindowSpan } from './delivery-windows.ts';
import { followUpLine } from './resolution-options.ts';
import { type CarriedRow, carriedInsert, type FollowUpRow, followUpInsert, handedOn } from './resolution-store.ts';
import type { ShipmentRow } from './store.ts';
import { presentShipment } from './view.ts';

/** Who takes a returned parcel: a contact of the merchant. */
export interface Contact {
  readonly name: string;
  /** E.164, or `NO_PHONE`. */
  readonly phone: string;
}

/** The identity of a shipment that is about to be made. */
export interface Identity {
  readonly id: Uuid;
  readonly shipmentNumber: string;
  readonly externalReference: string;
}

/** The shipment before it. */
export interface Preceding {
  readonly row: ShipmentRow;
  readonly carried: CarriedRow;
  /** What it follows itself. */
  readonly followUp: FollowUpRow | undefined;
  /** Its own terms, and those of the first shipment of the parcel. */
  readonly terms: TermsRow;
  readonly root: TermsRow;
}

export interface FollowUpOrder {
  readonly kind: FollowUpKind;
  readonly payer: FailurePayer;
  readonly identity: Identity;
  /** Of a return. */
  readonly contact: Contact | undefined;
  /** Another destination of a redelivery. */
  readonly destination?: Location | undefined;
  /** Asked for with a redelivery. */
  readonly window?: WindowSpan | null;
  readonly actor: Actor;
  readonly now: Instant;
}

interface Made {
  readonly eventId: Uuid;
  readonly offerId: Uuid;
  readonly correlationId: Uuid;
  readonly config: EventConfig;
  readonly clock: CompanyClock;
}

const ZERO = literalDecimal('0');

/** The shipment that carries the parcel of another one on. It begins PICKED_UP, because the parcel is in the van. Pure. */
function followUpRow({ row, followUp }: Preceding, order: FollowUpOrder): ShipmentRow {
  const { identity, now, contact, kind } = order;
  const born = {
    ...row,
    ...identity,
    state: 'PICKED_UP',
    version: 0,
    createdAt: now,
    approvedAt: now,
    dueAt: null,
    searchFrom: null,
    eventCount: 1,
    amendmentCount: 0,
    metadataVersion: 0,
    deliveryWindowStart: order.window?.start ?? null,
    deliveryWindowEnd: order.window?.end ?? null,
  } as const;
  const { destination = parseStored<Location>(row.destination) } = order;
  // A return that failed is tried again to the same place.
  if (kind === 'REDELIVERY' || followUp?.kind === 'RETURN')
    return { ...born, destination: JSON.stringify(destination) };
  if (contact === undefined) throw new Error('A return has nobody to go to');
  return {
    ...born,
    pickup: row.destination,
    destination: row.pickup,
    recipientName: contact.name,
    recipientFoldedName: foldedOf(contact.name),
    recipientPhone: contact.phone,
    alternateContactName: null,
    alternateContactPhone: null,
    place: null,
    instructions: null,
    codAmount: ZERO,
    paymentMethod: 'PREPAID',
  };
}

/** The SQL of a follow-up, for the unit that decides on it. */
export function followUpStatements(
  preceding: Preceding,
  order: FollowUpOrder,
  { eventId, offerId, correlationId, config, clock }: Made,
): { readonly row: ShipmentRow; readonly statements: WriteStatement[] } {
  const row = followUpRow(preceding, order);
  const { id: shipmentId, companyId } = row;
  const { carried, followUp, terms, root } = preceding;
  const { kind, payer, now, actor } = order;
  const { driverId } = carried;
  if (driverId === null) throw new Error(`Nobody has the parcel of ${preceding.row.id}`);
  const { cityCode } = parseStored<Location>(row.pickup);
  const step = { sequence: 1, state: row.state, actor, reasonCode: null, note: null } as const;
  const event = {
    id: eventId,
    type: 'shipment.created',
    companyId,
    shipmentId,
    occurredAt: now,
    previousState: null,
    correlationId,
    offsetSeconds: clock.offsetSeconds(),
    data: { shipment: presentShipment(row) },
  } as const;
  const { pricedDistanceMeters: _priced, ...agreed } = terms;
  // The line of the route leads to the old destination.
  const geometry = kind === 'REDELIVERY' && order.destination === undefined ? terms.geometry : '';
  const lines = JSON.stringify([followUpLine(kind, payer, root)]);
  const lock = { lockId: null, lockedAt: null, lockExpiresAt: null };
  const { windowStatus: _window, endedAt: _ended, ...dispatched } = carried;
  const statements = [
    carriedInsert({ ...row, ...dispatched, pickupCityCode: cityCode, windowStatus: order.window ? 'ASKED' : null }),
    ...recordTransition(config, event, step),
    termsInsert({ ...agreed, ...lock, shipmentId, lines, geometry, vatRate: root.vatRate, createdAt: now }),
    followUpInsert({
      shipmentId,
      companyId,
      kind,
      precedingId: preceding.row.id,
      rootId: root.shipmentId,
      attempt: kind === 'RETURN' && followUp?.kind !== 'RETURN' ? 1 : (followUp?.attempt ?? 1) + 1,
      returnReason: null,
      returned: null,
    }),
    ...handedOn({ id: offerId, shipmentId, driverId, now }),
  ];
  return { row, statements };
}
