import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Case, CaseSummary, RecipientCase } from '../../contract/case.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { type Page, type PageDependencies, type PageRequest, positionOf, readPage } from '../page.ts';
import {
  type CaseFilter,
  type CaseRow,
  caseById,
  casePage,
  casesOfRecipient,
  messagesOf,
  recipientMessagesOf,
} from './case-store.ts';
import { presentCase, presentSummary, presentToRecipient } from './case-view.ts';

interface ReadDependencies {
  /** The company's shard. */
  readonly database: Database;
  readonly clock: CompanyClock;
}

/** Cases of the company, newest first, without their texts. */
export function listCases(
  { clock, ...dependencies }: PageDependencies & ReadDependencies,
  scope: CompanyScope,
  { limit, cursor, ...filter }: CaseFilter & PageRequest,
): Promise<Result<Page<CaseSummary>>> {
  const { state, kind, shipmentId, from, to } = filter;
  const now = clock.now();
  return readPage<CaseRow, CaseSummary>(
    dependencies,
    { limit, cursor },
    {
      binding: ['cases', scope.companyId, state, kind, shipmentId, String(from), String(to)],
      select: (after, rows) => casePage(scope, filter, positionOf(after), rows),
      positionOf: ({ createdAt, id }) => [String(createdAt), id],
      present: (row) => presentSummary(row, now),
    },
  );
}

/** A case with all that was written in it. */
export async function readCase(
  { database, clock }: ReadDependencies,
  scope: CompanyScope,
  caseId: Uuid,
): Promise<Result<Case>> {
  const found = await database.readAll([caseById(scope, caseId), messagesOf(scope, caseId)] as const);
  if (!found.ok) return unavailable();
  const [[row], messages] = found.results;
  return row === undefined ? refuse('RESOURCE_NOT_FOUND') : ok(presentCase(row, messages, clock.now()));
}

/** The cases that the present recipient of a shipment has opened, newest first. */
export async function readRecipientCases(
  { database, clock }: ReadDependencies,
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<RecipientCase[]>> {
  const found = await database.readAll([
    casesOfRecipient(scope, shipmentId),
    recipientMessagesOf(scope, shipmentId),
  ] as const);
  if (!found.ok) return unavailable();
  const [rows, messages] = found.results;
  const now = clock.now();
  return ok(rows.map((row) => presentToRecipient(row, messages, now)));
}
