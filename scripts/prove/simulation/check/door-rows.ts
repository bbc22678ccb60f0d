import { note, trigger } from './row-triggers.ts';

/** What is written at the door, and what happens before it: collections, and what is proven. */
export const DOOR_ROWS = [
  trigger(
    'collection',
    'insert on main.cod_collections',
    note('collection', 'new.shipment_id', 'new.amount', 'new.shipment_version'),
  ),
  trigger(
    'collection_changed',
    'update of amount, method, driver_id, collected_at on main.cod_collections',
    note('gone', "'collection'", 'old.shipment_id'),
  ),
  trigger('collection_gone', 'delete on main.cod_collections', note('gone', "'collection'", 'old.shipment_id')),
  trigger('pinned', `insert on main.shipments when new.requirements like '%"PROOF_PIN"%'`, note('pinned', 'new.id')),
  trigger(
    'proof',
    'insert on main.delivery_proofs',
    note('proof', 'new.shipment_id', 'new.evidence', 'new.sha256', 'new.record'),
  ),
  trigger(
    'proof_changed',
    'update of evidence, sha256 on main.delivery_proofs',
    note('gone', "'proof'", 'old.shipment_id'),
  ),
  trigger('proof_gone', 'delete on main.delivery_proofs', note('gone', "'proof'", 'old.shipment_id')),
  trigger('tries', 'update of wrong_tries on main.proof_progress', note('tries', 'new.shipment_id', 'new.wrong_tries')),
];
