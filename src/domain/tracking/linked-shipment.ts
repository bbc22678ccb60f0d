import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import { tokenHashOf } from '../../access/authenticate.ts';
import { type CompanyScope, scopeForService } from '../../access/require.ts';
import type { LinkPermission } from '../../contract/recipient-state.ts';
import type { Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import type { Locale } from '../../core/locale.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type CompanyStore, companyStore } from '../clocks/company-clock.ts';
import { type ShipmentRow, shipmentById } from '../shipments/store.ts';
import { linkByToken } from './rating-store.ts';
import { type ReadingDependencies, readAtToken } from './reading.ts';

export interface LinkDependencies extends Omit<ReadingDependencies, 'shards' | 'config'> {
  readonly shards: ReadonlyMap<string, { readonly database: Database; readonly writer: Writer }>;
}

interface ShownLink {
  readonly id: Uuid;
  readonly permissions: readonly LinkPermission[];
  readonly merchantName: string;
  /** Null: the page uses the reader's language. */
  readonly locale: Locale | null;
}

/** The shipment of an active link, and where its company works. */
export interface LinkedShipment {
  readonly scope: CompanyScope;
  readonly store: CompanyStore;
  readonly link: ShownLink;
  readonly shipment: ShipmentRow;
  /** The company's time, not earlier than what the shipment shows. */
  readonly now: Instant;
}

/** Finds the shipment for the holder of a token. An unknown, revoked, expired or malformed token gets the same refusal. */
export async function findLinkedShipment(
  dependencies: LinkDependencies,
  token: string,
): Promise<Result<LinkedShipment>> {
  const { clock: wall, clockBook, shards } = dependencies;
  const tokenHash = await tokenHashOf(token);
  const found = await readAtToken(dependencies, token, [linkByToken(tokenHash, wall.now())] as const);
  if (!found.ok) return found;
  const { shard, results } = found.value;
  const [[link]] = results;
  const shardStore = shards.get(shard);
  if (link === undefined || shardStore === undefined) return refuse('TRACKING_LINK_UNAVAILABLE');
  const time = await clockBook.clockOf(shardStore.database, link.companyId);
  if (!time.ok) return time;
  const store = companyStore(shardStore, time.value);
  const scope = scopeForService(shard, link.companyId);
  const shipments = await store.database.read(shipmentById(scope, link.shipmentId));
  if (!shipments.ok) return unavailable();
  const [shipment] = shipments.rows;
  const now = store.clock.now();
  if (shipment === undefined || link.expiresAt <= now) return refuse('TRACKING_LINK_UNAVAILABLE');
  const { id, merchantName, locale } = link;
  const permissions = parseStored<LinkPermission[]>(link.permissions);
  return ok({ scope, store, link: { id, permissions, merchantName, locale }, shipment, now });
}
