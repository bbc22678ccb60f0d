import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Charges } from '../../contract/price-estimate.ts';
import { formatInstant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { pricedDistanceOf } from './amendment.ts';
import { laterChargesOf, type TermsRow, termsOf } from './store.ts';
import { type PriceLine, sumLines } from './tariff.ts';

/** The charges of a shipment: the frozen lines, later lines, and their sums. */
export async function readCharges(database: Database, scope: CompanyScope, shipmentId: Uuid): Promise<Result<Charges>> {
  const answer = await database.readAll([termsOf(scope, shipmentId), laterChargesOf(scope, shipmentId)] as const);
  if (!answer.ok) return unavailable();
  const [[terms], later] = answer.results;
  if (terms === undefined) return refuse('ACCESS_DENIED');
  const frozen = parseStored<PriceLine[]>(terms.lines).map((line) => ({ ...line, createdAt: terms.createdAt }));
  const lines = [...frozen, ...later];
  const { netAmount, vatAmount, totalAmount } = sumLines(lines, terms.vatRate);
  return ok({
    currency: terms.currency,
    lines: lines.map(({ code, amount, createdAt }) => ({ code, amount, createdAt: formatInstant(createdAt) })),
    netAmount,
    vatRate: terms.vatRate,
    vatAmount,
    totalAmount,
    tariffVersion: terms.tariffVersion,
    distanceMeters: pricedDistanceOf(terms),
    durationSeconds: terms.durationSeconds,
    terms: {
      cancellationAmount: terms.cancellationAmount,
      cancellationGraceSeconds: terms.cancellationGraceSeconds,
      lateCancellationSeconds: terms.lateCancellationSeconds,
      lockSecondsMax: terms.lockSecondsMax,
      amendmentFreeMeters: terms.amendmentFreeMeters,
      returnRate: terms.returnRate,
      redeliveryRate: terms.redeliveryRate,
    },
    priceLock: presentLock(terms),
  });
}

function presentLock({ lockId, lockedAt, lockExpiresAt }: TermsRow): Charges['priceLock'] {
  if (lockId === null || lockedAt === null || lockExpiresAt === null) return null;
  return { lockId, lockedAt: formatInstant(lockedAt), expiresAt: formatInstant(lockExpiresAt) };
}
