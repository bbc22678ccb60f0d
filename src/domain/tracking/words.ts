import type { ShipmentState } from '../../contract/shipment-state.ts';
import type { TrackedEventType } from '../../contract/tracking.ts';
import type { LocalText } from '../../core/locale.ts';

/** The words of the tracking page, for recipients who know nothing of dispatch. */

export const STATE_LABELS: Readonly<Record<ShipmentState, LocalText>> = {
  PENDING_APPROVAL: { en: 'Order received', ar: 'تم استلام الطلب' },
  READY_FOR_DISPATCH: { en: 'Looking for a driver', ar: 'جارٍ البحث عن سائق' },
  OFFERED: { en: 'Looking for a driver', ar: 'جارٍ البحث عن سائق' },
  ACCEPTED: { en: 'The driver is on the way to collect it', ar: 'السائق في طريقه لاستلام الشحنة من المتجر' },
  DISPATCH_UNRESOLVED: { en: 'No driver is available yet', ar: 'لا يوجد سائق متاح حاليًا' },
  PICKED_UP: { en: 'The driver has collected it', ar: 'الشحنة مع السائق' },
  OUT_FOR_DELIVERY: { en: 'Out for delivery', ar: 'الشحنة في الطريق إليك' },
  DELIVERED: { en: 'Delivered', ar: 'تم التوصيل' },
  DELIVERY_FAILED: { en: 'Delivery did not succeed', ar: 'تعذّر توصيل الشحنة' },
  CANCELLED: { en: 'Cancelled', ar: 'أُلغيت الشحنة' },
};

export const STEP_LABELS: Readonly<Record<TrackedEventType, LocalText>> = {
  'shipment.created': { en: 'Order received', ar: 'تم استلام الطلب' },
  'shipment.approved': { en: 'Order confirmed', ar: 'تم تأكيد الطلب' },
  'shipment.accepted': { en: 'A driver was assigned', ar: 'تم تعيين سائق' },
  'shipment.driver_released': { en: 'Another driver is being found', ar: 'جارٍ تعيين سائق آخر' },
  'shipment.picked_up': { en: 'Collected by the driver', ar: 'استلم السائق الشحنة' },
  'shipment.out_for_delivery': { en: 'Out for delivery', ar: 'خرجت الشحنة للتوصيل' },
  'shipment.delivered': { en: 'Delivered', ar: 'تم التوصيل' },
  'shipment.delivery_failed': { en: 'Delivery did not succeed', ar: 'تعذّر توصيل الشحنة' },
  'shipment.cancelled': { en: 'Cancelled', ar: 'أُلغيت الشحنة' },
};
