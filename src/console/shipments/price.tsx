import { formatDistance, formatDuration, formatMoney, formatPercent, locale, textsOf } from '../base/locale.ts';
import { Skeleton } from '../kit/loading.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { type Inputs, type Outputs, service } from '../service/calls.ts';
import { useLoaded, useSettled } from '../service/loading.ts';
import { CHARGE_WORDS } from './words.ts';

type Request = Inputs['priceEstimates']['create'];

const TEXTS = {
  en: { title: 'Estimated price', missing: 'The price appears once pickup and destination are filled in.' },
  ar: { title: 'السعر التقديري', missing: 'يظهر السعر بعد تحديد موقع الاستلام والوجهة.' },
};
/** After the last key: who types a number types four more. */
const SETTLED_MS = 500;

interface EstimateProps {
  readonly pickup: Request['pickup'] | undefined;
  readonly destination: Request['delivery'] & { readonly cityCode: string };
}

/** What the shipment of the form would cost now. */
export function Estimate({ pickup, destination }: EstimateProps) {
  const text = textsOf(TEXTS);
  const { latitude, longitude, cityCode } = destination;
  const isKnown = pickup !== undefined && latitude !== '' && longitude !== '' && cityCode.length > 1;
  const request = isKnown
    ? JSON.stringify({
        pickup: { latitude: pickup.latitude, longitude: pickup.longitude },
        delivery: { latitude, longitude },
        destinationCityCode: cityCode,
      })
    : '';
  const settled = useSettled(request, SETTLED_MS);
  return (
    <section class="estimate" aria-live="polite">
      <h2>{text.title}</h2>
      {settled === '' ? <p class="quiet">{text.missing}</p> : <Price request={JSON.parse(settled) as Request} />}
    </section>
  );
}

function Price({ request }: { readonly request: Request }) {
  const { value, failure, reload } = useLoaded(JSON.stringify(request), () =>
    service.priceEstimates.create.mutate(request),
  );
  // Said at the field too once the form is sent; who is still typing need not be alarmed.
  if (failure?.code === 'VALIDATION_FAILED')
    return <p class="quiet">{failure.violations.map(({ message }) => message).join(' ')}</p>;
  if (failure !== undefined) return <ProblemNotice failure={failure} retry={reload} />;
  if (value === undefined) return <Skeleton lines={4} />;
  return (
    <>
      <p class="answer">
        <bdi dir="ltr">{formatMoney(value.totalAmount, value.currency)}</bdi>
      </p>
      <ChargeTable charges={{ ...value, lines: value.breakdown }} />
    </>
  );
}

const CHARGE_TABLE_TEXTS = {
  en: { caption: 'What this costs', vat: 'VAT', total: 'Total', tariff: 'Tariff' },
  ar: { caption: 'التكلفة', vat: 'ضريبة القيمة المضافة', total: 'الإجمالي', tariff: 'التعرفة' },
};

type Charges = Outputs['shipments']['charges'];
/** Charges of a shipment or an estimate: the same lines. */
type Priced = Omit<Charges, 'lines'> & { readonly lines: readonly Pick<Charges['lines'][number], 'code' | 'amount'>[] };

/** Each line, the tax and the sum: exact decimals as the service has them. */
export function ChargeTable({ charges }: { readonly charges: Priced }) {
  const text = textsOf(CHARGE_TABLE_TEXTS);
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
