import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import { RECALLED, type RecallReason } from '../../contract/resolution-state.ts';
import type { Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { PriceSums } from '../pricing/tariff.ts';
import { payerOf, type Spot, windowFacts } from './failure-payer.ts';
import { type IdentityDependencies, newIdentity, returnContact } from './follow-up-identity.ts';
import type { Command } from './lifecycle.ts';
import { optionPrice } from './resolution-options.ts';
import { carriedOf, followUpOf, rootReferenceOf, rootTermsOf } from './resolution-store.ts';
import { type ShipmentRow, shipmentById } from './store.ts';

/**
 * The command that takes a parcel back which a driver has. It is planned before the lane, because the owner of the company is in another
 * database.
 */
export async function recallCommand(
  dependencies: IdentityDependencies,
  scope: CompanyScope,
  order: { readonly shipmentId: Uuid; readonly reasonCode: RecallReason; readonly comment?: string | undefined },
): Promise<Result<Extract<Command, { name: 'RECALL' }>>> {
  const { shipmentId, reasonCode, comment } = order;
  const answer = await dependencies.database.readAll([
    shipmentById(scope, shipmentId),
    followUpOf(scope, shipmentId),
    rootReferenceOf(scope, shipmentId),
  ] as const);
  if (!answer.ok) return unavailable();
  const [[row], [followUp], [first]] = answer.results;
  if (row === undefined || first === undefined) return refuse('ACCESS_DENIED');
  const attempt = (followUp?.attempt ?? 1) + 1;
  const [identity, contact] = await Promise.all([
    newIdentity(dependencies, scope, { kind: 'RETURN', reference: first.externalReference, attempt }),
    returnContact(dependencies, scope, row),
  ]);
  if (!identity.ok) return identity;
  if (!contact.ok) return contact;
  return ok({
    name: 'RECALL',
    reasonCode: RECALLED,
    comment: comment === undefined ? reasonCode : `${reasonCode}: ${comment}`,
    followUp: identity.value,
    contact: contact.value,
  });
}

/** What a recall would cost the merchant now; null for a return, which nobody takes back. */
export async function recallPrice(
  database: Database,
  scope: CompanyScope,
  { row, now }: { readonly row: ShipmentRow; readonly now: Instant },
): Promise<Result<PriceSums | null>> {
  const answer = await database.readAll([
    carriedOf(scope, row.id),
    followUpOf(scope, row.id),
    rootTermsOf(scope, row.id),
  ] as const);
  if (!answer.ok) return unavailable();
  const [[carried], [followUp], [root]] = answer.results;
  if (carried === undefined || root === undefined) return refuse('ACCESS_DENIED');
  if (followUp?.kind === 'RETURN') return ok(null);
  const window = windowFacts(row, carried.windowStatus);
  const place = parseStored<Spot>(row.destination);
  const facts = { reasonCode: RECALLED, evidence: 'NONE', now, window, isConfirmed: false, isReturn: false } as const;
  return ok(optionPrice('RETURN', payerOf({ ...facts, destination: place, door: null }), root));
}
