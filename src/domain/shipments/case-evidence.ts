import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { CaseEvidence } from '../../contract/case.ts';
import { sha256, toHex } from '../../core/crypto.ts';
import { formatInstant, instantOrNull } from '../../core/instant.ts';
import { canonicalJson } from '../../core/json.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { timelinePage } from '../events/store.ts';
import { arrivalsOf } from './case-store.ts';
import { codOf } from './collection-store.ts';
import { proofOf } from './proof-store.ts';

/** A shipment has some dozens. */
const TIMELINE_MAX = 1000;

export interface FrozenEvidence {
  /** JSON of CaseEvidence, in canonical form. */
  readonly evidence: string;
  readonly evidenceSha256: string;
}

/**
 * What the service knows of a shipment, with its hash. It is kept because pictures and positions expire. It has no text that anybody
 * wrote, so it stays when the recipient is forgotten.
 */
export async function freezeEvidence(
  database: Database,
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<FrozenEvidence>> {
  const found = await database.readAll([
    timelinePage(scope, shipmentId, { sequence: 0, reported: 0 }, TIMELINE_MAX),
    codOf(scope, shipmentId),
    arrivalsOf(shipmentId),
    proofOf(scope, shipmentId),
  ] as const);
  if (!found.ok) return unavailable();
  const [timeline, [cod], [arrivals], [proof]] = found.results;
  if (cod === undefined) return refuse('ACCESS_DENIED');
  const { currency, codAmount: expectedAmount, amount: collectedAmount, method, collectedAt } = cod;
  const known: CaseEvidence = {
    proofSha256: proof?.sha256 ?? null,
    timeline: timeline.map(({ sequence, type, state, occurredAt, actor, reasonCode, reported }) => ({
      sequence,
      type: reported === 0 ? type : 'late_report',
      state,
      occurredAt: formatInstant(occurredAt),
      actor,
      reasonCode,
    })),
    positions: arrivals?.positions ?? 0,
    cod:
      expectedAmount === '0'
        ? null
        : { currency, expectedAmount, collectedAmount, method, collectedAt: instantOrNull(collectedAt) },
  };
  const evidence = canonicalJson(known);
  return ok({ evidence, evidenceSha256: toHex(await sha256(evidence)) });
}
