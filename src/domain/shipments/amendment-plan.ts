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
import type { Addresses } from '../../ports/addresses.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { Coordinates, DrivingRoute, Routing } from '../../ports/routing.ts';
import { firstCheckAt } from '../addresses/check-schedule.ts';
import { addressOf } from '../addresses/record-store.ts';
import { amendmentAmount, vatOfAmendment } from '../pricing/amendment.ts';
import { resolveRoute } from '../pricing/estimate.ts';
import { laterChargesOf, termsOf } from '../pricing/store.ts';
import type { PriceLine } from '../pricing/tariff.ts';
import type { TariffBook } from '../pricing/tariff-book.ts';
import type { Amendment } from './amendment.ts';
import {
  type Asker,
  amendmentViolations,
  type Draft,
  draftAmendment,
  pinOf,
  type Standing,
} from './amendment-draft.ts';
import { amendmentPage, type ReadAmendment } from './amendment-store.ts';
import { windowAfter } from './amendment-window.ts';
import { type CitySlots, slotsOf } from './delivery-windows.ts';
import { type ShipmentRow, shipmentById } from './store.ts';

export interface PlanDependencies {
  readonly database: Database;
  readonly directory: { readonly database: Database };
  readonly clock: CompanyClock;
  readonly random: Random;
  readonly routing: Routing;
  readonly tariffBook: TariffBook;
  readonly addresses: Pick<Addresses, 'registry'>;
  readonly config: { readonly deliveryWindows: CitySlots };
}

/** A shipment with its charges and amendments, all of one instant. */
export interface ChargedStanding extends Standing {
  readonly later: readonly PriceLine[];
  /** Requests that were not applied: those that wait for the company, and those that it rejected or that expired. */
  readonly others: readonly ReadAmendment[];
}

/** Reads them in one request. A shipment that was never amended has no amendments, and most have no later charges. */
export async function readStanding(
  database: Database,
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<ChargedStanding>> {
  const reads = [
    shipmentById(scope, shipmentId),
    termsOf(scope, shipmentId),
    laterChargesOf(scope, shipmentId),
    amendmentPage(scope, shipmentId, 0, AMENDMENTS_MAX),
    addressOf(scope, shipmentId),
  ] as const;
  const found = await database.readAll(reads);
  if (!found.ok) return unavailable();
  const [[row], [terms], later, all, [address]] = found.results;
  if (row === undefined || terms === undefined) return refuse('ACCESS_DENIED');
  const amendments = all.filter(({ state }) => state === 'APPLIED');
  const others = all.filter((amendment) => !amendments.includes(amendment));
  return ok({ row, terms, later, amendments, others, shortAddress: address?.shortAddress ?? null });
}

/** 422 for a request that breaks a rule, and otherwise what it would change. */
export function draftOf(
  standing: Standing,
  { request, asker }: { readonly request: AmendmentRequest; readonly asker: Asker },
  { clock, config }: Pick<PlanDependencies, 'clock' | 'config'>,
): Result<Draft> {
  const now = clock.now();
  const { cityCode } = parseStored<Location>(standing.row.destination);
  const slots = slotsOf(config.deliveryWindows, cityCode);
  const violations = amendmentViolations(standing, request, now);
  const window = windowAfter(standing, request, { now, slots });
  if (window === undefined) violations.push({ field: 'windowStart', code: 'WINDOW_NOT_OFFERED' });
  if (violations.length > 0 || window === undefined) return refuse('VALIDATION_FAILED', { violations });
  return ok(draftAmendment(standing, request, { asker, window }));
}

const ZERO = literalDecimal('0');

/**
 * Asks for the way to the new pin, and prices it. The engine may take seconds, so no transaction is open. `waiting` is the stored
 * request that the company has accepted.
 */
export async function planAmendment(
  dependencies: PlanDependencies,
  standing: ChargedStanding,
  { changes, columns, shortAddress }: Draft,
  waiting?: ReadAmendment,
): Promise<Result<Amendment>> {
  const { row, shortAddress: from } = standing;
  const { random, addresses, clock } = dependencies;
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
    id: waiting?.id ?? random.uuid(),
    waiting: waiting ?? null,
    isConfirmed: false,
    changes,
    row: {
      ...columns,
      searchFrom: row.searchFrom === null ? null : addMicros(row.searchFrom, shift),
    },
    address:
      shortAddress === null || shortAddress === from
        ? null
        : { from, to: shortAddress, checkDueAt: firstCheckAt(addresses, clock.wall.now()) },
    amount: priced.value,
    vatAmount: vatOfAmendment(priced.value, standing),
    route,
    pricedDistanceMeters: isPriced && route !== null ? route.distanceMeters : null,
  });
}

async function priceOf(
  { tariffBook, directory }: PlanDependencies,
  standing: ChargedStanding,
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
