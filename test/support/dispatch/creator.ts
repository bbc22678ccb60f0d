import { newId } from '../../../scripts/shared/seed-values.ts';
import type { ShipmentRequest } from '../../../src/contract/shipment.ts';
import type { Result } from '../../../src/core/result.ts';
import { createShipment } from '../../../src/domain/shipments/create.ts';
import type { Created, CreateOrder } from '../../../src/domain/shipments/creation.ts';
import type { CreateDependencies } from '../../../src/domain/shipments/prepare-creation.ts';
import { type MemoryShard, openMemoryShard } from './memory-shard.ts';
import { requestOf } from './shipments.ts';

/** A shard in memory, and one creation request that tests send repeatedly, with changes. */
export function openCreator() {
  const shard = openMemoryShard();
  const process = shard.process();
  const request = requestOf(shard);
  const key = newId();
  const create = (changes: Partial<ShipmentRequest> = {}, order: Partial<Order> = {}) => {
    const { scope = shard.scope, idempotencyKey = key, by = process, ...headers } = order;
    return createShipment(by, scope, {
      idempotencyKey,
      correlationId: CORRELATION,
      request: { ...request, ...changes },
      ...headers,
    });
  };
  return { shard, process, request, key, create, stored: () => storedIn(shard) };
}

/** The correlation id of every creation. */
export const CORRELATION = newId();

interface Order extends Pick<CreateOrder, 'priceLock' | 'priceLimit'> {
  readonly scope: MemoryShard['scope'];
  readonly idempotencyKey: string;
  readonly by: CreateDependencies;
}

/** The numbers of shipments, idempotency keys, timeline events and feed events. */
async function storedIn({ rows }: MemoryShard): Promise<unknown[]> {
  const tables = ['shipments', 'idempotency_records', 'shipment_events', 'events'];
  const counts = await Promise.all(tables.map((table) => rows(`SELECT count(*) FROM ${table}`)));
  return counts.flat(2);
}

export const NOTHING = [0, 0, 0, 0];
export const ONE = [1, 1, 1, 1];
export const AWAY = { ok: false, code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 };

/** Breaks the connection: before the request ran if called first, or after it. */
export function broken(): never {
  throw new TypeError('The connection was reset');
}

/** The created or replayed shipment. */
export async function createdOf(result: Promise<Result<Created>>): Promise<Created> {
  const answer = await result;
  if (!answer.ok) throw new Error(`Not created: ${JSON.stringify(answer)}`);
  return answer.value;
}
