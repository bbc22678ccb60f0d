import { createClient, type InStatement } from '@libsql/client/http';
import * as z from 'zod';

/* The rows of a round's companies. Each shard is read in one transaction. */

const text = z.string();
const whole = z.int();

const shipment = z.object({
  id: text,
  company_id: text,
  shipment_number: text,
  external_reference: text,
  state: text,
  version: whole,
  created_at: whole,
  approved_at: z.nullable(whole),
  due_at: z.nullable(whole),
  event_count: whole,
  branch_code: text,
  pickup_location_code: text,
  recipient_name: text,
  recipient_phone: text,
  pickup: text,
  destination: text,
  total_weight_kilograms: text,
  declared_value: text,
  cod_amount: text,
  currency: text,
  payment_method: text,
  pickup_window_start: whole,
  pickup_window_end: whole,
  items: text,
  requirements: text,
  /** The number of its rows in the other tables that a creation writes. */
  terms: whole,
});
const step = z.object({
  id: text,
  shipment_id: text,
  company_id: text,
  sequence: whole,
  type: text,
  previous_state: z.nullable(text),
  state: text,
  actor: text,
  reason_code: z.nullable(text),
  correlation_id: text,
});
const event = z.object({
  id: text,
  company_id: text,
  type: text,
  shipment_id: z.nullable(text),
  sequence: whole,
  position: whole,
  told_sequence: whole,
  /** The batch that the event is about, and its counts as JSON. */
  batch_id: z.nullable(text),
  batch_counts: z.nullable(text),
  told_version: z.nullable(whole),
  told_state: z.nullable(text),
  correlation_id: text,
  link_id: z.nullable(text),
});
const amendment = z.object({
  shipment_id: text,
  company_id: text,
  shipment_version: whole,
  instructions: z.nullable(text),
});
const collection = z.object({ shipment_id: text, company_id: text, amount: text, shipment_version: whole });
const resolution = z.object({ shipment_id: text, company_id: text, state: text });
const proof = z.object({ shipment_id: text, company_id: text, kind: text });
const complaint = z.object({ shipment_id: text, company_id: text, kind: text });
const key = z.object({ company_id: text, client_id: text, key: text, location: text, response: text });
const link = z.object({ id: text, shipment_id: text, company_id: text, revoked_at: z.nullable(whole), version: whole });
const batch = z.object({
  id: text,
  company_id: text,
  mode: text,
  on_invalid: text,
  state: text,
  total: whole,
  correlation_id: text,
});
const item = z.object({
  batch_id: text,
  position: whole,
  company_id: text,
  key: text,
  state: text,
  request: z.nullable(text),
  shipment_id: z.nullable(text),
  /** The code of its refusal. */
  code: z.nullable(text),
});
const endpoint = z.object({ id: text, company_id: text, event_types: text, state: text });
const delivery = z.object({ id: text, endpoint_id: text, event_id: text, company_id: text, status: text });

const BODY = (path: string) => `json_extract(body, '$.${path}')`;

/** The queries for each shard. `OF` stands for the condition on the companies. */
const TABLES = {
  shipments: {
    shape: shipment,
    select: `select *, (select count(*) from shipment_terms t where t.shipment_id = s.id) as terms from shipments s where OF`,
  },
  /** The history of shipments. */
  steps: { shape: step, select: 'select * from shipment_events where OF order by shipment_id, sequence' },
  /** The event feed of merchants. */
  events: {
    shape: event,
    select: `select id, company_id, type, shipment_id, sequence, position, ${BODY('sequence')} as told_sequence,
      ${BODY('data.shipment.version')} as told_version, ${BODY('data.shipment.state')} as told_state,
      ${BODY('data.shipmentBatch.batchId')} as batch_id, ${BODY('data.shipmentBatch.counts')} as batch_counts,
      ${BODY('correlationId')} as correlation_id, ${BODY('data.trackingLink.linkId')} as link_id
      from events where OF order by position`,
  },
  amendments: {
    shape: amendment,
    select: `select shipment_id, company_id, shipment_version, after ->> '$.instructions' as instructions
      from shipment_amendments where OF order by shipment_id, number`,
  },
  collections: { shape: collection, select: 'select * from cod_collections where OF' },
  resolutions: { shape: resolution, select: 'select * from resolutions where OF' },
  proofs: { shape: proof, select: "select *, record ->> '$.kind' as kind from delivery_proofs where OF" },
  complaints: { shape: complaint, select: 'select * from cases where OF' },
  /** Those of creations. */
  keys: { shape: key, select: "select * from idempotency_records where OF and operation = 'shipments.create'" },
  links: { shape: link, select: 'select * from tracking_links where OF' },
  batches: { shape: batch, select: 'select * from shipment_batches where OF' },
  items: {
    shape: item,
    select: "select *, refusal ->> '$.code' as code from shipment_batch_items where OF order by batch_id, position",
  },
  endpoints: { shape: endpoint, select: 'select * from webhook_endpoints where OF' },
  deliveries: { shape: delivery, select: 'select * from webhook_deliveries where OF' },
};
type Name = keyof typeof TABLES;
const NAMES = Object.keys(TABLES) as Name[];

export type ShardRows = { readonly [Table in Name]: readonly z.output<(typeof TABLES)[Table]['shape']>[] };
export type ShipmentRow = ShardRows['shipments'][number];
export type StepRow = ShardRows['steps'][number];
export type EventRow = ShardRows['events'][number];
export type BatchRow = ShardRows['batches'][number];
export type ItemRow = ShardRows['items'][number];

/** The rows of these companies in one shard, read in one transaction. */
export async function readRows(url: string, companyIds: readonly string[]): Promise<ShardRows> {
  const client = createClient({ url });
  try {
    const ids = JSON.stringify(companyIds);
    const statements = NAMES.map(
      (name): InStatement => ({
        sql: TABLES[name].select.replace('OF', 'company_id in (select value from json_each(?))'),
        args: [ids],
      }),
    );
    const sets = await client.batch(statements, 'read');
    return ofEach((name) => z.array(TABLES[name].shape).parse(sets[NAMES.indexOf(name)]?.rows));
  } finally {
    client.close();
  }
}

/** The rows of several shards as one. */
export function together(all: readonly ShardRows[]): ShardRows {
  return ofEach((name) => all.flatMap<unknown>((rows) => rows[name]));
}

function ofEach(rowsOf: (name: Name) => unknown[]): ShardRows {
  return Object.fromEntries(NAMES.map((name) => [name, rowsOf(name)])) as unknown as ShardRows;
}
