import { useEffect } from 'preact/hooks';
import { riyadhDay } from '../../core/riyadh.ts';
import { companyNow } from '../../ui/browser/base/company-clock.ts';
import {
  formatCount,
  formatMoney,
  formatMonth,
  formatPercent,
  formatTimeToSecond,
  textsOf,
} from '../../ui/browser/base/locale.ts';
import { debtOf, isShown, nameOfLine, type Statement, type StatementLine, statementTexts } from './statement-words.ts';

const TEXTS = {
  en: {
    title: 'Statement',
    cut: 'This month has too many lines for paper. They are in its CSV; the sums are those of the whole month.',
    printed: 'Printed',
    day: 'Day',
  },
  ar: {
    title: 'كشف حساب',
    cut: 'سطور هذا الشهر أكثر مما يناسب الورق، وهي في كشفه بصيغة CSV. المجاميع لكامل الشهر.',
    printed: 'طُبع في',
    day: 'اليوم',
  },
};

export interface SheetProps {
  readonly statement: Statement;
  /** Undefined if there are too many for paper. */
  readonly lines: readonly StatementLine[] | undefined;
  readonly onPrinted: () => void;
}

/** The statement on paper. */
export function StatementSheet({ statement, lines, onPrinted }: SheetProps) {
  const text = textsOf(TEXTS);
  const { month, currency, company, totals, cod } = statement;
  useEffect(() => {
    addEventListener('afterprint', onPrinted, { once: true });
    print();
    return () => removeEventListener('afterprint', onPrinted);
  }, []);
  const money = (amount: string) => <bdi dir="ltr">{formatMoney(amount, currency)}</bdi>;
  const debt = debtOf(totals);
  const sums = [
    [statementTexts.net, money(debt.net)],
    [statementTexts.vat, money(debt.vat)],
    [debt.name, money(debt.total)],
    [statementTexts.shipments, formatCount(totals.shipments)],
    [statementTexts.cash, money(cod.amount)],
  ] as const;
  return (
    <section class="statement-sheet">
      <h1>
        {text.title} · {formatMonth(month)}
      </h1>
      <p>
        <strong>{statementTexts.notTax}</strong>
      </p>
      <p>
        <bdi>{company.name}</bdi>
        {company.vatNumber === null ? null : (
          <>
            {' '}
            · {statementTexts.vatNumber} <bdi dir="ltr">{company.vatNumber}</bdi>
          </>
        )}
        {' · '}
        {text.printed} <bdi>{formatTimeToSecond(new Date(companyNow()).toISOString())}</bdi>
      </p>
      <dl>
        {sums.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {lines === undefined ? (
        <p>{text.cut}</p>
      ) : (
        <table>
          <thead>
            <tr>
              {[
                statementTexts.shipment,
                statementTexts.what,
                text.day,
                statementTexts.net,
                statementTexts.rate,
                statementTexts.vat,
                statementTexts.lineTotal,
              ].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.filter(isShown).map((line, index) => (
              <tr key={index}>
                <td>
                  <bdi dir="ltr">{line.shipmentNumber}</bdi> <bdi>{line.externalReference}</bdi>
                </td>
                <td>{nameOfLine(line)}</td>
                <td>
                  <bdi dir="ltr">{riyadhDay(Date.parse(line.createdAt))}</bdi>
                </td>
                <td>{money(line.netAmount)}</td>
                <td>
                  <bdi dir="ltr">{formatPercent(line.vatRate)}</bdi>
                </td>
                <td>{money(line.vatAmount)}</td>
                <td>{money(line.totalAmount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>{statementTexts.rounding}</p>
    </section>
  );
}
