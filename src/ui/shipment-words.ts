import type { ShipmentState } from '../contract/shipment-state.ts';
import type { LocalText } from '../core/locale.ts';

/** What kind of news a state is: it runs, it waits for somebody, it went well, it went wrong, it is over. */
export type Tone = 'running' | 'waiting' | 'good' | 'bad' | 'over';

interface StateWords {
  readonly label: LocalText;
  readonly tone: Tone;
}

/** States of a shipment in words for merchants. */
export const STATE_WORDS: Readonly<Record<ShipmentState, StateWords>> = {
  PENDING_APPROVAL: { label: { en: 'Awaiting approval', ar: 'بانتظار الموافقة' }, tone: 'waiting' },
  READY_FOR_DISPATCH: { label: { en: 'Looking for a driver', ar: 'جارٍ البحث عن سائق' }, tone: 'waiting' },
  OFFERED: { label: { en: 'Offered to a driver', ar: 'معروضة على سائق' }, tone: 'waiting' },
  ACCEPTED: { label: { en: 'Driver on the way to pick up', ar: 'السائق في طريقه للاستلام' }, tone: 'running' },
  DISPATCH_UNRESOLVED: { label: { en: 'No driver found', ar: 'لم يُعثر على سائق' }, tone: 'bad' },
  PICKED_UP: { label: { en: 'Picked up', ar: 'تم الاستلام من المتجر' }, tone: 'running' },
  OUT_FOR_DELIVERY: { label: { en: 'Out for delivery', ar: 'في الطريق إلى المستلم' }, tone: 'running' },
  DELIVERED: { label: { en: 'Delivered', ar: 'تم التوصيل' }, tone: 'good' },
  DELIVERY_FAILED: { label: { en: 'Delivery failed', ar: 'تعذّر التوصيل' }, tone: 'bad' },
  CANCELLED: { label: { en: 'Cancelled', ar: 'ملغاة' }, tone: 'over' },
};
