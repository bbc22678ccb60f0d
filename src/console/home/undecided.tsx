import { companyNow } from '../../ui/browser/base/company-clock.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import type { Outputs } from '../../ui/browser/service/calls.ts';

const MINUTE_MS = 60_000;
const TEXTS = {
  en: {
    waiting: (parcels: number) =>
      parcels === 1 ? 'One parcel waits for your decision.' : `${parcels} parcels wait for your decision.`,
    first: {
      RETURN: 'The first one goes back by itself in',
      DISPOSE: 'The first one is disposed of by itself in',
      REDELIVER: 'The first one is delivered again by itself in',
    },
    time: (hours: number, minutes: number) => `${hours} h ${minutes} min`,
    open: 'Decide',
  },
  ar: {
    waiting: (parcels: number) => `شحنات تنتظر قرارك: ${parcels}.`,
    first: {
      RETURN: 'تعود أولاها تلقائيًا بعد',
      DISPOSE: 'تُتلف أولاها تلقائيًا بعد',
      REDELIVER: 'يُعاد توصيل أولاها تلقائيًا بعد',
    },
    time: (hours: number, minutes: number) => `${hours} ساعة و${minutes} دقيقة`,
    open: 'اتخذ القرار',
  },
};

/** Parcels whose delivery failed and that wait for the merchant, with the time that is left for the first. */
export function Undecided({
  undecided: { parcels, first },
}: {
  readonly undecided: Outputs['resolutions']['undecided'];
}) {
  const text = textsOf(TEXTS);
  if (first === null) return null;
  const minutes = Math.max(0, Math.floor((Date.parse(first.decideBy) - companyNow()) / MINUTE_MS));
  return (
    <p class="notice bad">
      {text.waiting(parcels)} {text.first[first.default]} <b>{text.time(Math.floor(minutes / 60), minutes % 60)}</b>.{' '}
      <Link to={addressOf(`shipments/${first.shipmentId}`)}>{text.open}</Link>
    </p>
  );
}
