import type { CompanyScope } from '../../access/require.ts';
import type { NationalAddressRecord } from '../../contract/national-address.ts';
import { isTerminal } from '../../contract/shipment-state.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { auditOf, changeVersioned } from '../audit/change.ts';
import { readRow } from '../rows.ts';
import { gateOverridden } from './gate-change-store.ts';
import { presentAddress, type RecordDependencies } from './record.ts';
import { type AddressRow, addressOf } from './record-store.ts';

/**
 * Lets a shipment pass to drivers whatever its National Address is, for a reason that the audit keeps. A repeat changes nothing. 409 if
 * the policy of its company blocks nothing, or if the shipment has ended.
 */
export function overrideAddress(
  dependencies: Omit<RecordDependencies, 'addresses'>,
  scope: CompanyScope,
  { shipmentId, reason }: { readonly shipmentId: Uuid; readonly reason: string },
): Promise<Result<NationalAddressRecord>> {
  const { database, clock } = dependencies;
  return changeVersioned<AddressRow, NationalAddressRecord>(dependencies, {
    read: () => readRow(database, addressOf(scope, shipmentId), 'ACCESS_DENIED'),
    decide: (row) => {
      const { gate, state, companyId } = row;
      if (gate === 'OVERRIDDEN') return ok({ kind: 'unchanged', value: presentAddress(row) });
      if (gate === 'OFF' || gate === 'ASK' || isTerminal(state))
        return refuse('INVALID_STATE_TRANSITION', { members: { currentState: state } });
      const now = clock.now();
      return ok({
        kind: 'change',
        value: presentAddress({ ...row, gate: 'OVERRIDDEN' }),
        unit: { statements: gateOverridden({ companyId, shipmentId, now }), dueAt: now },
        audit: auditOf(dependencies, scope, {
          action: 'shipment.address_overridden',
          subject: shipmentId,
          at: now,
          detail: { reason },
        }),
      });
    },
  });
}
