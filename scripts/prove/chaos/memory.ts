import { DATABASE_IDS } from '../../shared/sql.ts';
import type { Evidence } from './check/evidence.ts';
import type { Cluster } from './cluster/cluster.ts';
import { memberOf } from './load/history.ts';

/** What was acknowledged in a round must still be there after all later rounds. */
export class Memory {
  readonly #shipments = new Map<string, string>();
  readonly #revoked = new Set<string>();

  learn({ calls }: Evidence): void {
    for (const { operation, outcome, answer, draft, linkId } of calls) {
      if (outcome !== 'ok') continue;
      const shipmentId = operation === 'create' ? memberOf(answer, 'shipmentId') : undefined;
      if (shipmentId !== undefined) this.#shipments.set(shipmentId, draft?.externalReference ?? '');
      if (operation === 'revoke' && linkId !== undefined) this.#revoked.add(linkId);
    }
  }

  /** One sentence for each thing that is lost. */
  async lost(cluster: Cluster): Promise<string[]> {
    const shipments = new Map<unknown, unknown>();
    const revoked = new Set<unknown>();
    for (const shard of DATABASE_IDS.filter((id) => id !== 'directory')) {
      const { sql } = cluster.environment;
      const stored = await sql(shard, 'select id, external_reference as reference from shipments');
      for (const { id, reference } of stored) shipments.set(id, reference);
      const ended = await sql(shard, 'select id from tracking_links where revoked_at is not null');
      for (const { id } of ended) revoked.add(id);
    }
    return [
      ...[...this.#shipments].flatMap(([id, reference]) =>
        shipments.get(id) === reference
          ? []
          : [`${reference} was acknowledged as ${id}, and is ${String(shipments.get(id))}`],
      ),
      ...[...this.#revoked].flatMap((id) => (revoked.has(id) ? [] : [`link ${id} was revoked, and is not`])),
    ];
  }
}
