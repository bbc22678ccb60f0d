import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { AddressPolicy } from '../../contract/address-state.ts';
import type { KnownMembers } from '../../contract/shipment.ts';
import { type ShipmentValidation, VALIDATION_VIOLATIONS_MAX } from '../../contract/shipment-validation.ts';
import { addSeconds, type Instant } from '../../core/instant.ts';
import type { Locale } from '../../core/locale.ts';
import { toE164 } from '../../core/phone.ts';
import { presentViolations } from '../../core/problem-body.ts';
import { ok, type Result, unavailable, type Violation } from '../../core/result.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { DrivingRoute, Routing } from '../../ports/routing.ts';
import { type DriverAround, driversAroundLocation } from '../offers/around-store.ts';
import { driverObstacle, type Obstacle, serviceObstacle } from '../offers/obstacle.ts';
import { requirementsOf } from '../offers/prepare.ts';
import type { Requirements, ServiceLevel } from '../offers/service-level.ts';
import type { ServiceLevelBook } from '../offers/service-level-book.ts';
import { priceOfRoute, resolveRoute } from '../pricing/estimate.ts';
import type { Tariff } from '../pricing/tariff.ts';
import type { TariffBook } from '../pricing/tariff-book.ts';
import { type CreationRows, creationReads, faultsOf } from './create-refusal.ts';
import { meaningViolations, pinOf, totalWeightOf } from './draft.ts';
import { addressMissing, oddWindow, requestWarnings, type Warning } from './request-warnings.ts';
import { twinSince } from './validate-store.ts';

export interface ValidateDependencies {
  readonly database: Database;
  readonly clock: CompanyClock;
  readonly directory: { readonly database: Database };
  readonly routing: Routing;
  readonly tariffBook: TariffBook;
  readonly serviceLevelBook: ServiceLevelBook;
}

/** A body to validate: its members that can be read, and the violations of the schema. */
export interface ValidationOrder {
  readonly known: KnownMembers;
  readonly violations: readonly Violation[];
  readonly locale: Locale;
  /** The company's policy on National Addresses; undefined if it could not be read. */
  readonly addressPolicy: AddressPolicy | undefined;
  readonly nationalAddress?: string | undefined;
}

/**
 * Says what a creation with this body would answer now, and what a person should look at. It uses the rules of the
 * creation, stores nothing and uses no key.
 */
export async function validateShipment(
  dependencies: ValidateDependencies,
  scope: CompanyScope,
  { known, violations: unreadable, locale, addressPolicy, nationalAddress }: ValidationOrder,
): Promise<Result<ShipmentValidation>> {
  const now = dependencies.clock.now();
  const tariff = await dependencies.tariffBook.current(dependencies.directory.database, now);
  if (!tariff.ok) return tariff;
  const facts = await readFacts(dependencies, scope, { known, now });
  if (facts === undefined) return unavailable();
  const { review, existing, isInactive, ...places } = faultsOf(facts.rows, known);
  const route = await routeOf(dependencies.routing, known, facts.rows);
  const violations = [
    ...unreadable,
    ...meaningViolations(known, now, tariff.value),
    ...places.violations,
    ...(route?.ok === false ? (route.violations ?? []) : []),
  ];
  const problems = [
    ...(review === undefined ? [] : ['REGISTRATION_INCOMPLETE' as const]),
    ...(isInactive ? ['BRANCH_INACTIVE' as const] : []),
  ];
  const needs = needsOf(known);
  const misfit = needs === undefined ? undefined : serviceObstacle(facts.levels, needs);
  const isAway = route?.ok === false && route.code === 'ROUTING_PROVIDER_UNAVAILABLE';
  const warnings = [
    ...requestWarnings(known),
    oddWindow(known, now),
    addressMissing(addressPolicy, nationalAddress),
    noLevel(misfit),
    facts.hasTwin ? TWIN : undefined,
    isAway ? NO_PRICE : undefined,
  ];
  return ok({
    valid: violations.length === 0 && problems.length === 0 && existing === undefined,
    violations: presentViolations(violations, locale, VALIDATION_VIOLATIONS_MAX),
    problems,
    warnings: warnings.flatMap((warning) =>
      warning === undefined ? [] : [{ field: warning.field, code: warning.code, message: warning.message[locale] }],
    ),
    conflicts: { externalReference: existing ?? null },
    price: route?.ok === true ? priceOf(tariff.value, route.value, { known, now }) : null,
    dispatch: prospectOf(facts, needs, { misfit, locale }),
  });
}

interface Facts {
  readonly rows: CreationRows;
  readonly drivers: readonly DriverAround[];
  readonly levels: readonly ServiceLevel[];
  readonly hasTwin: boolean;
}

/** How long ago the first order of a duplicate may be. */
const TWIN_SECONDS = 600;

async function readFacts(
  { database, serviceLevelBook }: ValidateDependencies,
  scope: CompanyScope,
  { known, now }: { readonly known: KnownMembers; readonly now: Instant },
): Promise<Facts | undefined> {
  const reads = [
    twinSince(scope, addSeconds(now, -TWIN_SECONDS), {
      recipientPhone: known.recipient === undefined ? '' : toE164(known.recipient.phone),
      declaredValue: known.declaredValue ?? '',
      latitude: known.destination?.latitude ?? '',
      longitude: known.destination?.longitude ?? '',
    }),
    driversAroundLocation(scope, known.pickupLocationCode ?? ''),
    ...creationReads(scope, known),
  ] as const;
  const [answer, levels] = await Promise.all([database.readAll(reads), serviceLevelBook.levels(database)]);
  if (!answer.ok || levels === undefined) return undefined;
  const [twins, drivers, [existing], [branch], [pickupLocation], [barred]] = answer.results;
  const rows = { existing, branch, pickupLocation, review: barred?.review ?? undefined };
  return { rows, drivers, levels, hasTwin: twins.length > 0 };
}

/** The route, or why there is none; undefined if one of its ends is unknown. */
async function routeOf(
  routing: Routing,
  known: KnownMembers,
  { pickupLocation }: CreationRows,
): Promise<Result<DrivingRoute> | undefined> {
  const pin = pinOf(known);
  if (pin === undefined || pickupLocation === undefined) return undefined;
  return resolveRoute(routing, pickupLocation, pin, 'destination');
}

function priceOf(
  tariff: Tariff,
  route: DrivingRoute,
  { known, now }: { readonly known: KnownMembers; readonly now: Instant },
) {
  const destinationCityCode = known.destination?.cityCode;
  if (destinationCityCode === undefined || !tariff.citySurcharges.has(destinationCityCode)) return null;
  return priceOfRoute(tariff, { route, destinationCityCode }, now);
}

function needsOf({ requirements, items, destination }: KnownMembers): Requirements | undefined {
  const cityCode = destination?.cityCode;
  if (requirements === undefined || items === undefined || cityCode === undefined) return undefined;
  return requirementsOf({ requirements, items, destination: { cityCode } }, totalWeightOf(items));
}

/** Whether a driver would be found now. */
function prospectOf(
  { rows, drivers }: Facts,
  needs: Requirements | undefined,
  { misfit, locale }: { readonly misfit: Obstacle | undefined; readonly locale: Locale },
): ShipmentValidation['dispatch'] {
  const serviceLevel = needs !== undefined && misfit === undefined;
  const obstacle =
    serviceLevel && rows.pickupLocation !== undefined
      ? driverObstacle(newSeeker(rows.pickupLocation.cityCode), drivers, needs)
      : misfit;
  return {
    eligible: serviceLevel && rows.pickupLocation !== undefined && obstacle === undefined,
    serviceLevel,
    reasons: obstacle === undefined ? [] : [{ code: obstacle.code, detail: obstacle.detail[locale] }],
  };
}

function newSeeker(cityCode: string) {
  return { cityCode, refusesDrivers: 0, lastRefusedDriverId: null, offersMade: 0, declines: 0 };
}

const MISFIT_FIELDS: Readonly<Record<string, string>> = {
  NO_SERVICE_LEVEL_CITY: 'destination.cityCode',
  CAPABILITY_NOT_OFFERED: 'requirements',
};

function noLevel(misfit: Obstacle | undefined): Warning | undefined {
  if (misfit === undefined) return undefined;
  return { field: MISFIT_FIELDS[misfit.code] ?? 'items', code: 'NO_SERVICE_LEVEL', message: misfit.detail };
}

const TWIN: Warning = {
  field: 'recipient',
  code: 'DUPLICATE_LIKELY',
  message: {
    en: 'A shipment to the same phone and place with the same value was created in the last ten minutes.',
    ar: 'أُنشئت خلال الدقائق العشر الأخيرة شحنة إلى الهاتف نفسه والموقع نفسه وبالقيمة نفسها.',
  },
};

const NO_PRICE: Warning = {
  field: 'destination',
  code: 'PRICE_UNAVAILABLE',
  message: {
    en: 'The route cannot be found at the moment, so there is no price.',
    ar: 'يتعذر تحديد الطريق في الوقت الحالي، لذلك لا يوجد سعر.',
  },
};
