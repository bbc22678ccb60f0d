import type { Database } from '../../../db/database.ts';
import type { Cursors } from '../../access/cursor.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { AuditEntryRecord, SetUp } from '../../contract/audit.ts';
import { formatInstant } from '../../core/instant.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type Page, type PageRequest, positionOf } from '../page.ts';
import { type AuditRow, directoryAuditPage, directorySetUpBy, shardAuditPage, shardSetUpBy } from './store.ts';

export interface AuditDependencies {
  readonly directory: { readonly database: Database };
  /** The company's shard. */
  readonly database: Database;
  readonly cursors: Cursors;
}

/** The audit of the company, newest first. It merges the entries of the directory and of the shard. */
export async function listAudit(
  { directory, database, cursors }: AuditDependencies,
  scope: CompanyScope,
  { limit, cursor }: PageRequest,
): Promise<Result<Page<AuditEntryRecord>>> {
  const binding = ['audit', scope.companyId, 'at desc'];
  const opened = cursor === undefined ? undefined : await cursors.open(binding, cursor);
  if (cursor !== undefined && opened === undefined) return refuse('INVALID_CURSOR');
  const after = positionOf(opened);
  const answers = await Promise.all([
    directory.database.read(directoryAuditPage(scope, after, limit + 1)),
    database.read(shardAuditPage(scope, after, limit + 1)),
  ]);
  const rows: AuditRow[] = [];
  for (const answer of answers) {
    if (!answer.ok) return unavailable();
    rows.push(...answer.rows);
  }
  // Each database returns its newest entries, so the newest of both are included.
  const sorted = rows.toSorted(newestFirst);
  const shown = sorted.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = sorted.length > limit && last !== undefined;
  const nextCursor = hasMore ? await cursors.seal(binding, [String(last.at), last.id]) : null;
  return ok({ data: shown.map(present), page: { nextCursor, hasMore } });
}

/** What a person set up for the company and may still know the secret of, newest first. */
export async function listSetUp(
  { directory, database }: Omit<AuditDependencies, 'cursors'>,
  scope: CompanyScope,
  personId: Uuid,
): Promise<Result<SetUp[]>> {
  const [first, second] = await Promise.all([
    directory.database.read(directorySetUpBy(scope, personId)),
    database.read(shardSetUpBy(scope, personId)),
  ]);
  if (!first.ok || !second.ok) return unavailable();
  const rows = [...first.rows, ...second.rows].toSorted((left, right) => (left.at < right.at ? 1 : -1));
  return ok(rows.map(({ at, ...row }) => ({ ...row, at: formatInstant(at) })));
}

function newestFirst(left: AuditRow, right: AuditRow): number {
  if (left.at !== right.at) return left.at < right.at ? 1 : -1;
  return left.id < right.id ? 1 : -1;
}

function present({ id, companyId: _company, at, detail, ...row }: AuditRow): AuditEntryRecord {
  return {
    entryId: id,
    ...row,
    at: formatInstant(at),
    detail: JSON.parse(detail) as AuditEntryRecord['detail'],
  };
}
