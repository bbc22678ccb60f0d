import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Sealer } from '../../access/sealer.ts';
import type { Case, OwedCase } from '../../contract/case.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { ClockBook } from '../clocks/company-clock.ts';
import { companyNamesByIds } from '../companies/store.ts';
import { type Page, type PageRequest, positionOf, readMergedPage } from '../page.ts';
import { caseById, casesOwed, messagesOf, type QueueRow } from './case-store.ts';
import { presentCase, presentSummary } from './case-view.ts';
import { noteLook } from './operator-lists.ts';

interface QueueDependencies {
  readonly directory: { readonly database: Database };
  readonly shards: ReadonlyMap<string, { readonly database: Database }>;
  readonly cursors: Sealer;
  readonly clockBook: ClockBook;
}

interface Found {
  readonly row: QueueRow;
  /** The shard. */
  readonly source: string;
}

/** Cases of all companies to which an answer is owed, the least time left first, without their texts. */
export async function listOwedCases(
  dependencies: QueueDependencies,
  request: PageRequest,
): Promise<Result<Page<OwedCase>>> {
  const { shards, cursors } = dependencies;
  const databases = [...shards.values()].map(({ database }) => database);
  const page = await readMergedPage<QueueRow, Found>({ databases, cursors }, request, {
    binding: ['cases of operators'],
    select: (after, rows) => casesOwed(positionOf(after), rows),
    keyOf: ({ id }) => id,
    positionOf: ({ answerBy, id }) => [String(answerBy), id],
    compare: leastTimeFirst,
    present: (row, source) => ({ row, source }),
  });
  if (!page.ok) return page;
  const data = await presentAll(dependencies, page.value.data);
  return data.ok ? ok({ ...page.value, data: data.value }) : data;
}

function leastTimeFirst(left: QueueRow, right: QueueRow): number {
  if (left.answerBy !== right.answerBy) return left.answerBy < right.answerBy ? -1 : 1;
  return left.id < right.id ? -1 : 1;
}

/** Each company has its own time in a sandbox. */
async function presentAll(
  { directory, shards, clockBook }: QueueDependencies,
  found: readonly Found[],
): Promise<Result<OwedCase[]>> {
  if (found.length === 0) return ok([]);
  const sources = new Map(found.map(({ row, source }) => [row.companyId, source]));
  const names = await directory.database.read(companyNamesByIds([...sources.keys()]));
  if (!names.ok) return unavailable();
  const nameOf = new Map(names.rows.map(({ id, name }) => [id, name]));
  const clocks = new Map<Uuid, CompanyClock>();
  for (const [companyId, source] of sources) {
    const shard = shards.get(source);
    const clock = shard === undefined ? unavailable() : await clockBook.clockOf(shard.database, companyId);
    if (!clock.ok) return clock;
    clocks.set(companyId, clock.value);
  }
  return ok(
    found.flatMap(({ row }) => {
      const { companyId, shipmentNumber } = row;
      const now = clocks.get(companyId)?.now();
      if (now === undefined) return [];
      const companyName = nameOf.get(companyId) ?? null;
      return [{ ...presentSummary(row, now), companyId, companyName, shipmentNumber }];
    }),
  );
}

/** One case with its texts. Nothing is shown before the audit has the operator's name. */
export async function readCaseForOperator(
  dependencies: { readonly database: Database; readonly writer: Writer; readonly clock: CompanyClock },
  scope: CompanyScope,
  caseId: Uuid,
): Promise<Result<Case>> {
  const { database, clock } = dependencies;
  const found = await database.readAll([caseById(scope, caseId), messagesOf(scope, caseId)] as const);
  if (!found.ok) return unavailable();
  const [[row], messages] = found.results;
  if (row === undefined) return refuse('RESOURCE_NOT_FOUND');
  const noted = await noteLook({ ...dependencies, clock: clock.wall }, scope, row.shipmentId);
  return noted.ok ? ok(presentCase(row, messages, clock.now())) : noted;
}
