import { formatDistance, formatDuration, formatMoney, formatPercent, locale, textsOf } from '../base/locale.ts';
import { Skeleton } from '../kit/loading.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { type Inputs, type Outputs, service } from '../service/calls.ts';
import { useLoaded, useSettled } from '../service/loading.ts';
import { CHARGE_WORDS } from './words.ts';

type Request = Inputs['priceEstimates']['create'];

const TEXTS = {
  en: {
    title: 'Estimated price',
    missing: 'The price appears when you have entered the pickup location and the destination.',
  },
  ar: { title: 'السعر التقديري', missing: 'يظهر السعر بعد إدخال موقع الاستلام والوجهة.' },
};
/** How long to wait after the last key, so that not every digit causes a request. */
const SETTLED_MS = 500;

interface EstimateProps {
  readonly pickup: Request['pickup'] | undefined;
  readonly destination: Request['delivery'] & { readonly cityCode: string };
}

/** The current price of the shipment in the form. */
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
  // Not shown as an error, because the person is still typing. The fields show it when the form is sent.
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
  en: { caption: 'Charges', vat: 'VAT', total: 'Total', tariff: 'Tariff' },
  ar: { caption: 'التكلفة', vat: 'ضريبة القيمة المضافة', total: 'الإجمالي', tariff: 'التعرفة' },
};

type Charges = Outputs['shipments']['charges'];
/** The charges of a shipment or of an estimate. */
type Priced = Omit<Charges, 'lines' | 'terms' | 'priceLock'> & {
  readonly lines: readonly Pick<Charges['lines'][number], 'code' | 'amount'>[];
};

/** The lines, the tax and the total, with the exact decimals of the service. */
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
