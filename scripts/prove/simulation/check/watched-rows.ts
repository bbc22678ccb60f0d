import type { WrittenRow } from '../../../shared/memory/database-server.ts';
import { DOOR_ROWS } from './door-rows.ts';
import { note, trigger } from './row-triggers.ts';
import { LINK_TRIGGERS } from './watched-links.ts';
import { RESOLUTION_TRIGGERS } from './watched-resolutions.ts';

/*
 * The evidence of the simulation: each change of these rows, reported by triggers inside the transaction. It costs no
 * query, and no rule depends on what the service says that it did.
 */

/** The columns of an event that are kept for ever if it is a step of a shipment. */
const HISTORY =
  'id, company_id, type, shipment_id, sequence, occurred_at, previous_state, correlation_id, step, state, actor, reason_code, note';
/** The terms that are agreed for ever. Only the route follows the destination. */
const AGREED =
  'shipment_id, company_id, tariff_version, currency, lines, vat_rate, cancellation_amount, cancellation_grace_seconds, late_cancellation_seconds, lock_seconds_max, amendment_free_meters, return_rate, redelivery_rate, distance_meters, created_at, lock_id, locked_at, lock_expires_at';
/** What changes with the version of the shipment only. */
const AMENDED = [
  ...['destination', 'recipient_name', 'recipient_phone', 'alternate_contact_name', 'alternate_contact_phone'],
  ...['pickup_window_start', 'pickup_window_end', 'delivery_window_start', 'delivery_window_end', 'cod_amount'],
  ...['place', 'instructions'],
];
const WINDOW = ['window_status', 'delivery_window_start', 'delivery_window_end'];
const isOther = (columns: readonly string[]) =>
  `(${columns.map((column) => `old.${column} is not new.${column}`).join(' or ')})`;
const AMENDMENT = [
  ...['new.shipment_id', 'new.id', 'new.company_id', 'new.actor', 'new.state', 'new.amount', 'new.vat_amount'],
  ...['new.decide_by', 'new.decided_at', 'new.shipment_version'],
];

/** Work of the company that is due before an instant. */
const dueBefore = (instant: string) => `(select group_concat(work, ', ') from (
  select 'shipment ' || s.id as work, s.due_at as at from shipments s where s.company_id = new.company_id
  union all select 'scenario ' || c.shipment_id, c.due_at from sandbox_scenarios c join shipments s on s.id = c.shipment_id
    where c.company_id = new.company_id and s.state in ('OFFERED', 'ACCEPTED', 'PICKED_UP', 'OUT_FOR_DELIVERY')
  union all select 'delivery ' || d.id, max(d.next_attempt_at, coalesce(e.paused_until, 0)) from webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id
    where e.company_id = new.company_id and e.state = 'ENABLED' and d.status in ('PENDING', 'RETRYING')
    and not exists (select 1 from webhook_deliveries f where f.endpoint_id = d.endpoint_id and f.shipment_id = d.shipment_id
      and f.line = d.line and f.position < d.position and f.status in ('PENDING', 'RETRYING'))
  ) where at < ${instant})`;

export const WATCH = [
  trigger(
    'shipment',
    'insert on main.shipments',
    note(
      'shipment',
      'new.id',
      'new.company_id',
      'new.external_reference',
      'new.shipment_number',
      'new.state',
      'new.version',
      'new.pickup_location_code',
      'new.pickup',
      'new.pickup_window_start',
      'new.pickup_window_end',
    ),
    note('phone', 'new.id', 'new.recipient_phone'),
  ),
  trigger(
    'phone',
    'update of recipient_phone on main.shipments when old.recipient_phone <> new.recipient_phone',
    note('phone', 'new.id', 'new.recipient_phone'),
  ),
  trigger(
    'unversioned',
    `update on main.shipments when old.version = new.version and old.forgotten_at is new.forgotten_at and ${isOther(AMENDED)}`,
    note('unversioned', 'new.id'),
  ),
  trigger('counted', 'update of amendment_count on main.shipments', note('counted', 'new.id', 'new.amendment_count')),
  trigger(
    'window',
    `update on main.shipments when ${isOther(WINDOW)}`,
    note(
      'window',
      'new.id',
      'old.window_status',
      'new.window_status',
      'new.delivery_window_start',
      'new.delivery_window_end',
      'old.delivery_window_start is new.delivery_window_start and old.delivery_window_end is new.delivery_window_end',
    ),
  ),
  trigger(
    'door',
    'update of door_arrival on main.offers when old.door_arrival is null and new.door_arrival is not null',
    note(
      'door',
      'new.shipment_id',
      "json_extract(new.door_arrival, '$.arrivedAt')",
      "json_extract(new.door_arrival, '$.position.latitude')",
      "json_extract(new.door_arrival, '$.position.longitude')",
    ),
  ),
  trigger('amendment', 'insert on main.shipment_amendments', note('amendment', ...AMENDMENT)),
  trigger(
    'amendment_changed',
    'update of state, decided_at, amount, vat_amount on main.shipment_amendments',
    note('amendment_changed', ...AMENDMENT),
  ),
  trigger(
    'standing',
    'update of state, version, event_count on main.shipments',
    note(
      'standing',
      'new.id',
      'old.state',
      'new.state',
      'old.version',
      'new.version',
      'new.event_count',
      'old.due_at',
      'new.due_at',
      'new.pickup_window_start',
      'new.pickup_window_end',
    ),
  ),
  ...RESOLUTION_TRIGGERS,
  ...DOOR_ROWS,
  trigger('shipment_gone', 'delete on main.shipments', note('gone', "'shipment'", 'old.id')),
  trigger(
    'history',
    'insert on main.events when new.step is not null',
    note(
      'history',
      'new.shipment_id',
      'new.step',
      'new.type',
      'new.previous_state',
      'new.state',
      'new.actor',
      'new.correlation_id',
      'new.company_id',
      'new.reason_code',
      'new.occurred_at',
    ),
  ),
  trigger(
    'history_changed',
    `update of ${HISTORY} on main.events when old.step is not null`,
    note('gone', "'history'", 'old.id'),
  ),
  trigger('history_gone', 'delete on main.events when old.step is not null', note('gone', "'history'", 'old.id')),
  trigger(
    'terms',
    'insert on main.shipment_terms',
    note(
      'terms',
      'new.shipment_id',
      'new.lines',
      'new.vat_rate',
      'new.company_id',
      'new.lock_id',
      'new.lock_expires_at',
      'new.created_at',
    ),
  ),
  trigger('charge', 'insert on main.later_charges', note('charge', 'new.shipment_id', 'new.code', 'new.amount')),
  trigger('terms_changed', `update of ${AGREED} on main.shipment_terms`, note('gone', "'terms'", 'old.shipment_id')),
  trigger(
    'priced',
    'update of priced_distance_meters on main.shipment_terms',
    note('priced', 'new.shipment_id', 'new.priced_distance_meters'),
  ),
  trigger(
    'event',
    'insert on main.events',
    note(
      'event',
      'new.position',
      'new.id',
      'new.company_id',
      'new.type',
      'new.shipment_id',
      'new.sequence',
      'new.body',
    ),
  ),
  trigger(
    'key',
    'insert on main.idempotency_records',
    note('key', "new.company_id || ' ' || new.client_id || ' ' || new.key", 'new.location', 'new.fingerprint'),
  ),
  trigger(
    'key_forgotten',
    'delete on main.idempotency_records',
    note('key_forgotten', "old.company_id || ' ' || old.client_id || ' ' || old.key", 'old.expires_at'),
  ),
  trigger('address', 'insert on main.national_addresses', note('address', 'new.shipment_id', 'new.status')),
  trigger(
    'address_changed',
    'update of status on main.national_addresses',
    note('address', 'new.shipment_id', 'new.status'),
  ),
  trigger('gate', 'update of address_gate on main.shipments', note('gate', 'new.id', 'new.address_gate')),
  trigger('held', 'update of held on main.shipments', note('held', 'new.id', 'old.held', 'new.held')),
  trigger('named', 'update of driver_id on main.shipments', note('named', 'new.id', 'new.driver_id')),
  trigger(
    'named_first',
    'insert on main.shipments when new.driver_id is not null',
    note('named', 'new.id', 'new.driver_id'),
  ),
  trigger('sandbox', 'insert on main.sandboxes', note('hold', 'new.company_id', '0', 'new.dispatch_held')),
  trigger(
    'hold',
    'update of dispatch_held on main.sandboxes',
    note('hold', 'new.company_id', 'old.dispatch_held', 'new.dispatch_held'),
  ),
  trigger(
    'clock',
    'update of clock_offset, clock_at, clock_target on main.sandboxes',
    note(
      'clock',
      'new.company_id',
      'new.clock_offset',
      'new.clock_at',
      'new.clock_target',
      // A clock that begins to stand has run until now. At the end of an advance nothing is due at its target either.
      `case when old.clock_at is null then null
        else ${dueBefore('coalesce(new.clock_at, max(old.clock_at, old.clock_target) + 1)')} end`,
    ),
  ),
  trigger(
    'offer',
    'insert on main.offers',
    note('offer', 'new.id', 'new.shipment_id', 'new.driver_id', 'new.state', 'new.offered_at'),
  ),
  trigger(
    'offer_changed',
    'update of state, driver_id on main.offers',
    note('offer_changed', 'new.id', 'new.shipment_id', 'new.driver_id', 'old.state', 'new.state'),
  ),
  trigger(
    'driver',
    'update of active_count, active_max on main.drivers',
    note('driver', 'new.id', 'new.active_count', 'new.active_max'),
  ),
  trigger(
    'work',
    'update of status, on_duty on main.drivers',
    note('work', 'new.id', "new.status = 'ACTIVE' and new.on_duty = 1", 'new.off_duty_reason'),
  ),
  trigger(
    'endpoint',
    'insert on main.webhook_endpoints',
    note('endpoint', 'new.id', 'new.company_id', 'new.state', 'new.event_types', 'new.url'),
  ),
  trigger(
    'endpoint_changed',
    'update of state, event_types, url on main.webhook_endpoints',
    note('endpoint', 'new.id', 'new.company_id', 'new.state', 'new.event_types', 'new.url'),
  ),
  trigger(
    'delivery',
    'insert on main.webhook_deliveries',
    note('delivery', 'new.id', 'new.endpoint_id', 'new.event_id', 'new.line', 'new.status', 'new.replay_of'),
  ),
  trigger(
    'delivery_changed',
    'update on main.webhook_deliveries',
    note(
      'delivery_changed',
      'new.id',
      'old.status',
      'new.status',
      'new.attempt_count',
      'new.pause_count > old.pause_count',
    ),
  ),
  trigger('delivery_gone', 'delete on main.webhook_deliveries', note('delivery_gone', 'old.id', 'old.status')),
  ...LINK_TRIGGERS,
].join('\n');

export type RowKind =
  | 'shipment'
  | 'standing'
  | 'cod'
  | 'items'
  | 'collection'
  | 'pin'
  | 'confirmed'
  | 'resolution'
  | 'resolution_changed'
  | 'attempt'
  | 'follow_up'
  | 'pinned'
  | 'proof'
  | 'tries'
  | 'case'
  | 'gone'
  | 'history'
  | 'terms'
  | 'charge'
  | 'priced'
  | 'event'
  | 'key'
  | 'key_forgotten'
  | 'address'
  | 'gate'
  | 'held'
  | 'hold'
  | 'clock'
  | 'offer'
  | 'offer_changed'
  | 'driver'
  | 'named'
  | 'work'
  | 'endpoint'
  | 'delivery'
  | 'delivery_changed'
  | 'delivery_gone'
  | 'link'
  | 'link_changed'
  | 'rating'
  | 'phone'
  | 'unversioned'
  | 'counted'
  | 'window'
  | 'door'
  | 'amendment'
  | 'amendment_changed'
  | 'refusal'
  | 'refusal_gone';

/** The changes of one committed unit, by kind. */
export class CommittedUnit {
  readonly shard: string;
  readonly changes: readonly WrittenRow[];

  constructor(shard: string, changes: readonly WrittenRow[]) {
    this.shard = shard;
    this.changes = changes;
  }

  /** The values of each change of a kind, in order. */
  of(kind: RowKind): Values[] {
    const found: Values[] = [];
    for (const change of this.changes) if (change[0] === kind) found.push(new Values(change));
    return found;
  }
}

/** The values of a change by position: 1 is the first after the kind. */
export class Values {
  readonly #change: WrittenRow;

  constructor(change: WrittenRow) {
    this.#change = change;
  }

  text(place: number): string {
    const value = this.#change[place];
    if (typeof value !== 'string') throw new Error(`${this.#change[0]} has no text at ${place}`);
    return value;
  }

  textOrNull(place: number): string | null {
    return this.#change[place] === null ? null : this.text(place);
  }

  number(place: number): number {
    const value = this.#change[place];
    if (typeof value !== 'number') throw new Error(`${this.#change[0]} has no number at ${place}`);
    return value;
  }

  numberOrNull(place: number): number | null {
    return this.#change[place] === null ? null : this.number(place);
  }
}
