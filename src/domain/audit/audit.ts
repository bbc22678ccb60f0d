import type { Database } from '../../../db/database.ts';
import type { ReadStatement } from '../../../db/statement.ts';
import type { Cursors } from '../../access/cursor.ts';
import type { CompanyScope } from '../../access/require.ts';
import { type AuditEntryRecord, OPERATIONS, type OperatorAuditEntry, type SetUp } from '../../contract/audit.ts';
import { formatInstant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type Page, type PageRequest, type Position, positionOf } from '../page.ts';
import { type AuditRow, auditPage, companyOfEntry, operatorAuditPage, setUpBy } from './store.ts';

export interface AuditDependencies {
  readonly directory: { readonly database: Database };
  /** The company's shard. */
  readonly database: Database;
  readonly cursors: Cursors;
}

export interface OperatorAuditDependencies {
  readonly directory: { readonly database: Database };
  readonly shards: ReadonlyMap<string, { readonly database: Database }>;
  readonly cursors: Cursors;
}

/** The audit of the company, newest first. It merges the entries of the directory and of the shard. */
export async function listAudit(
  { directory, database, cursors }: AuditDependencies,
  scope: CompanyScope,
  request: PageRequest,
): Promise<Result<Page<AuditEntryRecord>>> {
  const merged = await mergePages([directory.database, database], request, {
    cursors,
    binding: ['audit', scope.companyId, 'at desc'],
    select: (after, rows) => auditPage(scope, after, rows),
  });
  return merged.ok ? ok({ ...merged.value, data: merged.value.data.map(presentToCompany) }) : merged;
}

/** Changes that operators and their programs made, newest first, from the directory and every shard in one list. */
export async function listOperatorAudit(
  { directory, shards, cursors }: OperatorAuditDependencies,
  request: PageRequest,
): Promise<Result<Page<OperatorAuditEntry>>> {
  const databases = [directory.database, ...[...shards.values()].map(({ database }) => database)];
  const binding = ['audit of operators', 'at desc'];
  const merged = await mergePages(databases, request, { cursors, binding, select: operatorAuditPage });
  if (!merged.ok) return merged;
  const data = merged.value.data.map((row) => ({ ...present(row), companyId: companyOfEntry(row) }));
  return ok({ ...merged.value, data });
}

interface MergedList {
  readonly cursors: Cursors;
  readonly binding: string[];
  readonly select: (after: Position | undefined, rows: number) => ReadStatement<AuditRow>;
}

/** One page merged from several databases. Each returns its newest rows, so the newest of all are among them. */
async function mergePages(
  databases: readonly Database[],
  { limit, cursor }: PageRequest,
  { cursors, binding, select }: MergedList,
): Promise<Result<Page<AuditRow>>> {
  const opened = cursor === undefined ? undefined : await cursors.open(binding, cursor);
  if (cursor !== undefined && opened === undefined) return refuse('INVALID_CURSOR');
  const after = positionOf(opened);
  const answers = await Promise.all(databases.map((database) => database.read(select(after, limit + 1))));
  // While a company moves, two shards have its entries.
  const rows = new Map<Uuid, AuditRow>();
  for (const answer of answers) {
    if (!answer.ok) return unavailable();
    for (const row of answer.rows) rows.set(row.id, row);
  }
  const sorted = [...rows.values()].toSorted(newestFirst);
  const data = sorted.slice(0, limit);
  const last = data.at(-1);
  const hasMore = sorted.length > limit && last !== undefined;
  const nextCursor = hasMore ? await cursors.seal(binding, [String(last.at), last.id]) : null;
  return ok({ data, page: { nextCursor, hasMore } });
}

/** The things that a person created for the company and may still know the secrets of, newest first. */
export async function listSetUp(
  { directory, database }: Omit<AuditDependencies, 'cursors'>,
  scope: CompanyScope,
  personId: Uuid,
): Promise<Result<SetUp[]>> {
  const [first, second] = await Promise.all([
    directory.database.read(setUpBy(scope, personId)),
    database.read(setUpBy(scope, personId)),
  ]);
  if (!first.ok || !second.ok) return unavailable();
  const rows = [...first.rows, ...second.rows].toSorted((left, right) => (left.at < right.at ? 1 : -1));
  return ok(rows.map(({ at, ...row }) => ({ ...row, at: formatInstant(at) })));
}

function newestFirst(left: AuditRow, right: AuditRow): number {
  if (left.at !== right.at) return left.at < right.at ? 1 : -1;
  return left.id < right.id ? 1 : -1;
}

/** An entry as the company sees it: of a change by operators, neither which program made it nor its network address. */
function presentToCompany(row: AuditRow): AuditEntryRecord {
  if (row.clientId === null) return { ...present(row), clientId: null };
  return { ...present(row), personId: null, clientId: OPERATIONS, address: null };
}

function present({ id, companyId: _company, at, detail, ...row }: AuditRow): Omit<OperatorAuditEntry, 'companyId'> {
  return {
    entryId: id,
    ...row,
    at: formatInstant(at),
    detail: parseStored<AuditEntryRecord['detail']>(detail),
  };
}
