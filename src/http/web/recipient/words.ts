import type { AmendmentChange } from '../../../contract/amendment-state.ts';
import type { REFUSAL_REASONS } from '../../../contract/recipient-state.ts';
import type { DeliveryPlace } from '../../../contract/shipment-amendment.ts';
import type { WindowStatus } from '../../../contract/window-state.ts';
import type { Locale } from '../../../core/locale.ts';

/** What stands in the way of a change, in the words of the page. */
export type Trouble =
  | 'TOO_LATE'
  | 'CITY_CHANGE'
  | 'LIMIT_REACHED'
  | 'NOT_PERMITTED'
  | 'STALE'
  | 'CODE_WRONG'
  | 'CODE_OVER'
  | 'CODES_MANY'
  | 'NO_MESSAGES'
  | 'UNKNOWN_CODE'
  | 'NOT_A_CODE'
  | 'NO_PLACES'
  | 'NO_REGISTRY'
  | 'NO_POSITION'
  | 'SEARCHES_MANY'
  | 'SIGNED_OUT'
  | 'COMPLAINED'
  | 'COMPLAINTS_MANY'
  | 'COMPLAINT_LATE'
  | 'NOT_DELIVERED'
  | 'INVALID'
  | 'UNAVAILABLE';

/** The words of the recipient's page: short questions, without technical terms. */
export interface Words {
  readonly title: string;
  readonly back: string;
  readonly photo: string;
  readonly codeTitle: string;
  readonly codeLead: (merchant: string) => string;
  readonly codeSend: string;
  readonly codeSent: (phone: string) => string;
  readonly code: string;
  readonly codeHint: string;
  readonly codeCheck: string;
  readonly codeAgain: string;
  readonly sandboxCode: (code: string) => string;
  readonly question: string;
  readonly confirmed: string;
  readonly yes: string;
  readonly no: string;
  readonly other: string;
  readonly drawing: string;
  readonly door: string;
  readonly proposed: string;
  readonly shortCode: string;
  readonly ways: string;
  readonly onMap: string;
  readonly onMapHint: string;
  readonly usePin: string;
  readonly pinInstead: string;
  readonly here: string;
  readonly hereHint: string;
  readonly byCode: string;
  readonly byCodeHint: string;
  readonly find: string;
  readonly byText: string;
  readonly byTextHint: string;
  readonly search: string;
  readonly isIt: string;
  readonly which: string;
  readonly useIt: string;
  readonly cancel: string;
  readonly addressLine: string;
  readonly position: string;
  readonly when: string;
  readonly windowIs: Readonly<Record<WindowStatus, string>>;
  readonly windowHint: string;
  readonly place: string;
  readonly placeKind: string;
  readonly places: Readonly<Record<DeliveryPlace['kind'], string>>;
  readonly noPlace: string;
  readonly placeNote: string;
  readonly instructions: string;
  readonly instructionsHint: string;
  readonly save: string;
  readonly refusal: string;
  readonly refusalLead: (merchant: string) => string;
  readonly reasons: Readonly<Record<(typeof REFUSAL_REASONS)[number], string>>;
  readonly comment: string;
  readonly refuse: string;
  readonly refused: (merchant: string) => string;
  readonly changes: Readonly<Record<AmendmentChange, string>>;
  readonly changed: (what: string) => string;
  readonly untilDeparture: string;
  readonly untilEnd: string;
  readonly waiting: (merchant: string) => string;
  readonly waitingTitle: string;
  readonly nothingChanged: string;
  readonly troubles: Readonly<Record<Trouble, string>>;
}

const en: Words = {
  title: 'Change the delivery',
  back: 'Back to the parcel',
  photo: 'Photo of the delivery',
  codeTitle: 'First, is it you?',
  codeLead: (merchant) =>
    `We send a code by SMS to the mobile number that ${merchant} has for this parcel. We never ask you to pay.`,
  codeSend: 'Send me the code',
  codeSent: (phone) => `We sent a code by SMS to the number ending in ${phone}.`,
  code: 'Code',
  codeHint: 'Six digits. It is valid for 5 minutes.',
  codeCheck: 'Continue',
  codeAgain: 'Send another code',
  sandboxCode: (code) => `This is a sandbox, so no SMS was sent. The code is ${code}.`,
  question: 'Is this the place?',
  confirmed: 'You confirmed this place.',
  yes: 'Yes, this is it',
  no: 'No, change it',
  other: 'Change the place',
  drawing: 'A drawing of the streets around the place of delivery. North is up.',
  door: 'Place of delivery',
  proposed: 'New place',
  shortCode: 'National Address',
  ways: 'Where is it?',
  onMap: 'Choose the place on a map',
  onMapHint: 'Drag the pin to the door.',
  usePin: 'Use the place of the pin',
  pinInstead: 'Choose another way below.',
  here: 'Where I am now',
  hereHint: 'If you are at the place of delivery. Your phone asks you for permission.',
  byCode: 'Short code of the National Address',
  byCodeHint: 'Four letters and four digits, such as RRRD2929.',
  find: 'Find',
  byText: 'Street or place',
  byTextHint: 'For example: Olaya Street 12',
  search: 'Search',
  isIt: 'Is it here?',
  which: 'Which one is it?',
  useIt: 'Yes, deliver here',
  cancel: 'No, back',
  addressLine: 'What the driver has to look for',
  position: 'The position of your phone',
  when: 'When?',
  windowIs: {
    ASKED: 'You asked for:',
    AGREED: 'The driver will come:',
    MET: 'The driver came:',
    MISSED: 'It was planned for:',
  },
  windowHint: 'This is a request until a driver agrees. You can choose at most twice.',
  place: 'At the door',
  placeKind: 'Where may the driver leave it?',
  places: {
    HAND: 'Hand it to me',
    DOOR: 'At the door',
    RECEPTION: 'At the reception',
    NEIGHBOUR: 'With a neighbour',
    SAFE_PLACE: 'In a safe place',
  },
  noPlace: 'The driver decides',
  placeNote: 'Where exactly',
  instructions: 'What should the driver know?',
  instructionsHint: 'For example: the bell is broken, please call.',
  save: 'Save',
  refusal: 'I do not want this parcel',
  refusalLead: (merchant) => `${merchant} is told and decides what happens. You cannot take this back here.`,
  reasons: {
    NOT_ORDERED: 'I did not order it',
    CHANGED_MIND: 'I changed my mind',
    ORDERED_TWICE: 'I ordered it twice',
    TOO_LATE: 'It comes too late',
    OTHER: 'Another reason',
  },
  comment: 'In your words (not required)',
  refuse: 'I do not want it',
  refused: (merchant) => `You said that you do not want this parcel. ${merchant} was told.`,
  changes: {
    PLACE: 'where to leave it',
    INSTRUCTIONS: 'the note for the driver',
    LOCATION_NEARBY: 'the place',
    LOCATION: 'the place',
    ADDRESS_LINE: 'the address',
    SHORT_ADDRESS: 'the National Address',
    RECIPIENT_NAME: 'the name',
    RECIPIENT_PHONE: 'the phone',
    ALTERNATE_CONTACT: 'the second contact',
    PICKUP_WINDOW: 'the pickup',
    DELIVERY_WINDOW: 'the time',
    COD_AMOUNT_LOWERED: 'the amount',
    COD_AMOUNT_RAISED: 'the amount',
  },
  changed: (what) => `Changed: ${what}.`,
  untilDeparture: 'You can change it again until the driver sets out.',
  untilEnd: 'You can change it again until the parcel is delivered.',
  waiting: (merchant) => `${merchant} has to agree to the new place. Until then the old one stays.`,
  waitingTitle: 'Waiting for the store',
  nothingChanged: 'Nothing changed. It was already set like this.',
  troubles: {
    TOO_LATE: 'It is too late for this change: the driver is on the way.',
    CITY_CHANGE: 'This place is in another city. Please contact the store.',
    LIMIT_REACHED: 'This parcel has been changed too often. Please contact the store.',
    NOT_PERMITTED: 'The store does not allow this change here. Please contact the store.',
    STALE: 'Something changed in the meantime. Please check again.',
    CODE_WRONG: 'The code is not right. Please check it.',
    CODE_OVER: 'This code is no longer valid. Please ask for another one.',
    CODES_MANY: 'Too many codes were sent. Please try again later.',
    NO_MESSAGES: 'No SMS can be sent right now. Please try again in a minute.',
    UNKNOWN_CODE: 'There is no National Address with this short code.',
    NOT_A_CODE: 'A short code has four letters and four digits, such as RRRD2929.',
    NO_PLACES: 'Nothing was found. Try the street and the district.',
    NO_REGISTRY: 'The address service does not answer right now. Please try again, or use another way.',
    NO_POSITION: 'Your phone did not share its position. You can use the short code instead.',
    SEARCHES_MANY: 'You have searched too often today. Please contact the store.',
    SIGNED_OUT: 'You were signed out after half an hour. Please ask for another code.',
    COMPLAINED: 'There is a complaint of this kind already. The carrier answers it.',
    COMPLAINTS_MANY: 'There were many complaints about this parcel. Please wait for the answers.',
    COMPLAINT_LATE: 'It is too late for a complaint here. Ask the shop, please.',
    NOT_DELIVERED: 'This cannot be returned here now. Please contact the store.',
    INVALID: 'Please check what you have entered.',
    UNAVAILABLE: 'This could not be saved right now. Please try again.',
  },
};

const ar: Words = {
  title: 'تعديل التوصيل',
  back: 'العودة إلى الشحنة',
  photo: 'صورة التوصيل',
  codeTitle: 'أولًا، نتأكد أنه أنت',
  codeLead: (merchant) =>
    `سنرسل رمزًا في رسالة نصية إلى رقم الجوال المسجّل لدى ${merchant} لهذه الشحنة. لا نطلب منك أي مبلغ.`,
  codeSend: 'أرسل الرمز',
  codeSent: (phone) => `أرسلنا رمزًا في رسالة نصية إلى الرقم المنتهي بـ ${phone}.`,
  code: 'الرمز',
  codeHint: 'ستة أرقام، صالحة لمدة 5 دقائق.',
  codeCheck: 'متابعة',
  codeAgain: 'أرسل رمزًا آخر',
  sandboxCode: (code) => `هذه بيئة تجريبية فلم تُرسل رسالة. الرمز هو ${code}.`,
  question: 'هل هذا هو المكان؟',
  confirmed: 'أكّدت هذا المكان.',
  yes: 'نعم، هذا هو',
  no: 'لا، أريد تغييره',
  other: 'تغيير المكان',
  drawing: 'رسم للشوارع حول مكان التوصيل. الشمال إلى الأعلى.',
  door: 'مكان التوصيل',
  proposed: 'المكان الجديد',
  shortCode: 'العنوان الوطني',
  ways: 'أين المكان؟',
  onMap: 'حدّد المكان على الخريطة',
  onMapHint: 'اسحب الدبوس إلى الباب.',
  usePin: 'اعتمد موضع الدبوس',
  pinInstead: 'اختر طريقة أخرى أدناه.',
  here: 'مكاني الآن',
  hereHint: 'إذا كنت في مكان التوصيل. سيطلب جوالك الإذن.',
  byCode: 'العنوان المختصر',
  byCodeHint: 'أربعة أحرف وأربعة أرقام، مثل RRRD2929.',
  find: 'ابحث',
  byText: 'الشارع أو المكان',
  byTextHint: 'مثال: شارع العليا 12',
  search: 'ابحث',
  isIt: 'هل هو هنا؟',
  which: 'أيها المقصود؟',
  useIt: 'نعم، التوصيل هنا',
  cancel: 'لا، عودة',
  addressLine: 'ما يبحث عنه السائق',
  position: 'موقع جوالك',
  when: 'متى؟',
  windowIs: { ASKED: 'طلبت:', AGREED: 'يأتي السائق:', MET: 'جاء السائق:', MISSED: 'كان الموعد:' },
  windowHint: 'هذا طلب حتى يوافق السائق. يمكنك الاختيار مرتين.',
  place: 'عند الباب',
  placeKind: 'أين يترك السائق الشحنة؟',
  places: {
    HAND: 'يسلّمها لي',
    DOOR: 'عند الباب',
    RECEPTION: 'في الاستقبال',
    NEIGHBOUR: 'عند الجار',
    SAFE_PLACE: 'في مكان آمن',
  },
  noPlace: 'كما يرى السائق',
  placeNote: 'أين بالتحديد',
  instructions: 'ماذا يحتاج السائق أن يعرف؟',
  instructionsHint: 'مثال: الجرس لا يعمل، الرجاء الاتصال.',
  save: 'حفظ',
  refusal: 'لا أريد هذه الشحنة',
  refusalLead: (merchant) => `سيُبلَّغ ${merchant} ويقرر ما يلزم. لا يمكن التراجع عن ذلك هنا.`,
  reasons: {
    NOT_ORDERED: 'لم أطلبها',
    CHANGED_MIND: 'غيّرت رأيي',
    ORDERED_TWICE: 'طلبتها مرتين',
    TOO_LATE: 'تصل متأخرة',
    OTHER: 'سبب آخر',
  },
  comment: 'بكلماتك (اختياري)',
  refuse: 'لا أريدها',
  refused: (merchant) => `قلت إنك لا تريد هذه الشحنة، وأُبلغ ${merchant}.`,
  changes: {
    PLACE: 'مكان ترك الشحنة',
    INSTRUCTIONS: 'الملاحظة للسائق',
    LOCATION_NEARBY: 'المكان',
    LOCATION: 'المكان',
    ADDRESS_LINE: 'العنوان',
    SHORT_ADDRESS: 'العنوان الوطني',
    RECIPIENT_NAME: 'الاسم',
    RECIPIENT_PHONE: 'الجوال',
    ALTERNATE_CONTACT: 'جهة الاتصال البديلة',
    PICKUP_WINDOW: 'وقت الاستلام',
    DELIVERY_WINDOW: 'الموعد',
    COD_AMOUNT_LOWERED: 'المبلغ',
    COD_AMOUNT_RAISED: 'المبلغ',
  },
  changed: (what) => `تم تغيير: ${what}.`,
  untilDeparture: 'يمكنك التغيير مرة أخرى حتى ينطلق السائق إليك.',
  untilEnd: 'يمكنك التغيير مرة أخرى حتى تسليم الشحنة.',
  waiting: (merchant) => `يلزم أن يوافق ${merchant} على المكان الجديد. حتى ذلك يبقى المكان القديم.`,
  waitingTitle: 'بانتظار المتجر',
  nothingChanged: 'لا شيء لتغييره، فهو كذلك بالفعل.',
  troubles: {
    TOO_LATE: 'فات وقت هذا التغيير، فالسائق في الطريق إليك.',
    CITY_CHANGE: 'هذا المكان في مدينة أخرى. اطلب ذلك من المتجر.',
    LIMIT_REACHED: 'عُدّلت هذه الشحنة مرات كثيرة. اطلب ذلك من المتجر.',
    NOT_PERMITTED: 'لم يُتح المتجر هذا التغيير. اطلب ذلك من المتجر.',
    STALE: 'تغيّر شيء في الأثناء. انظر مرة أخرى من فضلك.',
    CODE_WRONG: 'الرمز غير صحيح. تحقق منه من فضلك.',
    CODE_OVER: 'لم يعد هذا الرمز صالحًا. اطلب رمزًا آخر.',
    CODES_MANY: 'أُرسلت رموز كثيرة. حاول لاحقًا من فضلك.',
    NO_MESSAGES: 'لا يمكن إرسال رسالة الآن. حاول بعد دقيقة من فضلك.',
    UNKNOWN_CODE: 'لا يوجد عنوان وطني بهذا العنوان المختصر.',
    NOT_A_CODE: 'العنوان المختصر أربعة أحرف وأربعة أرقام، مثل RRRD2929.',
    NO_PLACES: 'لم نجد شيئًا. جرّب الشارع والحي.',
    NO_REGISTRY: 'خدمة العناوين لا تجيب الآن. حاول مرة أخرى أو استخدم طريقة أخرى.',
    NO_POSITION: 'لم يشارك جوالك موقعه. يمكنك استخدام العنوان المختصر.',
    SEARCHES_MANY: 'بحثت مرات كثيرة اليوم. تواصل مع المتجر من فضلك.',
    SIGNED_OUT: 'انتهت مدة الدخول بعد نصف ساعة. اطلب رمزًا آخر من فضلك.',
    COMPLAINED: 'توجد شكوى من هذا النوع، وسيرد عليها الناقل.',
    COMPLAINTS_MANY: 'قُدّمت شكاوى كثيرة من هذه الشحنة. انتظر الردود من فضلك.',
    COMPLAINT_LATE: 'فات وقت تقديم الشكوى هنا. تواصل مع المتجر من فضلك.',
    NOT_DELIVERED: 'لا يمكن إرجاعه هنا الآن. تواصل مع المتجر من فضلك.',
    INVALID: 'تحقق مما أدخلته من فضلك.',
    UNAVAILABLE: 'تعذّر الحفظ الآن. حاول مرة أخرى من فضلك.',
  },
};

export const WORDS: Readonly<Record<Locale, Words>> = { en, ar };
