import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@libsql/client/http';
import { openDatabase } from '../../../db/database.ts';
import { migrate } from '../../../scripts/migrate.ts';
import { freePort } from '../../../scripts/ports.ts';
import { seed } from '../../../scripts/seed.ts';
import { newId, requireUuid } from '../../../scripts/seed-values.ts';
import { type Sqld, startSqld } from '../../../scripts/sqld.ts';
import { type CompanyScope, requireCompany } from '../../../src/access/require.ts';
import { addMicros, addSeconds, type Instant, instantFromMillis } from '../../../src/core/instant.ts';
import type { DispatchWaits } from '../../../src/domain/dispatch/plan.ts';
import { ServiceLevelBook } from '../../../src/domain/dispatch/service-level-book.ts';
import { PickupPoints } from '../../../src/domain/places/pickup-point.ts';
import { TariffBook } from '../../../src/domain/pricing/tariff-book.ts';
import { prometheusMetrics } from '../../../src/runtime/adapters/metrics/prometheus.ts';
import { fixtureRouting } from '../../../src/runtime/adapters/routing/fixture.ts';
import { monotonicMs, systemRandom } from '../../../src/runtime/adapters/system.ts';
import { LocalDatabaseWriter } from '../../../src/runtime/coordination/local/database-writer.ts';

/*
 * A directory and a shard on real sqld, with the sample tariff, service levels and companies, and a clock that the test
 * moves. What falls due is done when the test asks for it: the writers' own timers find nothing.
 */

/** Stands still but for a microsecond at each look, like the service's own clock within a millisecond. */
export class TestClock {
  #now = instantFromMillis(Date.parse('2026-11-21T09:00:00Z'));

  now(): Instant {
    this.#now = addMicros(this.#now, 1);
    return this.#now;
  }

  advance(seconds: number): void {
    this.#now = addSeconds(this.#now, seconds);
  }
}

const WAITS: DispatchWaits = { offerSeconds: 60, candidateSeconds: 900, lookSeconds: 5 };

export interface TestShard {
  readonly clock: TestClock;
  readonly scope: CompanyScope;
  /** Rows of the shard, as arrays of their columns. */
  readonly rows: (sql: string, args?: readonly string[]) => Promise<unknown[][]>;
  /** What one process of the service works with. Each call is another process, with writers of its own. */
  readonly process: () => ReturnType<typeof processOf>;
  /** Forgets all shipments and drivers. */
  readonly clear: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openShard(): Promise<TestShard> {
  const folder = mkdtempSync(join(tmpdir(), 'mirsal-dispatch-'));
  const start = async (name: string) =>
    startSqld({ folder: join(folder, name), port: await freePort(), adminPort: await freePort() });
  const directory = await start('directory');
  const shard = await start('shard-1');
  const client = createClient({ url: shard.url });
  await migrate({ kind: 'directory', url: directory.url });
  await migrate({ kind: 'shard', url: shard.url });
  const companyId = await seedCompany(directory, shard);
  const clock = new TestClock();
  await clear(client);
  return {
    clock,
    scope: scopeOf(companyId),
    rows: (sql, args = []) => rowsOf(client, sql, args),
    process: () => processOf(directory, shard, clock),
    clear: () => clear(client),
    close: async () => {
      client.close();
      await Promise.all([directory.stop(), shard.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function seedCompany(directory: Sqld, shard: Sqld): Promise<string> {
  const credentialKey = Buffer.alloc(32, 7).toString('base64url');
  const shards = [{ id: 'shard-1', url: shard.url }];
  const { companies } = await seed({ directoryUrl: directory.url, shards, deployment: 'local', credentialKey });
  return companies[0]?.companyId ?? '';
}

function scopeOf(companyId: string): CompanyScope {
  const holder = {
    clientId: 'mcl_test',
    secretId: newId(),
    tokenId: newId(),
    scopes: new Set(['shipments:write'] as const),
  };
  return requireCompany(
    { kind: 'company', companyId: requireUuid(companyId), shard: 'shard-1', ...holder },
    'shipments:write',
  );
}

/** A database of this test is never away. */
function unexpected(...failure: readonly string[]): never {
  throw new Error(failure.join(': '));
}

function processOf(directory: Sqld, shard: Sqld, clock: TestClock) {
  const metrics = prometheusMetrics();
  const storeOf = (id: string, { url, adminUrl }: Sqld) => {
    const address = { id, url, adminUrl, authToken: undefined };
    const runDue = () => Promise.resolve(null);
    const writer = new LocalDatabaseWriter({
      address,
      requireDurable: true,
      fetch: (...args) => fetch(...args),
      clock,
      monotonicMs,
      runDue,
      report: unexpected,
      metrics,
    });
    return {
      database: openDatabase({ ...address, fetch: (...args) => fetch(...args), monotonicMs, report: unexpected }),
      writer,
    };
  };
  return {
    ...storeOf('shard-1', shard),
    directory: storeOf('directory', directory),
    clock,
    metrics,
    random: systemRandom,
    config: { deployment: 'local' as const },
    waits: WAITS,
    routing: fixtureRouting,
    pickupPoints: new PickupPoints(),
    tariffBook: new TariffBook(monotonicMs),
    serviceLevelBook: new ServiceLevelBook(monotonicMs),
  };
}

async function rowsOf(client: Client, sql: string, args: readonly string[]): Promise<unknown[][]> {
  const { columns, rows } = await client.execute({ sql, args: [...args] });
  return rows.map((row) => columns.map((name) => row[name]));
}

/** In an order that no foreign key objects to. */
const CLEARED = [
  'events',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_replays',
  'webhook_endpoints',
  'offers',
  'dispatches',
  'later_charges',
  'shipment_terms',
  'shipment_events',
  'media_assets',
  'media_lists',
  'tracking_links',
  'shipments',
  'idempotency_records',
  'drivers',
];

async function clear(client: Client): Promise<void> {
  await client.batch(
    CLEARED.map((table) => `DELETE FROM ${table}`),
    'write',
  );
}
