import { useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Confirm } from '../../ui/browser/kit/dialog.tsx';
import { LongField } from '../../ui/browser/kit/field.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useWork } from '../../ui/browser/service/loading.ts';

const TEXTS = {
  en: {
    verb: 'Dispatch anyway',
    question: 'Dispatch without a valid National Address?',
    consequence:
      'The search for a driver begins, whatever the registry says. The audit keeps your name and the reason.',
    reason: 'Reason',
    hint: 'At least three characters. Write nothing about the recipient.',
    done: 'Done.',
  },
  ar: {
    verb: 'الإرسال رغم ذلك',
    question: 'هل تريد الإرسال دون عنوان وطني صحيح؟',
    consequence: 'يبدأ البحث عن سائق مهما كان رد السجل. يُحفظ اسمك والسبب في سجل التدقيق.',
    reason: 'السبب',
    hint: 'ثلاثة أحرف على الأقل. لا تكتب شيئًا عن المستلم.',
    done: 'تم.',
  },
};

interface OverrideProps {
  readonly companyId: string;
  readonly shipmentId: string;
  readonly onChanged: () => void;
}

/** Lets a shipment pass that its National Address holds back, for a reason. */
export function AddressOverride({ companyId, shipmentId, onChanged }: OverrideProps) {
  const text = textsOf(TEXTS);
  const [isAsking, setIsAsking] = useState(false);
  const [reason, setReason] = useState('');
  const close = () => setIsAsking(false);
  const work = useWork(async () => {
    await service.operations.shipments.overrideAddress.mutate({ companyId, shipmentId, reason });
    showToast(text.done);
    onChanged();
  });
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>{text.verb}</Button>
      {isAsking ? (
        <Confirm
          title={text.question}
          verb={text.verb}
          work={work}
          isDanger={false}
          isReady={reason.length >= 3}
          fields={['reason']}
          reload={onChanged}
          onDone={close}
          onClose={close}
        >
          <p>{text.consequence}</p>
          <LongField
            label={text.reason}
            hint={text.hint}
            value={reason}
            onChange={setReason}
            error={violationAt(work.failure, 'reason')}
          />
        </Confirm>
      ) : null}
    </>
  );
}
