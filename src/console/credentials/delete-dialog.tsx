import { useState } from 'preact/hooks';
import { Confirm } from '../kit/confirm.tsx';
import { Exact } from '../kit/exact.tsx';
import { Field } from '../kit/field.tsx';
import { tell } from '../kit/toasts.tsx';
import { service } from '../service/service.ts';
import { useWork } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';

const TEXTS = {
  en: {
    title: 'Delete the credential?',
    verb: 'Delete',
    consequence: 'Your systems can sign in no more from this moment. Tokens they have die within a minute.',
    confirm: 'Type the last six characters of the client id',
    deleted: 'The credential is gone.',
  },
  ar: {
    title: 'هل تريد حذف بيانات الاعتماد؟',
    verb: 'حذف',
    consequence: 'لن تستطيع أنظمتك تسجيل الدخول من هذه اللحظة، وتنتهي رموز وصولها خلال دقيقة.',
    confirm: 'اكتب آخر ستة أحرف من معرّف العميل',
    deleted: 'حُذفت بيانات الاعتماد.',
  },
};
const TYPED_LENGTH = 6;

interface DeleteDialogProps {
  readonly clientId: string;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Nobody types these by accident. */
export function DeleteDialog({ clientId, onDeleted, onClose }: DeleteDialogProps) {
  const text = textsOf(TEXTS);
  const [typed, setTyped] = useState('');
  const work = useWork(async () => {
    await service.merchantApiCredential.delete.mutate({});
    tell(text.deleted);
  });
  const done = () => {
    onClose();
    onDeleted();
  };
  return (
    <Confirm
      title={text.title}
      verb={text.verb}
      work={work}
      isReady={typed.trim() === clientId.slice(-TYPED_LENGTH)}
      onDone={done}
      onClose={onClose}
    >
      <p>{text.consequence}</p>
      <p>
        <Exact>{clientId}</Exact>
      </p>
      <Field label={text.confirm} value={typed} onChange={setTyped} dir="ltr" isFirst />
    </Confirm>
  );
}
