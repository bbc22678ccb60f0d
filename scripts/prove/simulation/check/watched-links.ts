import { note, trigger } from './row-triggers.ts';

/** What recipients do with a link: they open it, and rate what it leads to. */
export const LINK_TRIGGERS: readonly string[] = [
  trigger(
    'link',
    'insert on main.tracking_links',
    note(
      'link',
      'new.id',
      'new.shipment_id',
      'new.company_id',
      'new.expires_at',
      'new.revoked_at',
      'new.version',
      'new.created_at',
    ),
  ),
  trigger(
    'link_changed',
    'update on main.tracking_links',
    note(
      'link_changed',
      'new.id',
      'old.revoked_at',
      'new.revoked_at',
      'old.version',
      'new.version',
      'old.view_count',
      'new.view_count',
      'old.expires_at',
      'new.expires_at',
    ),
  ),
  trigger(
    'rating',
    'insert on main.shipment_ratings',
    note('rating', 'new.shipment_id', 'new.company_id', 'new.stars', 'new.event_id'),
  ),
  trigger('rating_changed', 'update on main.shipment_ratings', note('gone', "'rating'", 'old.shipment_id')),
  trigger('rating_gone', 'delete on main.shipment_ratings', note('gone', "'rating'", 'old.shipment_id')),
];
