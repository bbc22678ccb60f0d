import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { CompanyState, ListedCompany, OperatorCompany } from '../../contract/operator-company.ts';
import type { Deployment } from '../../core/deployment.ts';
import { formatInstant, type Instant } from '../../core/instant.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import { foldedOf } from '../../core/typed/folded.ts';
import { parseUuid } from '../../core/uuid.ts';
import { defaultPolicy } from '../addresses/policy.ts';
import { type Page, type PageDependencies, type PageRequest, readPage } from '../page.ts';
import {
  type CompanyQuery,
  clientsOf,
  companyInDetail,
  companyPage,
  type ListedCompanyRow,
  moveOf,
  policiesOf,
  type SuspensionRow,
  suspensionsOf,
} from './operator-store.ts';
import { proofTermsOf } from './proof-terms.ts';
import { standingOf } from './standing.ts';

/* Companies as operators see them. */

export interface CompaniesRequest extends PageRequest {
  /** A part of the name, a company id or the number of a commercial registration. */
  readonly search?: string | undefined;
  readonly state?: CompanyState | undefined;
}

/** Companies that match, newest first. */
export function listCompanies(
  dependencies: PageDependencies,
  { search = '', state, ...page }: CompaniesRequest,
): Promise<Result<Page<ListedCompany>>> {
  const query = queryOf(foldedOf(search), state);
  return readPage(dependencies, page, {
    binding: ['companies', query.text, state, 'id desc'],
    select: (after, rows) => companyPage(query, after?.[0], rows),
    positionOf: ({ id }) => [id],
    present: presentListed,
  });
}

/** Ids and registration numbers have forms that no name has, so each search reads by one index or all names. */
function queryOf(text: string, state: CompanyState | undefined): CompanyQuery {
  const companyId = parseUuid(text);
  if (companyId !== undefined) return { by: 'companyId', text: companyId, state };
  if (/^[0-9]{10}$/.test(text)) return { by: 'commercialRegistrationNumber', text, state };
  return { by: text === '' ? 'all' : 'name', text, state };
}

export interface CompanyViewDependencies {
  readonly directory: { readonly database: Database };
  /** The company's shard. */
  readonly database: Database;
  readonly shards: ReadonlyMap<string, unknown>;
  readonly config: { readonly deployment: Deployment };
}

/** A company with its suspensions, policy, people, clients and last move. */
export async function readCompany(
  { directory, database, shards, config }: CompanyViewDependencies,
  scope: CompanyScope,
): Promise<Result<OperatorCompany>> {
  const [ofDirectory, ofShard] = await Promise.all([
    directory.database.readAll([companyInDetail(scope), suspensionsOf(scope), clientsOf(scope)] as const),
    database.readAll([policiesOf(scope), moveOf(scope)] as const),
  ]);
  if (!ofDirectory.ok || !ofShard.ok) return unavailable();
  const [[company], suspensions, clients] = ofDirectory.results;
  const [[settings], [move]] = ofShard.results;
  if (company === undefined) return refuse('ACCESS_DENIED');
  const { registrationId, review, peopleCount } = company;
  return ok({
    ...presentListed(company),
    version: standingOf(suspensions[0]).version,
    suspensions: suspensions.map(presentSuspension),
    approvalPolicy: settings?.approvalPolicy ?? 'AUTOMATIC',
    addressPolicy: settings?.addressPolicy ?? defaultPolicy(config.deployment),
    proofTerms: proofTermsOf(settings?.proofTerms ?? null, config.deployment),
    registration: registrationId === null ? null : { registrationId, review },
    peopleCount,
    credentials: clients.map(({ clientId, lastUsedAt }) => ({
      clientId,
      lastUsedAt: lastUsedAt === null ? null : formatInstant(lastUsedAt),
    })),
    move: move === undefined ? null : { ...move, changedAt: formatInstant(move.changedAt) },
    otherShards: [...shards.keys()].filter((shard) => shard !== scope.shard),
  });
}

function presentListed(row: ListedCompanyRow): ListedCompany {
  const { id, name, shard, suspendedSince, commercialRegistrationNumber, createdAt } = row;
  return {
    companyId: id,
    name,
    state: suspendedSince === null ? 'ACTIVE' : 'SUSPENDED',
    shard,
    commercialRegistrationNumber,
    createdAt: formatInstant(createdAt),
  };
}

function presentSuspension(row: SuspensionRow): OperatorCompany['suspensions'][number] {
  return {
    suspended: presentChange(row.suspendedBy, row.suspendedByName, row.reason, row.since),
    resumed:
      row.endedAt === null || row.endedBy === null || row.endReason === null
        ? null
        : presentChange(row.endedBy, row.endedByName, row.endReason, row.endedAt),
  };
}

function presentChange(operator: string, fullName: string | null, reason: string, at: Instant) {
  return { operator, fullName, reason, at: formatInstant(at) };
}
