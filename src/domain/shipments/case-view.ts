import type { Case, CaseEvidence, CaseSummary, RecipientCase } from '../../contract/case.ts';
import { isOwed } from '../../contract/case-state.ts';
import { formatInstant, type Instant, instantOrNull } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CaseRow, MessageRow } from './case-store.ts';

/* Cases as people see them. Pure. */

/** Whether an answer is owed and its time has passed. */
function isOverdue({ state, answerBy }: Pick<CaseRow, 'state' | 'answerBy'>, now: Instant): boolean {
  return isOwed(state) && now > answerBy;
}

function headOf(row: CaseRow, now: Instant) {
  return {
    caseId: row.id,
    number: row.number,
    kind: row.kind,
    state: row.state,
    outcome: row.outcome,
    answerBy: formatInstant(row.answerBy),
    answeredAt: instantOrNull(row.answeredAt),
    overdue: isOverdue(row, now),
    createdAt: formatInstant(row.createdAt),
  };
}

export function presentSummary(row: CaseRow, now: Instant): CaseSummary {
  const { shipmentId, openedBy, version } = row;
  return { ...headOf(row, now), shipmentId, openedBy, version };
}

export function presentCase(row: CaseRow, messages: readonly MessageRow[], now: Instant): Case {
  return {
    ...presentSummary(row, now),
    evidence: row.evidence === null ? null : parseStored<CaseEvidence>(row.evidence),
    evidenceSha256: row.evidenceSha256,
    messages: messages.map(presentMessage),
  };
}

/** What the recipient sees has neither evidence nor what the merchant wrote, so it has no price. */
export function presentToRecipient(row: CaseRow, messages: readonly MessageRow[], now: Instant): RecipientCase {
  const theirs = messages.filter(({ caseId, author }) => caseId === row.id && author !== 'MERCHANT');
  const said = theirs.map(({ author, text, createdAt }) => ({ author, text, createdAt: formatInstant(createdAt) }));
  return { ...headOf(row, now), messages: said };
}

function presentMessage({ author, text, pictures, createdAt }: MessageRow): Case['messages'][number] {
  const mediaAssetIds = pictures === null ? [] : parseStored<Uuid[]>(pictures);
  return { author, text, mediaAssetIds, createdAt: formatInstant(createdAt) };
}
