import type { PAYMENT_METHODS } from '../../contract/shipment-state.ts';
import { INSTRUCTIONS_LENGTH_MAX } from '../../core/limits.ts';
import { FORGOTTEN_TEXT } from '../../core/phone.ts';
import { riyadhInstant, riyadhText } from '../../core/riyadh.ts';
import { wholeOr } from '../../core/typed/number.ts';
import { readCode, readCodes, readNumbered, readText } from '../../core/typed/text.ts';
import { AMOUNT, DEGREES, WHOLE } from '../../ui/browser/kit/number-readers.ts';
import { CODE, MOBILE, REFERENCE, type Reader, TEXT } from '../../ui/browser/kit/readers.ts';
import type { Inputs, Outputs } from '../../ui/browser/service/calls.ts';

export type ShipmentRequest = Omit<Inputs['shipments']['create'], 'idempotencyKey'>;
export type Readiness = Outputs['sandbox']['readiness'];

/** The fields of the form, by their names in violations. */
export const DRAFT_FIELDS = [
  'externalReference',
  'branchCode',
  'pickupLocationCode',
  'recipient.name',
  'recipient.phone',
  'recipient.alternateContactName',
  'recipient.alternateContactPhone',
  'destination.addressLine',
  'destination.cityCode',
  'destination.latitude',
  'destination.longitude',
  'declaredValue',
  'codAmount',
  'currency',
  'pickupWindowStart',
  'pickupWindowEnd',
  'requirements',
] as const;
export type DraftField = (typeof DRAFT_FIELDS)[number];
export const ITEM_FIELDS = [
  'description',
  'quantity',
  'weightKilograms',
  'lengthCentimetres',
  'widthCentimetres',
  'heightCentimetres',
] as const;
export type ItemField = (typeof ITEM_FIELDS)[number];

/** The reader of each field. Other fields are texts. */
export const DRAFT_READS: Readonly<Partial<Record<DraftField, Reader>>> = {
  externalReference: REFERENCE,
  'recipient.phone': MOBILE,
  'recipient.alternateContactPhone': MOBILE,
  'destination.latitude': DEGREES,
  'destination.longitude': DEGREES,
  declaredValue: AMOUNT,
  codAmount: AMOUNT,
  currency: CODE,
};
export const ITEM_READS: Readonly<Partial<Record<ItemField, Reader>>> = {
  quantity: WHOLE,
  weightKilograms: AMOUNT,
  lengthCentimetres: AMOUNT,
  widthCentimetres: AMOUNT,
  heightCentimetres: AMOUNT,
};

export interface ItemDraft {
  /** Identifies the item within the form. */
  readonly id: number;
  readonly values: Readonly<Record<ItemField, string>>;
}

/** The values of the form, as typed. */
export interface ShipmentDraft {
  readonly values: Readonly<Record<DraftField, string>>;
  readonly paymentMethod: (typeof PAYMENT_METHODS)[number];
  readonly items: readonly ItemDraft[];
  /** The short code of the destination; empty without one. */
  readonly shortCode: string;
  /** A note for the driver, which is saved as instructions after the creation; empty without one. */
  readonly note: string;
}

const BLANK_ITEM: ItemDraft['values'] = {
  description: '',
  quantity: '1',
  weightKilograms: '',
  lengthCentimetres: '',
  widthCentimetres: '',
  heightCentimetres: '',
};

export function blankItem(id: number): ItemDraft {
  return { id, values: BLANK_ITEM };
}

const HOUR_MS = 3_600_000;

/** A blank form. The pickup window starts at the second full hour from now and lasts two hours. */
export function blankDraft(nowMs: number): ShipmentDraft {
  const values = Object.fromEntries(DRAFT_FIELDS.map((field) => [field, ''])) as Record<DraftField, string>;
  const startMs = (Math.floor(nowMs / HOUR_MS) + 2) * HOUR_MS;
  return {
    values: {
      ...values,
      codAmount: '0',
      currency: 'SAR',
      pickupWindowStart: riyadhText(startMs),
      pickupWindowEnd: riyadhText(startMs + 2 * HOUR_MS),
    },
    paymentMethod: 'PREPAID',
    items: [blankItem(0)],
    shortCode: '',
    note: '',
  };
}

/** A form filled with the sandbox's fixtures and a sample order. */
export function sandboxDraft(readiness: Readiness, nowMs: number): ShipmentDraft {
  const blank = blankDraft(nowMs);
  return {
    ...blank,
    values: {
      ...blank.values,
      externalReference: `ORDER-${crypto.randomUUID().slice(0, 8).toUpperCase()}`,
      branchCode: readiness.branchCode,
      pickupLocationCode: readiness.pickupLocationCode,
      'recipient.name': 'ريم الدوسري',
      'recipient.phone': '0501234567',
      'destination.addressLine': 'طريق أنس بن مالك، حي الملقا، الرياض',
      'destination.cityCode': readiness.destinationCityCode,
      'destination.latitude': readiness.delivery.latitude,
      'destination.longitude': readiness.delivery.longitude,
      declaredValue: '185',
    },
    items: [
      { id: 0, values: { ...BLANK_ITEM, description: 'قهوة مختصة، 250 جم', quantity: '2', weightKilograms: '0.25' } },
    ],
  };
}

export const REFERENCE_LENGTH_MAX = 128;
/** What makes the reference of the same order new. */
const AGAIN = '-2';

type Shipment = Outputs['shipments']['get'];

/** Whether the recipient's data was deleted. What is left of the position is only near the door. */
export function isForgotten({ recipientName, destination }: Shipment): boolean {
  return recipientName === FORGOTTEN_TEXT && destination.addressLine === FORGOTTEN_TEXT;
}

/**
 * A form for the same order again: its own pickup window, and a reference that is new. The service shows nobody the phone of
 * a recipient and the codes of a shipment's places, so the phone is blank, and the place is one with the same address.
 */
export function draftAgain(
  shipment: Shipment,
  places: Outputs['pickupLocations']['list']['data'],
  blank: ShipmentDraft,
): ShipmentDraft {
  const { destination, externalReference, items } = shipment;
  const place = placeOf(shipment, places);
  return {
    values: {
      ...blank.values,
      externalReference:
        externalReference === null ? '' : `${externalReference.slice(0, REFERENCE_LENGTH_MAX - AGAIN.length)}${AGAIN}`,
      ...(place === undefined ? {} : { branchCode: place.branchCode, pickupLocationCode: place.pickupLocationCode }),
      'destination.cityCode': destination.cityCode,
      ...(isForgotten(shipment)
        ? {}
        : {
            'recipient.name': shipment.recipientName,
            'destination.addressLine': destination.addressLine,
            'destination.latitude': destination.latitude,
            'destination.longitude': destination.longitude,
          }),
      declaredValue: shipment.declaredValue,
      codAmount: shipment.codAmount,
      currency: shipment.currency,
      requirements: shipment.requirements.join(', '),
    },
    paymentMethod: shipment.paymentMethod,
    shortCode: '',
    note: '',
    items: items.map((item, id) => ({
      id,
      values: {
        description: item.description,
        quantity: String(item.quantity),
        weightKilograms: item.weightKilograms,
        lengthCentimetres: item.lengthCentimetres ?? '',
        widthCentimetres: item.widthCentimetres ?? '',
        heightCentimetres: item.heightCentimetres ?? '',
      },
    })),
  };
}

/** The pickup location that a shipment came from: the one with its address. */
export function placeOf(
  { pickup }: Pick<Shipment, 'pickup'>,
  places: Outputs['pickupLocations']['list']['data'],
): (typeof places)[number] | undefined {
  return places.find(
    ({ location }) => location.addressLine === pickup?.addressLine && location.cityCode === pickup.cityCode,
  );
}

/** Whether the note is longer than the service takes. */
export function isNoteLong({ note }: Pick<ShipmentDraft, 'note'>): boolean {
  return readText(note).length > INSTRUCTIONS_LENGTH_MAX;
}

/** The request for the form's values. The service validates it and reports all violations at once. */
export function requestOf({
  values,
  paymentMethod,
  items,
  shortCode = '',
}: Pick<ShipmentDraft, 'values' | 'paymentMethod' | 'items'> & { readonly shortCode?: string }): ShipmentRequest {
  // Rows of a file and kept drafts have not been read yet.
  const read = (field: DraftField) => (DRAFT_READS[field] ?? TEXT).read(values[field]);
  const alternateContactName = read('recipient.alternateContactName');
  const alternateContactPhone = read('recipient.alternateContactPhone');
  return {
    externalReference: read('externalReference'),
    branchCode: readNumbered(values.branchCode),
    pickupLocationCode: readNumbered(values.pickupLocationCode),
    recipient: {
      name: read('recipient.name'),
      phone: read('recipient.phone'),
      ...(alternateContactName === '' ? {} : { alternateContactName }),
      ...(alternateContactPhone === '' ? {} : { alternateContactPhone }),
    },
    destination: {
      addressLine: read('destination.addressLine'),
      cityCode: readCode(values['destination.cityCode']),
      latitude: read('destination.latitude'),
      longitude: read('destination.longitude'),
    },
    declaredValue: read('declaredValue'),
    codAmount: read('codAmount'),
    currency: read('currency'),
    paymentMethod,
    pickupWindowStart: riyadhInstant(values.pickupWindowStart),
    pickupWindowEnd: riyadhInstant(values.pickupWindowEnd),
    items: items.map(({ values: item }) => itemOf(item)),
    requirements: readCodes(values.requirements),
    ...(shortCode === '' ? {} : { nationalAddress: shortCode }),
  };
}

function itemOf(item: ItemDraft['values']): ShipmentRequest['items'][number] {
  const read = (field: ItemField) => (ITEM_READS[field] ?? TEXT).read(item[field]);
  const length = (field: ItemField) => {
    const text = read(field);
    return text === '' ? {} : { [field]: text };
  };
  return {
    description: read('description'),
    // Text that is not a whole number becomes 0, which the service reports as out of range.
    quantity: wholeOr(read('quantity'), 0),
    weightKilograms: read('weightKilograms'),
    ...length('lengthCentimetres'),
    ...length('widthCentimetres'),
    ...length('heightCentimetres'),
  };
}
