import { addDecimals, literalDecimal, multiplyDecimals, roundHalfEven, roundHalfUp } from '../../core/decimal.ts';
import { type PriceTerms, priceLines, sumLines } from '../../domain/pricing/tariff.ts';
import { type SiteText, tableText, wordOf } from '../text.ts';

/* The tables of the guide on VAT. The service's own functions compute them. */

export const VAT_TABLES = { vatHalves: halves, vatPrice: wholePrice, vatByLine: byLine } as const;

/** The rate in force when this guide was written; each answer has its own `vatRate`. */
const RATE = literalDecimal('0.15');
const PLACES = 2;

const EXAMPLE_TERMS: PriceTerms = {
  baseAmount: literalDecimal('9.9'),
  kilometreAmount: literalDecimal('1.1'),
  citySurcharges: new Map([['RUH', literalDecimal('5.1')]]),
};
const LINES = priceLines(EXAMPLE_TERMS, 12_345, 'RUH');
const PRICE = sumLines(LINES, RATE);

function halves(text: SiteText): string {
  const rows = ['12.3', '12.5', '12.7', '12.9', '20.01'].map((amount) => {
    const net = literalDecimal(amount);
    const exact = multiplyDecimals(net, RATE);
    return [amount, exact, roundHalfUp(exact, PLACES), roundHalfEven(exact, PLACES)].map((value) => `\`${value}\``);
  });
  return tableText([wordOf(text, 'net'), wordOf(text, 'exact'), 'vatAmount', wordOf(text, 'even')], rows);
}

function wholePrice(text: SiteText): string {
  const { netAmount, vatAmount, totalAmount } = PRICE;
  const rows = [
    ...LINES.map(({ code, amount }) => [code, amount]),
    ['netAmount', netAmount],
    ['vatAmount', `${netAmount} × ${RATE} = ${multiplyDecimals(netAmount, RATE)} → ${vatAmount}`],
    ['totalAmount', totalAmount],
  ];
  return tableText([wordOf(text, 'line'), wordOf(text, 'amount')], rows.map(inCode));
}

function byLine(text: SiteText): string {
  const taxes = LINES.map(({ amount }) => roundHalfUp(multiplyDecimals(amount, RATE), PLACES));
  const rows = LINES.map(({ code, amount }, index) => [code, `${amount} × ${RATE} → ${taxes[index]}`]);
  const sum = ['Σ', `${taxes.reduce(addDecimals, literalDecimal('0'))} ≠ ${PRICE.vatAmount}`];
  return tableText([wordOf(text, 'line'), wordOf(text, 'sum')], [...rows, sum].map(inCode));
}

function inCode(row: readonly string[]): readonly string[] {
  return row.map((value) => `\`${value}\``);
}
