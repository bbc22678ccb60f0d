import { NIL_UUID } from '../../src/core/uuid.ts';

/**
 * SQL that inserts an event without a company, which nobody reads and nothing deletes. Positions up to its own are not used again, so
 * a cursor of the feed that holds one of them skips no event.
 */
export function emptyEvent(position: string): string {
  return `INSERT INTO events (position, id, company_id, type, sequence, occurred_at, correlation_id)
    SELECT ${position}, '${NIL_UUID}', '${NIL_UUID}', 'webhook.test', 0, 0, '${NIL_UUID}'`;
}
