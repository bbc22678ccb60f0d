import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { AuditActor, Operator } from '../../access/principal.ts';
import { type CompanyScope, scopeForOperator, scopeWithActor } from '../../access/require.ts';
import type { CompanyStanding, CompanyState } from '../../contract/operator-company.ts';
import { formatInstant, type Instant } from '../../core/instant.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, changeVersioned } from '../audit/change.ts';
import { readRow } from '../rows.ts';
import { type SuspensionRow, suspensionEnd, suspensionInsert, suspensionsOf } from './operator-store.ts';
import { companyById } from './store.ts';

/*
 * Operators suspend and resume companies. The checks of tokens and sessions read the suspension in the directory, so it
 * needs no write in the company's shard, and the company's shipments go on.
 */

export interface StandingDependencies {
  readonly directory: { readonly database: Database; readonly writer: Writer };
  readonly clock: Clock;
  readonly random: Random;
}

/** The operator, as the guard and the audit name them. */
interface ActingOperator {
  readonly operator: Operator;
  readonly actor: AuditActor;
}

export interface StandingOrder {
  readonly companyId: Uuid;
  readonly state: CompanyState;
  /** The version that the operator saw. */
  readonly version: number;
  readonly reason: string;
}

/** A company's state, and the change that led to it. */
interface Standing {
  readonly state: CompanyState;
  /** The number of changes so far. */
  readonly version: number;
  readonly changedBy: string | null;
  readonly changedAt: Instant | null;
}

/**
 * Suspends or resumes a company. 409 if it already is in that state, 412 if it has changed since the operator read it; both
 * name the current state and the operator who changed it.
 */
export async function setStanding(
  dependencies: StandingDependencies,
  order: StandingOrder,
  by: ActingOperator,
): Promise<Result<CompanyStanding>> {
  const { directory, clock } = dependencies;
  const { companyId, state, reason } = order;
  const found = await readRow(directory.database, companyById(companyId), 'ACCESS_DENIED');
  if (!found.ok) return found;
  const scope = scopeWithActor(scopeForOperator(by.operator, found.value), by.actor);
  return changeVersioned<Standing, CompanyStanding>(directory, {
    read: () => readStanding(directory.database, scope),
    decide: (seen) => {
      const members = membersOf(seen);
      if (seen.state === state) return refuse('INVALID_STATE_TRANSITION', { members });
      if (seen.version !== order.version) return refuse('PRECONDITION_FAILED', { members });
      const isSuspension = state === 'SUSPENDED';
      const version = seen.version + 1;
      const at = clock.now();
      const operator = by.operator.kind === 'operator' ? by.operator.clientId : by.operator.personId;
      const update = { at, by: operator, reason };
      const statement = isSuspension
        ? suspensionInsert(scope, { ...update, version })
        : suspensionEnd(scope, { ...update, version: seen.version });
      const action = isSuspension ? 'company.suspended' : 'company.resumed';
      const audit = auditOf(dependencies, scope, { action, subject: companyId, at, detail: { version } });
      return ok({ kind: 'change', value: { companyId, state, version }, unit: { statements: [statement] }, audit });
    },
  });
}

/** The state after the newest suspension. A company without one is active. */
export function standingOf(newest: SuspensionRow | undefined): Standing {
  if (newest === undefined) return { state: 'ACTIVE', version: 0, changedBy: null, changedAt: null };
  const { version, since, suspendedBy, endedAt, endedBy } = newest;
  if (endedAt === null) return { state: 'SUSPENDED', version, changedBy: suspendedBy, changedAt: since };
  return { state: 'ACTIVE', version: version + 1, changedBy: endedBy, changedAt: endedAt };
}

async function readStanding(database: Database, scope: CompanyScope): Promise<Result<Standing>> {
  const answer = await database.read(suspensionsOf(scope, 1));
  return answer.ok ? ok(standingOf(answer.rows[0])) : unavailable();
}

function membersOf({ state, version, changedBy, changedAt }: Standing) {
  return {
    currentState: state,
    currentVersion: version,
    changedBy,
    changedAt: changedAt === null ? null : formatInstant(changedAt),
  };
}
