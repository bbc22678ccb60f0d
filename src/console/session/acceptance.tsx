import { useRef } from 'preact/hooks';
import type { Deployment } from '../../core/deployment.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, isOperations, Link, navigate, useHeadingFocus } from '../../ui/browser/base/navigation.tsx';
import { CodeForm } from '../../ui/browser/kit/code-form.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { useKeptChallenge } from '../../ui/browser/kit/kept-challenge.ts';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { Mark } from '../../ui/frame.tsx';
import { deviceReference } from './sign-in.tsx';

const TEXTS = {
  en: {
    name: 'Mirsal',
    title: 'Accept the invitation',
    hint: 'We send a code to the e-mail address that was invited. Accept only if you work for the company in the message.',
    operator:
      'We send a code to the e-mail address that was invited. It makes you an operator, who works on the shipments of every company. Accept only if that is your work.',
    send: 'Send the code',
    invited: 'the e-mail address that was invited',
    signIn: 'Already accepted? Sign in',
  },
  ar: {
    name: 'مرسال',
    title: 'قبول الدعوة',
    hint: 'سنرسل رمز تحقق إلى البريد الإلكتروني المدعو. لا تقبل إلا إذا كنت تعمل لدى الشركة المذكورة في الرسالة.',
    operator:
      'سنرسل رمز تحقق إلى البريد الإلكتروني المدعو. به تصبح مشغّلًا يعمل على شحنات كل الشركات. لا تقبل إلا إذا كان هذا عملك.',
    send: 'أرسل رمز التحقق',
    invited: 'البريد الإلكتروني المدعو',
    signIn: 'قبلت الدعوة من قبل؟ سجّل الدخول',
  },
};

interface AcceptanceProps {
  readonly deployment: Deployment;
  readonly invitationId: string;
}

/** The page that an invitation links to. The code proves the e-mail address and signs the person in. */
export function Acceptance({ deployment, invitationId }: AcceptanceProps) {
  const text = textsOf(TEXTS);
  const main = useRef<HTMLElement>(null);
  useHeadingFocus('accept', main, text.name);
  const [challenge, keepChallenge] = useKeptChallenge<Outputs['sessions']['startAcceptance']>(`accept-${invitationId}`);
  const send = useWork(async () => {
    keepChallenge(await service.sessions.startAcceptance.mutate({ invitationId, deviceReference: deviceReference() }));
  });
  return (
    <main class="door" ref={main}>
      <p class="brand">
        <Mark /> {text.name}
      </p>
      <h1>{text.title}</h1>
      {challenge === undefined ? (
        <>
          <p>{isOperations ? text.operator : text.hint}</p>
          {send.failure === undefined ? null : <ProblemNotice failure={send.failure} />}
          <Button kind="primary" isBusy={send.isBusy} onClick={() => void send.start(undefined)}>
            {text.send}
          </Button>
        </>
      ) : (
        <CodeForm
          key={challenge.challengeId}
          deployment={deployment}
          recipient={invitationId}
          shownRecipient={text.invited}
          verify={(otp) => service.sessions.verifyAcceptance.mutate({ challengeId: challenge.challengeId, otp })}
          onVerified={() => {
            keepChallenge(undefined);
            navigate(addressOf(''));
          }}
          onRestart={() => keepChallenge(undefined)}
        />
      )}
      <p>
        <Link to={addressOf('')}>{text.signIn}</Link>
      </p>
    </main>
  );
}
