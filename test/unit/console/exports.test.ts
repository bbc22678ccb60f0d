import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCsv } from '../../../src/console/shipments/csv-file.ts';
import { matchColumns, orderFileOf, shopOf } from '../../../src/console/shipments/export-headers.ts';
import { keepMatching, keptMatching } from '../../../src/console/shipments/kept-columns.ts';
import { blankDraft } from '../../../src/console/shipments/shipment-draft.ts';
import type { OrderFile } from '../../../src/console/shipments/upload-fields.ts';
import { methodOf, unknownMethods } from '../../../src/console/shipments/upload-payments.ts';
import { searchTextOf, unplacedRows } from '../../../src/console/shipments/upload-places.ts';
import { collectionsOf, productOf, requestOfRow } from '../../../src/console/shipments/upload-request.ts';
import {
  correctCell,
  matchAnew,
  missingFields,
  productsOf,
  rowsOfFile,
} from '../../../src/console/shipments/upload-rows.ts';
import { withoutEnded } from '../../../src/console/shipments/upload-statuses.ts';
import { keptHere } from '../../../src/ui/kept-here.ts';

const cities = [
  { cityCode: 'RUH', name: 'Riyadh', nameAr: 'الرياض' },
  { cityCode: 'JED', name: 'Jeddah', nameAr: 'جدة' },
  { cityCode: 'GIZ', name: 'Jazan', nameAr: 'جازان' },
  { cityCode: 'MED', name: 'Madinah', nameAr: 'المدينة المنورة' },
  { cityCode: 'MKK', name: 'Makkah', nameAr: 'مكة المكرمة' },
];
const blank = blankDraft(Date.UTC(2026, 10, 29, 6));
const [item] = blank.items;
/** What the page fills for all rows: where the parcels are, and one weight. */
const defaults = {
  ...blank,
  values: { ...blank.values, branchCode: 'B', pickupLocationCode: 'P' },
  items: item === undefined ? [] : [{ ...item, values: { ...item.values, weightKilograms: '0.5' } }],
};
const basis = { defaults, cities };

function exportOf(shop: string): OrderFile {
  const bytes = new Uint8Array(readFileSync(join(import.meta.dirname, 'exports', `${shop}.csv`)));
  const file = readCsv(bytes.buffer);
  if (typeof file === 'string') throw new Error(file);
  return file;
}

function fileOf(text: string): OrderFile {
  const file = readCsv(new TextEncoder().encode(text).buffer);
  if (typeof file === 'string') throw new Error(file);
  return file;
}

const requestsOf = (file: OrderFile) => rowsOfFile(file, matchColumns(file)).map((row) => requestOfRow(row, basis));

describe('an export', () => {
  test.each([
    ['shopify', 'Shopify', '#1001', 10],
    ['woocommerce', 'WooCommerce', '7300', 10],
    ['salla', 'Salla', '215680000', 8],
    ['zid', 'Zid', '48000000', 10],
  ])('of %s becomes 20 shipments without a column by hand', (name, shop, reference, onDelivery) => {
    const file = exportOf(name);
    const matching = matchColumns(file);
    expect(shopOf(file.header)?.en).toBe(shop);
    expect(missingFields(matching, defaults)).toEqual([]);
    // No shop exports where the door is, so the page looks for the addresses.
    expect(unplacedRows(rowsOfFile(file, matching)).map(searchTextOf)).toEqual(
      Array.from({ length: 20 }, () => expect.stringMatching(/^(?=.*حي )\S.*, \S+/)),
    );
    expect([...unknownMethods(file, matching, {})]).toEqual([]);
    const requests = requestsOf(file);
    expect(requests).toHaveLength(20);
    expect(requests[0]?.externalReference).toBe(reference);
    for (const { recipient, destination, items, codAmount, declaredValue, paymentMethod, currency } of requests) {
      expect(recipient).toEqual({ name: expect.stringMatching(/\S \S/), phone: expect.stringMatching(/^05[0-9]{8}$/) });
      expect(cities.map(({ cityCode }) => cityCode)).toContain(destination.cityCode);
      expect(destination.addressLine).toMatch(/حي/);
      expect(Number(declaredValue)).toBeGreaterThan(100);
      expect(codAmount).toBe(paymentMethod === 'COD' ? declaredValue : '0');
      expect(currency).toBe('SAR');
      for (const one of items) {
        expect(one).toMatchObject({ weightKilograms: '0.5', description: expect.stringMatching(/^[^(]{3,60}$/) });
        expect(one.quantity).toBeGreaterThan(0);
      }
    }
    expect(requests.filter(({ paymentMethod }) => paymentMethod === 'COD')).toHaveLength(onDelivery);
    expect(requests.some(({ items }) => items.length > 1)).toBe(true);
  });

  test('has several lines for an order with several products', () => {
    const items = requestsOf(exportOf('shopify')).map((request) => request.items.map(({ quantity }) => quantity));
    expect(items.slice(0, 4)).toEqual([[1, 2, 3], [1], [1], [1, 2]]);
    const lines = fileOf(
      [
        'Order ID,Customer Name,Mobile,Product,Quantity,Total',
        '\u200F١٠٠١,Huda,0501234567,Coffee,1,90',
        '1001,,,Cup,2,',
        // Two parcels at one door, and somebody else with a number that is taken.
        '1002,Huda,0501234567,Coffee,1,45',
        '1002,Faisal,0501234567,Dates,1,45',
        ',,,,,',
        '1001,Huda,0501234567,Pot,1,90',
      ].join('\n'),
    );
    const matching = matchColumns(lines);
    const rows = rowsOfFile(lines, matching);
    expect(rows.map((row) => [row.number, row.lines])).toEqual([
      [2, [2, 3, 7]],
      [4, undefined],
      [5, undefined],
    ]);
    expect(rows[0]?.values).toMatchObject({ 'items[1].description': 'Cup', 'items[2].description': 'Pot' });
    const left = [correctCell(rows[0] ?? { number: 0, values: {}, corrected: {} }, 'items[1].weightKilograms', '2')];
    const [first] = matchAnew(left, { file: lines, matching }, matching);
    expect(requestOfRow(first ?? { values: {} }, basis).items).toMatchObject([
      { description: 'Coffee', weightKilograms: '0.5' },
      { description: 'Cup', weightKilograms: '2', quantity: 2 },
      { description: 'Pot' },
    ]);
    // Without the number of the order each line is one again.
    const apart = matching.map((field) => (field === 'externalReference' ? '' : field));
    expect(matchAnew(left, { file: lines, matching }, apart)).toHaveLength(3);
  });
});

describe('headers', () => {
  const matchingOf = (header: string) => matchColumns({ header: header.split(','), rows: [] });

  test('of own files are known in both languages, whatever their marks, case and spaces', () => {
    expect(matchingOf(' ORDER  id,Customer Name,Shipping Address,Product,Weight (kg),Total,Payment Method')).toEqual([
      'externalReference',
      'recipient.name',
      'destination.addressLine',
      'items[0].description',
      'items[0].weightKilograms',
      'orderTotal',
      'paymentMethod',
    ]);
    expect(
      matchingOf('\u200Fرقم الطّلب,إسم العميل,رقم الجـــوال,المدينه,العنوان,طريقة الدفع,اجمالى الطلب\u200E,الوزن (كجم)'),
    ).toEqual([
      'externalReference',
      'recipient.name',
      'recipient.phone',
      'destination.cityCode',
      'destination.addressLine',
      'paymentMethod',
      'orderTotal',
      'items[0].weightKilograms',
    ]);
  });

  test('mean what the whole set of them says', () => {
    expect(matchingOf('Name,Mobile')).toEqual(['recipient.name', 'recipient.phone']);
    expect(matchingOf('Name,Customer Name')).toEqual(['', 'recipient.name']);
    expect(matchingOf('Name,Lineitem name,Shipping Name')).toEqual([
      'externalReference',
      'items[0].description',
      'recipient.name',
    ]);
    expect(matchingOf('First name,Surname,Last name')).toEqual(['recipient.name', '', 'recipient.name']);
    expect(matchingOf('COD,Payment')).toEqual(['codAmount', 'paymentMethod']);
    // The amount, or the fee.
    expect(matchingOf('cod,Payment,Total')).toEqual(['', 'paymentMethod', 'orderTotal']);
    expect(matchingOf('Total weight,Company,Email,Notes,Shipping,Taxes,Status')).toEqual(['', '', '', '', '', '', '']);
  });

  test('of one field are joined in the order of their names, without equal parts', () => {
    const shopify = 'Name,Lineitem name,Shipping Address2,Shipping Address1';
    const addresses = fileOf(
      [shopify, '#1,Coffee,2,12 King Fahd Road', '#2,Coffee,طريق الملك فهد,طَريق الملك فهد', '#3,Coffee,7,'].join('\n'),
    );
    const valueOf = (file: OrderFile, field: 'destination.addressLine' | 'recipient.name') =>
      rowsOfFile(file, matchColumns(file)).map(({ values }) => values[field]);
    expect(valueOf(addresses, 'destination.addressLine')).toEqual(['12 King Fahd Road, 2', 'طَريق الملك فهد', '7']);
    expect(valueOf(fileOf('Last name,First name\nAl,Alia\n'), 'recipient.name')).toEqual(['Alia Al']);
    // A person has matched columns that have no order of their own.
    const own = fileOf('House,Address 1\n7,King Fahd Road\n');
    const [row] = rowsOfFile(own, ['destination.addressLine', 'destination.addressLine']);
    expect(row?.values['destination.addressLine']).toBe('7, King Fahd Road');
  });

  test('may stand under a title and empty lines', () => {
    for (const separator of [',', ';', '\t']) {
      const text = ['طلبات اليوم, 29-11', '', ['رقم الطلب', 'الاسم', 'العنوان'].join(separator), ['1', 'هدى', 'x, y']];
      const rows = text.map((line) => [line].flat().map((cell) => (line.includes('x, y') ? `"${cell}"` : cell)));
      const file = fileOf(rows.map((cells) => cells.join(separator)).join('\n'));
      expect(file).toEqual({
        header: ['رقم الطلب', 'الاسم', 'العنوان'],
        rows: [{ number: 4, cells: ['1', 'هدى', 'x, y'] }],
      });
    }
    expect(orderFileOf([['Orders of today'], ['x', 'y', 'z'], ['1', '2', '3']])?.header).toEqual(['x', 'y', 'z']);
  });

  test('are read from Windows-1256 and from what Excel calls Unicode text', () => {
    const cells = ['رقم الطلب', 'الاسم'];
    const utf16 = new Uint8Array(Buffer.from(`\ufeff${cells.join('\t')}\nA\tهدى`, 'utf16le'));
    const file = readCsv(utf16.buffer);
    expect(file).toMatchObject({ header: cells, rows: [{ cells: ['A', 'هدى'] }] });
    expect(exportOf('salla').rows[0]?.cells[2]).toBe('نورة القحطاني');
  });
});

describe('the words for payment', () => {
  test.each([
    ...['Cash on Delivery (COD)', 'cod', 'COD', 'الدفع عند الاستلام', 'دفع عند الإستلام', 'نقدي عند الاستلام'].map(
      (word) => [word, 'COD'],
    ),
    ...['شبكة عند التسليم', 'cash_on_delivery'].map((word) => [word, 'COD']),
    ...['مدى', 'mada', 'Apple Pay', 'ApplePay', 'Credit card', 'STC Pay', 'stcpay', 'tabby', 'تمارا', 'PREPAID'].map(
      (word) => [word, 'PREPAID'],
    ),
    ['مدفوع مسبقًا', 'PREPAID'],
    ...['', 'حوالة بنكية', 'Cash', 'نقدي', 'wallet', 'mada / COD', 'غير مدفوع', 'not paid by mada', 'Codfish'].map(
      (word) => [word, undefined],
    ),
  ])('%s means %s', (word, method) => {
    expect(methodOf(word ?? '', {})).toBe(method);
  });

  test('that nobody knows are asked once, and the answer holds for all rows', () => {
    const file = fileOf(
      ['رقم الطلب,طريقة الدفع,الإجمالي', '1,حوالة بنكية,10', '2,حَوالة بنكيّة,20', '3,,30', '4,مدى,40'].join('\n'),
    );
    const matching = matchColumns(file);
    expect([...unknownMethods(file, matching, {})]).toEqual([
      ['حواله بنكيه', { cell: 'حوالة بنكية', count: 2 }],
      ['', { cell: '', count: 1 }],
    ]);
    const payments = { 'حواله بنكيه': 'COD', '': 'PREPAID' } as const;
    expect([...unknownMethods(file, matching, payments)]).toEqual([]);
    const requests = rowsOfFile(file, matching).map((row) => requestOfRow(row, { ...basis, payments }));
    expect(requests.map(({ paymentMethod, codAmount }) => [paymentMethod, codAmount])).toEqual([
      ['COD', '10'],
      ['COD', '20'],
      ['PREPAID', '0'],
      ['PREPAID', '0'],
    ]);
    const [unanswered] = rowsOfFile(file, matching).map((row) => requestOfRow(row, basis));
    expect(unanswered?.paymentMethod).toBe('حوالة بنكية');
  });

  test('of an order do not replace an amount to collect', () => {
    const file = fileOf('Order,Payment,Total,Amount to collect\n1,COD,100,40\n2,COD,100,\n');
    expect(requestsOf(file).map(({ codAmount }) => codAmount)).toEqual(['40', '100']);
  });
});

describe('an order that its shop', () => {
  const remaining = (lines: readonly string[]) => {
    const file = fileOf(lines.join('\n'));
    const { rows, ended = [] } = withoutEnded(file, matchColumns(file));
    return [rows.map(({ number }) => number), ended.map(({ reference, reason }) => [reference, reason])];
  };

  test('has cancelled, refunded or sent is left out with its further lines', () => {
    expect(
      remaining([
        'Name,Lineitem name,Financial Status,Fulfillment Status,Cancelled at',
        '#1,Coffee,pending,unfulfilled,',
        '#2,Coffee,voided,unfulfilled,2026-11-29 09:00:11 +0300',
        '#2,Cup,,,',
        '#3,Coffee,refunded,unfulfilled,',
        '#4,Coffee,paid,fulfilled,',
        '#5,Coffee,paid,partial,',
        '#6,Coffee,partially_refunded,unfulfilled,-',
        '#6,Cup,,,',
      ]),
    ).toEqual([
      [2, 8, 9],
      [
        ['#2', 'CANCELLED'],
        ['#3', 'REFUNDED'],
        ['#4', 'SHIPPED'],
        ['#5', 'SHIPPED'],
      ],
    ]);
  });

  test.each([
    [
      'Order Number,Payment Method Title,Order Status',
      'Processing',
      ['Completed', 'wc-cancelled', 'Refunded', 'Failed'],
    ],
    ['رقم الطلب,اسماء المنتجات مع SKU,حالة الطلب', 'تم التنفيذ', ['ملغى', 'تمّ الشحن', 'جارى التوصيل', 'مسترجع']],
    ['id,customer_mobile,order_status', 'جديد', ['ملغي', 'تم التوصيل', 'indelivery', 'Cancelled']],
    ['Order,Name,Order status', 'new', ['shipped', 'delivered']],
  ])('names in the columns %s', (header, open, ended) => {
    const lines = [open, ...ended, ''].map((status, index) => `${index + 1},x,${status}`);
    const [rows, orders] = remaining([header, ...lines]);
    expect([rows, orders?.length]).toEqual([[2, ended.length + 3], ended.length]);
  });

  test('does not describe with a column of that name is kept', () => {
    expect(remaining(['Order,Name,Status', '1,Huda,Shipped'])).toEqual([[2], []]);
    for (const shop of ['shopify', 'woocommerce', 'salla', 'zid']) {
      const file = exportOf(shop);
      expect(withoutEnded(file, matchColumns(file))).toBe(file);
    }
  });

  test('says is paid has nothing to collect, and the balance counts before the total', () => {
    const header = 'Name,Lineitem name,Payment Method,Total,Outstanding Balance,Financial Status,Currency';
    const requests = requestsOf(
      fileOf(
        [
          header,
          '#1,Coffee,Cash on Delivery (COD),120.00,120.00,pending,SAR',
          '#2,Coffee,Cash on Delivery (COD),120.00,0.00,paid,SAR',
          '#3,Coffee,Cash on Delivery (COD),120.00,20.50,partially_paid,SAR',
          '#4,Coffee,Cash on Delivery (COD),120.00,,paid,SAR',
          '#5,Coffee,Cash on Delivery (COD),120.00,,partially_paid,SAR',
          '#6,Coffee,mada,120.00,120.00,pending,SAR',
        ].join('\n'),
      ),
    );
    expect(requests.map((one) => [one.paymentMethod, one.codAmount, one.declaredValue])).toEqual([
      ['COD', '120', '120'],
      ['PREPAID', '0', '120'],
      ['COD', '20.5', '120'],
      ['PREPAID', '0', '120'],
      // The service asks for the amount.
      ['COD', '', '120'],
      ['PREPAID', '0', '120'],
    ]);
    expect(collectionsOf(requests)).toEqual([{ currency: 'SAR', amount: '140.5', count: 2 }]);
  });
});

test('weights are those of the column, of the product, or one for all', () => {
  const file = fileOf(
    'Order,Product,Qty,Weight (kg)\n1,Coffee,1,0.25\n2,Coffee,1,\n3,دَلّة,1,\n4,Dates,1,\n5,Dates,2,\n',
  );
  const matching = matchColumns(file);
  expect(productsOf(file, matching)).toEqual(['Dates', 'Coffee', 'دَلّة']);
  const weights = { [productOf('دلة')]: '3' };
  const requests = rowsOfFile(file, matching).map((row) => requestOfRow(row, { ...basis, weights }));
  expect(requests.map(({ items }) => items[0]?.weightKilograms)).toEqual(['0.25', '0.5', '3', '0.5', '0.5']);
});

describe('columns that a person has matched', () => {
  const header = ['Nr', 'Wer', 'Wer', 'Summe'];
  const matching = ['externalReference', 'recipient.name', '', 'orderTotal'] as const;

  test('are kept for the same headers in any order, and nothing of the file is', async () => {
    await keepMatching(header, matching);
    expect(await keptMatching([' nr', 'WER', 'wer', 'Summe\u200F'])).toEqual(matching);
    expect(await keptMatching(['Summe', 'Wer', 'Wer', 'Nr'])).toEqual([
      'orderTotal',
      'recipient.name',
      '',
      'externalReference',
    ]);
    expect(await keptMatching(['Nr', 'Wer', 'Summe'])).toBeUndefined();
    expect(keptHere.getItem('mirsal-columns')).not.toMatch(/nr|wer|summe/i);
  });

  test('are forgotten when there are twenty newer ones, and text of others is ignored', async () => {
    for (let count = 0; count < 20; count += 1) await keepMatching([`Column ${count}`], ['recipient.name']);
    expect(await keptMatching(header)).toBeUndefined();
    expect(await keptMatching(['Column 0'])).toEqual(['recipient.name']);
    for (const text of ['null', '[', '"x"']) {
      keptHere.setItem('mirsal-columns', text);
      expect(await keptMatching(header)).toBeUndefined();
    }
  });
});
