import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { AuditActor } from '../../access/principal.ts';
import type { Decimal } from '../../core/decimal.ts';
import { addSeconds, formatInstant, type Instant } from '../../core/instant.ts';
import { ok, type Refusal, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { commitChange } from '../audit/change.ts';
import { allTariffs, type TariffRow } from './store.ts';
import { TARIFF_CURRENCY, type Tariff } from './tariff.ts';
import { TARIFF_LEAD_SECONDS, type TariffBook, tariffOf } from './tariff-book.ts';
import { tariffDelete, tariffInsert } from './tariff-store.ts';

export interface PublishDependencies {
  readonly directory: { readonly database: Database; readonly writer: Writer };
  readonly clock: Clock;
  readonly random: Random;
  readonly tariffBook: TariffBook;
  /** The operator or the operator's program that publishes. */
  readonly actor: AuditActor;
}

export interface TariffOrder {
  readonly effectiveFrom: Instant;
  readonly baseAmount: Decimal;
  readonly kilometreAmount: Decimal;
  readonly vatRate: Decimal;
  readonly cancellationAmount: Decimal;
  readonly cancellationGraceSeconds: number;
  readonly amendmentFreeMeters: number;
  readonly returnRate: Decimal;
  readonly redeliveryRate: Decimal;
  readonly lateCancellationSeconds: number | null;
  readonly lockSecondsMax: number;
  readonly cities: readonly { readonly cityCode: string; readonly surcharge: Decimal }[];
}

/** A tariff is planned at most this far ahead, so that a mistyped year is refused. */
const AHEAD_SECONDS_MAX = 400 * 86_400;

/**
 * Publishes the next version of the tariff. It starts after every earlier version, and late enough for each process to
 * read it first (`TARIFF_LEAD_SECONDS`). Versions that have started never change.
 */
export async function publishTariff(dependencies: PublishDependencies, order: TariffOrder): Promise<Result<Tariff>> {
  const { directory, clock, random, tariffBook, actor } = dependencies;
  const known = await directory.database.read(allTariffs());
  if (!known.ok) return unavailable();
  const now = clock.now();
  const latest = known.rows.at(-1);
  const limit = startLimit(order.effectiveFrom, latest, now);
  if (limit !== undefined) return outOfRange('effectiveFrom', limit);
  const { cities, ...amounts } = order;
  const row = {
    ...amounts,
    version: (latest?.version ?? 0) + 1,
    currency: TARIFF_CURRENCY,
    citySurcharges: JSON.stringify(Object.fromEntries(cities.map(({ cityCode, surcharge }) => [cityCode, surcharge]))),
    createdAt: now,
  };
  const entry = { action: 'tariff.published', subject: String(row.version), at: now, detail: {} };
  const published = await commitChange(directory, {
    unit: { statements: [tariffInsert(row)] },
    audit: { id: random.uuid(), scope: undefined, actor, ...entry },
  });
  if (!published.ok) return published;
  // Another operator published this version first.
  if (!published.value) return unavailable();
  tariffBook.forget();
  return ok(tariffOf(row));
}

/** The limit that a start is outside of. */
function startLimit(start: Instant, latest: TariffRow | undefined, now: Instant): string | undefined {
  if (latest !== undefined && latest.effectiveFrom > now && start <= latest.effectiveFrom)
    return `after ${formatInstant(latest.effectiveFrom)}, when version ${latest.version} begins`;
  const [first, last] = [addSeconds(now, TARIFF_LEAD_SECONDS), addSeconds(now, AHEAD_SECONDS_MAX)];
  return start < first || start > last ? `from ${formatInstant(first)} to ${formatInstant(last)}` : undefined;
}

function outOfRange(field: string, limit: string): Refusal {
  return refuse('VALIDATION_FAILED', { violations: [{ field, code: 'OUT_OF_RANGE', limit }] });
}

/**
 * Withdraws a version that has not begun. It must begin late enough for each process to forget it first. No shipment has its
 * number, so the next version may get it. 404 for an unknown version.
 */
export async function withdrawTariff(dependencies: PublishDependencies, version: number): Promise<Result<Tariff[]>> {
  const { directory, clock, random, tariffBook, actor } = dependencies;
  const now = clock.now();
  const entry = { action: 'tariff.withdrawn', subject: String(version), at: now, detail: {} };
  const withdrawn = await commitChange(directory, {
    unit: { statements: [tariffDelete(version, addSeconds(now, TARIFF_LEAD_SECONDS))] },
    audit: { id: random.uuid(), scope: undefined, actor, ...entry },
  });
  if (!withdrawn.ok) return withdrawn;
  tariffBook.forget();
  const left = await listTariffs(dependencies);
  if (withdrawn.value || !left.ok) return left;
  const isKnown = left.value.some((tariff) => tariff.version === version);
  return isKnown ? outOfRange('version', 'comingTariff') : refuse('RESOURCE_NOT_FOUND');
}

/** Every version, oldest first. */
export async function listTariffs({ directory }: Pick<PublishDependencies, 'directory'>): Promise<Result<Tariff[]>> {
  const answer = await directory.database.read(allTariffs());
  return answer.ok ? ok(answer.rows.map(tariffOf)) : unavailable();
}
