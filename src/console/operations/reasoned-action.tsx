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
    overrideAddress: {
      verb: 'Dispatch anyway',
      question: 'Dispatch without a valid National Address?',
      consequence:
        'The search for a driver begins, whatever the registry says. The audit keeps your name and the reason.',
    },
    releaseProof: {
      verb: 'Release the proof',
      question: 'Let this parcel end with less proof?',
      consequence:
        'Instead of a PIN, a photo and a signature are enough, and a failure needs no proof. The proof says that an operator released it. The audit keeps your name and the reason.',
    },
    reason: 'Reason',
    hint: 'At least three characters. Write nothing about the recipient.',
    done: 'Done.',
  },
  ar: {
    overrideAddress: {
      verb: 'الإرسال رغم ذلك',
      question: 'هل تريد الإرسال دون عنوان وطني صحيح؟',
      consequence: 'يبدأ البحث عن سائق مهما كان رد السجل. يُحفظ اسمك والسبب في سجل التدقيق.',
    },
    releaseProof: {
      verb: 'إعفاء من الإثبات',
      question: 'هل تريد إنهاء هذه الشحنة بإثبات أقل؟',
      consequence:
        'تكفي صورة وتوقيع بدلًا من الرمز، ولا يلزم إثبات تعذّر التوصيل. يذكر الإثبات أن مشغّلًا أعفى منه، ويُحفظ اسمك والسبب في سجل التدقيق.',
    },
    reason: 'السبب',
    hint: 'ثلاثة أحرف على الأقل. لا تكتب شيئًا عن المستلم.',
    done: 'تم.',
  },
};

interface ReasonedActionProps {
  readonly action: 'overrideAddress' | 'releaseProof';
  readonly companyId: string;
  readonly shipmentId: string;
  readonly onChanged: () => void;
}

/** Lets a shipment pass despite its National Address, or without all that it has to prove, for a reason. */
export function ReasonedAction({ action, companyId, shipmentId, onChanged }: ReasonedActionProps) {
  const { reason, hint, done, ...text } = textsOf(TEXTS);
  return (
    <ReasonedButton
      words={{ ...text[action], reason, hint, done }}
      act={(given) => service.operations.shipments[action].mutate({ companyId, shipmentId, reason: given })}
      onChanged={onChanged}
    />
  );
}

interface ReasonedButtonProps {
  readonly words: Readonly<Record<'verb' | 'question' | 'consequence' | 'reason' | 'hint' | 'done', string>>;
  readonly kind?: 'primary' | 'danger';
  readonly act: (reason: string) => Promise<unknown>;
  readonly onChanged: () => void;
}

/** A button of operators that asks for the reason, and says what follows. */
export function ReasonedButton({ words, kind, act, onChanged }: ReasonedButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [reason, setReason] = useState('');
  const close = () => setIsAsking(false);
  const work = useWork(async () => {
    await act(reason);
    showToast(words.done);
    setReason('');
    onChanged();
  });
  return (
    <>
      <Button {...(kind === undefined ? {} : { kind })} onClick={() => setIsAsking(true)}>
        {words.verb}
      </Button>
      {isAsking ? (
        <Confirm
          title={words.question}
          verb={words.verb}
          work={work}
          isDanger={kind === 'danger'}
          isReady={reason.length >= 3}
          fields={['reason']}
          reload={() => {
            close();
            onChanged();
          }}
          onDone={close}
          onClose={close}
        >
          <p>{words.consequence}</p>
          <LongField
            label={words.reason}
            hint={words.hint}
            value={reason}
            onChange={setReason}
            error={violationAt(work.failure, 'reason')}
          />
        </Confirm>
      ) : null}
    </>
  );
}
