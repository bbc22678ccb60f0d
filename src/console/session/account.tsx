import { useState } from 'preact/hooks';
import type { Deployment } from '../../core/deployment.ts';
import { HELD_HOURS } from '../../core/limits.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { CodeForm } from '../../ui/browser/kit/code-form.tsx';
import { Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { PageHead } from '../../ui/browser/kit/page.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { IDENTIFIER } from '../../ui/browser/kit/readers.ts';
import { Moment } from '../../ui/browser/kit/text.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';

const TEXTS = {
  en: {
    title: 'Your sign-in',
    lead: `Replace your e-mail address or mobile. We send a code to the new one and a message to the old one. For ${HELD_HOURS} hours you cannot change credentials, webhooks and people.`,
    identifier: 'New e-mail address or mobile',
    send: 'Send the code',
    recovery: 'An operator replaces your e-mail address and your mobile. If you did not ask for this, stop it before',
    stop: 'Stop it',
    changed: 'Changed. Sign in with the new one from now on.',
  },
  ar: {
    title: 'بيانات دخولك',
    lead: `استبدل بريدك الإلكتروني أو جوالك. نرسل رمز تحقق إلى الجديد ورسالة إلى القديم. لا يمكنك لمدة ${HELD_HOURS} ساعة تغيير بيانات الاعتماد أو الإشعارات البرمجية أو الأشخاص.`,
    identifier: 'البريد الإلكتروني أو رقم الجوال الجديد',
    send: 'أرسل رمز التحقق',
    recovery: 'يستبدل أحد المشغّلين بريدك الإلكتروني وجوالك. إذا لم تطلب ذلك فأوقفه قبل',
    stop: 'أوقفه',
    changed: 'تم التغيير. سجّل الدخول بالجديد من الآن فصاعدًا.',
  },
};

/** What an operator has begun in the person's name, and its end. */
function WaitingRecovery() {
  const text = textsOf(TEXTS);
  const loaded = useLoaded('recovery', () => service.people.recovery.query({}));
  const stop = useWork(async () => {
    await service.people.stopRecovery.mutate({});
    loaded.reload();
  });
  if (loaded.value == null) return null;
  return (
    <div class="notice bad" role="alert">
      <p>
        {text.recovery} <Moment at={loaded.value.dueAt} />
      </p>
      {stop.failure === undefined ? null : <ProblemNotice failure={stop.failure} />}
      <Button kind="danger" isBusy={stop.isBusy} onClick={() => void stop.start(undefined)}>
        {text.stop}
      </Button>
    </div>
  );
}

/** The page where a person replaces their own e-mail address or mobile. */
export function Account({ deployment }: { readonly deployment: Deployment }) {
  const text = textsOf(TEXTS);
  const [identifier, setIdentifier] = useState('');
  const [challengeId, setChallengeId] = useState<string>();
  const [isChanged, setIsChanged] = useState(false);
  const send = useWork(async () => {
    setChallengeId((await service.people.startIdentifierChange.mutate({ identifier })).challengeId);
  });
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <WaitingRecovery />
      {isChanged ? (
        <p role="status">{text.changed}</p>
      ) : challengeId === undefined ? (
        <Form onSubmit={() => void send.start(undefined)}>
          <Field
            label={text.identifier}
            value={identifier}
            onChange={setIdentifier}
            error={violationAt(send.failure, 'identifier', identifier)}
            reads={IDENTIFIER}
          />
          {send.failure === undefined || send.failure.violations.length > 0 ? null : (
            <ProblemNotice failure={send.failure} />
          )}
          <div class="actions">
            <Button type="submit" kind="primary" isBusy={send.isBusy} isDisabled={identifier === ''}>
              {text.send}
            </Button>
          </div>
        </Form>
      ) : (
        <CodeForm
          key={challengeId}
          deployment={deployment}
          recipient={identifier}
          verify={(otp) => service.people.changeIdentifier.mutate({ identifier, challengeId, otp })}
          onVerified={() => setIsChanged(true)}
          onRestart={() => setChallengeId(undefined)}
        />
      )}
    </>
  );
}
