import { ProblemNotice } from '../kit/problem-notice.tsx';
import { Skeleton } from '../kit/skeleton.tsx';
import { type Inputs, service } from '../service/service.ts';
import { useLoaded } from '../service/use-loaded.ts';
import { useSettled } from '../service/use-settled.ts';
import { formatMoney, textsOf } from '../shell/locale.ts';
import { ChargeTable } from './charge-table.tsx';

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
