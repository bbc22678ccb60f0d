import { PLACE_KINDS } from '../../contract/amendment-state.ts';
import { riyadhInstant, riyadhText } from '../../core/riyadh.ts';
import type { Inputs, Outputs } from '../../ui/browser/service/calls.ts';

export type AmendmentOrder = Omit<Inputs['shipmentAmendments']['preview'], 'shipmentId'>;
type Shipment = Outputs['shipments']['get'];
type Amendment = Outputs['shipmentAmendments']['list']['data'][number];

/** What else can be amended, as the service shows it. */
export interface Known {
  readonly amendments: readonly Amendment[];
  readonly address: Outputs['nationalAddresses']['get'];
  readonly windows: Outputs['deliveryWindows']['get'];
}

const FIELDS = [
  'addressLine',
  'shortAddress',
  'location.latitude',
  'location.longitude',
  'recipient.name',
  'recipient.phone',
  'pickupWindowStart',
  'pickupWindowEnd',
  'windowStart',
  'codAmount',
  'place.kind',
  'place.note',
  'instructions',
] as const;
export type AmendmentField = (typeof FIELDS)[number];
export type AmendmentDraft = Readonly<Record<AmendmentField, string>>;

/** The values that the shipment has now. Its phone is not shown whole, so that field is empty and means the present one. */
export function draftOf(shipment: Shipment, { amendments, address, windows }: Known): AmendmentDraft {
  const { destination } = shipment;
  const place = amendments.findLast(({ change }) => change.place !== undefined)?.change.place;
  const told = amendments.findLast(({ change }) => change.instructions !== undefined)?.change.instructions;
  return {
    addressLine: destination.addressLine,
    shortAddress: address.shortAddress ?? '',
    'location.latitude': destination.latitude,
    'location.longitude': destination.longitude,
    'recipient.name': shipment.recipientName,
    'recipient.phone': '',
    pickupWindowStart: riyadhText(Date.parse(shipment.pickupWindowStart)),
    pickupWindowEnd: riyadhText(Date.parse(shipment.pickupWindowEnd)),
    windowStart: windows.window?.start ?? '',
    codAmount: shipment.codAmount,
    'place.kind': place?.kind ?? '',
    'place.note': place?.note ?? '',
    instructions: told ?? '',
  };
}

/** What differs from the values at the beginning; undefined if nothing does. */
export function orderOf(before: AmendmentDraft, draft: AmendmentDraft): AmendmentOrder | undefined {
  const isNew = (...fields: readonly AmendmentField[]) => fields.some((field) => draft[field] !== before[field]);
  const kind = PLACE_KINDS.find((one) => one === draft['place.kind']);
  const note = draft['place.note'] === '' ? null : draft['place.note'];
  const recipient = {
    ...(isNew('recipient.name') ? { name: draft['recipient.name'] } : {}),
    ...(isNew('recipient.phone') ? { phone: draft['recipient.phone'] } : {}),
  };
  const order: AmendmentOrder = {
    ...(isNew('addressLine') ? { addressLine: draft.addressLine } : {}),
    // Neither can be removed.
    ...(isNew('shortAddress') && draft.shortAddress !== '' ? { shortAddress: draft.shortAddress } : {}),
    ...(isNew('windowStart') && draft.windowStart !== '' ? { windowStart: draft.windowStart } : {}),
    ...(isNew('location.latitude', 'location.longitude')
      ? { location: { latitude: draft['location.latitude'], longitude: draft['location.longitude'] } }
      : {}),
    ...(Object.keys(recipient).length === 0 ? {} : { recipient }),
    ...(isNew('pickupWindowStart', 'pickupWindowEnd')
      ? {
          pickupWindowStart: riyadhInstant(draft.pickupWindowStart),
          pickupWindowEnd: riyadhInstant(draft.pickupWindowEnd),
        }
      : {}),
    ...(isNew('codAmount') ? { codAmount: draft.codAmount } : {}),
    ...(kind !== undefined && isNew('place.kind', 'place.note') ? { place: { kind, note } } : {}),
    ...(isNew('instructions') ? { instructions: draft.instructions === '' ? null : draft.instructions } : {}),
  };
  return Object.keys(order).length === 0 ? undefined : order;
}
