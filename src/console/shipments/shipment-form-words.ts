import type { DraftField, ItemField } from './shipment-draft.ts';

interface FormTexts {
  readonly fields: Readonly<Record<DraftField, string>>;
  readonly item: Readonly<Record<ItemField, string>>;
  readonly [text: string]: string | Readonly<Record<string, string>>;
}

const en = {
  order: 'Order',
  recipient: 'Recipient',
  alternate: 'Alternate contact',
  money: 'Value and payment',
  payment: 'Payment',
  choose: 'Choose',
  zone: 'Times are in Riyadh.',
  referenceHint: 'Your own order number. You can use each number only once.',
  cityHint: 'The name of the city, or its code.',
  phoneHint: 'A Saudi number such as 0501234567.',
  codHint: 'Enter 0 if there is nothing to collect.',
  items: 'Contents',
  itemNumber: 'Item',
  addItem: 'Add an item',
  removeItem: 'Remove',
  sizes: 'Dimensions of one piece',
  submit: 'Create the shipment',
  fields: {
    externalReference: 'Your reference',
    branchCode: 'Branch',
    pickupLocationCode: 'Pickup location',
    'recipient.name': 'Name',
    'recipient.phone': 'Mobile',
    'recipient.alternateContactName': 'Name of the alternate contact',
    'recipient.alternateContactPhone': 'Mobile of the alternate contact',
    'destination.addressLine': 'Address',
    'destination.cityCode': 'City',
    'destination.latitude': 'Latitude',
    'destination.longitude': 'Longitude',
    declaredValue: 'Declared value',
    codAmount: 'Amount to collect',
    currency: 'Currency',
    pickupWindowStart: 'Pickup from',
    pickupWindowEnd: 'Pickup until',
    requirements: 'Requirements (optional)',
  },
  item: {
    description: 'Description',
    quantity: 'Pieces',
    weightKilograms: 'Weight per piece, kg',
    lengthCentimetres: 'Length, cm',
    widthCentimetres: 'Width, cm',
    heightCentimetres: 'Height, cm',
  },
} satisfies FormTexts;

const ar: typeof en = {
  order: 'الطلب',
  recipient: 'المستلم',
  alternate: 'جهة اتصال بديلة',
  money: 'القيمة والدفع',
  payment: 'طريقة الدفع',
  choose: 'اختر',
  zone: 'الأوقات بتوقيت الرياض.',
  referenceHint: 'رقم الطلب في نظامك. يُستخدم كل رقم مرة واحدة فقط.',
  cityHint: 'اسم المدينة أو رمزها.',
  phoneHint: 'رقم سعودي مثل 0501234567.',
  codHint: 'اكتب 0 إن لم يكن هناك مبلغ للتحصيل.',
  items: 'المحتويات',
  itemNumber: 'الصنف',
  addItem: 'أضف صنفًا',
  removeItem: 'احذف',
  sizes: 'أبعاد القطعة الواحدة',
  submit: 'أنشئ الشحنة',
  fields: {
    externalReference: 'رقمك المرجعي',
    branchCode: 'الفرع',
    pickupLocationCode: 'موقع الاستلام',
    'recipient.name': 'الاسم',
    'recipient.phone': 'الجوال',
    'recipient.alternateContactName': 'اسم جهة الاتصال البديلة',
    'recipient.alternateContactPhone': 'جوال جهة الاتصال البديلة',
    'destination.addressLine': 'العنوان',
    'destination.cityCode': 'المدينة',
    'destination.latitude': 'خط العرض',
    'destination.longitude': 'خط الطول',
    declaredValue: 'القيمة المصرّح بها',
    codAmount: 'المبلغ المطلوب تحصيله',
    currency: 'العملة',
    pickupWindowStart: 'الاستلام من',
    pickupWindowEnd: 'الاستلام حتى',
    requirements: 'المتطلبات (اختياري)',
  },
  item: {
    description: 'الوصف',
    quantity: 'عدد القطع',
    weightKilograms: 'وزن القطعة، كجم',
    lengthCentimetres: 'الطول، سم',
    widthCentimetres: 'العرض، سم',
    heightCentimetres: 'الارتفاع، سم',
  },
};

/** The words of the shipment form. */
export const SHIPMENT_FORM_TEXTS = { en, ar };
