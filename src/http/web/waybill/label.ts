import type { Shipment, ShipmentItem, Waybill, Waybills } from '../../../contract/shipment.ts';
import type { Locale } from '../../../core/locale.ts';

/** One label: of a whole shipment, or of one of its items. */
export interface Label {
  readonly locale: Locale;
  readonly merchantName: string;
  readonly shipment: Shipment;
  /** The entry of `items` that the label is for, counted from 1. */
  readonly part: { readonly number: number; readonly of: number; readonly item: ShipmentItem } | undefined;
  /** The shipment in the console. It shows nothing to people who are not signed in. */
  readonly consoleAddress: string;
}

/** Every label that a response prints, in the order of the request. */
export function labelsOf(waybill: Waybill | Waybills, baseUrl: string): Label[] {
  const { locale, merchantName, labels } = waybill;
  const shipments = 'shipment' in waybill ? [waybill.shipment] : waybill.shipments;
  return shipments.flatMap((shipment): Label[] => {
    const { shipmentId, items } = shipment;
    const consoleAddress = `${baseUrl}/console/shipments/${shipmentId}`;
    const label = { locale, merchantName, shipment, consoleAddress };
    if (labels === 'shipment') return [{ ...label, part: undefined }];
    return items.map((item, index) => ({ ...label, part: { number: index + 1, of: items.length, item } }));
  });
}
