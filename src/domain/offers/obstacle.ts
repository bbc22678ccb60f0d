import type { DispatchObstacle } from '../../contract/dispatch.ts';
import { compareDecimals, largestDecimal } from '../../core/decimal.ts';
import { parseStored } from '../../core/json.ts';
import { arabicNoun, type Locale, type LocalText } from '../../core/locale.ts';
import { cityName } from '../../core/names.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { DriverAround } from './around-store.ts';
import { canCarry, hasAll, type Requirements, type ServiceLevel } from './service-level.ts';

/* What stands between a shipment and a driver, from stored facts. Pure. */

export interface Obstacle {
  readonly code: DispatchObstacle;
  readonly detail: LocalText;
}

/** The search for a driver as far as obstacles depend on it. */
export interface Seeker {
  /** Where the parcel is picked up. */
  readonly cityCode: string;
  /** 1 if a sandbox lets no driver take it. */
  readonly refusesDrivers: number;
  readonly lastRefusedDriverId: Uuid | null;
  readonly offersMade: number;
  readonly declines: number;
}

/** Why no service level fits: the first rule that leaves none. */
export function serviceObstacle(levels: readonly ServiceLevel[], needs: Requirements): Obstacle | undefined {
  const { cityCode, requirements, weightKilograms, lengthCentimetres } = needs;
  const city = (locale: Locale) => cityName(cityCode, locale);
  const there = levels.filter(({ isActive, cities }) => isActive && cities.has(cityCode));
  if (there.length === 0) {
    return {
      code: 'NO_SERVICE_LEVEL_CITY',
      detail: { en: `No service level delivers to ${city('en')}.`, ar: `لا يوجد مستوى خدمة يوصل إلى ${city('ar')}.` },
    };
  }
  const offering = there.filter(({ capabilities }) => hasAll(capabilities, requirements));
  if (offering.length === 0) {
    const missing = requirements.filter((code) => !there.some(({ capabilities }) => hasAll(capabilities, [code])));
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
export function driverObstacle(
  seeker: Seeker,
  around: readonly DriverAround[],
  needs: Requirements,
): Obstacle | undefined {
  const own = around.filter(({ companyId }) => companyId !== null);
  const pool = seeker.refusesDrivers === 1 ? [] : own.length > 0 ? own : around;
  const able = pool.filter(
    (driver) => driver.onDuty === 1 && driver.status === 'ACTIVE' && canCarry(carrierOf(driver), needs),
  );
  if (able.length === 0) {
    const city = (locale: Locale) => cityName(seeker.cityCode, locale);
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
  return free.every(({ id }) => id === seeker.lastRefusedDriverId) ? allDeclined(seeker) : undefined;
}

/** Drivers were asked, and none of them has the shipment now. */
export function allDeclined({ offersMade }: Pick<Seeker, 'offersMade'>): Obstacle {
  return { code: 'ALL_DECLINED', detail: { en: askedInEnglish(offersMade), ar: askedInArabic(offersMade) } };
}

function askedInEnglish(offers: number): string {
  if (offers === 0) return 'No driver has taken the shipment.';
  return offers === 1
    ? 'One driver was asked and did not take the shipment.'
    : `The shipment was offered ${offers} times, and no driver has taken it.`;
}

/** Arabic has words of their own for one and two. */
function askedInArabic(offers: number): string {
  if (offers === 0) return 'لم يأخذ الشحنة أي سائق.';
  if (offers === 1) return 'عُرضت الشحنة على سائق واحد ولم يأخذها.';
  if (offers === 2) return 'عُرضت الشحنة مرتين ولم يأخذها أي سائق.';
  return `عُرضت الشحنة ${offers} ${arabicNoun(offers, { plural: 'مرات', singular: 'مرة' })} ولم يأخذها أي سائق.`;
}

function carrierOf({ capabilities, weightKilogramsMax, lengthCentimetresMax }: DriverAround) {
  return { capabilities: new Set(parseStored<string[]>(capabilities)), weightKilogramsMax, lengthCentimetresMax };
}
