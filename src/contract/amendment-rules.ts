import type { AmendmentChange } from './amendment-state.ts';
import type { ShipmentEventType } from './event-type.ts';
import type { LinkPermission } from './recipient-state.ts';
import { isCarried, isTerminal, type ShipmentState, takesDriverPlace } from './shipment-state.ts';

/** Until when something can be changed. The state itself is no longer part of it. */
export const UNTIL = ['OFFER', 'PICK_UP', 'DEPARTURE', 'END'] as const;
export type Until = (typeof UNTIL)[number];

interface ChangeRule {
  readonly until: Until;
  /** `anew`: the frozen version of the tariff prices the new way, and the difference is charged or credited. */
  readonly price: 'none' | 'anew';
  /** With which permission of a link the recipient may change it, too. Null: only the merchant may. */
  readonly recipient: LinkPermission | null;
}

/** What an amendment can change, with the rules for it. A new kind of change needs only a row here. */
export const CHANGE_RULES: Readonly<Record<AmendmentChange, ChangeRule>> = {
  PLACE: { until: 'END', price: 'none', recipient: 'INSTRUCTIONS' },
  INSTRUCTIONS: { until: 'END', price: 'none', recipient: 'INSTRUCTIONS' },
  /** Within the free metres of the tariff. */
  LOCATION_NEARBY: { until: 'END', price: 'none', recipient: 'ADDRESS' },
  LOCATION: { until: 'DEPARTURE', price: 'anew', recipient: 'ADDRESS' },
  ADDRESS_LINE: { until: 'DEPARTURE', price: 'none', recipient: 'ADDRESS' },
  /** The short code of the National Address, which is then checked anew. */
  SHORT_ADDRESS: { until: 'DEPARTURE', price: 'none', recipient: 'ADDRESS' },
  RECIPIENT_NAME: { until: 'PICK_UP', price: 'none', recipient: null },
  RECIPIENT_PHONE: { until: 'PICK_UP', price: 'none', recipient: null },
  ALTERNATE_CONTACT: { until: 'PICK_UP', price: 'none', recipient: null },
  PICKUP_WINDOW: { until: 'OFFER', price: 'none', recipient: null },
  DELIVERY_WINDOW: { until: 'DEPARTURE', price: 'none', recipient: 'WINDOW' },
  COD_AMOUNT_LOWERED: { until: 'END', price: 'none', recipient: null },
  COD_AMOUNT_RAISED: { until: 'PICK_UP', price: 'none', recipient: null },
};

interface Ending {
  /** Whether a shipment in this state is past it. */
  readonly isPast: (state: ShipmentState) => boolean;
  /** The events that lead there. */
  readonly events: readonly ShipmentEventType[];
}

const ENDINGS: Readonly<Record<Until, Ending>> = {
  OFFER: {
    isPast: (state) => takesDriverPlace(state) || isTerminal(state),
    events: ['shipment.offered', 'shipment.cancelled'],
  },
  PICK_UP: {
    isPast: (state) => isCarried(state) || isTerminal(state),
    events: ['shipment.picked_up', 'shipment.cancelled'],
  },
  DEPARTURE: {
    isPast: (state) => state === 'OUT_FOR_DELIVERY' || isTerminal(state),
    events: ['shipment.out_for_delivery', 'shipment.delivery_failed', 'shipment.cancelled'],
  },
  END: {
    isPast: isTerminal,
    events: ['shipment.delivered', 'shipment.delivery_failed', 'shipment.cancelled'],
  },
};

/** Whether a shipment in this state is past the end of a change. */
export function isTooLate(change: AmendmentChange, state: ShipmentState): boolean {
  return ENDINGS[CHANGE_RULES[change].until].isPast(state);
}

/** The events after which one of the changes is no longer allowed, each once. */
export function endingEvents(changes: readonly AmendmentChange[]): ShipmentEventType[] {
  const all = changes.flatMap((change) => ENDINGS[CHANGE_RULES[change].until].events);
  return [...new Set(all)];
}
