import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { DispatchObstacle, DispatchStanding } from '../../contract/dispatch.ts';
import { type DispatchPhase, dispatchPhaseOf } from '../../contract/shipment-state.ts';
import { compareDecimals, largestDecimal } from '../../core/decimal.ts';
import { addSeconds, formatInstant, type Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { SEARCH_SECONDS_MAX } from '../../core/limits.ts';
import type { Locale, LocalText } from '../../core/locale.ts';
import { cityName } from '../../core/names.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Clock } from '../../ports/clock.ts';
import { canCarry, type Requirements, type ServiceLevel } from '../offers/service-level.ts';
import type { ServiceLevelBook } from '../offers/service-level-book.ts';
import { type DispatchWaits, nextLook } from './plan.ts';
import { type DriverAround, driversAround, type StandingRow, standingOfCompany } from './standing-store.ts';

export interface StandingDependencies {
  /** The company's shard. */
  readonly database: Database;
  readonly clock: Clock;
  readonly serviceLevelBook: ServiceLevelBook;
  readonly waits: DispatchWaits;
}

/** Where the search for a driver stands, and what is in its way now. */
export async function readDispatch(
  { database, clock, serviceLevelBook, waits }: StandingDependencies,
  scope: CompanyScope,
  { shipmentId, locale }: { readonly shipmentId: Uuid; readonly locale: Locale },
): Promise<Result<DispatchStanding>> {
  const reads = [standingOfCompany(scope, shipmentId), driversAround(scope, shipmentId)] as const;
  const [found, levels] = await Promise.all([database.readAll(reads), serviceLevelBook.levels(database)]);
  if (!found.ok || levels === undefined) return unavailable();
  const [[row], drivers] = found.results;
  if (row === undefined) return refuse('ACCESS_DENIED');
  return ok(explainDispatch({ row, drivers, levels }, { waits, locale, now: clock.now() }));
}

interface Search {
  readonly row: StandingRow;
  readonly drivers: readonly DriverAround[];
  readonly levels: readonly ServiceLevel[];
}

interface Reader {
  readonly waits: DispatchWaits;
  readonly locale: Locale;
  readonly now: Instant;
}

interface Obstacle {
  readonly code: DispatchObstacle;
  readonly detail: LocalText;
}

/** The same, from stored facts. Pure. */
function explainDispatch({ row, drivers, levels }: Search, { waits, locale, now }: Reader): DispatchStanding {
  const phase = dispatchPhaseOf(row, now);
  const needs = needsOf(row);
  const unfit = serviceObstacle(levels, needs);
  // A search keeps the service level that was chosen for it.
  const noLevel = phase === 'UNRESOLVED' || row.serviceLevelCode === null ? unfit : undefined;
  const obstacle = phase === 'HELD' ? HELD : (noLevel ?? driverObstacle(row, drivers, needs) ?? pastObstacle(row));
  const isLooking = phase === 'SCHEDULED' || phase === 'HELD' || phase === 'SEARCHING' || phase === 'UNRESOLVED';
  const { nextLookAt, givesUpAt } = timesOf(phase, row, { waits, now });
  return {
    phase,
    since: formatInstant(row.changedAt),
    serviceLevel: row.serviceLevelCode,
    reasons: isLooking && obstacle !== undefined ? [{ code: obstacle.code, detail: obstacle.detail[locale] }] : [],
    offersMade: row.offersMade,
    declines: row.declines,
    nextLookAt: nextLookAt === null ? null : formatInstant(nextLookAt),
    givesUpAt: givesUpAt === null ? null : formatInstant(givesUpAt),
    retryHelps: phase === 'UNRESOLVED' && unfit === undefined && row.refusesDrivers === 0,
  };
}

function needsOf(row: StandingRow): Requirements {
  return {
    requirements: parseStored<string[]>(row.requirements),
    weightKilograms: row.totalWeightKilograms,
    lengthCentimetres: row.lengthCentimetres,
    cityCode: parseStored<{ cityCode: string }>(row.destination).cityCode,
  };
}

const HELD: Obstacle = {
  code: 'HELD',
  detail: {
    en: 'The sandbox holds the shipment until you release it.',
    ar: 'تحتجز البيئة التجريبية الشحنة إلى أن تُفرج عنها.',
  },
};

/** Why no service level fits: the first rule that leaves none. */
function serviceObstacle(levels: readonly ServiceLevel[], needs: Requirements): Obstacle | undefined {
  const { cityCode, requirements, weightKilograms, lengthCentimetres } = needs;
  const city = (locale: Locale) => cityName(cityCode, locale);
  const there = levels.filter(({ isActive, cities }) => isActive && cities.has(cityCode));
  if (there.length === 0) {
    return {
      code: 'NO_SERVICE_LEVEL_CITY',
      detail: { en: `No service level delivers to ${city('en')}.`, ar: `لا يوجد مستوى خدمة يوصل إلى ${city('ar')}.` },
    };
  }
  const offering = there.filter(({ capabilities }) => requirements.every((code) => capabilities.has(code)));
  if (offering.length === 0) {
    const missing = requirements.filter((code) => !there.some(({ capabilities }) => capabilities.has(code)));
    const codes = (missing.length === 0 ? requirements : missing).join(', ');
    return {
      code: 'CAPABILITY_NOT_OFFERED',
      detail: {
        en: `No service level to ${city('en')} offers ${codes}${missing.length === 0 ? ' together' : ''}.`,
        ar: `لا يوجد مستوى خدمة إلى ${city('ar')} يوفر ${codes}${missing.length === 0 ? ' معًا' : ''}.`,
      },
    };
  }
  const heaviest = largestDecimal(offering.map(({ weightKilogramsMax }) => weightKilogramsMax));
  const strong = offering.filter((level) => compareDecimals(weightKilograms, level.weightKilogramsMax) <= 0);
  if (strong.length === 0) {
    return {
      code: 'NO_SERVICE_LEVEL_WEIGHT',
      detail: {
        en: `The shipment weighs ${weightKilograms} kg, and the limit is ${heaviest} kg.`,
        ar: `تزن الشحنة ${weightKilograms} كجم، والحد الأقصى ${heaviest} كجم.`,
      },
    };
  }
  if (strong.some((level) => canCarry(level, needs))) return undefined;
  const longest = largestDecimal(strong.map(({ lengthCentimetresMax }) => lengthCentimetresMax));
  return {
    code: 'NO_SERVICE_LEVEL_LENGTH',
    detail: {
      en: `An item is ${lengthCentimetres} cm long, and the limit is ${longest} cm.`,
      ar: `طول أحد الأصناف ${lengthCentimetres} سم، والحد الأقصى ${longest} سم.`,
    },
  };
}

/** Why no driver gets the shipment now. Undefined if one is free. */
function driverObstacle(row: StandingRow, around: readonly DriverAround[], needs: Requirements): Obstacle | undefined {
  const own = around.filter(({ companyId }) => companyId !== null);
  const pool = row.refusesDrivers === 1 ? [] : own.length > 0 ? own : around;
  const able = pool.filter(
    (driver) => driver.onDuty === 1 && driver.status === 'ACTIVE' && canCarry(carrierOf(driver), needs),
  );
  if (able.length === 0) {
    const city = (locale: Locale) => cityName(row.cityCode, locale);
    return {
      code: 'NO_DRIVER_ON_DUTY',
      detail: {
        en: `No driver on duty in ${city('en')} can carry the shipment.`,
        ar: `لا يوجد سائق في المناوبة في ${city('ar')} يستطيع نقل الشحنة.`,
      },
    };
  }
  const free = able.filter(({ activeCount, activeMax }) => activeCount < activeMax);
  if (free.length === 0) {
    return {
      code: 'ALL_DRIVERS_BUSY',
      detail: {
        en: `Every driver who can carry the shipment is busy (${able.length}).`,
        ar: `جميع السائقين القادرين على نقل الشحنة مشغولون (${able.length}).`,
      },
    };
  }
  return free.every(({ id }) => id === row.lastRefusedDriverId) ? allDeclined(row) : undefined;
}

/** What ended a search, if nothing is in the way any more. */
function pastObstacle(row: StandingRow): Obstacle | undefined {
  if (row.state !== 'DISPATCH_UNRESOLVED') return undefined;
  if (row.reasonCode === 'NO_SERVICE_LEVEL') {
    return {
      code: 'NO_SERVICE_LEVEL',
      detail: {
        en: 'No service level fitted when the search ended. One does now.',
        ar: 'لم يناسب الشحنة أي مستوى خدمة عند انتهاء البحث، ويوجد الآن مستوى مناسب.',
      },
    };
  }
  if (row.reasonCode === 'OFFERS_DECLINED' || row.offersMade > 0) return allDeclined(row);
  return {
    code: 'ALL_DRIVERS_BUSY',
    detail: {
      en: 'No driver was free before the search ended. One is free now.',
      ar: 'لم يتوفر سائق قبل انتهاء البحث، ويوجد الآن سائق متاح.',
    },
  };
}

function allDeclined({ offersMade, declines }: StandingRow): Obstacle {
  return {
    code: 'ALL_DECLINED',
    detail: {
      en: `No driver kept the shipment. Offers: ${offersMade}. Declined: ${declines}.`,
      ar: `لم يحتفظ أي سائق بالشحنة. العروض: ${offersMade}. المرفوض منها: ${declines}.`,
    },
  };
}

function carrierOf({ capabilities, weightKilogramsMax, lengthCentimetresMax }: DriverAround) {
  return { capabilities: new Set(parseStored<string[]>(capabilities)), weightKilogramsMax, lengthCentimetresMax };
}

function timesOf(
  phase: DispatchPhase,
  { searchFrom, readySince, searchSince }: StandingRow,
  { waits, now }: Pick<Reader, 'waits' | 'now'>,
): { nextLookAt: Instant | null; givesUpAt: Instant | null } {
  if (phase === 'SCHEDULED' && searchFrom !== null)
    return { nextLookAt: searchFrom, givesUpAt: addSeconds(searchFrom, waits.candidateSeconds) };
  if (phase !== 'SEARCHING') return { nextLookAt: null, givesUpAt: null };
  const waitEnds = addSeconds(readySince ?? now, waits.candidateSeconds);
  const searchEnds = addSeconds(searchSince ?? readySince ?? now, SEARCH_SECONDS_MAX);
  return { nextLookAt: nextLook(waits, now), givesUpAt: waitEnds < searchEnds ? waitEnds : searchEnds };
}
