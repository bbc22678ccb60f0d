import type { AddressPolicy } from '../../contract/address-state.ts';
import type { KnownMembers } from '../../contract/shipment.ts';
import type { ValidationWarning } from '../../contract/shipment-validation.ts';
import { addSeconds, type Instant } from '../../core/instant.ts';
import { isPrintable } from '../../core/label-letters.ts';
import type { LocalText } from '../../core/locale.ts';
import { cityName } from '../../core/names.ts';
import { metersFromCentre } from '../pricing/pin.ts';
import { pinOf } from './draft.ts';

export interface Warning {
  readonly field: string;
  readonly code: ValidationWarning;
  readonly message: LocalText;
}

/** The warnings about an accepted request that depend on the request alone. */
export function requestWarnings(known: KnownMembers): Warning[] {
  const { recipient, destination } = known;
  return [
    farPin(known),
    notPrintable('recipient.name', recipient?.name),
    notPrintable('destination.addressLine', destination?.addressLine),
  ].filter((warning) => warning !== undefined);
}

/** A warning if the shipment has no National Address and its company's policy asks for one. */
export function addressMissing(
  policy: AddressPolicy | undefined,
  shortAddress: string | undefined,
): Warning | undefined {
  if (policy === undefined || policy === 'OFF' || shortAddress !== undefined) return undefined;
  return {
    field: 'National-Address',
    code: 'NATIONAL_ADDRESS_MISSING',
    message:
      policy === 'ASK'
        ? {
            en: 'The shipment has no National Address. Send its short code in the header National-Address.',
            ar: 'لا يوجد عنوان وطني للشحنة. أرسل رمزه المختصر في الترويسة \u2068National-Address\u2069.',
          }
        : {
            en: 'The shipment has no National Address, so no driver gets it. Send its short code in the header National-Address.',
            ar: 'لا يوجد عنوان وطني للشحنة، فلن تُعرض على أي سائق. أرسل رمزه المختصر في الترويسة \u2068National-Address\u2069.',
          },
  };
}

/** The warnings as a list of structured fields (RFC 9651): `NOT_PRINTABLE;field="recipient.name"`. Undefined without any. */
export function warningHeader(
  known: KnownMembers,
  policy: AddressPolicy | undefined,
  shortAddress: string | undefined,
): string | undefined {
  const all = [...requestWarnings(known), addressMissing(policy, shortAddress)].filter(
    (warning) => warning !== undefined,
  );
  const warnings = all.map(({ code, field }) => `${code};field="${field}"`);
  return warnings.length === 0 ? undefined : warnings.join(', ');
}

/** A warning if labels cannot print a character of the text, or if it has none to print. */
function notPrintable(field: string, text: string | undefined): Warning | undefined {
  if (text === undefined || isPrintable(text)) return undefined;
  return {
    field,
    code: 'NOT_PRINTABLE',
    message: {
      en: 'Labels as PDF and ZPL cannot print a character of this text, or it has none to print.',
      ar: 'لا يمكن طباعة أحد أحرف هذا النص على البوليصة بصيغة PDF أو ZPL، أو أنه لا يحتوي على حرف يُطبع.',
    },
  };
}

const DAY_SECONDS = 24 * 3600;
/** Who plans further ahead has usually mistyped the year. */
const AHEAD_DAYS_MAX = 60;
/** A window that began before is usually of another order. It is accepted as long as it has not ended. */
const BEGUN_DAYS_MAX = 7;

/** A warning about a pickup window that people seldom mean. */
export function oddWindow({ pickupWindowStart: start }: KnownMembers, now: Instant): Warning | undefined {
  if (start === undefined) return undefined;
  const field = 'pickupWindowStart';
  if (start >= addSeconds(now, AHEAD_DAYS_MAX * DAY_SECONDS)) {
    const message = {
      en: `The pickup window begins in more than ${AHEAD_DAYS_MAX} days.`,
      ar: `تبدأ فترة الاستلام بعد أكثر من ${AHEAD_DAYS_MAX} يومًا.`,
    };
    return { field, code: 'WINDOW_FAR_AHEAD', message };
  }
  if (start >= addSeconds(now, -BEGUN_DAYS_MAX * DAY_SECONDS)) return undefined;
  const message = {
    en: `The pickup window began more than ${BEGUN_DAYS_MAX} days ago.`,
    ar: `بدأت فترة الاستلام قبل أكثر من ${BEGUN_DAYS_MAX} أيام.`,
  };
  return { field, code: 'WINDOW_BEGAN_LONG_AGO', message };
}

/** The largest city, Riyadh, ends some 45 km from its centre. */
const CITY_METERS_MAX = 50_000;

function farPin(known: KnownMembers): Warning | undefined {
  const pin = pinOf(known);
  const cityCode = known.destination?.cityCode;
  if (pin === undefined || cityCode === undefined) return undefined;
  const meters = metersFromCentre(cityCode, pin);
  if (meters === undefined || meters <= CITY_METERS_MAX) return undefined;
  const kilometers = Math.round(meters / 1000);
  return {
    field: 'destination',
    code: 'PIN_FAR_FROM_CITY',
    message: {
      en: `The coordinates are ${kilometers} km from the centre of ${cityName(cityCode, 'en')}.`,
      ar: `تبعد الإحداثيات ${kilometers} كم عن مركز ${cityName(cityCode, 'ar')}.`,
    },
  };
}
