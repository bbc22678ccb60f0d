import { expect } from 'vitest';
import type { Environment } from '../../scripts/shared/connection.ts';
import type { ShardId } from '../../scripts/shared/sql.ts';
import { NIL_UUID } from '../../src/core/uuid.ts';
import { ownedKeys } from './owned-rows.ts';

/** Rules that hold for every shard at any time. Each is SQL that finds violations. */
const BREACHES = {
  'a version that is not its number of steps': `select id from shipments where version + 1 <>
     (select count(*) from shipment_events where shipment_id = shipments.id)`,
  'a gap in the steps': `select shipment_id from shipment_events group by shipment_id
     having count(*) <> max(sequence) or min(sequence) <> 1`,
  'a state that its last step did not lead to': `select id from shipments where state <>
     (select state from shipment_events where shipment_id = shipments.id order by sequence desc limit 1)`,
  'a gap in the events': `select id from shipments where event_count <>
     (select count(*) from events where shipment_id = shipments.id and sequence between 1 and event_count)`,
  'a shipment without terms': 'select id from shipments where id not in (select shipment_id from shipment_terms)',
  'an event that says another id than its row': `select id from events where body is not null and json_extract(body, '$.id') is not id`,
  'an event that goes to an endpoint twice': `select event_id from webhook_deliveries where replay_of is null
     group by endpoint_id, event_id having count(*) > 1`,
  'a delivery that has another number of attempts': `select id from webhook_deliveries where attempt_count + min(pause_count, 10) <>
     (select count(*) from webhook_attempts where delivery_id = webhook_deliveries.id) + (only_attempt is not null)`,
  'a row of no shipment': `select shipment_id from shipment_events where shipment_id not in (select id from shipments)
     union all select shipment_id from offers where shipment_id not in (select id from shipments)
     union all select shipment_id from tracking_links where shipment_id not in (select id from shipments)`,
  'a row of no delivery or event': `select delivery_id from webhook_attempts where delivery_id not in (select id from webhook_deliveries)
     union all select event_id from webhook_deliveries where event_id not in (select id from events)`,
  'a driver who has another number of shipments': `select id from drivers where active_count <>
     (select count(*) from offers where driver_id = drivers.id and state in ('OPEN', 'ACCEPTED'))`,
} as const;

export async function expectWholeShard(environment: Environment, shard: ShardId): Promise<void> {
  for (const [breach, select] of Object.entries(BREACHES)) {
    expect(await environment.sql(shard, select), `${shard}: ${breach}`).toEqual([]);
  }
}

/** Between shards: no row of a company is in both. Within a shard, keys ensure that. */
export async function expectWholeShards(environment: Environment): Promise<void> {
  for (const shard of ['shard-1', 'shard-2'] as const) await expectWholeShard(environment, shard);
  const inFirst = new Set(await ownedKeys(environment, 'shard-1'));
  expect(inFirst.size).toBeGreaterThan(0);
  // Moves leave events without a company behind.
  const inBoth = (await ownedKeys(environment, 'shard-2')).filter((key) => inFirst.has(key) && !key.includes(NIL_UUID));
  expect(inBoth, 'rows in both shards').toEqual([]);
}
