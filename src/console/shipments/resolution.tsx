import { useState } from 'preact/hooks';
import type { FailurePayer, Goods, OptionObjection, ResolutionKind } from '../../contract/resolution-state.ts';
import type { LocalText } from '../../core/locale.ts';
import { formatMoney, formatTime, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { Countdown } from '../../ui/browser/kit/text.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { Pill } from '../../ui/state.tsx';

type Option = Outputs['resolutions']['get']['options'][number];

const TEXTS = {
  en: {
    title: 'What becomes of the parcel?',
    until: 'Decide until',
    left: 'Time left:',
    own: 'Taken if you do not decide',
    CHOSEN: 'This is decided.',
    AUTOMATIC: 'Nobody decided in time, so the service did.',
    next: 'The shipment that carries it on',
    sure: 'Yes, do it',
    back: 'Back',
    choose: 'Choose',
    free: 'Costs nothing',
    vat: 'with VAT',
  },
  ar: {
    title: 'ما مصير الشحنة؟',
    until: 'قرّر قبل',
    left: 'الوقت المتبقي:',
    own: 'يُعتمد إن لم تقرر',
    CHOSEN: 'تقرر مصيرها.',
    AUTOMATIC: 'لم يقرر أحد في الوقت المحدد، فاعتمدت الخدمة الخيار التلقائي.',
    next: 'الشحنة التي تكمل نقلها',
    sure: 'نعم، نفّذ',
    back: 'رجوع',
    choose: 'اختر',
    free: 'دون تكلفة',
    vat: 'شامل الضريبة',
  },
};
const KINDS: Readonly<Record<ResolutionKind, { readonly label: LocalText; readonly meaning: LocalText }>> = {
  REDELIVER: {
    label: { en: 'Deliver it again', ar: 'إعادة المحاولة' },
    meaning: { en: 'The driver goes to the recipient again.', ar: 'يذهب السائق إلى المستلم مرة أخرى.' },
  },
  RETURN: {
    label: { en: 'Bring it back', ar: 'إعادتها إليك' },
    meaning: { en: 'The driver brings it to your pickup location.', ar: 'يعيدها السائق إلى موقع الاستلام لديك.' },
  },
  DISPOSE: {
    label: { en: 'Dispose of it', ar: 'إتلافها' },
    meaning: { en: 'Nobody gets it. This cannot be undone.', ar: 'لا تصل إلى أحد. لا يمكن التراجع عن ذلك.' },
  },
};
const PLACES: Readonly<Record<Goods, LocalText>> = {
  AT_PICKUP: { en: 'It is at the pickup location.', ar: 'الشحنة في موقع الاستلام.' },
  WITH_DRIVER: { en: 'The driver has it.', ar: 'الشحنة مع السائق.' },
  WITH_RECIPIENT: { en: 'The recipient has it.', ar: 'الشحنة لدى المستلم.' },
  WITH_MERCHANT: { en: 'You have it back.', ar: 'عادت الشحنة إليك.' },
  DISPOSED: { en: 'It was disposed of.', ar: 'أُتلفت الشحنة.' },
  LOST: { en: 'It is lost.', ar: 'الشحنة مفقودة.' },
};
const PAYERS: Readonly<Record<FailurePayer, LocalText>> = {
  MERCHANT: { en: 'You pay', ar: 'تدفع أنت' },
  CARRIER: { en: 'The carrier pays', ar: 'يدفع الناقل' },
};
const OBJECTIONS: Readonly<Record<OptionObjection, LocalText>> = {
  ATTEMPTS_USED: { en: 'All attempts are used.', ar: 'استُنفدت المحاولات.' },
  DAMAGED: { en: 'The parcel is damaged.', ar: 'الشحنة تالفة.' },
  RECALLED: { en: 'You have taken it back.', ar: 'طلبت إعادتها.' },
  IS_RETURN: { en: 'It is on its way back.', ar: 'هي في طريق العودة.' },
  RECIPIENT_FORGOTTEN: { en: 'The data of the recipient was deleted.', ar: 'حُذفت بيانات المستلم.' },
  DECIDED: { en: 'Decided.', ar: 'تقرر الأمر.' },
};

/** The choices after a failed delivery, each with its price and who pays it. */
export function ResolutionSection({
  shipmentId,
  onChanged,
}: {
  readonly shipmentId: string;
  readonly onChanged: () => void;
}) {
  const text = textsOf(TEXTS);
  const { value, failure, reload } = useLoaded(`resolution ${shipmentId}`, () =>
    service.resolutions.get.query({ shipmentId }),
  );
  const [chosen, setChosen] = useState<ResolutionKind>();
  const work = useWork(async () => {
    if (chosen === undefined) return;
    await service.resolutions.choose.mutate({ shipmentId, kind: chosen });
    setChosen(undefined);
    reload();
    onChanged();
  });
  const failed = failure ?? work.failure;
  if (failed !== undefined) return <ProblemNotice failure={failed} retry={reload} />;
  if (value === undefined || value.state === 'NOT_NEEDED') return null;
  const { state, goods, decideBy, followUpShipmentId, options } = value;
  return (
    <section class="part">
      <h2>{text.title}</h2>
      <p>
        {state === 'OPEN' ? null : `${text[state]} `}
        {PLACES[goods][locale]}{' '}
        {followUpShipmentId === null ? null : (
          <Link to={addressOf(`shipments/${followUpShipmentId}`)}>{text.next}</Link>
        )}
      </p>
      {decideBy === null ? null : (
        <>
          <p>
            {text.until} <time dateTime={decideBy}>{formatTime(decideBy)}</time>.{' '}
            <Countdown until={decideBy} label={text.left} />
          </p>
          <ul class="cards">
            {options.map((option) => (
              <li key={option.kind}>
                <h3>{KINDS[option.kind].label[locale]}</h3>
                <p>{KINDS[option.kind].meaning[locale]}</p>
                <OptionPrice option={option} />
                {value.default === option.kind ? (
                  <p>
                    <Pill tone="waiting">{text.own}</Pill>
                  </p>
                ) : null}
                {chosen === option.kind ? (
                  <div class="row-actions">
                    <Button
                      kind={option.kind === 'DISPOSE' ? 'danger' : 'primary'}
                      isForCompany
                      isBusy={work.isBusy}
                      onClick={() => void work.start(undefined)}
                    >
                      {text.sure}
                    </Button>
                    <Button onClick={() => setChosen(undefined)}>{text.back}</Button>
                  </div>
                ) : option.available ? (
                  <div class="row-actions">
                    <Button onClick={() => setChosen(option.kind)}>
                      {text.choose} <span class="unseen">{KINDS[option.kind].label[locale]}</span>
                    </Button>
                  </div>
                ) : null}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** What the merchant pays for an option, or why it cannot be chosen. */
function OptionPrice({ option: { code, payer, price } }: { readonly option: Option }) {
  const text = textsOf(TEXTS);
  if (code !== null) return <p class="quiet">{OBJECTIONS[code][locale]}</p>;
  return (
    <p>
      <bdi dir="ltr" class="sum">
        {formatMoney(price.totalAmount, price.currency)}
      </bdi>
      <span class="small quiet">
        {payer === 'CARRIER'
          ? PAYERS.CARRIER[locale]
          : Number(price.totalAmount) === 0
            ? text.free
            : `${PAYERS.MERCHANT[locale]} · ${text.vat}`}
      </span>
    </p>
  );
}
