import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import { DELIVERY_STATUSES } from '../../../../src/contract/event-type.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import type { Position } from '../../../../src/domain/page.ts';
import { type DeliveryFilter, deliveryPage } from '../../../../src/domain/webhooks/log-store.ts';
import { openShard, type TestShard } from '../../../support/dispatch/shard.ts';
import { scopeOf } from '../../../support/dispatch/test-shard.ts';
import { withEvents } from './queue.ts';

/** The log of deliveries: each filter has an index or a query of its own, and all of them list the same rows. */

let shard: TestShard;
let endpointId: Uuid;
let shipmentId: Uuid | undefined;
beforeAll(async () => {
  shard = await openShard();
  const events = await withEvents(shard, 1);
  ({
    endpointId,
    shipmentIds: [shipmentId],
  } = events);
  await shard.rows(`insert into webhook_endpoints
    (id, company_id, url, event_types, state, secret, secret_hint, consecutive_failures, created_at, updated_at, version)
    select 'other', company_id, url, event_types, state, secret, secret_hint, 0, created_at, updated_at, 1 from webhook_endpoints`);
  const statuses = DELIVERY_STATUSES.map((status) => `('${status}')`).join(', ');
  const types = ['shipment.created', 'shipment.delivered', 'webhook.test'].map((type) => `('${type}')`).join(', ');
  // Four of each, two of them at the same time, half of them of another endpoint or without the shipment.
  await shard.rows(`insert into webhook_deliveries
    (id, endpoint_id, company_id, event_id, event_type, shipment_id, status, attempt_count, next_attempt_at, created_at)
    with numbers(i) as (values (0), (1), (2), (3))
    select type.column1 || one.column1 || i, case when i % 2 = 0 then first.endpoint_id else 'other' end, first.company_id,
      first.event_id, type.column1, case when i < 3 then first.shipment_id end, one.column1, 0, first.next_attempt_at,
      first.created_at - i / 2 * 1000000
    from (values ${statuses}) as one, (values ${types}) as type, numbers, (select * from webhook_deliveries limit 1) as first`);
}, 60_000);
afterAll(() => shard.close());

/** The ids on all pages of seven. */
async function listed(filter: DeliveryFilter): Promise<string[]> {
  const { database } = shard.process();
  const found: string[] = [];
  let last: Position | undefined;
  for (;;) {
    const page = await database.read(deliveryPage(shard.scope, filter, last, 7));
    if (!page.ok) throw new Error('The shard did not answer');
    found.push(...page.rows.map(({ id }) => id));
    const end = page.rows.at(-1);
    if (page.rows.length < 7 || end === undefined) return found;
    last = { createdAt: end.createdAt, key: String(end.position) };
  }
}

const STATUSES = [undefined, ...DELIVERY_STATUSES];
it.each(STATUSES)('lists the deliveries of each endpoint, type and shipment with status %s', async (status) => {
  for (const eventType of [undefined, 'shipment.delivered'] as const) {
    for (const endpoint of [undefined, endpointId]) {
      for (const shipment of [undefined, shipmentId]) {
        const filter = { status, eventType, endpointId: endpoint, shipmentId: shipment };
        const conditions = [
          ...(status === undefined ? [] : [`status = '${status}'`]),
          ...(eventType === undefined ? [] : [`event_type = '${eventType}'`]),
          ...(endpoint === undefined ? [] : [`endpoint_id = '${endpoint}'`]),
          ...(shipment === undefined ? [] : [`shipment_id = '${shipment}'`]),
        ];
        const plain = `select id from webhook_deliveries not indexed where ${['true', ...conditions].join(' and ')}
          order by created_at desc, position desc`;
        const expected = (await shard.rows(plain)).flat();
        expect(expected.length).toBeGreaterThan(0);
        expect(await listed(filter)).toEqual(expected);
      }
    }
  }
});

it('lists nothing to another company', async () => {
  const { database } = shard.process();
  for (const status of STATUSES) {
    const page = deliveryPage(scopeOf(newId()), { status }, undefined, 7);
    expect(await database.read(page)).toEqual({ ok: true, rows: [] });
  }
});
