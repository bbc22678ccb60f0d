import { note, trigger } from './row-triggers.ts';

/* The rows of what follows a failure, of what decides who pays for it, and of complaints. */

const PIN = note(
  'pin',
  'new.id',
  "json_extract(new.destination, '$.latitude')",
  "json_extract(new.destination, '$.longitude')",
);

const CASE = ['id', 'shipment_id', 'kind', 'opened_by', 'state', 'answer_by', 'created_at', 'version'].map(
  (name) => `new.${name}`,
);

/** The facts that decide who pays for a failure, and what becomes of the parcel. */
export const RESOLUTION_TRIGGERS: readonly string[] = [
  trigger('case', 'insert on main.cases', note('case', ...CASE)),
  trigger('case_changed', 'update on main.cases', note('case', ...CASE)),
  trigger(
    'refusal',
    'insert on main.recipient_replies when new.refused_at is not null',
    note('refusal', 'new.shipment_id'),
  ),
  trigger(
    'refusal_changed',
    'update of refused_at on main.recipient_replies when old.refused_at is not new.refused_at',
    note('refusal', 'new.shipment_id'),
  ),
  trigger(
    'refusal_gone',
    'delete on main.recipient_replies when old.refused_at is not null',
    note('refusal_gone', 'old.shipment_id'),
  ),
  trigger('items', 'insert on main.shipments', note('items', 'new.id', 'new.items')),
  trigger('cod', 'insert on main.shipments', note('cod', 'new.id', 'new.cod_amount')),
  trigger('cod_changed', 'update of cod_amount on main.shipments', note('cod', 'new.id', 'new.cod_amount')),
  trigger('pin', 'insert on main.shipments', PIN),
  trigger('pin_moved', 'update of destination on main.shipments when new.forgotten_at is null', PIN),
  trigger(
    'confirmed',
    'insert on main.recipient_replies when new.confirmed_at is not null',
    note('confirmed', 'new.shipment_id', 'new.confirmed_at'),
  ),
  trigger(
    'confirmed_changed',
    'update of confirmed_at on main.recipient_replies',
    note('confirmed', 'new.shipment_id', 'new.confirmed_at'),
  ),
  trigger('confirmed_gone', 'delete on main.recipient_replies', note('confirmed', 'old.shipment_id', 'null')),
  trigger(
    'resolution',
    'insert on main.resolutions',
    note('resolution', 'new.shipment_id', 'new.state', 'new.payer', 'new.decide_by', 'new.default_kind'),
  ),
  trigger(
    'attempt',
    'insert on main.resolutions',
    note('attempt', 'new.shipment_id', 'new.reason_code', 'new.evidence', 'new.payer'),
  ),
  trigger(
    'resolution_changed',
    'update on main.resolutions',
    note('resolution_changed', 'new.shipment_id', 'old.state', 'new.state', 'new.kind', 'new.decided_at'),
  ),
  trigger('resolution_gone', 'delete on main.resolutions', note('gone', "'resolution'", 'old.shipment_id')),
  trigger(
    'follow_up',
    'insert on main.follow_ups',
    note('follow_up', 'new.shipment_id', 'new.preceding_id', 'new.root_id', 'new.kind', 'new.attempt', 'new.returned'),
  ),
  trigger('follow_up_changed', 'update on main.follow_ups', note('gone', "'follow-up'", 'old.shipment_id')),
];
