import type { AmendmentChange } from '../../contract/amendment-state.ts';
import type { OfferedWindow } from '../../contract/delivery-window.ts';
import type { Location } from '../../contract/shipment.ts';
import type { AmendedValues, AmendmentRequest, DeliveryPlace } from '../../contract/shipment-amendment.ts';
import { compareDecimals } from '../../core/decimal.ts';
import { formatInstant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { maskPhone, toE164 } from '../../core/phone.ts';
import { foldedOf } from '../../core/typed/folded.ts';
import { presentOffered, type WindowSpan, windowOf } from './delivery-windows.ts';
import type { ShipmentRow } from './store.ts';

/** The columns of a shipment that an amendment may change. */
export const AMENDABLE = [
  'destination',
  'recipientName',
  'recipientFoldedName',
  'recipientPhone',
  'alternateContactName',
  'alternateContactPhone',
  'pickupWindowStart',
  'pickupWindowEnd',
  'deliveryWindowStart',
  'deliveryWindowEnd',
  'codAmount',
  'place',
  'instructions',
] as const satisfies readonly (keyof ShipmentRow)[];
export type AmendableColumns = Pick<ShipmentRow, (typeof AMENDABLE)[number]>;

/** The columns as a request wants them. A request that repeats what is there results in the same columns. */
export function columnsAfter(row: ShipmentRow, request: AmendmentRequest, window: WindowSpan | null): AmendableColumns {
  const { recipient = {}, location, addressLine, place } = request;
  const recipientName = recipient.name ?? row.recipientName;
  const known = parseStored<Location>(row.destination);
  const destination = {
    ...known,
    addressLine: addressLine ?? known.addressLine,
    latitude: location?.latitude ?? known.latitude,
    longitude: location?.longitude ?? known.longitude,
  };
  const { alternateContactPhone: phone } = recipient;
  return {
    destination: JSON.stringify(destination satisfies Location),
    recipientName,
    recipientFoldedName: foldedOf(recipientName),
    recipientPhone: recipient.phone === undefined ? row.recipientPhone : toE164(recipient.phone),
    alternateContactName: valueOr(recipient.alternateContactName, row.alternateContactName),
    alternateContactPhone: valueOr(typeof phone === 'string' ? toE164(phone) : phone, row.alternateContactPhone),
    pickupWindowStart: request.pickupWindowStart ?? row.pickupWindowStart,
    pickupWindowEnd: request.pickupWindowEnd ?? row.pickupWindowEnd,
    deliveryWindowStart: window?.start ?? null,
    deliveryWindowEnd: window?.end ?? null,
    codAmount: request.codAmount ?? row.codAmount,
    place: place === undefined ? row.place : placeText({ kind: place.kind, note: valueOr(place.note ?? null, null) }),
    instructions: valueOr(request.instructions, row.instructions),
  };
}

/** Null removes the value. An empty text counts as null. */
function valueOr(value: string | null | undefined, present: string | null): string | null {
  if (value === undefined) return present;
  return value === '' ? null : value;
}

function placeText(place: DeliveryPlace): string {
  return JSON.stringify(place);
}

/** What differs between the columns, but for the distance of the pins, which needs the terms. The short code is no column. */
export function changesBetween(
  row: AmendableColumns,
  after: AmendableColumns,
): Exclude<AmendmentChange, 'LOCATION_NEARBY' | 'SHORT_ADDRESS'>[] {
  const [from, to] = [parseStored<Location>(row.destination), parseStored<Location>(after.destination)];
  const isMoved = from.latitude !== to.latitude || from.longitude !== to.longitude;
  const amounts = compareDecimals(after.codAmount, row.codAmount);
  const isOther = (...names: readonly (keyof AmendableColumns)[]) => names.some((name) => row[name] !== after[name]);
  return [
    ...(isOther('place') ? (['PLACE'] as const) : []),
    ...(isOther('instructions') ? (['INSTRUCTIONS'] as const) : []),
    ...(isMoved ? (['LOCATION'] as const) : []),
    ...(from.addressLine === to.addressLine ? [] : (['ADDRESS_LINE'] as const)),
    ...(isOther('recipientName') ? (['RECIPIENT_NAME'] as const) : []),
    ...(isOther('recipientPhone') ? (['RECIPIENT_PHONE'] as const) : []),
    ...(isOther('alternateContactName', 'alternateContactPhone') ? (['ALTERNATE_CONTACT'] as const) : []),
    ...(isOther('pickupWindowStart', 'pickupWindowEnd') ? (['PICKUP_WINDOW'] as const) : []),
    ...(isOther('deliveryWindowStart') ? (['DELIVERY_WINDOW'] as const) : []),
    ...(amounts < 0 ? (['COD_AMOUNT_LOWERED'] as const) : []),
    ...(amounts > 0 ? (['COD_AMOUNT_RAISED'] as const) : []),
  ];
}

/** The values behind some changes, as an amendment keeps them: JSON without anything that has not changed. */
export interface KeptValues {
  readonly location?: Pick<Location, 'latitude' | 'longitude'>;
  readonly addressLine?: string;
  readonly shortAddress?: string | null;
  readonly recipientName?: string;
  readonly recipientPhone?: string;
  readonly alternateContactName?: string | null;
  readonly alternateContactPhone?: string | null;
  readonly pickupWindowStart?: string;
  readonly pickupWindowEnd?: string;
  readonly deliveryWindow?: OfferedWindow | null;
  readonly codAmount?: ShipmentRow['codAmount'];
  readonly place?: DeliveryPlace | null;
  readonly instructions?: string | null;
}

export function keptValues(
  columns: AmendableColumns,
  changes: readonly AmendmentChange[],
  shortAddress: string | null,
): KeptValues {
  const { latitude, longitude, addressLine } = parseStored<Location>(columns.destination);
  const location = { location: { latitude, longitude } };
  const codAmount = { codAmount: columns.codAmount };
  const window = windowOf(columns);
  const values: Readonly<Record<AmendmentChange, KeptValues>> = {
    PLACE: { place: columns.place === null ? null : parseStored<DeliveryPlace>(columns.place) },
    INSTRUCTIONS: { instructions: columns.instructions },
    LOCATION_NEARBY: location,
    LOCATION: location,
    ADDRESS_LINE: { addressLine },
    SHORT_ADDRESS: { shortAddress },
    RECIPIENT_NAME: { recipientName: columns.recipientName },
    RECIPIENT_PHONE: { recipientPhone: columns.recipientPhone },
    ALTERNATE_CONTACT: {
      alternateContactName: columns.alternateContactName,
      alternateContactPhone: columns.alternateContactPhone,
    },
    PICKUP_WINDOW: {
      pickupWindowStart: formatInstant(columns.pickupWindowStart),
      pickupWindowEnd: formatInstant(columns.pickupWindowEnd),
    },
    DELIVERY_WINDOW: { deliveryWindow: window && presentOffered(window) },
    COD_AMOUNT_LOWERED: codAmount,
    COD_AMOUNT_RAISED: codAmount,
  };
  return changes.reduce<KeptValues>((kept, change) => ({ ...kept, ...values[change] }), {});
}

/** As the company may read them: a shipment shows four digits of the phone, and nothing of the alternate contact. */
export function shownValues(kept: KeptValues): AmendedValues {
  const {
    recipientPhone,
    alternateContactName: _name,
    alternateContactPhone: _phone,
    place,
    shortAddress,
    ...shown
  } = kept;
  return {
    ...shown,
    ...(typeof shortAddress === 'string' ? { shortAddress } : {}),
    ...(recipientPhone === undefined ? {} : { maskedRecipientPhone: maskPhone(recipientPhone) }),
    ...(place === undefined || place === null ? {} : { place }),
  };
}
