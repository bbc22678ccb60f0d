import { useRef, useState } from 'preact/hooks';
import { isBeforeOffer, isTerminal } from '../../contract/shipment-state.ts';
import { formatMoney, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { Button } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import type { Outputs } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { STATE_WORDS } from '../../ui/state.tsx';
import { isDriverSignedIn, signDriverIn } from './driver-session.ts';
import { PhoneActions } from './phone-actions.tsx';

type Shipment = Outputs['shipments']['get'];

const TEXTS = {
  en: {
    label: 'The driver’s phone',
    locked: 'The sandbox driver’s phone',
    signIn: 'Sign in as the driver',
    from: 'From',
    to: 'To',
    cash: 'Amount to collect',
    idle: 'The driver has nothing to do now.',
    waiting: 'No offer yet. It will appear here.',
    over: 'This delivery has ended.',
  },
  ar: {
    label: 'جوال السائق',
    locked: 'جوال سائق البيئة التجريبية',
    signIn: 'سجّل الدخول بصفتك سائقًا',
    from: 'من',
    to: 'إلى',
    cash: 'المبلغ المطلوب تحصيله',
    idle: 'لا يوجد إجراء مطلوب من السائق الآن.',
    waiting: 'لا يوجد عرض بعد. سيظهر هنا.',
    over: 'انتهت هذه التوصيلة.',
  },
};

interface PhoneProps {
  readonly driverPhone: string;
  readonly shipment: Shipment;
  /** Called after an action, because the shipment has changed. */
  readonly onActed: () => void;
}

/** The phone of the driver, for people who test in the sandbox. */
export function Phone({ driverPhone, shipment, onActed }: PhoneProps) {
  const text = textsOf(TEXTS);
  const [isIn, setIsIn] = useState(() => isDriverSignedIn(driverPhone));
  const phone = useRef<HTMLElement>(null);
  // The pressed button disappears with its state. The focus stays on the phone, so the next button is one Tab away.
  const keepFocus = () => phone.current?.focus();
  const acted = () => {
    keepFocus();
    onActed();
  };
  const signIn = useWork(async () => {
    await signDriverIn(driverPhone);
    setIsIn(true);
    keepFocus();
  });
  return (
    <section ref={phone} class="phone" aria-label={text.label} tabIndex={-1}>
      <div class="phone-screen">
        {isIn ? (
          <>
            <Job shipment={shipment} />
            <PhoneActions key={shipment.state} driverPhone={driverPhone} shipment={shipment} onActed={acted}>
              {idleText(shipment.state)}
            </PhoneActions>
          </>
        ) : (
          <div class="phone-lock">
            <p class="quiet small">{text.locked}</p>
            <p class="phone-number">
              <bdi dir="ltr">{driverPhone}</bdi>
            </p>
            {signIn.failure === undefined ? null : <ProblemNotice failure={signIn.failure} />}
            <Button kind="primary" isBusy={signIn.isBusy} onClick={() => void signIn.start(undefined)}>
              {text.signIn}
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

/** The driver's job: its state first, then the addresses and the amount. */
function Job({ shipment }: { readonly shipment: Shipment }) {
  const text = textsOf(TEXTS);
  const { state, shipmentNumber, pickup, destination, codAmount, currency, paymentMethod } = shipment;
  return (
    <div>
      <p class="small quiet">
        <bdi dir="ltr">{shipmentNumber}</bdi>
      </p>
      <p class="phone-state" role="status">
        {STATE_WORDS[state].label[locale]}
      </p>
      <dl class="phone-way">
        <dt>{text.from}</dt>
        <dd>
          <bdi>{pickup?.addressLine ?? '—'}</bdi>
        </dd>
        <dt>{text.to}</dt>
        <dd>
          <bdi>{destination.addressLine}</bdi>
        </dd>
        {paymentMethod === 'COD' ? (
          <>
            <dt>{text.cash}</dt>
            <dd>
              <bdi dir="ltr">{formatMoney(codAmount, currency)}</bdi>
            </dd>
          </>
        ) : null}
      </dl>
    </div>
  );
}

function idleText(state: Shipment['state']): string {
  const text = textsOf(TEXTS);
  if (isTerminal(state)) return text.over;
  return isBeforeOffer(state) ? text.waiting : text.idle;
}
