import type { AmendmentChange } from './amendment-state.ts';
import type { ShipmentEventType } from './event-type.ts';
import { type Actor, isCarried, isTerminal, type ShipmentState, takesDriverPlace } from './shipment-state.ts';

/** Until when something can be changed. The state itself is no longer part of it. */
type Until = 'OFFER' | 'PICK_UP' | 'DEPARTURE' | 'END';

interface ChangeRule {
  /** Whose wish it may be. An operator and the service may always act for them. */
  readonly by: readonly Extract<Actor, 'MERCHANT' | 'RECIPIENT'>[];
  readonly until: Until;
  /** `anew`: the frozen version of the tariff prices the new way, and the difference is charged or credited. */
  readonly price: 'none' | 'anew';
}

const MERCHANT = ['MERCHANT'] as const;
const BOTH = ['MERCHANT', 'RECIPIENT'] as const;

/** Everything that can be changed: by whom, until when, and at what price. To let something else be changed, add its row. */
export const CHANGE_RULES: Readonly<Record<AmendmentChange, ChangeRule>> = {
  PLACE: { by: BOTH, until: 'END', price: 'none' },
  INSTRUCTIONS: { by: BOTH, until: 'END', price: 'none' },
  /** Within the free metres of the tariff. */
  LOCATION_NEARBY: { by: BOTH, until: 'END', price: 'none' },
  LOCATION: { by: BOTH, until: 'DEPARTURE', price: 'anew' },
  ADDRESS_LINE: { by: BOTH, until: 'DEPARTURE', price: 'none' },
  RECIPIENT_NAME: { by: MERCHANT, until: 'PICK_UP', price: 'none' },
  RECIPIENT_PHONE: { by: MERCHANT, until: 'PICK_UP', price: 'none' },
  ALTERNATE_CONTACT: { by: MERCHANT, until: 'PICK_UP', price: 'none' },
  PICKUP_WINDOW: { by: MERCHANT, until: 'OFFER', price: 'none' },
  COD_AMOUNT_LOWERED: { by: MERCHANT, until: 'END', price: 'none' },
  COD_AMOUNT_RAISED: { by: MERCHANT, until: 'PICK_UP', price: 'none' },
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
