import type { LateAction } from '../../contract/driver-state.ts';
import { type ShipmentEventType } from '../../contract/event-type.ts';
import type { ChargeCode } from '../../contract/price-estimate.ts';
import type {
  ActivityFigure,
  Actor,
  CancellationReason,
  FailureReason,
  HandoverReason,
  UnresolvedReason,
} from '../../contract/shipment-state.ts';
import type { LocalText } from '../../core/locale.ts';
import { FAILURE_WORDS } from '../../ui/failure-words.ts';

/** The events of a shipment, in words for merchants. */
export const EVENT_WORDS: Readonly<Record<ShipmentEventType | 'late_report', LocalText>> = {
  'shipment.created': { en: 'Created', ar: 'أُنشئت' },
  'shipment.approved': { en: 'Approved', ar: 'تمت الموافقة' },
  'shipment.offered': { en: 'Offered to a driver', ar: 'عُرضت على سائق' },
  'shipment.accepted': { en: 'A driver accepted', ar: 'قبلها سائق' },
  'shipment.driver_released': { en: 'The driver returned it', ar: 'أعادها السائق' },
  'shipment.offer_declined': { en: 'The driver declined', ar: 'رفض السائق العرض' },
  'shipment.offer_expired': { en: 'The driver did not answer', ar: 'لم يردّ السائق' },
  'shipment.dispatch_unresolved': { en: 'No driver was found', ar: 'لم يُعثر على سائق' },
  'shipment.dispatch_retried': { en: 'The search started again', ar: 'بدأ البحث من جديد' },
  'shipment.picked_up': { en: 'Picked up', ar: 'تم الاستلام من المتجر' },
  'shipment.driver_changed': { en: 'Another driver took over', ar: 'تولّى سائق آخر التوصيل' },
  'shipment.out_for_delivery': { en: 'Out for delivery', ar: 'خرجت للتوصيل' },
  'shipment.delivered': { en: 'Delivered', ar: 'تم التوصيل' },
  'shipment.delivery_failed': { en: 'Delivery failed', ar: 'تعذّر التوصيل' },
  'shipment.cancelled': { en: 'Cancelled', ar: 'أُلغيت' },
  'shipment.amended': { en: 'Amended', ar: 'عُدّلت' },
  late_report: { en: 'A former driver reported', ar: 'أبلغ سائق سابق' },
};

/** What a driver reported after an operator had given the shipment to somebody else. */
export const LATE_WORDS: Readonly<Record<LateAction, LocalText>> = {
  ARRIVE: { en: 'Arrived', ar: 'وصل' },
  PICK_UP: { en: 'Picked up', ar: 'تم الاستلام' },
  DEPART: { en: 'Out for delivery', ar: 'خرجت للتوصيل' },
  DELIVER: { en: 'Delivered', ar: 'تم التوصيل' },
  FAIL: { en: 'Delivery failed', ar: 'تعذّر التوصيل' },
};

/** What is counted of a day. */
export const FIGURE_WORDS: Readonly<Record<ActivityFigure, LocalText>> = {
  created: { en: 'Created', ar: 'أُنشئت' },
  delivered: { en: 'Delivered', ar: 'تم توصيلها' },
  firstAttempt: { en: 'At the first attempt', ar: 'من المحاولة الأولى' },
  inTime: { en: 'In time', ar: 'في الموعد' },
  failed: { en: 'Delivery failed', ar: 'تعذّر توصيلها' },
  cancelled: { en: 'Cancelled', ar: 'ملغاة' },
};

export const ACTOR_WORDS: Readonly<Record<Actor, LocalText>> = {
  MERCHANT: { en: 'you', ar: 'أنت' },
  DRIVER: { en: 'driver', ar: 'السائق' },
  SYSTEM: { en: 'Mirsal', ar: 'مرسال' },
  OPERATOR: { en: 'operations', ar: 'العمليات' },
  RECIPIENT: { en: 'recipient', ar: 'المستلم' },
};

/** Why a shipment was cancelled, got no driver, could not be delivered, or went to another driver. */
export const REASON_WORDS: Readonly<
  Record<CancellationReason | FailureReason | HandoverReason | UnresolvedReason, LocalText>
> = {
  ...FAILURE_WORDS,
  CUSTOMER_REQUEST: { en: 'The customer asked to cancel', ar: 'بناءً على طلب العميل' },
  DUPLICATE: { en: 'Created twice', ar: 'شحنة مكررة' },
  OUT_OF_STOCK: { en: 'Out of stock', ar: 'نفد المخزون' },
  PACKAGE_NOT_READY: { en: 'The package is not ready', ar: 'الشحنة غير جاهزة' },
  PRICE: { en: 'Price', ar: 'السعر' },
  TOO_LATE: { en: 'Too late', ar: 'فات الموعد' },
  DRIVER_BLOCKED: { en: 'The driver may no longer drive', ar: 'لم يعد السائق مصرحًا له' },
  DRIVER_UNREACHABLE: { en: 'The driver could not be reached', ar: 'تعذّر الوصول إلى السائق' },
  DRIVER_LATE: { en: 'The driver is late', ar: 'تأخر السائق' },
  PHONE_LOST: { en: 'The driver lost the phone', ar: 'فقد السائق جواله' },
  VEHICLE_BREAKDOWN: { en: 'The vehicle broke down', ar: 'تعطلت المركبة' },
  NO_SERVICE_LEVEL: { en: 'No service level fits', ar: 'لا يوجد مستوى خدمة مناسب' },
  NATIONAL_ADDRESS: { en: 'no valid National Address', ar: 'لا يوجد عنوان وطني صالح' },
  NO_DRIVER: { en: 'No driver was free', ar: 'لم يكن أي سائق متاحًا' },
  OFFERS_DECLINED: { en: 'The drivers declined', ar: 'رفض السائقون العروض' },
  SEARCH_TIMED_OUT: { en: 'The search took too long', ar: 'استغرق البحث وقتًا طويلًا' },
};

export const CHARGE_WORDS: Readonly<Record<ChargeCode, LocalText>> = {
  BASE: { en: 'Base price', ar: 'السعر الأساسي' },
  DISTANCE: { en: 'Distance', ar: 'المسافة' },
  CITY: { en: 'City surcharge', ar: 'رسوم المدينة' },
  CANCELLATION: { en: 'Cancellation fee', ar: 'رسوم الإلغاء' },
  AMENDMENT: { en: 'New destination', ar: 'موقع تسليم جديد' },
  CREDIT: { en: 'Credit, the carrier pays', ar: 'رصيد دائن، على حساب الناقل' },
  REDELIVERY: { en: 'Another attempt', ar: 'محاولة توصيل أخرى' },
  RETURN: { en: 'Return', ar: 'إعادة الشحنة' },
};

export const PAYMENT_WORDS = {
  PREPAID: { en: 'Prepaid', ar: 'مدفوع مسبقًا' },
  COD: { en: 'Cash on delivery', ar: 'الدفع عند الاستلام' },
} as const satisfies Record<string, LocalText>;
