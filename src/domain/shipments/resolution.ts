import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Relations, Resolution, Undecided } from '../../contract/resolution.ts';
import type { Goods } from '../../contract/resolution-state.ts';
import { formatInstant } from '../../core/instant.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { TermsRow } from '../pricing/store.ts';
import { goodsOf } from './goods.ts';
import { lastCarrier } from './goods-store.ts';
import { type Failed, optionsOf } from './resolution-options.ts';
import {
  carriedOf,
  type FollowUpRow,
  firstUndecided,
  followingOf,
  followUpOf,
  type ResolutionRow,
  resolutionOf,
  rootTermsOf,
} from './resolution-store.ts';
import { quantitiesLeft } from './return-store.ts';
import { returnableUntil } from './returns.ts';
import { shipmentById } from './store.ts';
import { isForgotten } from './view.ts';

/** What becomes of the parcel of a failed shipment. 404 for one that has not failed. */
export async function readResolution(
  database: Database,
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<Resolution>> {
  const answer = await database.readAll([
    shipmentById(scope, shipmentId),
    resolutionOf(scope, shipmentId),
    followUpOf(scope, shipmentId),
    rootTermsOf(scope, shipmentId),
    carriedOf(scope, shipmentId),
    lastCarrier(scope, shipmentId),
  ] as const);
  if (!answer.ok) return unavailable();
  const [[row], [resolution], [followUp], [root], [carried], [last]] = answer.results;
  if (row === undefined || root === undefined || carried === undefined || last === undefined)
    return refuse('ACCESS_DENIED');
  if (row.state !== 'DELIVERY_FAILED') return refuse('RESOURCE_NOT_FOUND');
  const goods = goodsOf(row.state, last);
  if (resolution !== undefined)
    return ok(
      presentResolution(resolution, {
        isReturn: followUp?.kind === 'RETURN',
        isForgotten: isForgotten(row),
        root,
        goods,
      }),
    );
  const attemptsMade = followUp?.attempt ?? 1;
  const failure = {
    reasonCode: 'LOST',
    at: formatInstant(carried.endedAt ?? row.createdAt),
    evidence: 'NONE',
  } as const;
  const nothing = { decideBy: null, default: null, options: [], followUpShipmentId: null };
  return ok({ shipmentId, failure, goods, state: 'NOT_NEEDED', attemptsMade, ...nothing });
}

/** Pure. */
export function presentResolution(
  row: ResolutionRow,
  {
    root,
    goods,
    ...shipment
  }: Pick<Failed, 'isReturn' | 'isForgotten'> & { readonly root: TermsRow; readonly goods: Goods },
): Resolution {
  const isOpen = row.state === 'OPEN';
  // The carrier pays for the attempt that the driver begins by themselves.
  const chosen = { kind: row.kind, payer: row.actor === 'DRIVER' ? 'CARRIER' : row.payer } as const;
  return {
    shipmentId: row.shipmentId,
    failure: { reasonCode: row.reasonCode, at: formatInstant(row.failedAt), evidence: row.evidence },
    goods,
    state: row.state,
    decideBy: isOpen ? formatInstant(row.decideBy) : null,
    default: isOpen ? row.defaultKind : null,
    options: optionsOf({ ...row, ...shipment }, root, isOpen ? undefined : chosen),
    attemptsMade: row.attempts,
    followUpShipmentId: row.followUpId,
  };
}

/** What a shipment follows, and what followed it. */
export async function readRelations(
  { database, clock }: { readonly database: Database; readonly clock: CompanyClock },
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<Relations>> {
  const answer = await database.readAll([
    shipmentById(scope, shipmentId),
    carriedOf(scope, shipmentId),
    followUpOf(scope, shipmentId),
    followingOf(scope, shipmentId),
    quantitiesLeft(scope, shipmentId),
  ] as const);
  if (!answer.ok) return unavailable();
  const [[row], [carried], [followUp], followUps, left] = answer.results;
  if (row === undefined || carried === undefined) return refuse('ACCESS_DENIED');
  const before = (kind: FollowUpRow['kind']) => (followUp?.kind === kind ? followUp.precedingId : null);
  const until = returnableUntil({ row, endedAt: carried.endedAt, kind: followUp?.kind });
  const returnable =
    until === undefined || until < clock.now()
      ? []
      : left.map(({ left: quantity }, index) => ({ index, quantity })).filter(({ quantity }) => quantity > 0);
  return ok({ redeliveryOf: before('REDELIVERY'), returnOf: before('RETURN'), followUps, returnable });
}

/** How many parcels wait for the company's decision, and the first whose time is over. */
export async function readUndecided(database: Database, scope: CompanyScope): Promise<Result<Undecided>> {
  const answer = await database.read(firstUndecided(scope));
  if (!answer.ok) return unavailable();
  const [row] = answer.rows;
  if (row === undefined) return ok({ parcels: 0, first: null });
  const { shipmentId, defaultKind, parcels } = row;
  return ok({ parcels, first: { shipmentId, decideBy: formatInstant(row.decideBy), default: defaultKind } });
}
