import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { AddressStatus } from '../../contract/address-state.ts';
import type { DispatchStanding } from '../../contract/dispatch.ts';
import { type DispatchPhase, dispatchPhaseOf } from '../../contract/shipment-state.ts';
import { addSeconds, formatInstant, type Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { SEARCH_OFFERS_MAX, SEARCH_SECONDS_MAX } from '../../core/limits.ts';
import type { Locale, LocalText } from '../../core/locale.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { type DriverAround, driversAround } from '../offers/around-store.ts';
import { allDeclined, driverObstacle, type Obstacle, serviceObstacle } from '../offers/obstacle.ts';
import type { Requirements, ServiceLevel } from '../offers/service-level.ts';
import type { ServiceLevelBook } from '../offers/service-level-book.ts';
import { type DispatchWaits, earlier, nextLook } from './plan.ts';
import { type StandingRow, standingOfCompany } from './standing-store.ts';

export interface StandingDependencies {
  /** The company's shard. */
  readonly database: Database;
  readonly clock: CompanyClock;
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

/** The same, from stored facts. Pure. */
function explainDispatch({ row, drivers, levels }: Search, { waits, locale, now }: Reader): DispatchStanding {
  const phase = dispatchPhaseOf(row, now);
  const needs = needsOf(row);
  const unfit = serviceObstacle(levels, needs);
  // A search keeps the service level that was chosen for it.
  const noLevel = phase === 'UNRESOLVED' || row.serviceLevelCode === null ? unfit : undefined;
  const obstacle =
    phase === 'HELD'
      ? HELD
      : (noLevel ?? addressObstacle(row) ?? driverObstacle(row, drivers, needs) ?? pastObstacle(row));
  const isLooking = LOOKING.has(phase);
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
    retryHelps:
      phase === 'UNRESOLVED' && unfit === undefined && row.refusesDrivers === 0 && row.addressGate !== 'CLOSED',
  };
}

/** Phases in which something may stand between the shipment and a driver. */
const LOOKING: ReadonlySet<DispatchPhase> = new Set([
  'SCHEDULED',
  'HELD',
  'AWAITING_ADDRESS',
  'SEARCHING',
  'UNRESOLVED',
]);

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
    ar: 'الشحنة معلّقة في البيئة التجريبية إلى أن تلغي تعليقها.',
  },
};

/** What the policy on National Addresses requires, if the shipment does not have it. */
function addressObstacle({ addressGate, addressStatus }: StandingRow): Obstacle | undefined {
  if (addressGate !== 'CLOSED') return undefined;
  return { code: 'NATIONAL_ADDRESS', detail: textOfStatus(addressStatus ?? 'MISSING') };
}

/** Of a status that closes the gate. */
function textOfStatus(status: AddressStatus): LocalText {
  return status === 'NOT_FOUND' || status === 'MISMATCH' ? ADDRESS_TEXTS[status] : ADDRESS_TEXTS.MISSING;
}

const ADDRESS_TEXTS = {
  MISSING: {
    en: 'The shipment has no National Address. Send its short code, such as RRRD2929.',
    ar: 'لا يوجد عنوان وطني للشحنة. أرسل رمزه المختصر، مثل RRRD2929.',
  },
  NOT_FOUND: {
    en: 'The national registry does not know the short code. Send another one.',
    ar: 'الرمز المختصر غير موجود في سجل العناوين الوطنية. أرسل رمزًا آخر.',
  },
  MISMATCH: {
    en: 'The National Address is more than 1 km from the coordinates of the destination. Correct one of them.',
    ar: 'يبعد العنوان الوطني أكثر من كيلومتر واحد عن إحداثيات الوجهة. صحّح أحدهما.',
  },
} as const satisfies Partial<Record<AddressStatus, LocalText>>;

/** The search ended without the address, which the shipment has by now. */
const ADDRESS_NOW: Obstacle = {
  code: 'NATIONAL_ADDRESS',
  detail: {
    en: 'The shipment had no valid National Address when the search ended. It has one now.',
    ar: 'لم يكن للشحنة عنوان وطني صالح عند انتهاء البحث، ولديها عنوان الآن.',
  },
};

/** What ended a search, if nothing is in the way any more. */
function pastObstacle(row: StandingRow): Obstacle | undefined {
  if (row.state !== 'DISPATCH_UNRESOLVED') return undefined;
  if (row.reasonCode === 'NATIONAL_ADDRESS') return ADDRESS_NOW;
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

function timesOf(
  phase: DispatchPhase,
  { searchFrom, readySince, searchSince, searchOffers, dueAt }: StandingRow,
  { waits, now }: Pick<Reader, 'waits' | 'now'>,
): { nextLookAt: Instant | null; givesUpAt: Instant | null } {
  if (phase === 'SCHEDULED' && searchFrom !== null)
    return { nextLookAt: searchFrom, givesUpAt: addSeconds(searchFrom, waits.candidateSeconds) };
  if (phase === 'AWAITING_ADDRESS') return { nextLookAt: null, givesUpAt: dueAt };
  const searchEnds = addSeconds(searchSince ?? readySince ?? now, SEARCH_SECONDS_MAX);
  // Without an answer the same search goes on when the offer ends, unless it has made all its offers.
  if (phase === 'OFFERED' && dueAt !== null) {
    if (searchOffers >= SEARCH_OFFERS_MAX || searchEnds <= dueAt) return { nextLookAt: null, givesUpAt: dueAt };
    return { nextLookAt: dueAt, givesUpAt: earlier(addSeconds(dueAt, waits.candidateSeconds), searchEnds) };
  }
  if (phase !== 'SEARCHING') return { nextLookAt: null, givesUpAt: null };
  const waitEnds = addSeconds(readySince ?? now, waits.candidateSeconds);
  return { nextLookAt: nextLook(waits, now), givesUpAt: earlier(waitEnds, searchEnds) };
}
