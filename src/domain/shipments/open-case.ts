import type { Database } from '../../../db/database.ts';
import type { WriteStatement } from '../../../db/statement.ts';
import type { CommitRequest, Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Case } from '../../contract/case.ts';
import {
  ANSWER_BUSINESS_DAYS,
  CASE_DAYS_AFTER_END,
  CASES_MAX,
  type CaseKind,
  type CaseOpener,
} from '../../contract/case-state.ts';
import { businessDeadline } from '../../core/business-days.ts';
import { addSeconds, type Instant } from '../../core/instant.ts';
import { ok, type Refusal, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, commitChange } from '../audit/change.ts';
import type { EventConfig } from '../events/record.ts';
import type { Bind } from '../idempotency/once.ts';
import { type CaseRow, caseById, caseInsert, caseNotClosed, caseStandingOf, messageInsert } from './case-store.ts';
import { presentCase, presentSummary } from './case-view.ts';
import { factEvent } from './fact.ts';
import { newShipmentNumber } from './number.ts';
import { type ShipmentRow, shipmentById } from './store.ts';

export interface CaseConfig extends EventConfig {
  /** Days in Riyadh, such as `2026-09-23`. */
  readonly holidays: readonly string[];
}

export interface CaseDependencies {
  /** The company's shard. */
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
  readonly random: Random;
  readonly config: CaseConfig;
}

/** Gives the pictures that a message names to its shipment. */
export type Attach = (shipment: Pick<ShipmentRow, 'id' | 'externalReference'>) => Promise<Result<Attached>>;

export interface Attached {
  /** JSON of their ids; null without one. */
  readonly named: string | null;
  readonly statements: readonly WriteStatement[];
}

export function withoutPictures(): Promise<Result<Attached>> {
  return Promise.resolve(ok({ named: null, statements: [] }));
}

export interface OpeningOrder {
  readonly shipmentId: Uuid;
  readonly kind: CaseKind;
  readonly description: string;
  readonly attach?: Attach;
  readonly openedBy: Exclude<CaseOpener, 'SYSTEM'>;
  readonly correlationId: Uuid;
}

/** 409 if the shipment has a case of this kind that is not closed, has too many, or ended too long ago. */
export async function openCase(
  dependencies: CaseDependencies,
  scope: CompanyScope,
  { shipmentId, kind, description, attach = withoutPictures, openedBy, correlationId }: OpeningOrder,
  bind: Bind<Case>,
): Promise<Result<Case>> {
  const { database, clock } = dependencies;
  const found = await database.readAll([
    shipmentById(scope, shipmentId),
    caseStandingOf(scope, shipmentId),
    caseNotClosed(scope, shipmentId, kind),
  ] as const);
  if (!found.ok) return unavailable();
  const [[shipment], [standing], [existing]] = found.results;
  if (shipment === undefined || standing === undefined) return refuse('ACCESS_DENIED');
  if (existing !== undefined) return alreadyOpen(existing);
  const now = clock.now();
  if (isTooLate(standing, now)) return refuse('SHIPMENT_TERMINAL', { members: { currentState: shipment.state } });
  if (standing.count >= CASES_MAX) return refuse('CASE_LIMIT_REACHED');
  const pictures = await attach(shipment);
  if (!pictures.ok) return pictures;
  const row = newCase(dependencies, { shipment, kind, openedBy, now });
  const { id: caseId, companyId } = row;
  const said = { author: openedBy, text: description, pictures: pictures.value.named };
  const message = { caseId, number: 1, companyId, shipmentId, ...said, createdAt: now };
  const opened = { ...row, messageCount: 1 };
  const value = presentCase(opened, [message], now);
  const unit = openingUnit(dependencies, { shipment, row: opened, correlationId });
  const settled = await commitChange(dependencies, {
    unit: await bind(
      { ...unit, statements: [...unit.statements, messageInsert(message), ...pictures.value.statements] },
      value,
    ),
    audit: auditOf(dependencies, scope, {
      action: 'case.opened',
      subject: caseId,
      at: now,
      detail: { kind, shipmentNumber: shipment.shipmentNumber },
    }),
    committed: caseById(scope, caseId),
  });
  if (!settled.ok) return settled;
  if (settled.value) return ok(value);
  // Another request was faster.
  const faster = await database.read(caseNotClosed(scope, shipmentId, kind));
  const [first] = faster.ok ? faster.rows : [];
  return first === undefined ? unavailable() : alreadyOpen(first);
}

const DAY_SECONDS = 86_400;

/** Whether the shipment ended too long ago for a new case. */
export function isTooLate(
  { endedAt, forgottenAt }: { readonly endedAt: Instant | null; readonly forgottenAt: Instant | null },
  now: Instant,
): boolean {
  return forgottenAt !== null || (endedAt !== null && now > addSeconds(endedAt, CASE_DAYS_AFTER_END * DAY_SECONDS));
}

function alreadyOpen({ id: caseId, number }: CaseRow): Refusal {
  const href = `/v2/external/cases/${caseId}`;
  return refuse('CASE_ALREADY_OPEN', { members: { existing: { caseId, number, href } } });
}

/** A case before anything is written in it. */
export function newCase(
  { random, config: { holidays } }: Pick<CaseDependencies, 'random' | 'config'>,
  {
    shipment,
    kind,
    openedBy,
    now,
  }: {
    readonly shipment: Pick<ShipmentRow, 'id' | 'companyId'>;
    readonly kind: CaseKind;
    readonly openedBy: CaseOpener;
    readonly now: Instant;
  },
): CaseRow {
  return {
    id: random.uuid(),
    companyId: shipment.companyId,
    shipmentId: shipment.id,
    // As easy to say as the number of a shipment, and never taken for one.
    number: newShipmentNumber(random).replace('SHP', 'CAS'),
    kind,
    openedBy,
    state: 'OPEN',
    outcome: null,
    answerBy: businessDeadline(now, ANSWER_BUSINESS_DAYS, holidays),
    answeredAt: null,
    answeredBy: null,
    evidence: null,
    evidenceSha256: null,
    messageCount: 0,
    createdAt: now,
    closedAt: null,
    version: 0,
  };
}

/** The case and its event. */
export function openingUnit(
  dependencies: Pick<CaseDependencies, 'random' | 'config' | 'clock'>,
  {
    shipment,
    row,
    correlationId,
  }: { readonly shipment: ShipmentRow; readonly row: CaseRow; readonly correlationId: Uuid },
): CommitRequest {
  const recorded = factEvent(dependencies, shipment, {
    type: 'case.opened',
    occurredAt: row.createdAt,
    correlationId,
    data: { case: presentSummary(row, row.createdAt) },
  });
  return { statements: [caseInsert(row), ...recorded] };
}
