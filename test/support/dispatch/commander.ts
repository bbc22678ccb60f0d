import { newId } from '../../../scripts/shared/seed-values.ts';
import { type CommandOrder, executeCommand, readShipment } from '../../../src/domain/shipments/command.ts';
import type { Command } from '../../../src/domain/shipments/lifecycle.ts';
import type { ShipmentRow } from '../../../src/domain/shipments/store.ts';
import { openMemoryShard } from './memory-shard.ts';
import { addShipment, give } from './shipments.ts';

/** A shard in memory with one new shipment, and a cancellation of it that tests may change into any command. */
export async function openCommander() {
  const shard = openMemoryShard();
  const process = shard.process();
  const id = await addShipment(shard, process);
  const order = (changes: Partial<CommandOrder> = {}): CommandOrder => ({
    shipmentId: id,
    command: { name: 'CANCEL', reasonCode: 'PRICE', comment: 'too dear' },
    actor: 'MERCHANT',
    correlationId: CORRELATION,
    precondition: { kind: 'any' },
    ...changes,
  });
  return {
    ...{ shard, process, id, order },
    cancel: (changes: Partial<CommandOrder> = {}, lastSeen?: ShipmentRow) =>
      executeCommand(process, shard.scope, order(changes), lastSeen),
    /** Executes a command with an actor that may give it. */
    give: (command: Command, by = process) => give(shard, by, id, command),
    approve: () => give(shard, process, id, { name: 'APPROVE' }),
    rowOf: async () => {
      const read = await readShipment(process.database, shard.scope, id);
      if (!read.ok) throw new Error(`Not read: ${read.code}`);
      return read.value;
    },
    /** State and version of the shipment, followed by its event types. */
    told: async () => {
      const [row = []] = await shard.rows('SELECT state, version FROM shipments WHERE id = ?', [id]);
      const events = await shard.rows('SELECT type FROM shipment_events WHERE shipment_id = ? ORDER BY sequence', [id]);
      return [...row, ...events.flat().map((type) => String(type).replace('shipment.', ''))];
    },
  };
}

/** The correlation id of every command. */
export const CORRELATION = newId();
export const UNTOUCHED = ['PENDING_APPROVAL', 0, 'created'];
export const CANCELLED = ['CANCELLED', 1, 'created', 'cancelled'];
