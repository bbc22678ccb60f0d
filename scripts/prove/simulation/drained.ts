import { INVARIANTS } from '../../shared/dispatch-invariants.ts';
import { SHARDS, serverOf } from '../../shared/memory/genesis.ts';
import { isOpen } from '../rules/deliveries.ts';
import { eventCountRules, latestRowRules } from '../rules/shipments.ts';
import { hold, requireNone } from './check/rule-broken.ts';
import type { World } from './world.ts';

const AT_REST: readonly (string | undefined)[] = ['DELIVERED', 'DELIVERY_FAILED', 'CANCELLED', 'DISPATCH_UNRESOLVED'];
/** Invariants that compare instants. Clocks differ, so their order may differ from that of the commits. */
const BY_CLOCK = /^a driver never had more|^offers of one shipment|^a shipment is never offered to/;

/** Work that the service has not finished. */
export function unfinishedWork({ ledger, crowd }: World): string[] {
  const left: string[] = [];
  for (const { id, states } of ledger.shipments.values()) {
    if (!AT_REST.includes(states.at(-1))) left.push(`${id} is ${states.at(-1)}`);
  }
  for (const { id, status, endpointId } of ledger.deliveries.values()) {
    if (isOpen(status)) left.push(`delivery ${id} to ${endpointId} is ${status}`);
  }
  for (const [companyId, { isAdvancing }] of ledger.clocks) {
    if (isAdvancing) left.push(`the clock of ${companyId} still advances`);
  }
  if (crowd.creations.undecided > 0) left.push(`${crowd.creations.undecided} creations have no answer`);
  return left;
}

/** At the end the databases hold what was committed and acknowledged. */
export function checkDrained(world: World): void {
  const { ledger, servers, crowd } = world;
  if (world.failure !== undefined) return;
  crowd.creations.checkAcknowledged();
  for (const shard of SHARDS) {
    const server = serverOf(servers, shard);
    const rows = server.rows('select id, company_id, external_reference, state, version, event_count from shipments');
    for (const row of rows) {
      const known = ledger.shipments.get(String(row['id']));
      const isTheirs = known?.companyId === row['company_id'] && known?.reference === row['external_reference'];
      hold(isTheirs, 'acknowledged', () => `${JSON.stringify(row)} is not what was committed`);
      const [shipmentId, state, version] = [String(row['id']), String(row['state']), Number(row['version'])];
      const last = { state: known?.states.at(-1) ?? '', version: (known?.states.length ?? 0) - 1 };
      requireNone([
        ...latestRowRules({ shipmentId, state, version }, last),
        ...eventCountRules(shipmentId, Number(row['event_count']), known?.eventCount ?? 0),
      ]);
    }
    const expected = [...ledger.shipments.values()].filter((known) => known.shard === shard).length;
    hold(rows.length === expected, 'acknowledged', () => `${shard} has ${rows.length} of ${expected} shipments`);
    for (const [invariant, question] of Object.entries(INVARIANTS)) {
      if (BY_CLOCK.test(invariant)) continue;
      const broken = server.rows(`${question} LIMIT 3`);
      hold(broken.length === 0, 'owed', () => `${invariant}: ${JSON.stringify(broken)}`);
    }
  }
}
