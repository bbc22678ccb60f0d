import { useState } from 'preact/hooks';
import { CANCELLATION_REASONS, type CancellationReason, isDriverAssigned } from '../../contract/shipment-state.ts';
import { STATE_WORDS } from '../../ui/state.tsx';
import { locale, textsOf } from '../base/locale.ts';
import { Dialog } from '../kit/dialog.tsx';
import { Choice, Field } from '../kit/field.tsx';
import { Button, Form } from '../kit/form.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { showToast } from '../kit/toasts.tsx';
import { type Outputs, service } from '../service/calls.ts';
import { violationAt } from '../service/failure.ts';
import { useWork } from '../service/loading.ts';
import { REASON_WORDS } from './words.ts';

const TEXTS = {
  en: {
    title: 'Cancel the shipment',
    reason: 'Reason',
    comment: 'Comment (optional)',
    fee: 'A driver is on the way to the pickup, so you pay the cancellation fee of your tariff.',
    free: 'There is no cancellation fee.',
    submit: 'Cancel the shipment',
    keep: 'Keep the shipment',
    done: 'The shipment is cancelled.',
    impossible: 'You cannot cancel this shipment any more. Its state is now:',
  },
  ar: {
    title: 'إلغاء الشحنة',
    reason: 'السبب',
    comment: 'ملاحظة (اختياري)',
    fee: 'السائق في طريقه إلى موقع الاستلام، لذلك تُستحق رسوم الإلغاء حسب تعرفتك.',
    free: 'لا توجد رسوم إلغاء.',
    submit: 'ألغِ الشحنة',
    keep: 'الإبقاء على الشحنة',
    done: 'أُلغيت الشحنة.',
    impossible: 'لم يعد إلغاء هذه الشحنة ممكنًا. حالتها الآن:',
  },
};

interface CancellationProps {
  readonly shipment: Outputs['shipments']['get'];
  /** Whether the newest known state allows it. The state may change while the dialog is open. */
  readonly isPossible: boolean;
  readonly onReload: () => void;
  readonly onClose: () => void;
}

/** Asks for a reason and cancels the shipment, in the version that the page shows. */
export function Cancellation({ shipment, isPossible, onReload, onClose }: CancellationProps) {
  const text = textsOf(TEXTS);
  const { shipmentId, version, state } = shipment;
  const [reasonCode, setReasonCode] = useState<CancellationReason>('CUSTOMER_REQUEST');
  const [comment, setComment] = useState('');
  const work = useWork(async () => {
    const reason = { reasonCode, comment: comment === '' ? null : comment };
    await service.shipments.cancel.mutate({ shipmentId, ifMatch: `"${version}"`, ...reason });
    showToast(text.done);
    onReload();
    onClose();
  });
  const reload = () => {
    work.clearFailure();
    onReload();
  };
  return (
    <Dialog title={text.title} onClose={onClose}>
      <Form
        onSubmit={() => {
          void work.start(undefined);
        }}
      >
        {isPossible ? (
          <p>{isDriverAssigned(state) ? text.fee : text.free}</p>
        ) : (
          <p class="notice">
            {text.impossible} <strong>{STATE_WORDS[state].label[locale]}</strong>
          </p>
        )}
        <Choice
          label={text.reason}
          value={reasonCode}
          options={CANCELLATION_REASONS.map((value) => ({ value, label: REASON_WORDS[value][locale] }))}
          onChange={setReasonCode}
        />
        <Field
          label={text.comment}
          value={comment}
          onChange={setComment}
          error={violationAt(work.failure, 'comment')}
        />
        {work.failure === undefined ? null : (
          <ProblemNotice failure={work.failure} retry={() => void work.start(undefined)} reload={reload} />
        )}
        <div class="actions">
          <Button type="submit" kind="danger" isBusy={work.isBusy} isDisabled={!isPossible}>
            {text.submit}
          </Button>
          <Button onClick={onClose}>{text.keep}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
