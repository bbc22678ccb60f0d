import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CANCELLATION_REASONS, type CancellationReason } from '../../contract/shipment-state.ts';
import { companyNow, useNow } from '../../ui/browser/base/company-clock.ts';
import { formatClock, formatMoney, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { Dialog } from '../../ui/browser/kit/dialog.tsx';
import { Choice, Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { Countdown } from '../../ui/browser/kit/text.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { failureOf, violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { REASON_WORDS } from './words.ts';

type Preview = Outputs['shipments']['previewCancellation'];

/** A preview and the end of its fee by the clock that this page shows, which may differ from the service's. */
interface Shown {
  readonly preview: Preview;
  readonly endsAtMs: number | undefined;
}

const TEXTS = {
  en: {
    title: 'Cancel the shipment',
    reason: 'Reason',
    choose: 'Choose a reason',
    missing: 'Choose a reason first.',
    comment: 'Comment (optional)',
    changed: 'The shipment has changed in the meantime, and nothing was cancelled. What you typed is still here. Now:',
    free: 'Cancel for free',
    paid: 'Cancel for',
    keep: 'Keep the shipment',
    close: 'Close',
    done: 'The shipment is cancelled.',
  },
  ar: {
    title: 'إلغاء الشحنة',
    reason: 'السبب',
    choose: 'اختر السبب',
    missing: 'اختر السبب أولًا.',
    comment: 'ملاحظة (اختياري)',
    changed: 'تغيّرت الشحنة أثناء ذلك ولم يُلغَ شيء. ما كتبته ما زال هنا. الآن:',
    free: 'ألغِ مجانًا',
    paid: 'ألغِ مقابل',
    keep: 'الإبقاء على الشحنة',
    close: 'إغلاق',
    done: 'أُلغيت الشحنة.',
  },
};
/** Codes that mean that the preview on the page no longer applies. */
const OUTDATED: ReadonlySet<string> = new Set([
  'PRECONDITION_FAILED',
  'PRICE_LIMIT_EXCEEDED',
  'SHIPMENT_NOT_CANCELLABLE',
  'SHIPMENT_TERMINAL',
]);
/** A fee that ends later than this gets no countdown. */
const COUNTED_MS_MAX = 24 * 3_600_000;

interface CancellationProps {
  readonly shipmentId: string;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/**
 * Says who pays for a cancellation and until when, and cancels the shipment in exactly that version and for at most that
 * amount. If either has changed, nothing is cancelled and the dialog shows what applies now.
 */
export function Cancellation({ shipmentId, onChanged, onClose }: CancellationProps) {
  const text = textsOf(TEXTS);
  const [reasonCode, setReasonCode] = useState<CancellationReason | ''>('');
  const [comment, setComment] = useState('');
  const [isReasonMissing, setIsReasonMissing] = useState(false);
  const [outdated, setOutdated] = useState<Preview>();
  const loaded = useLoaded(shipmentId, () => readPreview(shipmentId));
  const { value, reload, isLoading } = loaded;
  const known = useRef({ order: '', key: '' });
  const isOver = useNow() >= (value?.endsAtMs ?? Number.POSITIVE_INFINITY);
  useEffect(() => {
    if (isOver) reload();
  }, [isOver, reload]);
  const work = useWork(async ({ preview }: Shown) => {
    if (reasonCode === '') return;
    const { version, fee } = preview;
    const reason = { reasonCode, comment: comment === '' ? null : comment };
    const limit = fee === null ? {} : { priceLimit: fee.totalAmount };
    // After a lost answer the same cancellation has the same key, so that a retry gets the first answer.
    const order = JSON.stringify([version, limit, reason]);
    if (known.current.order !== order) known.current = { order, key: crypto.randomUUID() };
    const idempotencyKey = known.current.key;
    try {
      await service.shipments.cancel.mutate({
        shipmentId,
        ifMatch: `"${version}"`,
        idempotencyKey,
        ...limit,
        ...reason,
      });
    } catch (error) {
      if (!OUTDATED.has(failureOf(error).code)) throw error;
      setOutdated(preview);
      reload();
      onChanged();
      return;
    }
    showToast(text.done);
    onChanged();
    onClose();
  });
  const isChanged = outdated !== undefined && value?.preview !== outdated && value?.preview.rule !== 'CANCELLED';
  // Somebody else cancelled it, or the parcel is past cancelling: there is nothing left to decide.
  const isEnded = value?.preview.cancellable === false;
  const cancel = async () => {
    if (value === undefined || !value.preview.cancellable || isLoading) return true;
    setIsReasonMissing(reasonCode === '');
    // The form moves the focus to the choice.
    if (reasonCode === '') return false;
    await work.start(value);
    return true;
  };
  return (
    <Dialog title={text.title} onClose={onClose}>
      <Form onSubmit={cancel}>
        <div aria-live="polite">
          {isChanged ? <p class="notice">{text.changed}</p> : null}
          <WhenLoaded loaded={loaded}>{(shown) => <Cost {...shown} />}</WhenLoaded>
        </div>
        {isEnded ? null : (
          <>
            <Choice
              label={text.reason}
              value={reasonCode}
              options={[
                { value: '', label: text.choose },
                ...CANCELLATION_REASONS.map((reason) => ({ value: reason, label: REASON_WORDS[reason][locale] })),
              ]}
              onChange={setReasonCode}
              error={isReasonMissing && reasonCode === '' ? text.missing : undefined}
            />
            <Field
              label={text.comment}
              value={comment}
              onChange={setComment}
              error={violationAt(work.failure, 'comment')}
            />
          </>
        )}
        {work.failure === undefined ? null : <ProblemNotice failure={work.failure} retry={() => void cancel()} />}
        <div class="actions">
          {value?.preview.cancellable === true ? (
            <Button type="submit" kind="danger" isForCompany isBusy={work.isBusy || isLoading}>
              {isFree(value.preview) ? text.free : <Phrase before={text.paid} value={amountOf(value.preview)} />}
            </Button>
          ) : null}
          <Button onClick={onClose}>{isEnded ? text.close : text.keep}</Button>
        </div>
      </Form>
    </Dialog>
  );
}

async function readPreview(shipmentId: string): Promise<Shown> {
  const preview = await service.shipments.previewCancellation.query({ shipmentId });
  const { validUntil, decidedAt } = preview;
  const leftMs = validUntil === null ? undefined : Date.parse(validUntil) - Date.parse(decidedAt);
  return { preview, endsAtMs: leftMs === undefined ? undefined : companyNow() + leftMs };
}

const COST_TEXTS = {
  en: {
    untilAccepted: 'Free until a driver accepts the shipment',
    freeUntil: 'Free until',
    free: 'Free',
    late: 'Free, because the driver is late',
    youPay: 'You pay',
    afterwards: 'Then you pay',
    onTheWay: 'When a driver is on the way you pay',
    again: 'Free again from',
    ifLate: 'if the driver is late',
    withDriver: 'You cannot cancel this shipment any more, because the driver has the parcel.',
    cancelled: 'The shipment is cancelled.',
    over: 'There is nothing left to cancel.',
    withVat: 'with VAT',
  },
  ar: {
    untilAccepted: 'مجانًا حتى يقبل سائق الشحنة',
    freeUntil: 'مجانًا حتى',
    free: 'مجانًا',
    late: 'مجانًا، لأن السائق متأخر',
    youPay: 'تدفع',
    afterwards: 'بعد ذلك تدفع',
    onTheWay: 'عندما يكون السائق في الطريق تدفع',
    again: 'مجانًا من جديد ابتداءً من',
    ifLate: 'إذا تأخر السائق',
    withDriver: 'لم يعد إلغاء هذه الشحنة ممكنًا، لأنها مع السائق.',
    cancelled: 'أُلغيت الشحنة.',
    over: 'لم يبقَ ما يمكن إلغاؤه.',
    withVat: 'شاملة الضريبة',
  },
};

/** Who pays now and until when, and what applies then. */
function Cost({ preview, endsAtMs }: Shown) {
  const text = textsOf(COST_TEXTS);
  const { rule, cancellable, validUntil, decidedAt, next } = preview;
  if (!cancellable) {
    const otherwise = rule === 'CANCELLED' ? text.cancelled : text.over;
    return <p class="notice">{rule === 'PAST_PICK_UP' ? text.withDriver : otherwise}</p>;
  }
  const isCounted = endsAtMs !== undefined && endsAtMs - companyNow() <= COUNTED_MS_MAX;
  const countdown = isCounted ? <Countdown until={new Date(endsAtMs).toISOString()} /> : null;
  const until = validUntil === null ? null : formatClock(validUntil, decidedAt);
  const end = countdown === null ? null : <> ({countdown})</>;
  if (!isFree(preview))
    return (
      <>
        <p class="answer">
          <Phrase before={text.youPay} value={amountOf(preview)} after={text.withVat} />
        </p>
        {until === null ? null : (
          <p>
            <Phrase before={text.again} value={until} after={text.ifLate} />
            {end}
          </p>
        )}
      </>
    );
  return (
    <>
      <p class="answer">
        {rule === 'NOT_ACCEPTED' ? text.untilAccepted : null}
        {rule === 'DRIVER_LATE' ? text.late : null}
        {rule === 'NOT_ACCEPTED' || rule === 'DRIVER_LATE' ? null : until === null ? (
          text.free
        ) : (
          <>
            <Phrase before={text.freeUntil} value={until} />
            {end}
          </>
        )}
      </p>
      {next === null || isFree(next) ? null : (
        <p>
          <Phrase
            before={rule === 'NOT_ACCEPTED' ? text.onTheWay : text.afterwards}
            value={amountOf(next)}
            after={text.withVat}
          />
        </p>
      )}
    </>
  );
}

/** Words around an amount or a time, which keeps its direction. */
function Phrase({
  before,
  value,
  after,
}: {
  readonly before: string;
  readonly value: ComponentChildren;
  readonly after?: string;
}) {
  return (
    <>
      {before} <bdi dir="ltr">{value}</bdi>
      {after === undefined ? null : ` ${after}`}
    </>
  );
}

function isFree({ payer, fee }: Pick<Preview, 'payer' | 'fee'>): boolean {
  return payer !== 'MERCHANT' || fee === null || Number(fee.totalAmount) === 0;
}

function amountOf({ fee }: Pick<Preview, 'fee'>): string {
  return fee === null ? '' : formatMoney(fee.totalAmount, fee.currency);
}
