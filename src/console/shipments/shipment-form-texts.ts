import type { DraftField, ItemField } from './shipment-draft.ts';

interface FormTexts {
  readonly fields: Readonly<Record<DraftField, string>>;
  readonly item: Readonly<Record<ItemField, string>>;
  readonly [text: string]: string | Readonly<Record<string, string>>;
}

const en = {
  order: 'Order',
  recipient: 'Recipient',
  alternate: 'Somebody else to call',
  money: 'Value and payment',
  payment: 'Payment',
  choose: 'Choose',
  zone: 'Times of your time zone:',
  referenceHint: 'Your own number of the order. Each may be used once.',
  cityHint: 'A code such as RUH.',
  codHint: '0 when there is nothing to collect.',
  requirementsHint: 'Codes with spaces between them, such as FRAGILE COLD_CHAIN. Often none.',
  items: 'Contents',
  itemNumber: 'Item',
  addItem: 'Add an item',
  removeItem: 'Remove',
  sizes: 'Size of one piece',
  submit: 'Create the shipment',
  fields: {
    externalReference: 'Your reference',
    branchCode: 'Branch',
    pickupLocationCode: 'Pickup location',
    'recipient.name': 'Name',
    'recipient.phone': 'Mobile',
    'recipient.alternateContactName': 'Name of the other contact',
    'recipient.alternateContactPhone': 'Mobile of the other contact',
    'destination.addressLine': 'Address',
    'destination.cityCode': 'City',
    'destination.latitude': 'Latitude',
    'destination.longitude': 'Longitude',
    declaredValue: 'Declared value',
    codAmount: 'To collect',
    currency: 'Currency',
    pickupWindowStart: 'Pickup from',
    pickupWindowEnd: 'Pickup until',
    requirements: 'Requirements (optional)',
  },
  item: {
    description: 'What it is',
    quantity: 'Pieces',
    weightKilograms: 'Weight of one, kg',
    lengthCentimetres: 'Length, cm',
    widthCentimetres: 'Width, cm',
    heightCentimetres: 'Height, cm',
  },
} satisfies FormTexts;

const ar: typeof en = {
  order: 'الطلب',
  recipient: 'المستلم',
  alternate: 'شخص آخر للتواصل',
  money: 'القيمة والدفع',
  payment: 'طريقة الدفع',
  choose: 'اختر',
  zone: 'الأوقات بتوقيتك المحلي:',
  referenceHint: 'رقم الطلب لديك. يُستخدم كل رقم مرة واحدة.',
  cityHint: 'رمز مثل RUH.',
  codHint: '0 إن لم يكن هناك مبلغ للتحصيل.',
  requirementsHint: 'رموز بينها مسافات، مثل FRAGILE COLD_CHAIN. وغالبًا لا حاجة إليها.',
  items: 'المحتويات',
  itemNumber: 'الصنف',
  addItem: 'أضف صنفًا',
  removeItem: 'احذف',
  sizes: 'أبعاد القطعة الواحدة',
  submit: 'أنشئ الشحنة',
  fields: {
    externalReference: 'مرجعك',
    branchCode: 'الفرع',
    pickupLocationCode: 'موقع الاستلام',
    'recipient.name': 'الاسم',
    'recipient.phone': 'الجوال',
    'recipient.alternateContactName': 'اسم الشخص الآخر',
    'recipient.alternateContactPhone': 'جوال الشخص الآخر',
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

/** Words of the form for a shipment. */
export const SHIPMENT_FORM_TEXTS = { en, ar };
