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
    reason: 'Why',
    comment: 'Comment (optional)',
    fee: 'A driver is on his way to pick it up: the cancellation fee of your tariff is due.',
    free: 'Nothing is charged.',
    submit: 'Cancel the shipment',
    keep: 'Keep it',
    done: 'The shipment is cancelled.',
    impossible: 'It cannot be cancelled any more. Its state is now:',
  },
  ar: {
    title: 'إلغاء الشحنة',
    reason: 'السبب',
    comment: 'ملاحظة (اختياري)',
    fee: 'السائق في طريقه للاستلام: تُستحق رسوم الإلغاء حسب تعرفتك.',
    free: 'لا تُحتسب أي رسوم.',
    submit: 'ألغِ الشحنة',
    keep: 'أبقِها',
    done: 'أُلغيت الشحنة.',
    impossible: 'لم يعد الإلغاء ممكنًا. حالتها الآن:',
  },
};

interface CancellationProps {
  readonly shipment: Outputs['shipments']['get'];
  /** In the state that was loaded last; it may change while somebody is choosing a reason. */
  readonly isPossible: boolean;
  readonly onReload: () => void;
  readonly onClose: () => void;
}

/** Asks for the reason and cancels the version that one sees. */
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
