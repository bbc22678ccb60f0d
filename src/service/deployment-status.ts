import type { DatabaseReadiness } from '../../db/readiness.ts';
import type { DatabaseStatus, DeploymentStatus } from '../contract/deployment-status.ts';
import { literalDecimal } from '../core/decimal.ts';
import { formatInstant, type Instant } from '../core/instant.ts';
import { nextDue } from '../domain/dispatch/store.ts';
import { tariffInForce } from '../domain/pricing/store.ts';
import { backlog } from '../domain/webhooks/upkeep-store.ts';
import { checkReadiness } from './readiness.ts';
import type { Services } from './services.ts';

/** Two places in Riyadh. Any answer shows that the engine works, also that it knows no road between them. */
const PROBE = [
  { latitude: literalDecimal('24.711667'), longitude: literalDecimal('46.674167') },
  { latitude: literalDecimal('24.794722'), longitude: literalDecimal('46.626111') },
] as const;

/** Asks the databases, their writers and the routing engine how they are. Takes a few seconds if one of them hangs. */
export async function readDeploymentStatus(services: Services): Promise<DeploymentStatus> {
  const { config, clock, routing, messages, documents } = services;
  const now = clock.now();
  const [{ databases, shipments }, probed] = await Promise.all([checkReadiness(services), routing.findRoute(...PROBE)]);
  return {
    deployment: config.deployment,
    checkedAt: formatInstant(now),
    databases: await Promise.all(databases.map((readiness) => readDatabaseStatus(services, readiness, now))),
    routing: { engine: routing.engine, answers: probed.ok || probed.reason === 'no_route' },
    messages: { provider: messages.provider },
    documents: { provider: documents.provider },
    shipments: { possible: shipments.possible, missing: [...shipments.missing] },
  };
}

async function readDatabaseStatus(
  services: Services,
  { mismatch: _named, ...readiness }: DatabaseReadiness,
  now: Instant,
): Promise<DatabaseStatus> {
  const { monotonicMs, writerReports } = services;
  const kind = services.shards.has(readiness.database) ? 'SHARD' : 'DIRECTORY';
  const nothing = { ...readiness, kind, latencyMs: null, sweptAt: null, work: null } as const;
  if (!readiness.answers || !readiness.migrationsCurrent) return nothing;
  const sweptAt = writerReports.lastSweptAt(readiness.database);
  const startedMs = monotonicMs();
  const read = await readWork(services, readiness.database, now);
  const latencyMs = read === undefined ? null : Math.round(monotonicMs() - startedMs);
  return { ...nothing, latencyMs, sweptAt: formatOrNull(await sweptAt), work: read?.work ?? null };
}

/** Undefined if the database does not answer. */
async function readWork({ directory, shards }: Services, databaseId: string, now: Instant) {
  const shard = shards.get(databaseId);
  if (shard === undefined) {
    const answer = await directory.database.read(tariffInForce(now));
    return answer.ok ? { work: null } : undefined;
  }
  const answer = await shard.database.readAll([
    nextDue({ reach: 'everybody', companyId: null, now }),
    backlog(now),
  ] as const);
  if (!answer.ok) return undefined;
  const [[due], [waiting]] = answer.results;
  const dueAt = due?.dueAt ?? null;
  const work = {
    oldestDueAt: formatOrNull(dueAt !== null && dueAt <= now ? dueAt : null),
    webhooksWaiting: waiting?.deliveries ?? 0,
    oldestWebhookAt: formatOrNull(waiting?.oldestDueAt ?? null),
  };
  return { work };
}

function formatOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
