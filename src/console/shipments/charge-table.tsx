import type { Outputs } from '../service/service.ts';
import { formatDistance, formatDuration, formatMoney, formatPercent, locale, textsOf } from '../shell/locale.ts';
import { CHARGE_WORDS } from './words.ts';

const TEXTS = {
  en: { caption: 'What this costs', vat: 'VAT', total: 'Total', tariff: 'Tariff' },
  ar: { caption: 'التكلفة', vat: 'ضريبة القيمة المضافة', total: 'الإجمالي', tariff: 'التعرفة' },
};

type Charges = Outputs['shipments']['charges'];
/** Charges of a shipment or an estimate: the same lines. */
type Priced = Omit<Charges, 'lines'> & { readonly lines: readonly Pick<Charges['lines'][number], 'code' | 'amount'>[] };

/** Each line, the tax and the sum: exact decimals as the service has them. */
export function ChargeTable({ charges }: { readonly charges: Priced }) {
  const text = textsOf(TEXTS);
  const { currency, lines, vatRate, vatAmount, totalAmount, tariffVersion } = charges;
  return (
    <>
      <table class="sums" aria-label={text.caption}>
        <tbody>
          {lines.map(({ code, amount }, index) => (
            <tr key={index}>
              <th scope="row">{CHARGE_WORDS[code][locale]}</th>
              <td>
                <bdi dir="ltr">{formatMoney(amount, currency)}</bdi>
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row">
              {text.vat} <bdi>{formatPercent(vatRate)}</bdi>
            </th>
            <td>
              <bdi dir="ltr">{formatMoney(vatAmount, currency)}</bdi>
            </td>
          </tr>
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{text.total}</th>
            <td>
              <bdi dir="ltr">{formatMoney(totalAmount, currency)}</bdi>
            </td>
          </tr>
        </tfoot>
      </table>
      <p class="small quiet">
        {formatDistance(charges.distanceMeters)} · {formatDuration(charges.durationSeconds)} · {text.tariff}{' '}
        {tariffVersion}
      </p>
    </>
  );
}
