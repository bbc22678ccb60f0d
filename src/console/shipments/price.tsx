import { companyNow } from '../../ui/browser/base/company-clock.ts';
import {
  formatDistance,
  formatDuration,
  formatMoney,
  formatPercent,
  locale,
  textsOf,
} from '../../ui/browser/base/locale.ts';
import { Button } from '../../ui/browser/kit/form.tsx';
import { Skeleton } from '../../ui/browser/kit/loading.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { Countdown } from '../../ui/browser/kit/text.tsx';
import { type Inputs, type Outputs, service } from '../../ui/browser/service/calls.ts';
import { sentenceOf } from '../../ui/browser/service/failure.ts';
import { useLoaded, useSettled } from '../../ui/browser/service/loading.ts';
import type { ShipmentRequest } from './shipment-draft.ts';
import { CHARGE_WORDS } from './words.ts';

type Request = Inputs['priceLocks']['create'];

const TEXTS = {
  en: {
    title: 'Price',
    missing: 'The price appears when you have entered the pickup location and the destination.',
    locked: 'Locked for',
    over: 'This price is no longer locked.',
    again: 'Lock again',
  },
  ar: {
    title: 'السعر',
    missing: 'يظهر السعر بعد إدخال موقع الاستلام والوجهة.',
    locked: 'ثابت لمدة',
    over: 'لم يعد هذا السعر ثابتًا.',
    again: 'ثبّته من جديد',
  },
};
/** How long to wait after the last key, so that not every digit causes a request. */
const SETTLED_MS = 500;

/** What the price of a shipment depends on, as text; empty while something is missing. */
export function pricedPartOf({ pickupLocationCode, destination, codAmount }: ShipmentRequest): string {
  const { latitude, longitude, cityCode } = destination;
  const isKnown = pickupLocationCode !== '' && latitude !== '' && longitude !== '' && cityCode.length > 1;
  if (!isKnown) return '';
  const cod = /^\d+(?:\.\d+)?$/.test(codAmount) ? { codAmount } : {};
  const part: Request = { pickupLocationCode, destination: { latitude, longitude, cityCode }, ...cod };
  return JSON.stringify(part);
}

/** A price lock, and the part of the request that it is for. */
export interface LockedPrice {
  readonly part: string;
  readonly priceLock: string;
}

interface LockProps {
  readonly part: string;
  readonly onLocked: (price: LockedPrice) => void;
}

/** The price of the shipment in the form. It is locked for some time, and the creation pays it. */
export function PriceLock({ part, onLocked }: LockProps) {
  const text = textsOf(TEXTS);
  const settled = useSettled(part, SETTLED_MS);
  return (
    <section class="estimate" aria-live="polite">
      <h2>{text.title}</h2>
      {settled === '' ? <p class="quiet">{text.missing}</p> : <Price part={settled} onLocked={onLocked} />}
    </section>
  );
}

function Price({ part, onLocked }: LockProps) {
  const text = textsOf(TEXTS);
  const { value, failure, isLoading, reload } = useLoaded(part, async () => {
    const lock = await service.priceLocks.create.mutate(JSON.parse(part) as Request);
    onLocked({ part, priceLock: lock.priceLock });
    // The clock of this machine may be wrong, so only the difference counts.
    const lockedMs = Date.parse(lock.expiresAt) - Date.parse(lock.lockedAt);
    return { lock, lockedMs, until: new Date(companyNow() + lockedMs).toISOString() };
  });
  // Not shown as an error, because the person is still typing. The fields show it when the form is sent.
  if (failure?.code === 'VALIDATION_FAILED')
    return <p class="quiet">{failure.violations.map((violation) => sentenceOf(violation)).join(' ')}</p>;
  if (failure !== undefined) return <ProblemNotice failure={failure} retry={reload} />;
  if (value === undefined) return <Skeleton lines={4} />;
  const { lock, lockedMs, until } = value;
  return (
    <>
      <p class="answer">
        <bdi dir="ltr">{formatMoney(lock.totalAmount, lock.currency)}</bdi>
      </p>
      <p class="locked-price">
        <Ring key={lock.lockId} runsMs={lockedMs} />
        <Countdown key={until} until={until} label={text.locked} over={text.over} />
        <Button isBusy={isLoading} onClick={reload}>
          {text.again}
        </Button>
      </p>
      <ChargeTable charges={{ ...lock, lines: lock.breakdown }} />
    </>
  );
}

/** A ring that runs out. The countdown beside it says the same in words. */
function Ring({ runsMs }: { readonly runsMs: number }) {
  return (
    <svg class="run-out" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="8" />
      <circle cx="10" cy="10" r="8" pathLength="100" style={{ animationDuration: `${runsMs}ms` }} />
    </svg>
  );
}

const CHARGE_TABLE_TEXTS = {
  en: { caption: 'Charges', vat: 'VAT', total: 'Total', tariff: 'Tariff' },
  ar: { caption: 'التكلفة', vat: 'ضريبة القيمة المضافة', total: 'الإجمالي', tariff: 'التعرفة' },
};

type Charges = Outputs['shipments']['charges'];
/** The charges of a shipment or of a locked price. */
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
