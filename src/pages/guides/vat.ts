import { addDecimals, type Decimal, literalDecimal, multiplyDecimals, roundHalfEven } from '../../core/decimal.ts';
import type { Locale } from '../../core/locale.ts';
import { type PriceTerms, priceLines, sumLines } from '../../domain/pricing/tariff.ts';
import type { Block, Guide } from './guide.ts';

/** How prices are rounded, with examples that the service's own functions compute. */
export const VAT_GUIDE: Guide = {
  slug: 'vat',
  blocks: {
    en: () => [
      { heading: 'The rule', id: 'rule' },
      {
        list: [
          'A price has lines: `BASE`, `DISTANCE` for each started kilometre, and `CITY`, the surcharge of the destination city. Each line is net of VAT and rounded to two places.',
          '`netAmount` is the sum of the lines. `vatAmount` is `netAmount × vatRate`, rounded once to two places. `totalAmount` is the sum of both.',
          'Rounding is half to even: a value exactly between two is rounded to the even one. Everything is decimal, never a binary fraction.',
          'The terms of a shipment are frozen at its creation. A cancellation adds lines, and VAT is computed again on the sum of all lines.',
        ],
      },
      { heading: 'A price that holds', id: 'hold' },
      'An estimate is the current price. To keep it until your customer decides, lock it:',
      {
        list: [
          'Send pickup location, destination and codAmount to [priceLocks.create](/docs/prices#pricelocks-create). The answer has the price and `priceLock`. It holds until `expiresAt`: for 30 minutes, or for the `expiresInSeconds` that you ask for.',
          'Create the shipment with the header `Price-Lock`. It costs what the lock says, net of VAT, with the terms of the lock. `vatRate` is that of the creation.',
          'After `expiresAt` the answer is 422 `PRICE_LOCK_EXPIRED` with the current price, and for another delivery it is 422 `PRICE_LOCK_MISMATCH`. You never pay a new price without a new request. A pin may move by 100 metres.',
          'A lock is for one shipment. A second creation is 409 `PRICE_LOCK_USED` and names the first. A retry with the same `Idempotency-Key` gets the first answer, also when the lock has expired.',
          'A lock reserves no driver. If you only want to be sure of an upper limit, send `Price-Limit` instead.',
        ],
      },
      { heading: 'Exactly between two', id: 'halves' },
      'Only amounts whose VAT ends exactly in half a halala show the difference from commercial rounding, which always rounds up:',
      ...halves('en'),
      { heading: 'A whole price', id: 'example' },
      'A tariff with a base of 9.9, 1.1 for each kilometre and 5.1 for the city, over 12,345 metres (13 started kilometres):',
      ...wholePrice('en'),
      'VAT is computed on the sum, not on each line. Rounding each line’s VAT by itself would give another total:',
      ...byLine('en'),
      { heading: 'In your program', id: 'programs' },
      ...programs(),
      'Amounts in answers have no trailing zeros: 12.5 means 12.50. See also the operation [priceEstimates.create](/docs/prices#priceestimates-create).',
    ],
    ar: () => [
      { heading: 'القاعدة', id: 'rule' },
      {
        list: [
          'للسعر بنود: `BASE`، و `DISTANCE` عن كل كيلومتر بدأ، و `CITY` عن مدينة الوجهة. كل بند دون الضريبة ومقرب إلى منزلتين.',
          '`netAmount` هو مجموع البنود. `vatAmount` هو `netAmount × vatRate` مقربًا مرة واحدة إلى منزلتين. `totalAmount` هو مجموعهما.',
          'التقريب إلى الزوجي: القيمة الواقعة تمامًا بين قيمتين تُقرب إلى الزوجية منهما. كل الحساب عشري، لا كسور ثنائية فيه.',
          'تُثبت شروط الشحنة عند إنشائها. يضيف الإلغاء بنودًا، وتُحسب الضريبة من جديد على مجموع البنود كلها.',
        ],
      },
      { heading: 'سعر ثابت', id: 'hold' },
      'التقدير هو السعر الحالي. للاحتفاظ بسعر حتى يقرر عميلك، ثبّته:',
      {
        list: [
          'أرسل موقع الاستلام والوجهة و codAmount إلى [priceLocks.create](/docs/prices#pricelocks-create). في الرد السعر و `priceLock`. يبقى السعر ثابتًا حتى `expiresAt`: مدة 30 دقيقة، أو مدة `expiresInSeconds` التي تطلبها.',
          'أنشئ الشحنة بالترويسة `Price-Lock`. تكلفتها ما في التثبيت، دون الضريبة، وبشروطه. أما `vatRate` فهي نسبة وقت الإنشاء.',
          'بعد `expiresAt` يكون الرد 422 `PRICE_LOCK_EXPIRED` ومعه السعر الحالي، ولتوصيل مختلف يكون 422 `PRICE_LOCK_MISMATCH`. لا تدفع سعرًا جديدًا من دون طلب جديد. ويجوز أن تتحرك نقطة الوجهة 100 متر.',
          'التثبيت لشحنة واحدة. الإنشاء الثاني يُرد عليه بـ 409 `PRICE_LOCK_USED` مع ذكر الشحنة الأولى. وإعادة المحاولة بالمفتاح `Idempotency-Key` نفسه تحصل على الرد الأول، حتى بعد انتهاء التثبيت.',
          'لا يحجز التثبيت سائقًا. وإن أردت حدًا أعلى فقط فأرسل `Price-Limit` بدلًا منه.',
        ],
      },
      { heading: 'تمامًا بين قيمتين', id: 'halves' },
      'لا يظهر الفرق عن التقريب التجاري، الذي يقرب إلى أعلى دائمًا، إلا في المبالغ التي تنتهي ضريبتها بنصف هللة تمامًا:',
      ...halves('ar'),
      { heading: 'سعر كامل', id: 'example' },
      'تعرفة أساسها 9.9، و 1.1 لكل كيلومتر، و 5.1 للمدينة، لمسافة 12,345 مترًا (13 كيلومترًا بدأت):',
      ...wholePrice('ar'),
      'تُحسب الضريبة على المجموع لا على كل بند. تقريب ضريبة كل بند وحده يعطي مجموعًا آخر:',
      ...byLine('ar'),
      { heading: 'في برنامجك', id: 'programs' },
      ...programs(),
      'لا تحمل المبالغ في الردود أصفارًا في نهايتها: 12.5 تعني 12.50. انظر أيضًا العملية [priceEstimates.create](/docs/prices#priceestimates-create).',
    ],
  },
};

/** The rate in force when this guide was written; each answer has its own `vatRate`. */
const RATE = literalDecimal('0.15');
const PLACES = 2;

const WORDS = {
  en: {
    net: 'Net',
    exact: 'Exact VAT',
    rounded: 'vatAmount',
    up: 'Rounded up',
    line: 'Line',
    amount: 'Amount',
    sum: 'VAT by line',
  },
  ar: {
    net: 'الصافي',
    exact: 'الضريبة الدقيقة',
    rounded: 'vatAmount',
    up: 'إلى أعلى',
    line: 'البند',
    amount: 'المبلغ',
    sum: 'ضريبة كل بند',
  },
} as const satisfies Record<Locale, Record<string, string>>;

const EXAMPLE_TERMS: PriceTerms = {
  baseAmount: literalDecimal('9.9'),
  kilometreAmount: literalDecimal('1.1'),
  citySurcharges: new Map([['RUH', literalDecimal('5.1')]]),
};
const LINES = priceLines(EXAMPLE_TERMS, 12_345, 'RUH');
const PRICE = sumLines(LINES, RATE);

function halves(locale: Locale): readonly Block[] {
  const words = WORDS[locale];
  const rows = ['12.3', '12.5', '12.7', '12.9', '20.01'].map((text) => {
    const net = literalDecimal(text);
    const exact = multiplyDecimals(net, RATE);
    return [text, exact, roundHalfEven(exact, PLACES), roundHalfUp(exact)].map((value) => `\`${value}\``);
  });
  return [{ label: words.exact, head: [words.net, words.exact, words.rounded, words.up], rows }];
}

/** What commercial rounding gives, for comparison. The values have at most four fraction digits. */
function roundHalfUp(value: Decimal): Decimal {
  return roundHalfEven(addDecimals(value, literalDecimal('0.00001')), PLACES);
}

function wholePrice(locale: Locale): readonly Block[] {
  const words = WORDS[locale];
  const { netAmount, vatAmount, totalAmount } = PRICE;
  const rows = [
    ...LINES.map(({ code, amount }) => [code, amount]),
    ['netAmount', netAmount],
    ['vatAmount', `${netAmount} × ${RATE} = ${multiplyDecimals(netAmount, RATE)} → ${vatAmount}`],
    ['totalAmount', totalAmount],
  ];
  return [{ label: words.amount, head: [words.line, words.amount], rows: rows.map(inCode) }];
}

function byLine(locale: Locale): readonly Block[] {
  const words = WORDS[locale];
  const taxes = LINES.map(({ amount }) => roundHalfEven(multiplyDecimals(amount, RATE), PLACES));
  const rows = LINES.map(({ code, amount }, index) => [code, `${amount} × ${RATE} → ${taxes[index]}`]);
  const sum = ['Σ', `${taxes.reduce(addDecimals, literalDecimal('0'))} ≠ ${PRICE.vatAmount}`];
  return [{ label: words.sum, head: [words.line, words.sum], rows: [...rows, sum].map(inCode) }];
}

function inCode(row: readonly string[]): readonly string[] {
  return row.map((value) => `\`${value}\``);
}

function programs(): readonly Block[] {
  return PROGRAMS.map(([label, code]) => ({ label, code }));
}

/** Half-even rounding with exact decimals. */
const PROGRAMS = [
  [
    'Python',
    "from decimal import ROUND_HALF_EVEN, Decimal\nvat = (net * rate).quantize(Decimal('0.01'), ROUND_HALF_EVEN)",
  ],
  [
    'TypeScript',
    "import Big from 'big.js';\nconst vat = new Big(net).times(rate).round(2, Big.roundHalfEven).toFixed();",
  ],
  ['PHP 8.4', '$vat = bcround(bcmul($net, $rate, 10), 2, RoundingMode::HalfEven);'],
  ['C#', 'decimal vat = Math.Round(net * rate, 2, MidpointRounding.ToEven);'],
] as const;
