import { useState } from 'preact/hooks';
import type { RecipientReturn } from '../../contract/recipient.ts';
import { RETURN_DAYS } from '../../core/limits.ts';
import { companyNow } from '../../ui/browser/base/company-clock.ts';
import { formatTime, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Confirm } from '../../ui/browser/kit/dialog.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { lazy } from '../../ui/browser/kit/loading.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { Countdown } from '../../ui/browser/kit/text.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { Pill, STATE_WORDS } from '../../ui/state.tsx';
import { DECIDED_WORDS, PART_OF_DAY_WORDS, RETURN_REASON_WORDS } from './return-words.ts';

const NewReturn = lazy(async () => (await import('./return-form.tsx')).NewReturn);

type Shipment = Outputs['shipments']['get'];

const TEXTS = {
  en: {
    title: 'Returns',
    lead: `A driver fetches returned items from the recipient. This is possible for ${RETURN_DAYS} days after the delivery.`,
    returnItems: 'Return items',
    return: (number: number) => `Return ${number}`,
    create: 'Create this return',
    decline: 'Decline',
    sure: 'Decline this return?',
    effect: 'The recipient reads that you did not agree, and cannot ask again.',
    declined: 'The return is declined.',
  },
  ar: {
    title: 'المرتجعات',
    lead: `يأخذ سائق الأصناف المرتجعة من المستلم. هذا ممكن خلال ${RETURN_DAYS} يومًا من التوصيل.`,
    returnItems: 'أرجِع أصنافًا',
    return: (number: number) => `الإرجاع ${number}`,
    create: 'أنشئ هذا الإرجاع',
    decline: 'ارفض',
    sure: 'هل ترفض هذا الإرجاع؟',
    effect: 'يقرأ المستلم أنك لم توافق، ولا يستطيع أن يطلب مرة أخرى.',
    declined: 'رُفض الإرجاع.',
  },
};

interface SectionProps {
  readonly shipment: Shipment;
  /** What the recipient has asked for. */
  readonly request: RecipientReturn | null;
  readonly onChanged: () => void;
}

/** Returns of a delivered shipment: what the recipient asks for, those that were created, and a way to create one. */
export function ReturnSection({ shipment, request, onChanged }: SectionProps) {
  const text = textsOf(TEXTS);
  const { shipmentId } = shipment;
  const { value, failure, reload } = useLoaded(`relations ${shipmentId}`, () =>
    service.resolutions.relations.query({ shipmentId }),
  );
  const [open, setOpen] = useState<'form' | 'declining'>();
  const close = () => setOpen(undefined);
  const changed = () => {
    reload();
    onChanged();
  };
  if (value === undefined) return failure === undefined ? null : <ProblemNotice failure={failure} retry={reload} />;
  const { returnable, followUps } = value;
  const waiting = request?.state === 'AWAITING_MERCHANT' ? request : undefined;
  if (returnable.length === 0 && followUps.length === 0 && request === null) return null;
  return (
    <section class={waiting === undefined ? 'part' : 'notice'}>
      <h2>{text.title}</h2>
      {waiting === undefined ? null : <Asked shipment={shipment} asked={waiting} />}
      {request === null || request.state === 'AWAITING_MERCHANT' ? null : <p>{DECIDED_WORDS[request.state][locale]}</p>}
      {followUps.length === 0 ? null : (
        <ul class="links">
          {followUps.map((one, index) => (
            <li key={one.shipmentId}>
              <Link to={addressOf(`shipments/${one.shipmentId}`)}>{text.return(index + 1)}</Link>
              <Pill tone={STATE_WORDS[one.state].tone}>{STATE_WORDS[one.state].label[locale]}</Pill>
            </li>
          ))}
        </ul>
      )}
      {waiting !== undefined ? (
        <div class="actions">
          <Button kind="primary" onClick={() => setOpen('form')}>
            {text.create}
          </Button>
          <Button onClick={() => setOpen('declining')}>{text.decline}</Button>
        </div>
      ) : returnable.length === 0 ? null : (
        <>
          <p class="small quiet">{text.lead}</p>
          <Button onClick={() => setOpen('form')}>{text.returnItems}</Button>
        </>
      )}
      {open === 'form' ? (
        <NewReturn shipment={shipment} relations={value} asked={waiting} onChanged={changed} onClose={close} />
      ) : null}
      {open === 'declining' ? <Refusal shipmentId={shipmentId} onChanged={changed} onClose={close} /> : null}
    </section>
  );
}

const ASKED_TEXTS = {
  en: {
    asks: 'The recipient asks to return:',
    until: 'Decide until',
    days: (days: number) => `Days left: ${days}`,
    left: 'Time left:',
  },
  ar: {
    asks: 'يطلب المستلم إرجاع:',
    until: 'قرّر قبل',
    days: (days: number) => `الأيام المتبقية: ${days}`,
    left: 'الوقت المتبقي:',
  },
};
const DAY_MS = 86_400_000;

function Asked({ shipment: { items }, asked }: { readonly shipment: Shipment; readonly asked: RecipientReturn }) {
  const text = textsOf(ASKED_TEXTS);
  const { decideBy, comment } = asked;
  const days = Math.floor((Date.parse(decideBy) - companyNow()) / DAY_MS);
  return (
    <>
      <p>{text.asks}</p>
      <ul>
        {asked.items.map(({ index, quantity }) => (
          <li key={index}>
            <bdi>{quantity}</bdi> × <bdi>{items[index]?.description}</bdi>
          </li>
        ))}
      </ul>
      <p>
        {RETURN_REASON_WORDS[asked.reasonCode][locale]} · {PART_OF_DAY_WORDS[asked.partOfDay][locale]}
      </p>
      {comment === null ? null : (
        <p dir="auto" class="written">
          {comment}
        </p>
      )}
      <p>
        {text.until} <time dateTime={decideBy}>{formatTime(decideBy)}</time>.{' '}
        {days > 1 ? text.days(days) : <Countdown until={decideBy} label={text.left} />}
      </p>
    </>
  );
}

interface RefusalProps {
  readonly shipmentId: string;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

function Refusal({ shipmentId, onChanged, onClose }: RefusalProps) {
  const text = textsOf(TEXTS);
  const work = useWork(async () => {
    try {
      await service.recipients.rejectReturn.mutate({ shipmentId });
    } finally {
      // If the service refuses, the request has ended meanwhile.
      onChanged();
    }
    showToast(text.declined);
  });
  return (
    <Confirm title={text.sure} verb={text.decline} work={work} onDone={onClose} onClose={onClose}>
      <p>{text.effect}</p>
    </Confirm>
  );
}
