import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import { CHANGE_RULES } from '../../contract/amendment-rules.ts';
import type { Location } from '../../contract/shipment.ts';
import type { AmendmentRequest } from '../../contract/shipment-amendment.ts';
import { type Decimal, literalDecimal } from '../../core/decimal.ts';
import { addMicros } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { AMENDMENTS_MAX } from '../../core/limits.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { Coordinates, DrivingRoute, Routing } from '../../ports/routing.ts';
import { amendmentAmount, vatOfAmendment } from '../pricing/amendment.ts';
import { resolveRoute } from '../pricing/estimate.ts';
import { laterChargesOf, termsOf } from '../pricing/store.ts';
import type { PriceLine } from '../pricing/tariff.ts';
import type { TariffBook } from '../pricing/tariff-book.ts';
import type { Amendment } from './amendment.ts';
import { amendmentViolations, type Draft, draftAmendment, pinOf, type Standing } from './amendment-draft.ts';
import { amendmentPage } from './amendment-store.ts';
import { type ShipmentRow, shipmentById } from './store.ts';

export interface PlanDependencies {
  readonly database: Database;
  readonly directory: { readonly database: Database };
  readonly clock: CompanyClock;
  readonly random: Random;
  readonly routing: Routing;
  readonly tariffBook: TariffBook;
}

/** A shipment with its charges and amendments, all of one instant. */
export interface AmendedShipment extends Standing {
  readonly later: readonly PriceLine[];
}

/** Reads them in one request. A shipment that was never amended has no amendments, and most have no later charges. */
export async function readStanding(
  database: Database,
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<AmendedShipment>> {
  const reads = [
    shipmentById(scope, shipmentId),
    termsOf(scope, shipmentId),
    laterChargesOf(scope, shipmentId),
    amendmentPage(scope, shipmentId, 0, AMENDMENTS_MAX),
  ] as const;
  const found = await database.readAll(reads);
  if (!found.ok) return unavailable();
  const [[row], [terms], later, amendments] = found.results;
  return row === undefined || terms === undefined ? refuse('ACCESS_DENIED') : ok({ row, terms, later, amendments });
}

/** 422 for a request that breaks a rule, and otherwise what it would change. */
export function draftOf(
  standing: Standing,
  request: AmendmentRequest,
  { clock }: Pick<PlanDependencies, 'clock'>,
): Result<Draft> {
  const violations = amendmentViolations(standing, request, clock.now());
  return violations.length > 0 ? refuse('VALIDATION_FAILED', { violations }) : ok(draftAmendment(standing, request));
}

const ZERO = literalDecimal('0');

/** Asks for the way to the new pin, and prices it. The engine may take seconds, so no transaction is open. */
export async function planAmendment(
  dependencies: PlanDependencies,
  standing: AmendedShipment,
  { changes, columns }: Draft,
): Promise<Result<Amendment>> {
  const { row } = standing;
  const isPriced = changes.some((change) => CHANGE_RULES[change].price === 'anew');
  const isMoved = isPriced || changes.includes('LOCATION_NEARBY');
  const way = isMoved ? await resolveRoute(dependencies.routing, pickupOf(row), pinOf(columns), 'location') : undefined;
  // A free move needs no price, so it does not need to be known how the driver gets there.
  if (isPriced && way !== undefined && !way.ok) return way;
  const route = way?.ok === true ? way.value : null;
  const priced = isPriced && route !== null ? await priceOf(dependencies, standing, route) : ok(ZERO);
  if (!priced.ok) return priced;
  const shift = Number(columns.pickupWindowStart - row.pickupWindowStart);
  return ok({
    id: dependencies.random.uuid(),
    number: row.amendmentCount + 1,
    changes,
    row: {
      ...columns,
      amendmentCount: row.amendmentCount + 1,
      searchFrom: row.searchFrom === null ? null : addMicros(row.searchFrom, shift),
    },
    amount: priced.value,
    vatAmount: vatOfAmendment(priced.value, standing),
    route,
    isPriced,
  });
}

async function priceOf(
  { tariffBook, directory }: PlanDependencies,
  standing: AmendedShipment,
  { distanceMeters }: DrivingRoute,
): Promise<Result<Decimal>> {
  const tariff = await tariffBook.version(directory.database, standing.terms.tariffVersion);
  if (!tariff.ok) return tariff;
  const { cityCode } = parseStored<Location>(standing.row.destination);
  return ok(amendmentAmount(tariff.value, standing, { distanceMeters, cityCode }));
}

function pickupOf({ pickup }: ShipmentRow): Coordinates {
  return parseStored<Coordinates>(pickup);
}
