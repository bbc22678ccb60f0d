import { v7 } from 'uuid';
import { stageOf } from '../../db/shard/schema/shipments.ts';
import type { AddressPolicy } from '../../src/contract/address-state.ts';
import { nowMicros } from './companies.ts';
import type { Environment, TestCompany } from './connection.ts';

/** The event that leads to each state, or the most common one of several. */
const EVENT_OF = {
  READY_FOR_DISPATCH: 'shipment.approved',
  OFFERED: 'shipment.offered',
  ACCEPTED: 'shipment.accepted',
  DISPATCH_UNRESOLVED: 'shipment.dispatch_unresolved',
  PICKED_UP: 'shipment.picked_up',
  OUT_FOR_DELIVERY: 'shipment.out_for_delivery',
  DELIVERED: 'shipment.delivered',
  DELIVERY_FAILED: 'shipment.delivery_failed',
  CANCELLED: 'shipment.cancelled',
} as const;
export type ForcedState = keyof typeof EVENT_OF;

/** The driver's stage in these states. */
const OFFER_STATE_OF: Partial<Record<ForcedState, 'OPEN' | 'ACCEPTED'>> = {
  OFFERED: 'OPEN',
  ACCEPTED: 'ACCEPTED',
  PICKED_UP: 'ACCEPTED',
  OUT_FOR_DELIVERY: 'ACCEPTED',
};

/** Puts a shipment into a state that no operation leads to, with one new version and one event. Returns the version. */
export async function forceState(
  environment: Environment,
  company: TestCompany,
  shipmentId: string,
  state: ForcedState,
): Promise<number> {
  const now = nowMicros();
  const select = 'select state, version from shipments where id = ? and company_id = ?';
  const [row] = await environment.sql(company.shard, select, [shipmentId, company.companyId]);
  if (row === undefined) throw new Error(`${company.name} has no shipment ${shipmentId}`);
  const version = Number(row['version']) + 1;
  await environment.sql(
    company.shard,
    'update shipments set state = ?, stage = ?, version = ?, due_at = null, approved_at = coalesce(approved_at, ?) where id = ?',
    [state, stageOf(state), version, now, shipmentId],
  );
  await environment.sql(
    company.shard,
    `insert into events (shipment_id, step, id, company_id, type, previous_state, state, occurred_at, actor, correlation_id, sequence)
     values (?, ?, ?, ?, ?, ?, ?, ?, 'SYSTEM', ?, 0)`,
    [shipmentId, version + 1, v7(), company.companyId, EVENT_OF[state], row['state'] ?? null, state, now, v7()],
  );
  await forceOffer(environment, company, shipmentId, OFFER_STATE_OF[state]);
  return version;
}

/** A driver for this shipment only, in a city where dispatch does not search. */
async function forceOffer(
  environment: Environment,
  { shard }: TestCompany,
  shipmentId: string,
  state: 'OPEN' | 'ACCEPTED' | undefined,
): Promise<void> {
  if (state === undefined) return;
  const [now, driverId] = [nowMicros(), v7()];
  await environment.sql(
    shard,
    "update offers set state = 'WITHDRAWN', ended_at = ? where shipment_id = ? and state in ('OPEN', 'ACCEPTED')",
    [now, shipmentId],
  );
  await environment.sql(
    shard,
    `insert into drivers (id, phone, first_name, vehicle_type, company_id, capabilities, weight_kilograms_max,
       length_centimetres_max, city_code, status, on_duty, active_count, active_max, idle_since, created_at, updated_at, version)
     values (?, ?, 'Test', 'VAN', null, '[]', '1', '1', 'NOWHERE', 'ACTIVE', 0, 1, 1, ?, ?, ?, 0)`,
    [driverId, `test ${driverId}`, now, now, now],
  );
  await environment.sql(shard, 'update shipments set driver_id = ? where id = ?', [driverId, shipmentId]);
  await environment.sql(
    shard,
    'insert into offers (id, shipment_id, driver_id, state, offered_at, expires_at) values (?, ?, ?, ?, ?, ?)',
    [v7(), shipmentId, driverId, state, now, now + 60_000_000],
  );
}

/** Sets the approval policy for the company's new shipments. */
export async function setApprovalPolicy(
  environment: Environment,
  company: TestCompany,
  policy: 'AUTOMATIC' | 'MANUAL',
): Promise<void> {
  await environment.sql(
    company.shard,
    `insert into company_settings (company_id, approval_policy) values (?, ?)
     on conflict (company_id) do update set approval_policy = excluded.approval_policy`,
    [company.companyId, policy],
  );
}

/** Sets what the company's new shipments need of a National Address. */
export async function setAddressPolicy(
  environment: Environment,
  company: TestCompany,
  policy: AddressPolicy,
): Promise<void> {
  await environment.sql(
    company.shard,
    `insert into company_settings (company_id, approval_policy, address_policy) values (?, 'AUTOMATIC', ?)
     on conflict (company_id) do update set address_policy = excluded.address_policy`,
    [company.companyId, policy],
  );
}
