import type { VehicleType } from '../../../contract/driver-state.ts';
import type { FollowUpKind } from '../../../contract/resolution-state.ts';
import type { Locale } from '../../../core/locale.ts';
import type { StepName } from './steps.ts';

/** The words of the tracking page: short sentences for recipients, without technical terms. */
export interface Words {
  readonly from: (merchant: string) => string;
  /** What a chat shows of a link. It keeps this, so the words hold in every state. */
  readonly preview: string;
  readonly other: string;
  readonly skip: string;
  readonly arriving: (from: string, to: string) => string;
  readonly onDayBetween: (day: string, from: string, to: string) => string;
  readonly between: (from: string, to: string) => string;
  readonly around: (day: string, time: string) => string;
  readonly asked: (day: string, from: string, to: string) => string;
  readonly noTime: string;
  readonly noDriver: string;
  readonly handedOver: (day: string, time: string) => string;
  readonly failed: (merchant: string) => string;
  readonly followedBy: Readonly<Record<FollowUpKind, (merchant: string) => string>>;
  readonly cancelled: (merchant: string) => string;
  readonly at: (day: string, time: string) => string;
  readonly updated: (moment: string) => string;
  readonly driver: (name: string, vehicle: string) => string;
  readonly vehicles: Readonly<Record<VehicleType, string>>;
  readonly way: string;
  readonly wayText: string;
  readonly showMap: string;
  readonly loadingMap: string;
  readonly drawingInstead: string;
  readonly pickup: string;
  readonly area: string;
  readonly driverAt: (time: string) => string;
  readonly driverBefore: (time: string) => string;
  readonly noPosition: string;
  readonly north: string;
  readonly meters: string;
  readonly kilometers: string;
  readonly progress: string;
  readonly steps: Readonly<Record<StepName, string>>;
  readonly now: string;
  readonly ahead: string;
  readonly rating: string;
  readonly rate: string;
  /** By their number less one. */
  readonly stars: readonly string[];
  readonly rateHint: string;
  readonly send: string;
  readonly rated: (stars: string) => string;
  readonly change: string;
  readonly complain: string;
  readonly seePhoto: string;
  readonly returnOrComplain: string;
  readonly changeHint: string;
  readonly parcel: string;
  readonly number: string;
  readonly copy: string;
  readonly copied: string;
  readonly pieces: string;
  readonly city: string;
  readonly toPay: string;
  readonly toPayDriver: (amount: string) => string;
  readonly nothingToPay: string;
  readonly paid: string;
  readonly paidDriver: (amount: string) => string;
  readonly help: string;
  /** The words before and after the parcel's number. */
  readonly helpText: (merchant: string) => readonly [string, string];
  readonly call: string;
  readonly whatsApp: string;
  readonly brand: string;
  readonly notCurrent: string;
  readonly goneTitle: string;
  readonly goneText: string;
  readonly goneHelp: string;
  readonly troubleTitle: string;
  readonly troubleText: string;
  readonly again: string;
  readonly request: string;
}

const en: Words = {
  from: (merchant) => `Your parcel from ${merchant}`,
  preview: 'See where your parcel is and when it arrives.',
  other: 'العربية',
  skip: 'Skip to content',
  arriving: (from, to) => `Arriving between ${from} and ${to}`,
  onDayBetween: (day, from, to) => `Expected on ${day}, between ${from} and ${to}`,
  between: (from, to) => `Expected between ${from} and ${to}`,
  around: (day, time) => `Expected on ${day}, around ${time}`,
  asked: (day, from, to) => `Asked for ${day}, between ${from} and ${to}. A driver has not agreed to it yet.`,
  noTime: 'The delivery is taking longer than planned. There is no new time yet.',
  noDriver: 'The store knows this and can search for a driver again.',
  handedOver: (day, time) => `Delivered on ${day} at ${time}`,
  failed: (merchant) =>
    `${merchant} decides what happens next, such as another attempt. Ask them if you want the parcel.`,
  followedBy: {
    REDELIVERY: (merchant) => `The driver comes to you again. ${merchant} can send you a link to follow it.`,
    RETURN: (merchant) => `The parcel goes back to ${merchant}. Ask them if you still want it.`,
  },
  cancelled: (merchant) => `This parcel will not be delivered. If you did not expect this, please ask ${merchant}.`,
  at: (day, time) => `${day}, ${time}`,
  updated: (moment) => `Last update: ${moment}`,
  driver: (name, vehicle) => `${name} is bringing your parcel ${vehicle}.`,
  vehicles: { MOTORCYCLE: 'by motorcycle', CAR: 'by car', VAN: 'by van', TRUCK: 'by truck' },
  way: 'Route',
  wayText: 'A drawing of the route from the area of the store to the area of the delivery address.',
  showMap: 'Show on a map',
  loadingMap: 'The map is loading.',
  drawingInstead: 'The drawing shows the same.',
  pickup: 'Area of the store',
  area: 'Area of the delivery address; the exact location is not shown',
  driverAt: (time) => `Driver at ${time}`,
  driverBefore: (time) => `The last position of the driver is from ${time}. It is too old to show.`,
  noPosition: 'The driver’s position cannot be shown at the moment.',
  north: 'North is up.',
  meters: 'm',
  kilometers: 'km',
  progress: 'Progress',
  steps: {
    ordered: 'Order received',
    driver: 'Driver assigned',
    picked_up: 'Collected from the store',
    out: 'Out for delivery',
    delivered: 'Delivered',
    failed: 'Delivery did not succeed',
    cancelled: 'Cancelled',
  },
  now: 'now',
  ahead: 'not yet reached',
  rating: 'Rating',
  rate: 'How was the delivery?',
  stars: ['1 star', '2 stars', '3 stars', '4 stars', '5 stars'],
  rateHint: 'The store sees your rating. You can rate once.',
  send: 'Send rating',
  rated: (stars) => `Rated with ${stars}. Thank you.`,
  change: 'Change the delivery',
  complain: 'Is something wrong? Complain',
  seePhoto: 'See the photo, or get help with the delivery',
  returnOrComplain: 'Return something, or complain',
  changeHint: 'The place, the time, a note for the driver, or that you do not want it.',
  parcel: 'Parcel',
  number: 'Number',
  copy: 'Copy',
  copied: 'Number copied.',
  pieces: 'Pieces',
  city: 'City',
  toPay: 'Amount to pay',
  toPayDriver: (amount) => `${amount}, to the driver`,
  nothingToPay: 'Nothing to pay',
  paid: 'Paid',
  paidDriver: (amount) => `${amount}, to the driver`,
  help: 'Questions?',
  helpText: (merchant) => [`Ask ${merchant} and give them the number`, '.'],
  call: 'Call',
  whatsApp: 'WhatsApp',
  brand: 'Tracking by Mirsal',
  notCurrent: 'No connection. What you see may be out of date.',
  goneTitle: 'This link does not work',
  goneText: 'The link may have expired, or part of the address is missing.',
  goneHelp: 'Please ask the store where you ordered. The store can send you a new link.',
  troubleTitle: 'This page cannot be shown right now',
  troubleText: 'Your parcel is not affected. Please try again in a minute.',
  again: 'Try again',
  request: 'If you ask for help, give this number:',
};

const ar: Words = {
  from: (merchant) => `شحنتك من ${merchant}`,
  preview: 'تابع شحنتك واعرف موعد وصولها.',
  other: 'English',
  skip: 'انتقل إلى المحتوى',
  arriving: (from, to) => `يصل السائق بين ${from} و${to}`,
  onDayBetween: (day, from, to) => `الوصول المتوقع ${day}، بين ${from} و${to}`,
  between: (from, to) => `الوصول المتوقع بين ${from} و${to}`,
  around: (day, time) => `الوصول المتوقع ${day}، نحو الساعة ${time}`,
  asked: (day, from, to) => `الموعد المطلوب ${day}، بين ${from} و${to}. لم يوافق عليه سائق بعد.`,
  noTime: 'استغرق التوصيل وقتًا أطول من المخطط له. لا يوجد موعد جديد بعد.',
  noDriver: 'المتجر على علم بذلك ويمكنه البحث عن سائق مرة أخرى.',
  handedOver: (day, time) => `تم التوصيل ${day} الساعة ${time}`,
  failed: (merchant) => `يقرر ${merchant} الخطوة التالية، مثل محاولة أخرى. اسأله إن كنت تريد الشحنة.`,
  followedBy: {
    REDELIVERY: (merchant) => `يعود إليك السائق مرة أخرى. ويمكن أن يرسل إليك ${merchant} رابطًا لمتابعته.`,
    RETURN: (merchant) => `تعود الشحنة إلى ${merchant}. اسأله إن كنت ما زلت تريدها.`,
  },
  cancelled: (merchant) => `لن تصلك هذه الشحنة. إن لم تكن تتوقع ذلك فاسأل ${merchant}.`,
  at: (day, time) => `${day}، ${time}`,
  updated: (moment) => `آخر تحديث: ${moment}`,
  driver: (name, vehicle) => `يوصل شحنتك ${name} ${vehicle}.`,
  vehicles: { MOTORCYCLE: 'بدراجة نارية', CAR: 'بسيارة', VAN: 'بسيارة نقل صغيرة', TRUCK: 'بشاحنة' },
  way: 'المسار',
  wayText: 'رسم للمسار من محيط المتجر إلى محيط عنوان التوصيل.',
  showMap: 'عرض على الخريطة',
  loadingMap: 'جارٍ تحميل الخريطة.',
  drawingInstead: 'يعرض الرسم الشيء نفسه.',
  pickup: 'محيط المتجر',
  area: 'محيط عنوان التوصيل؛ لا يظهر الموقع الدقيق',
  driverAt: (time) => `موقع السائق الساعة ${time}`,
  driverBefore: (time) => `آخر موقع للسائق يعود إلى الساعة ${time}، وهو قديم فلا يُعرض.`,
  noPosition: 'لا يمكن عرض موقع السائق حاليًا.',
  north: 'الشمال إلى الأعلى.',
  meters: 'م',
  kilometers: 'كم',
  progress: 'مراحل التوصيل',
  steps: {
    ordered: 'تم استلام الطلب',
    driver: 'تم تعيين سائق',
    picked_up: 'استُلمت من المتجر',
    out: 'في الطريق إليك',
    delivered: 'تم التوصيل',
    failed: 'تعذّر التوصيل',
    cancelled: 'أُلغيت الشحنة',
  },
  now: 'الآن',
  ahead: 'لم تصل إليها بعد',
  rating: 'التقييم',
  rate: 'كيف كان التوصيل؟',
  stars: ['نجمة واحدة', 'نجمتان', '3 نجوم', '4 نجوم', '5 نجوم'],
  rateHint: 'يرى المتجر تقييمك. يمكن التقييم مرة واحدة.',
  send: 'إرسال التقييم',
  rated: (stars) => `التقييم: ${stars}. شكرًا لك.`,
  change: 'تعديل التوصيل',
  complain: 'هل حدث خطأ؟ قدّم شكوى',
  seePhoto: 'صورة التوصيل والمساعدة بعده',
  returnOrComplain: 'إرجاع شيء أو تقديم شكوى',
  changeHint: 'المكان، أو الموعد، أو ملاحظة للسائق، أو أنك لا تريد الشحنة.',
  parcel: 'الشحنة',
  number: 'الرقم',
  copy: 'نسخ',
  copied: 'تم نسخ الرقم.',
  pieces: 'عدد القطع',
  city: 'المدينة',
  toPay: 'المبلغ المطلوب',
  toPayDriver: (amount) => `${amount}، يُدفع للسائق`,
  nothingToPay: 'لا يوجد مبلغ للدفع',
  paid: 'المدفوع',
  paidDriver: (amount) => `${amount}، دُفع للسائق`,
  help: 'هل لديك سؤال؟',
  helpText: (merchant) => [`اسأل ${merchant} واذكر الرقم`, '.'],
  call: 'اتصل',
  whatsApp: 'واتساب',
  brand: 'تتبّع عبر مرسال',
  notCurrent: 'لا يوجد اتصال. قد تكون المعلومات المعروضة قديمة.',
  goneTitle: 'هذا الرابط لا يعمل',
  goneText: 'ربما انتهت صلاحية الرابط، أو أن جزءًا من العنوان ناقص.',
  goneHelp: 'يُرجى سؤال المتجر الذي طلبت منه، ويمكنه إرسال رابط جديد إليك.',
  troubleTitle: 'تعذّر عرض هذه الصفحة الآن',
  troubleText: 'لا يؤثر ذلك في شحنتك. يُرجى المحاولة بعد دقيقة.',
  again: 'حاول مرة أخرى',
  request: 'إذا طلبت المساعدة فاذكر هذا الرقم:',
};

export const WORDS: Readonly<Record<Locale, Words>> = { en, ar };
