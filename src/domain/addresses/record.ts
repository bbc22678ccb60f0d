import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import { type AddressSource, policyOf } from '../../contract/address-state.ts';
import type { NationalAddressRecord } from '../../contract/national-address.ts';
import { isTerminal, type ShipmentState, STATE_FACTS, takesDriverPlace } from '../../contract/shipment-state.ts';
import { formatInstant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { FORGOTTEN_PHONE } from '../../core/phone.ts';
import { checkPrecondition, type Precondition } from '../../core/precondition.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Addresses, NationalAddress } from '../../ports/addresses.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, changeVersioned } from '../audit/change.ts';
import { readRow } from '../rows.ts';
import { firstCheckAt } from './check-schedule.ts';
import { confirmationCleared } from './confirmation-store.ts';
import { gateOpened } from './gate-change-store.ts';
import { type AddressRow, addressOf, addressReplaced } from './record-store.ts';

export interface RecordDependencies {
  /** The company's shard. */
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
  readonly random: Random;
  readonly addresses: Pick<Addresses, 'registry'>;
}

export interface AddressOrder {
  readonly shipmentId: Uuid;
  readonly precondition: Precondition;
  readonly shortAddress: string;
  readonly source: AddressSource;
  /** A closed gate stays closed. For an address that is known to be wrong: a driver could be asked before it is compared. */
  readonly isWrong?: true;
}

/** The record, and whether it was deleted with the recipient's data. Then its tag stays, although it has changed. */
export async function readNationalAddress(
  database: Database,
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<NationalAddressRecord & { readonly isForgotten: boolean }>> {
  const found = await readRow(database, addressOf(scope, shipmentId), 'ACCESS_DENIED');
  return found.ok ? ok({ ...presentAddress(found.value), isForgotten: isForgotten(found.value) }) : found;
}

/**
 * Sets the short code of a shipment that is not out for delivery yet. Dispatch that waits for it goes on. The registry is asked
 * after the answer. The same code again changes nothing, whatever version it names, unless the registry
 * did not know it: then it is asked again.
 */
export function replaceNationalAddress(
  dependencies: RecordDependencies,
  scope: CompanyScope,
  { shipmentId, precondition, shortAddress, source, isWrong }: AddressOrder,
): Promise<Result<NationalAddressRecord>> {
  const { database, clock, addresses } = dependencies;
  return changeVersioned<AddressRow, NationalAddressRecord>(dependencies, {
    read: () => readRow(database, addressOf(scope, shipmentId), 'ACCESS_DENIED'),
    decide: (row) => {
      const version = row.version ?? 0;
      // The registry may know by now a code that it did not know.
      if (row.shortAddress === shortAddress && row.status !== 'NOT_FOUND')
        return ok({ kind: 'unchanged', value: presentAddress(row) });
      const stale = checkPrecondition(precondition, version);
      if (stale !== undefined) return stale;
      if (isForgotten(row)) return refuse('SHIPMENT_TERMINAL');
      if (!mayChange(row.state)) return refuse('INVALID_STATE_TRANSITION', { members: { currentState: row.state } });
      const now = clock.now();
      const checkDueAt = firstCheckAt(addresses, clock.wall.now());
      const statements = [
        addressReplaced(scope, shipmentId, { shortAddress, source, checkDueAt, version }),
        ...(isWrong === true ? [] : [gateOpened({ companyId: scope.companyId, shipmentId, now })]),
        confirmationCleared({ id: shipmentId, companyId: scope.companyId }),
      ];
      const replaced = { ...row, ...UNCHECKED, shortAddress, source, version: version + 1 };
      return ok({
        kind: 'change',
        value: presentAddress(row.gate === 'CLOSED' ? { ...replaced, gate: 'OPEN' } : replaced),
        unit: { statements, dueAt: now },
        audit: auditOf(dependencies, scope, {
          action: 'shipment.national_address_set',
          subject: shipmentId,
          at: now,
          detail: { version: version + 1 },
        }),
      });
    },
  });
}

const UNCHECKED = { status: 'UNVERIFIED', found: null, distanceMeters: null, checkedAt: null } as const;

/** Later the driver is on the way to the door. */
function mayChange(state: ShipmentState): boolean {
  return !isTerminal(state) && !STATE_FACTS[state].isPositionShared;
}

/** The record as merchants see it. */
export function presentAddress(row: AddressRow): NationalAddressRecord {
  const found = row.found === null ? null : parseStored<NationalAddress>(row.found);
  return {
    shortAddress: row.shortAddress,
    status: row.status ?? 'MISSING',
    source: row.source,
    buildingNumber: found?.buildingNumber ?? null,
    street: found?.street ?? null,
    district: found?.district ?? null,
    city: found?.city ?? null,
    postalCode: found?.postalCode ?? null,
    additionalNumber: found?.additionalNumber ?? null,
    location: found?.location ?? null,
    distanceMeters: row.distanceMeters,
    checkedAt: row.checkedAt === null ? null : formatInstant(row.checkedAt),
    policy: policyOf(row.gate),
    blocksDispatch: row.gate === 'CLOSED' && !isTerminal(row.state) && !takesDriverPlace(row.state),
    version: row.version ?? 0,
  };
}

function isForgotten({ recipientPhone }: AddressRow): boolean {
  return recipientPhone === FORGOTTEN_PHONE;
}
