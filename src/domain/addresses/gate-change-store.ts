import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { nationalAddresses } from '../../../db/shard/schema/national-addresses.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { placeholder, queries, write } from '../../../db/statement.ts';
import type { AddressGate } from '../../contract/address-state.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { addressWaitEnd } from './gate-store.ts';

/* The SQL that opens and closes the gate of a shipment. */

const now = placeholder('now');
const isReady = sql`${shipments.state} = 'READY_FOR_DISPATCH'`;
/** A shipment that a sandbox holds waits for its release. */
const isReadyFree = sql`${isReady} and ${shipments.held} = 0`;
const searchStart = sql`max(${now}, coalesce(${shipments.searchFrom}, 0))`;

const isGate = (from: AddressGate) =>
  and(
    eq(shipments.id, placeholder('shipmentId')),
    eq(shipments.companyId, placeholder('companyId')),
    eq(shipments.addressGate, from),
  );

const opened = {
  addressGate: sql`${placeholder('gate')}`,
  readySince: sql`case when ${isReady} then ${searchStart} end`,
  searchSince: sql`case when ${isReady} then ${searchStart} else ${shipments.searchSince} end`,
  dueAt: sql`case when ${isReadyFree} then ${searchStart} else ${shipments.dueAt} end`,
};
const openGate = write(queries.update(shipments).set(opened).where(isGate('CLOSED')));
const openAfterMove = write(
  queries
    .update(shipments)
    .set(opened)
    .where(
      and(
        isGate('CLOSED'),
        sql`exists (select 1 from ${nationalAddresses} where ${nationalAddresses.shipmentId} = ${shipments.id} and ${nationalAddresses.status} = 'MISMATCH')`,
      ),
    ),
);
const checkAgain = write(
  queries
    .update(nationalAddresses)
    .set({
      status: sql`'UNVERIFIED'`,
      found: sql`null`,
      distanceMeters: sql`null`,
      checkedAt: sql`null`,
      // Without a registry no check was ever due.
      checkDueAt: sql`case when ${nationalAddresses.status} <> 'UNVERIFIED' or ${nationalAddresses.checkDueAt} is not null then ${placeholder('checkDueAt')} end`,
      checkAttempts: sql`0`,
      version: sql`${nationalAddresses.version} + 1`,
    })
    .where(
      and(
        eq(nationalAddresses.shipmentId, placeholder('shipmentId')),
        eq(nationalAddresses.companyId, placeholder('companyId')),
        inArray(nationalAddresses.status, ['UNVERIFIED', 'VERIFIED', 'MISMATCH']),
        isNotNull(nationalAddresses.shortAddress),
      ),
    ),
);
const closeGate = write(
  queries
    .update(shipments)
    .set({
      addressGate: sql`'CLOSED'`,
      readySince: sql`case when not (${isReady}) then ${shipments.readySince} end`,
      dueAt: sql`case when ${isReadyFree} then ${addressWaitEnd(now)} else ${shipments.dueAt} end`,
    })
    .where(isGate('OPEN')),
);
const overrideOpenGate = write(queries.update(shipments).set({ addressGate: sql`'OVERRIDDEN'` }).where(isGate('OPEN')));

interface GateChange {
  readonly companyId: Uuid;
  readonly shipmentId: Uuid;
  readonly now: Instant;
}

/** Opens a closed gate: the search for a driver begins, and not before the pickup window. Other gates stay. */
export function gateOpened(change: GateChange) {
  return openGate({ ...change, gate: 'OPEN' });
}

/** Closes an open gate: the shipment waits for its address from now on, an offer that stands goes on. Other gates stay. */
export function gateClosed(change: GateChange) {
  return closeGate({ ...change });
}

/** Opens the gate for good, whatever the registry says. */
export function gateOverridden(change: GateChange) {
  const { companyId, shipmentId } = change;
  return [openGate({ ...change, gate: 'OVERRIDDEN' }), overrideOpenGate({ companyId, shipmentId })];
}

/**
 * After the destination has moved: the address is to be compared with it at `checkDueAt`, in real time, and the result of a check that is
 * under way no longer counts. A shipment that was held back because the two were far apart is searched for again.
 */
export function addressToCompare(change: GateChange & { readonly checkDueAt: Instant }) {
  const { companyId, shipmentId, checkDueAt } = change;
  return [
    openAfterMove({ companyId, shipmentId, now: change.now, gate: 'OPEN' }),
    checkAgain({ companyId, shipmentId, checkDueAt }),
  ];
}
