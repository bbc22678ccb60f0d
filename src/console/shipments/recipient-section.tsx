import { useState } from 'preact/hooks';
import type { REFUSAL_REASONS } from '../../contract/recipient-state.ts';
import { isTerminal } from '../../contract/shipment-state.ts';
import type { LocalText } from '../../core/locale.ts';
import { formatMoney, formatTime, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { Dialog } from '../../ui/browser/kit/dialog.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { Code } from '../../ui/browser/kit/text.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { CHANGE_WORDS } from './amendment-words.ts';

/* What the recipient says about a shipment, and what the merchant has to decide. */

const TEXTS = {
  en: {
    title: 'Recipient',
    ask: 'Your customer can confirm or correct the place on a page of their own, after a code to their phone.',
    send: 'Send your customer the link: they enter their National Address themselves.',
    copy: 'Copy a link for the recipient',
    copied: 'The link is copied. Send it to your customer.',
    shown: 'The browser did not allow copying. Select the address and copy it yourself.',
    url: 'Address of the link',
    label: 'For the recipient',
    confirmed: 'The recipient confirmed the place:',
    refused: 'The recipient does not want this parcel:',
    decideRefusal: 'The shipment goes on until you cancel it.',
    asks: 'The recipient asks for a change:',
    costs: 'It costs you, with VAT:',
    decideBy: 'Decide by',
    accept: 'Accept',
    reject: 'Reject',
    accepted: 'The shipment is changed.',
    rejected: 'The shipment stays as it is.',
  },
  ar: {
    title: 'المستلم',
    ask: 'يستطيع عميلك تأكيد المكان أو تصحيحه في صفحة خاصة به، بعد رمز يصل إلى جواله.',
    send: 'أرسل الرابط إلى عميلك ليُدخل عنوانه الوطني بنفسه.',
    copy: 'انسخ رابطًا للمستلم',
    copied: 'نُسخ الرابط. أرسله إلى عميلك.',
    shown: 'لم يسمح المتصفح بالنسخ. حدد العنوان وانسخه بنفسك.',
    url: 'عنوان الرابط',
    label: 'للمستلم',
    confirmed: 'أكّد المستلم المكان:',
    refused: 'لا يريد المستلم هذه الشحنة:',
    decideRefusal: 'تستمر الشحنة ما لم تلغها.',
    asks: 'يطلب المستلم تغييرًا:',
    costs: 'تكلفته عليك شاملة الضريبة:',
    decideBy: 'قرّر قبل',
    accept: 'قبول',
    reject: 'رفض',
    accepted: 'عُدّلت الشحنة.',
    rejected: 'تبقى الشحنة كما هي.',
  },
};

const REFUSAL_WORDS: Readonly<Record<(typeof REFUSAL_REASONS)[number], LocalText>> = {
  NOT_ORDERED: { en: 'not ordered', ar: 'لم يطلبها' },
  CHANGED_MIND: { en: 'changed their mind', ar: 'غيّر رأيه' },
  ORDERED_TWICE: { en: 'ordered twice', ar: 'طلبها مرتين' },
  TOO_LATE: { en: 'it comes too late', ar: 'تصل متأخرة' },
  OTHER: { en: 'another reason', ar: 'سبب آخر' },
};

/** What a link for the recipient allows. */
export const RECIPIENT_PERMISSIONS = ['ADDRESS', 'WINDOW', 'INSTRUCTIONS', 'REFUSE', 'PROOF'] as const;

type Amendment = Outputs['shipmentAmendments']['list']['data'][number];

interface SectionProps {
  readonly shipment: Outputs['shipments']['get'];
  readonly reply: Outputs['recipients']['getReply'];
  readonly amendments: readonly Amendment[];
  readonly currency: string;
  /** Whether the shipment needs another National Address. */
  readonly needsCode: boolean;
  readonly onChanged: () => void;
  /** A link was made. */
  readonly onLink: () => void;
}

export function RecipientSection(props: SectionProps) {
  const { shipment, reply, amendments, currency, needsCode, onChanged, onLink } = props;
  const text = textsOf(TEXTS);
  const { refusal, confirmedAt } = reply;
  const waiting = amendments.find(({ state }) => state === 'AWAITING_MERCHANT');
  const isOver = isTerminal(shipment.state);
  if (isOver && refusal === null && confirmedAt === null) return null;
  return (
    <section class={refusal !== null || waiting !== undefined ? 'notice' : 'part'}>
      <h2>{text.title}</h2>
      {refusal === null ? null : (
        <p>
          {text.refused} {REFUSAL_WORDS[refusal.reasonCode][locale]}
          {refusal.comment === null ? null : (
            <>
              {' — '}
              <bdi>{refusal.comment}</bdi>
            </>
          )}
          {isOver ? null : (
            <>
              <br />
              {text.decideRefusal}
            </>
          )}
        </p>
      )}
      {waiting === undefined ? null : (
        <Decision shipmentId={shipment.shipmentId} waiting={waiting} currency={currency} onChanged={onChanged} />
      )}
      {confirmedAt === null ? null : (
        <p>
          {text.confirmed} <time dateTime={confirmedAt}>{formatTime(confirmedAt)}</time>
        </p>
      )}
      {isOver ? null : (
        <>
          <p class="small quiet">{needsCode ? text.send : text.ask}</p>
          <RecipientLink shipmentId={shipment.shipmentId} onCreated={onLink} />
        </>
      )}
    </section>
  );
}

interface DecisionProps {
  readonly shipmentId: string;
  readonly waiting: Amendment;
  readonly currency: string;
  readonly onChanged: () => void;
}

function Decision({ shipmentId, waiting, currency, onChanged }: DecisionProps) {
  const text = textsOf(TEXTS);
  const { amendmentId, changes, change, priceEffect, decideBy, version } = waiting;
  const work = useWork(async (decision: 'ACCEPT' | 'REJECT') => {
    await service.shipmentAmendments.decide.mutate({ shipmentId, amendmentId, decision, ifMatch: `"${version}"` });
    showToast(decision === 'ACCEPT' ? text.accepted : text.rejected);
    onChanged();
  });
  return (
    <>
      <p>
        {text.asks} {changes.map((name) => CHANGE_WORDS[name][locale]).join(locale === 'ar' ? '، ' : ', ')}
        {change.addressLine === undefined ? null : (
          <>
            {' — '}
            <bdi>{change.addressLine}</bdi>
          </>
        )}
        <br />
        {text.costs} {formatMoney(priceEffect.totalAmount, currency)}
        {decideBy === null ? null : (
          <>
            {' · '}
            {text.decideBy} <time dateTime={decideBy}>{formatTime(decideBy)}</time>
          </>
        )}
      </p>
      {work.failure === undefined ? null : <ProblemNotice failure={work.failure} reload={onChanged} />}
      <div class="actions">
        <Button kind="primary" isForCompany isBusy={work.isBusy} onClick={() => void work.start('ACCEPT')}>
          {text.accept}
        </Button>
        <Button isBusy={work.isBusy} onClick={() => void work.start('REJECT')}>
          {text.reject}
        </Button>
      </div>
    </>
  );
}

/** Makes a link on which the recipient can change the delivery, and copies it. If the browser refuses, it shows the address. */
function RecipientLink({ shipmentId, onCreated }: { readonly shipmentId: string; readonly onCreated: () => void }) {
  const text = textsOf(TEXTS);
  const [shown, setShown] = useState<string>();
  const work = useWork(async () => {
    const permissions = [...RECIPIENT_PERMISSIONS];
    const { url } = await service.trackingLinks.create.mutate({ shipmentId, label: text.label, permissions });
    onCreated();
    try {
      await navigator.clipboard.writeText(url);
      showToast(text.copied);
    } catch {
      // Some browsers allow copying only at the moment of the click.
      setShown(url);
    }
  });
  return (
    <>
      {work.failure === undefined ? null : <ProblemNotice failure={work.failure} />}
      <Button isForCompany isBusy={work.isBusy} onClick={() => void work.start(undefined)}>
        {text.copy}
      </Button>
      {shown === undefined ? null : (
        <Dialog title={text.url} onClose={() => setShown(undefined)}>
          <p>{text.shown}</p>
          <Code text={shown} what={text.url} />
        </Dialog>
      )}
    </>
  );
}
