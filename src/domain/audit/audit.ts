import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Sealer } from '../../access/sealer.ts';
import {
  type AuditEntryRecord,
  OPERATIONS,
  type OperatorAuditEntry,
  type OperatorAuditFilter,
  type SetUp,
} from '../../contract/audit.ts';
import { formatInstant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type Page, type PageRequest, positionOf, readMergedPage } from '../page.ts';
import {
  type AuditRow,
  auditPage,
  companyOfEntry,
  operatorAuditPage,
  personNamesByIds,
  setUpEntriesOf,
} from './store.ts';

export interface AuditDependencies {
  readonly directory: { readonly database: Database };
  /** The company's shard. */
  readonly database: Database;
  readonly cursors: Sealer;
}

export interface OperatorAuditDependencies {
  readonly directory: { readonly database: Database };
  readonly shards: ReadonlyMap<string, { readonly database: Database }>;
  readonly cursors: Sealer;
}

/** The audit of the company, newest first. It merges the entries of the directory and of the shard. */
export async function listAudit(
  { directory, database, cursors }: AuditDependencies,
  scope: CompanyScope,
  request: PageRequest,
): Promise<Result<Page<AuditEntryRecord>>> {
  return readMergedPage({ databases: [directory.database, database], cursors }, request, {
    ...NEWEST_FIRST,
    binding: ['audit', scope.companyId, 'at desc'],
    select: (after, rows) => auditPage(scope, positionOf(after), rows),
    present: presentToCompany,
  });
}

/** Changes that operators and their programs made and that match, newest first, from the directory and every shard in one list. */
export async function listOperatorAudit(
  { directory, shards, cursors }: OperatorAuditDependencies,
  { companyId, subject, personId, ...request }: PageRequest & OperatorAuditFilter,
): Promise<Result<Page<OperatorAuditEntry>>> {
  const filter = { companyId, subject, personId };
  const databases = [directory.database, ...[...shards.values()].map(({ database }) => database)];
  const page = await readMergedPage<AuditRow, AuditRow>({ databases, cursors }, request, {
    ...NEWEST_FIRST,
    binding: ['audit of operators', companyId, subject, personId, 'at desc'],
    select: (after, rows) => operatorAuditPage(filter, positionOf(after), rows),
    present: (row) => row,
  });
  if (!page.ok) return page;
  const ids = new Set(page.value.data.flatMap(({ personId }) => personId ?? []));
  const answer = await directory.database.read(personNamesByIds([...ids]));
  if (!answer.ok) return unavailable();
  const names = new Map(answer.rows.map(({ id, name }) => [id, name]));
  const nameOf = (personId: Uuid | null) => (personId === null ? null : (names.get(personId) ?? null));
  const data = page.value.data.map((row) => ({
    ...present(row),
    personName: nameOf(row.personId),
    companyId: companyOfEntry(row),
  }));
  return ok({ ...page.value, data });
}

/** The things that a person created for the company and may still know the secrets of, newest first. */
export async function listSetUp(
  { directory, database }: Omit<AuditDependencies, 'cursors'>,
  scope: CompanyScope,
  personId: Uuid,
): Promise<Result<SetUp[]>> {
  const [first, second] = await Promise.all([
    directory.database.read(setUpEntriesOf(scope, personId)),
    database.read(setUpEntriesOf(scope, personId)),
  ]);
  if (!first.ok || !second.ok) return unavailable();
  const rows = [...first.rows, ...second.rows].toSorted((left, right) => (left.at < right.at ? 1 : -1));
  return ok(rows.map(({ at, ...row }) => ({ ...row, at: formatInstant(at) })));
}

const NEWEST_FIRST = {
  keyOf: ({ id }: AuditRow) => id,
  positionOf: ({ at, id }: AuditRow) => [String(at), id],
  compare: newestFirst,
};

function newestFirst(left: AuditRow, right: AuditRow): number {
  if (left.at !== right.at) return left.at < right.at ? 1 : -1;
  return left.id < right.id ? 1 : -1;
}

/** An entry as the company sees it: of a change by operators, neither which program made it nor its network address. */
function presentToCompany(row: AuditRow): AuditEntryRecord {
  if (row.clientId === null) return { ...present(row), clientId: null };
  return { ...present(row), personId: null, clientId: OPERATIONS, address: null };
}

function present({
  id,
  companyId: _company,
  at,
  detail,
  ...row
}: AuditRow): Omit<OperatorAuditEntry, 'companyId' | 'personName'> {
  return {
    entryId: id,
    ...row,
    at: formatInstant(at),
    detail: parseStored<AuditEntryRecord['detail']>(detail),
  };
}
