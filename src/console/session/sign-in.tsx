import { useRef, useState } from 'preact/hooks';
import type { Deployment } from '../../core/deployment.ts';
import { changeLocale, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, isOperations, Link, useHeadingFocus } from '../../ui/browser/base/navigation.tsx';
import { CodeForm } from '../../ui/browser/kit/code-form.tsx';
import { Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { useKeptChallenge } from '../../ui/browser/kit/kept-challenge.ts';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { IDENTIFIER } from '../../ui/browser/kit/readers.ts';
import { callRest, type Outputs } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { once, useWork } from '../../ui/browser/service/loading.ts';
import { Mark } from '../../ui/frame.tsx';
import { keptHere } from '../../ui/kept-here.ts';

/** The code that was sent, and its recipient. */
type Challenge = Pick<Outputs['sessions']['startSignIn'], 'challengeId'> & { readonly recipient: string };

const PATH = '/v2/company-authentication/sign-ins';
const TEXTS = {
  en: {
    name: 'Mirsal',
    title: 'Sign in',
    identifier: 'E-mail address or mobile',
    hint: 'We send you a code. There is no password.',
    send: 'Send the code',
    signUp: 'New here? Register your company',
    other: 'العربية',
    demo: 'Example account on this machine:',
  },
  ar: {
    name: 'مرسال',
    title: 'تسجيل الدخول',
    identifier: 'البريد الإلكتروني أو رقم الجوال',
    hint: 'سنرسل إليك رمز تحقق. لا حاجة إلى كلمة مرور.',
    send: 'أرسل رمز التحقق',
    signUp: 'ليس لديك حساب؟ سجّل شركتك',
    other: 'English',
    demo: 'حساب تجريبي على هذا الجهاز:',
  },
};
/** An owner in the sample data of a local service. */
const DEMO_OWNER = 'owner@najd-coffee.example';

interface SignInProps {
  readonly deployment: Deployment;
  /** In a dialog: an address of the person the page shows. */
  readonly identifier?: string;
  readonly onSignedIn: () => void;
}

/** The page for people without a session. */
export function SignInPage(props: SignInProps) {
  const text = textsOf(TEXTS);
  const main = useRef<HTMLElement>(null);
  useHeadingFocus('sign-in', main, text.name);
  return (
    <main class="door" ref={main}>
      <p class="brand">
        <Mark /> {text.name}
      </p>
      <h1>{text.title}</h1>
      <SignIn {...props} />
      {isOperations ? null : (
        <p>
          <Link to={addressOf('sign-up')}>{text.signUp}</Link>
        </p>
      )}
      <p>
        <button type="button" class="plain" lang={locale === 'ar' ? 'en' : 'ar'} onClick={changeLocale}>
          {text.other}
        </button>
      </p>
    </main>
  );
}

/** Sends a one-time code to a person and verifies it. The service sets the session cookie with its answer. */
export function SignIn({ deployment, identifier: known = '', onSignedIn }: SignInProps) {
  const text = textsOf(TEXTS);
  const [identifier, setIdentifier] = useState(known);
  // A dialog does not survive a reload.
  const [challenge, keepChallenge] = useKeptChallenge<Challenge>(known === '' ? 'sign-in' : 'sign-in-again');
  const send = useWork(async () => {
    const body = { identifier, deviceReference: deviceReference() };
    const { challengeId } = await callRest<Outputs['sessions']['startSignIn']>('POST', PATH, body);
    keepChallenge({ challengeId, recipient: identifier });
  }, once);
  if (challenge !== undefined) {
    const { challengeId, recipient } = challenge;
    return (
      <CodeForm
        deployment={deployment}
        recipient={recipient}
        verify={(otp) => callRest('POST', `${PATH}/${challengeId}/verifications`, { otp })}
        onVerified={() => {
          keepChallenge(undefined);
          onSignedIn();
        }}
        onRestart={() => keepChallenge(undefined)}
      />
    );
  }
  return (
    <Form
      onSubmit={() => {
        void send.start(undefined);
      }}
    >
      <Field
        label={text.identifier}
        hint={text.hint}
        value={identifier}
        onChange={setIdentifier}
        error={violationAt(send.failure, 'identifier', identifier)}
        reads={IDENTIFIER}
        autocomplete="username"
        isFirst
      />
      {deployment === 'local' && !isOperations && identifier === '' ? (
        <p class="small quiet">
          {text.demo}{' '}
          <button type="button" class="plain" onClick={() => setIdentifier(DEMO_OWNER)}>
            <bdi dir="ltr">{DEMO_OWNER}</bdi>
          </button>
        </p>
      ) : null}
      {send.failure === undefined || send.failure.violations.length > 0 ? null : (
        <ProblemNotice failure={send.failure} />
      )}
      <Button type="submit" kind="primary" isBusy={send.isBusy}>
        {text.send}
      </Button>
    </Form>
  );
}

const KEY = 'mirsal-device';

/** An identifier of this browser, the same at each sign-in. Without local storage it is new on each page. */
export function deviceReference(): string {
  const known = keptHere.getItem(KEY);
  if (known !== null) return known;
  const made = randomUuid();
  keptHere.setItem(KEY, made);
  return made;
}

function randomUuid(): string {
  return crypto.randomUUID();
}
