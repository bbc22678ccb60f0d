import { openDatabase } from '../../../db/database.ts';
import { DriverSessions } from '../../../src/access/driver-token.ts';
import { Sealer } from '../../../src/access/sealer.ts';
import { addMicros, type Instant, instantFromMillis } from '../../../src/core/instant.ts';
import { ClockBook, realClock } from '../../../src/domain/clocks/company-clock.ts';
import { CompanyNames } from '../../../src/domain/companies/company.ts';
import { Looks } from '../../../src/domain/dispatch/due.ts';
import type { DispatchWaits } from '../../../src/domain/dispatch/plan.ts';
import { LookBook, PositionBook } from '../../../src/domain/drivers/positions.ts';
import { ServiceLevelBook } from '../../../src/domain/offers/service-level-book.ts';
import { PickupPoints } from '../../../src/domain/places/pickup-point.ts';
import { TariffBook } from '../../../src/domain/pricing/tariff-book.ts';
import { EndpointSecrets } from '../../../src/domain/webhooks/secret.ts';
import { prometheusMetrics } from '../../../src/platform/deno/prometheus.ts';
import { noAddresses, noMessages } from '../../../src/providers/absent.ts';
import { fixtureRouting } from '../../../src/providers/routing/fixture.ts';
import { monotonicMs, systemRandom } from '../../../src/providers/system.ts';
import { openCommitter } from '../../../src/service/database-writer-core.ts';

/* One process of the service without its timers. Due work runs when the test asks for it. */

/** Stops, except for a microsecond per read, like the service's own clock within a millisecond. */
export class TestClock {
  #now = instantFromMillis(Date.parse('2026-11-21T09:00:00Z'));

  now(): Instant {
    this.#now = addMicros(this.#now, 1);
    return this.#now;
  }

  advance(seconds: number): void {
    this.#now = addMicros(this.#now, Math.round(seconds * 1_000_000));
  }
}

const WAITS: DispatchWaits = {
  offerSeconds: 60,
  candidateSeconds: 900,
  lookSeconds: 5,
  leadSeconds: null,
  silenceSeconds: null,
};

/** The databases of the process, and how it reaches them. */
export interface Surroundings {
  readonly directory: ServerAddress;
  readonly shard: ServerAddress;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly clock: TestClock;
  readonly report: (databaseId: string, failure: string) => void;
}

interface ServerAddress {
  readonly url: string;
  readonly adminUrl: string;
}

/** As long as with the terms of production. */
const FIRST_LEASE_MS = 45_000;

export function processOf({ directory, shard, fetch, clock, report }: Surroundings) {
  const metrics = prometheusMetrics();
  const storeOf = (id: string, { url, adminUrl }: ServerAddress) => {
    const kind = id === 'directory' ? 'directory' : 'shard';
    const identity = { kind, id, deployment: 'local' } as const;
    const address = { id, url, admin: { url: adminUrl }, authToken: undefined, identity };
    const reportAs = (failure: string) => report(id, failure);
    return {
      database: openDatabase({ ...address, fetch, monotonicMs, report: reportAs }),
      writer: openCommitter({ address, requireDurable: true, fetch, monotonicMs, report, metrics }),
    };
  };
  return {
    ...storeOf('shard-1', shard),
    directory: storeOf('directory', directory),
    clock: realClock(clock),
    clockBook: new ClockBook(clock, monotonicMs, true),
    reach: 'everybody' as const,
    companyId: null,
    metrics,
    random: systemRandom,
    actor: { personId: null, clientId: 'mcl_operator', address: null, requestId: systemRandom.uuid() },
    config: {
      deployment: 'local' as const,
      credentialKey: 'C'.repeat(42) + 'A',
      credentialKeys: ['C'.repeat(42) + 'A'],
      recipientRetentionDays: 180,
      deliveryWindows: {},
      // The national day of Saudi Arabia, a Thursday in 2027.
      holidays: ['2027-09-23'],
      firstLease: { holder: systemRandom.uuid(), ms: FIRST_LEASE_MS },
    },
    waits: WAITS,
    looks: new Looks(),
    endpointSecrets: new EndpointSecrets([{ kid: 'test', key: 'A'.repeat(43) }], systemRandom),
    priceLocks: new Sealer(['B'.repeat(42) + 'A'], systemRandom),
    routing: fixtureRouting,
    pickupPoints: new PickupPoints(),
    tariffBook: new TariffBook(monotonicMs),
    serviceLevelBook: new ServiceLevelBook(monotonicMs),
    driverSessions: new DriverSessions(clock),
    positions: { report: () => Promise.resolve(true) },
    positionBook: new PositionBook(),
    lookBook: new LookBook(),
    addresses: noAddresses,
    messages: noMessages,
    companyNames: new CompanyNames(monotonicMs),
  };
}
