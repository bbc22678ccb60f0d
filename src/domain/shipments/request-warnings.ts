import type { KnownMembers } from '../../contract/shipment.ts';
import type { ValidationWarning } from '../../contract/shipment-validation.ts';
import { metersBetween } from '../../core/earth.ts';
import { isPrintable } from '../../core/label-letters.ts';
import type { LocalText } from '../../core/locale.ts';
import { cityCentre, cityName } from '../../core/names.ts';
import type { Coordinates } from '../../ports/routing.ts';

export interface Warning {
  readonly field: string;
  readonly code: ValidationWarning;
  readonly message: LocalText;
}

/** What a person should look at in a request that is accepted. It depends on the request alone. */
export function requestWarnings(known: KnownMembers): Warning[] {
  const { recipient, destination } = known;
  return [
    farPin(known),
    notPrintable('recipient.name', recipient?.name),
    notPrintable('destination.addressLine', destination?.addressLine),
  ].filter((warning) => warning !== undefined);
}

/** The warnings as a list of structured fields (RFC 9651): `NOT_PRINTABLE;field="recipient.name"`. Undefined without any. */
export function warningHeader(known: KnownMembers): string | undefined {
  const warnings = requestWarnings(known).map(({ code, field }) => `${code};field="${field}"`);
  return warnings.length === 0 ? undefined : warnings.join(', ');
}

/** A label would lack a character of the text, or all of it. */
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

/** The largest city, Riyadh, ends some 45 km from its centre. */
const CITY_METERS_MAX = 50_000;

function farPin(known: KnownMembers): Warning | undefined {
  const pin = pinOf(known);
  const cityCode = known.destination?.cityCode;
  if (pin === undefined || cityCode === undefined) return undefined;
  const centre = cityCentre(cityCode);
  if (centre === undefined) return undefined;
  const point = { latitude: Number(pin.latitude), longitude: Number(pin.longitude) };
  const meters = metersBetween(centre, point);
  if (meters <= CITY_METERS_MAX) return undefined;
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

export function pinOf({ destination }: KnownMembers): Coordinates | undefined {
  const { latitude, longitude } = destination ?? {};
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}
