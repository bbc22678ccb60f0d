import { useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import type { AreaProps } from '../../ui/browser/base/navigation.tsx';
import { Confirm } from '../../ui/browser/kit/dialog.tsx';
import { Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { IDENTIFIER } from '../../ui/browser/kit/readers.ts';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { Recoveries } from './recoveries.tsx';

const TEXTS = {
  en: {
    title: 'Sign-in addresses',
    lead: 'An e-mail address or mobile signs in one person. Free it when it now belongs to somebody else.',
    identifier: 'E-mail address or mobile',
    free: 'Free it',
    question: 'Free this address?',
    consequence: 'The person who holds it cannot sign in with it any more, and all sessions of that person end.',
    freed: 'The address is free.',
  },
  ar: {
    title: 'عناوين الدخول',
    lead: 'يسجّل شخص واحد فقط الدخول بكل بريد إلكتروني أو رقم جوال. فكّ ارتباطه إذا انتقل إلى شخص آخر.',
    identifier: 'البريد الإلكتروني أو رقم الجوال',
    free: 'فكّ الارتباط',
    question: 'هل تريد فكّ ارتباط هذا العنوان بصاحبه؟',
    consequence: 'لن يستطيع صاحبه تسجيل الدخول به، وستنتهي كل جلساته.',
    freed: 'فُكّ ارتباط العنوان.',
  },
};

/** Takes an e-mail address or a mobile from the person who holds it. */
export function Identifiers({ address: { id } }: AreaProps) {
  const text = textsOf(TEXTS);
  const [identifier, setIdentifier] = useState('');
  const [isAsking, setIsAsking] = useState(false);
  const work = useWork(async () => {
    await service.operations.identifiers.free.mutate({ identifier });
    showToast(text.freed);
    setIdentifier('');
  });
  if (id !== undefined) return <NoSuchPage />;
  const close = () => {
    work.clearFailure();
    setIsAsking(false);
  };
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <Form onSubmit={() => setIsAsking(identifier !== '')}>
        <Field label={text.identifier} value={identifier} onChange={setIdentifier} reads={IDENTIFIER} />
        <div class="actions">
          <Button type="submit" kind="danger" isDisabled={identifier === ''}>
            {text.free}
          </Button>
        </div>
      </Form>
      {isAsking ? (
        <Confirm title={text.question} verb={text.free} work={work} onDone={close} onClose={close}>
          <p>
            <bdi dir="ltr">{identifier}</bdi>
          </p>
          <p>{text.consequence}</p>
        </Confirm>
      ) : null}
      <Recoveries />
    </>
  );
}
