import { v7 } from 'uuid';
import { nowMicros } from './companies.ts';
import type { Environment, TestCompany } from './connection.ts';

/** The event that leads to each state; for those that several lead to, the usual one. */
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

/** Puts a shipment into a state that no operation leads to: the next version, which it answers, with its one event. */
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
    'update shipments set state = ?, version = ?, due_at = null, approved_at = coalesce(approved_at, ?) where id = ?',
    [state, version, now, shipmentId],
  );
  await environment.sql(
    company.shard,
    `insert into shipment_events (shipment_id, sequence, id, company_id, type, previous_state, state, occurred_at,
       actor, reason_code, note, correlation_id)
     values (?, ?, ?, ?, ?, ?, ?, ?, 'SYSTEM', null, null, ?)`,
    [shipmentId, version + 1, v7(), company.companyId, EVENT_OF[state], row['state'] ?? null, state, now, v7()],
  );
  return version;
}

/** Who approves what the company creates from now on. */
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
