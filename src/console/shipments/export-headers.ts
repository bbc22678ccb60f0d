import type { LocalText } from '../../core/locale.ts';
import { foldedOf } from '../../core/typed/folded.ts';
import { readText } from '../../core/typed/text.ts';
import { SHIPMENT_FORM_TEXTS } from './shipment-form-words.ts';
import { labelOf, type Matching, type OrderFile, UPLOAD_FIELDS, type UploadField } from './upload-fields.ts';

/*
 * Which column has which field. The same header means different things in different exports, so the whole set of headers
 * decides first whose export a file is. A column that nothing names for certain stays unused: a wrong match is worse than none.
 */

/**
 * The columns of each field, the best first. Several names in one entry are joined, and only the first of them must be there.
 * A column without any value counts only if no other one of the field has one.
 */
type Columns = Readonly<Partial<Record<UploadField, readonly (string | readonly string[])[]>>>;

interface Shop {
  readonly name: LocalText;
  /** Sets of headers, each of which no other file has. */
  readonly signs: readonly (readonly string[])[];
  readonly columns: Columns;
}

const SHOPS: readonly Shop[] = [
  {
    name: { en: 'Shopify', ar: 'شوبيفاي' },
    signs: [['Name', 'Lineitem name']],
    columns: {
      // Here the name is that of the order: `#1001`.
      externalReference: ['Name'],
      'recipient.name': ['Shipping Name', 'Billing Name'],
      'recipient.phone': ['Shipping Phone', 'Phone', 'Billing Phone'],
      'destination.addressLine': ['Shipping Street', ['Shipping Address1', 'Shipping Address2']],
      'destination.cityCode': ['Shipping City'],
      paymentMethod: ['Payment Method'],
      orderTotal: ['Total'],
      outstandingBalance: ['Outstanding Balance'],
      paymentStatus: ['Financial Status'],
      currency: ['Currency'],
      'items[0].description': ['Lineitem name'],
      'items[0].quantity': ['Lineitem quantity'],
      codAmount: [],
    },
  },
  {
    name: { en: 'WooCommerce', ar: 'ووكومرس' },
    signs: [
      ['Order Number', 'Payment Method Title'],
      ['Order ID', 'Payment Method Title'],
      ['Order Number', 'First Name (Shipping)'],
      ['order_number', 'shipping_first_name'],
    ],
    columns: {
      externalReference: ['Order Number', 'Order ID'],
      'recipient.name': [
        ['First Name (Shipping)', 'Last Name (Shipping)'],
        'Full Name (Shipping)',
        ['shipping_first_name', 'shipping_last_name'],
        ['First Name (Billing)', 'Last Name (Billing)'],
        'Full Name (Billing)',
        ['billing_first_name', 'billing_last_name'],
      ],
      'recipient.phone': ['Phone (Shipping)', 'shipping_phone', 'Phone (Billing)', 'billing_phone'],
      'destination.addressLine': [
        'Address 1&2 (Shipping)',
        ['Address 1 (Shipping)', 'Address 2 (Shipping)'],
        ['shipping_address_1', 'shipping_address_2'],
        'Address 1&2 (Billing)',
        ['Address 1 (Billing)', 'Address 2 (Billing)'],
        ['billing_address_1', 'billing_address_2'],
      ],
      'destination.cityCode': ['City (Shipping)', 'shipping_city', 'City (Billing)', 'billing_city'],
      paymentMethod: ['Payment Method Title', 'Payment Method'],
      orderTotal: ['Order Total Amount', 'Order Total'],
      currency: ['Currency', 'Order Currency'],
      'items[0].description': ['Item Name', 'Product Name (main)', 'Product Name', 'Name'],
      'items[0].quantity': ['Quantity'],
      codAmount: [],
    },
  },
  {
    name: { en: 'Salla', ar: 'سلة' },
    signs: [['رقم الطلب', 'اسماء المنتجات مع SKU']],
    columns: {
      externalReference: ['رقم الطلب'],
      'recipient.name': ['اسم المستلم', 'اسم العميل'],
      'recipient.phone': ['رقم جوال المستلم', 'جوال المستلم', 'رقم الجوال'],
      'destination.addressLine': ['عنوان الشحن', 'عنوان العميل', 'العنوان', ['الحي', 'الشارع']],
      'destination.cityCode': ['المدينة'],
      paymentMethod: ['طريقة الدفع'],
      orderTotal: ['إجمالي الطلب'],
      currency: ['العملة'],
      'items[0].description': ['اسماء المنتجات مع SKU'],
      codAmount: [],
    },
  },
  {
    name: { en: 'Zid', ar: 'زد' },
    signs: [
      ['id', 'order_status', 'customer_mobile'],
      ['order_id', 'order_status_name', 'customer_telephone'],
    ],
    columns: {
      externalReference: ['id', 'order_id'],
      'recipient.name': ['consignee_name', 'customer_name'],
      'recipient.phone': ['consignee_mobile', 'customer_mobile', 'customer_telephone'],
      'destination.addressLine': [
        'shipping_address',
        'customer_address',
        'address',
        ['shipping_district', 'shipping_street'],
        ['district', 'street'],
      ],
      'destination.cityCode': ['shipping_city', 'city_name'],
      paymentMethod: ['payment_method', 'payment_method_name'],
      paymentStatus: ['payment_status', 'payment_status_name'],
      orderTotal: ['total', 'total_value'],
      currency: ['currency', 'order_currency_code'],
      'items[0].description': ['product name'],
      'items[0].quantity': ['quantity'],
      // `cod` is the fee for payment on delivery, not the amount.
      codAmount: [],
    },
  },
];

const names = (list: string) => list.split(' | ');

/** What people name the columns of their own files. */
const COMMON: Columns = {
  externalReference: [
    ...names('Order number | Order no | Order ID | Order | Order reference | Reference | Reference number'),
    ...names('رقم الطلب | رقم الطلبية | الطلب | الرقم المرجعي | رقم المرجع'),
  ],
  'recipient.name': [
    ...names('Recipient name | Recipient | Receiver name | Receiver | Consignee name | Consignee | Shipping name'),
    ...names('اسم المستلم | المستلم | Customer name | Customer | Client name | اسم العميل | العميل | اسم الزبون'),
    ...names('Full name | الاسم الكامل'),
    ['First name', 'Last name'],
    ['الاسم الأول', 'الاسم الأخير', 'اسم العائلة'],
    ...names('Name | الاسم'),
  ],
  'recipient.phone': [
    ...names('Recipient phone | Recipient mobile | Receiver phone'),
    ...names('Receiver mobile | Consignee phone | Shipping phone'),
    ...names('رقم جوال المستلم | جوال المستلم | هاتف المستلم | Customer phone | Customer mobile | رقم جوال العميل'),
    ...names('جوال العميل | هاتف العميل | Mobile number | Mobile no | Mobile | رقم الجوال | الجوال | Phone number'),
    ...names('Phone no | Phone | Telephone | Contact number | رقم الهاتف | الهاتف | رقم التواصل'),
  ],
  'destination.addressLine': [
    ...names('Shipping address | Delivery address | Recipient address | Customer address | Full address'),
    ...names('عنوان الشحن | عنوان التوصيل | عنوان المستلم | عنوان العميل | العنوان التفصيلي'),
    ['Address 1', 'Address 2'],
    ...names('Address | العنوان'),
    ['District', 'Street'],
    ['الحي', 'الشارع'],
  ],
  'destination.cityCode': [
    ...names('Shipping city | Delivery city | Recipient city | Destination city | Customer city'),
    ...names('مدينة المستلم | مدينة الشحن | مدينة التوصيل | City | المدينة'),
  ],
  'destination.latitude': ['Lat'],
  'destination.longitude': ['Lng', 'Lon', 'Long'],
  declaredValue: ['Value'],
  codAmount: ['COD amount', 'مبلغ التحصيل', 'مبلغ الدفع عند الاستلام', 'COD'],
  paymentMethod: ['Payment method', 'Payment type', 'وسيلة الدفع', 'نوع الدفع'],
  orderTotal: [
    ...names('Order total amount | Total amount | Grand total | Total | المبلغ الإجمالي | إجمالي المبلغ | الإجمالي'),
    ...names('المجموع الكلي | المجموع | قيمة الطلب | مبلغ الطلب'),
  ],
  'items[0].description': [
    ...names('Product name | Product | Products | Item name | Item | Items | Item description | Contents'),
    ...names('اسم المنتج | المنتج | أسماء المنتجات | المنتجات | اسم الصنف | الصنف | محتوى الشحنة | المحتوى'),
  ],
  'items[0].quantity': ['Qty', 'Item quantity', 'Product quantity', 'الكمية', 'العدد'],
  'items[0].weightKilograms': [
    ...names('Weight (kg) | Item weight (kg) | Weight | الوزن (كجم) | الوزن (كغ) | الوزن بالكيلو | الوزن'),
  ],
};

/** A header without marks, case, spaces and punctuation, and with one form of each Arabic letter. */
export function plainHeader(name: string): string {
  return foldedOf(name).replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The names of this page and of the API for a field, unless `COMMON` says how much they are worth. */
function ownNames(field: UploadField): string[] {
  const { en, ar } = SHIPMENT_FORM_TEXTS;
  const ranked = new Set((COMMON[field] ?? []).flat().map(plainHeader));
  const names = [field, labelOf(field, en), labelOf(field, ar), field.split('.').at(-1) ?? field];
  return names.filter((name) => !ranked.has(plainHeader(name)));
}

/** The shop whose export has these headers. Undefined for headers that no known shop has. */
export function shopOf(header: readonly string[]): LocalText | undefined {
  return shopAmong(new Set(header.map(plainHeader)))?.name;
}

function shopAmong(headers: ReadonlySet<string>): Shop | undefined {
  return SHOPS.find(({ signs }) => signs.some((set) => set.every((name) => headers.has(plainHeader(name)))));
}

/** Finds the field of each column. */
export function matchColumns({ header, rows }: Pick<OrderFile, 'header' | 'rows'>): Matching {
  const columns = new Map<string, number>();
  for (const [column, name] of [...header.entries()].toReversed()) columns.set(plainHeader(name), column);
  columns.delete('');
  const shop = shopAmong(new Set(columns.keys()));
  const matching: (UploadField | '')[] = header.map(() => '');
  const isFilled = (column: number) => rows.some(({ cells }) => (cells[column] ?? '') !== '');
  for (const field of UPLOAD_FIELDS) {
    const names = shop?.columns[field] ?? [...ownNames(field), ...(shop === undefined ? (COMMON[field] ?? []) : [])];
    const found = names
      .map((entry) => [entry].flat().map((name) => columns.get(plainHeader(name))))
      .filter(([first]) => first !== undefined && matching[first] === '')
      .map((some) => some.filter((column) => column !== undefined));
    for (const column of found.find((some) => some.some(isFilled)) ?? found[0] ?? []) matching[column] = field;
  }
  return withoutFee(header, matching);
}

/**
 * The columns of a file in the order in which those of one field are joined: that of their names above, because a file may have
 * the second line of an address before the first. Columns without such an order stay where they are.
 */
export function columnsToJoin(header: readonly string[], matching: Matching): number[] {
  const shop = shopAmong(new Set(header.map(plainHeader)));
  const ranks = new Map<UploadField, readonly string[]>();
  for (const field of new Set(matching)) {
    if (field === '') continue;
    const own = header.filter((_, column) => matching[column] === field).map(plainHeader);
    const entries = (shop?.columns[field] ?? COMMON[field] ?? []).map((entry) => [entry].flat().map(plainHeader));
    ranks.set(field, entries.find((entry) => own.every((name) => entry.includes(name))) ?? []);
  }
  const rankOf = (column: number) => {
    const field = matching[column] ?? '';
    return field === '' ? -1 : (ranks.get(field)?.indexOf(plainHeader(header[column] ?? '')) ?? -1);
  };
  return [...matching.keys()].toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Beside a total and a way to pay, a column `COD` may be the amount, a fee, or yes and no. */
function withoutFee(header: readonly string[], matching: Matching): Matching {
  if (!matching.includes('orderTotal') || !matching.includes('paymentMethod')) return matching;
  return matching.map((field, column) =>
    field === 'codAmount' && plainHeader(header[column] ?? '') === 'cod' ? '' : field,
  );
}

const KNOWN: ReadonlySet<string> = new Set(
  [
    ...[...SHOPS.map(({ columns }) => columns), COMMON].flatMap((columns) =>
      UPLOAD_FIELDS.flatMap((field) => (columns[field] ?? []).flat()),
    ),
    ...UPLOAD_FIELDS.flatMap(ownNames),
  ].map(plainHeader),
);

/** How many of the texts are names of columns. */
export function countHeaders(texts: readonly string[]): number {
  return texts.filter((text) => KNOWN.has(plainHeader(text))).length;
}

/** A title, the shop's name or the day may stand above the headers. */
const HEADER_ROWS = 10;

/** The rows of a file, of which one has the headers; undefined if no row follows it. */
export function orderFileOf(all: readonly (readonly string[])[]): OrderFile | undefined {
  const rows = all
    .map((cells, index) => ({ number: index + 1, cells: cells.map(readText) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const at = headerAt(rows.slice(0, HEADER_ROWS).map(({ cells }) => cells));
  const [header, ...others] = rows.slice(at);
  return header === undefined || others.length === 0 ? undefined : { header: header.cells, rows: others };
}

/** The row with the most known headers. Without known headers, the first row that is not much shorter than the others. */
function headerAt(rows: readonly (readonly string[])[]): number {
  const known = rows.map(countHeaders);
  const most = Math.max(...known, 0);
  if (most > 1) return known.indexOf(most);
  const widths = rows.map((cells) => cells.filter((cell) => cell !== '').length);
  return Math.max(
    0,
    widths.findIndex((width) => width * 2 > Math.max(...widths)),
  );
}
