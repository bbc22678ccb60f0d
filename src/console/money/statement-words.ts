import type { ChargeCode } from '../../contract/price-estimate.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import type { Outputs } from '../../ui/browser/service/calls.ts';
import { CHARGE_WORDS } from '../shipments/words.ts';

export type Statement = Outputs['statements']['get'];
export type StatementLine = Statement['data'][number];

const TEXTS = {
  en: {
    total: 'You owe, with VAT',
    owedToYou: 'The carrier owes you, with VAT',
    net: 'Without VAT',
    vat: 'VAT',
    shipments: 'Shipments',
    cash: 'Drivers collected for you',
    notTax: 'Statement, not a tax invoice.',
    vatNumber: 'VAT number',
    reversed: (what: string) => `${what}, reversed`,
    shipment: 'Shipment',
    what: 'For',
    time: 'Added at',
    rate: 'VAT rate',
    lineTotal: 'With VAT',
    rounding:
      'VAT is computed once, on the sum. The VAT of the lines is for information and may differ by some halalas.',
  },
  ar: {
    total: 'المستحق عليك شاملًا الضريبة',
    owedToYou: 'المستحق لك شاملًا الضريبة',
    net: 'دون الضريبة',
    vat: 'ضريبة القيمة المضافة',
    shipments: 'الشحنات',
    cash: 'ما حصّله السائقون لك',
    notTax: 'كشف حساب، وليس فاتورة ضريبية.',
    vatNumber: 'الرقم الضريبي',
    reversed: (what: string) => `${what}، قيمة مستردة`,
    shipment: 'الشحنة',
    what: 'مقابل',
    time: 'أُضيف في',
    rate: 'نسبة الضريبة',
    lineTotal: 'مع الضريبة',
    rounding: 'تُحسب الضريبة مرة واحدة على المجموع. ضريبة كل سطر للعلم، وقد تختلف ببضع هللات.',
  },
};

/** The words that the page and the paper share. */
export const statementTexts = textsOf(TEXTS);

/** What a line is for. A negative line reverses an earlier one, unless it is a credit of its own. */
export function nameOfLine({ code, netAmount }: { readonly code: ChargeCode; readonly netAmount: string }): string {
  const name = CHARGE_WORDS[code][locale];
  return netAmount.startsWith('-') && code !== 'CREDIT' ? statementTexts.reversed(name) : name;
}

/** Who owes the total of a month, and the amounts without a minus. The carrier owes it if the credits are more than the prices. */
export function debtOf({ netAmount, vatAmount, totalAmount }: Statement['totals']) {
  const isOwedToYou = totalAmount.startsWith('-');
  const amount = isOwedToYou ? negated : (own: string) => own;
  return {
    name: isOwedToYou ? statementTexts.owedToYou : statementTexts.total,
    net: amount(netAmount),
    vat: amount(vatAmount),
    total: amount(totalAmount),
  };
}

function negated(amount: string): string {
  if (amount === '0') return amount;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

/** Pages and paper leave out lines of zero, such as the surcharge of a city that has none. Files have them. */
export function isShown({ netAmount }: { readonly netAmount: string }): boolean {
  return netAmount !== '0';
}
