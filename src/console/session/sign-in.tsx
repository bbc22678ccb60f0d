import { useRef, useState } from 'preact/hooks';
import type { Deployment } from '../../core/deployment.ts';
import { Mark } from '../../ui/frame.tsx';
import { changeLocale, textsOf } from '../base/locale.ts';
import { addressOf, Link, useHeadingFocus } from '../base/navigation.tsx';
import { Field } from '../kit/field.tsx';
import { Button, Form } from '../kit/form.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { callRest, type Outputs } from '../service/calls.ts';
import { violationAt } from '../service/failure.ts';
import { useWork } from '../service/loading.ts';
import { CodeForm } from './code-form.tsx';

type Challenge = Outputs['sessions']['startSignIn'];

const PATH = '/v2/company-authentication/sign-ins';
const TEXTS = {
  en: {
    name: 'Mirsal',
    title: 'Sign in',
    identifier: 'E-mail address or mobile',
    hint: 'A code is sent there. There is no password.',
    send: 'Send the code',
    signUp: 'New here? Register your company',
    other: 'العربية',
    demo: 'On this machine, for example:',
  },
  ar: {
    name: 'مرسال',
    title: 'تسجيل الدخول',
    identifier: 'البريد الإلكتروني أو رقم الجوال',
    hint: 'يُرسل رمز إلى هناك. لا توجد كلمة مرور.',
    send: 'أرسل الرمز',
    signUp: 'جديد هنا؟ سجّل شركتك',
    other: 'English',
    demo: 'على هذا الجهاز مثلًا:',
  },
};
/** Whom the local databases know (README). */
const DEMO_OWNER = 'owner@najd-coffee.example';

interface SignInProps {
  readonly deployment: Deployment;
  readonly identifier?: string;
  readonly onSignedIn: () => void;
}

/** The page of whoever has no session. */
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
      <p>
        <Link to={addressOf('sign-up')}>{text.signUp}</Link>
      </p>
      <p>
        <button type="button" class="plain" onClick={changeLocale}>
          {text.other}
        </button>
      </p>
    </main>
  );
}

/** Asks who it is, sends a code and takes it. The cookie comes with the answer. */
export function SignIn({ deployment, identifier: known = '', onSignedIn }: SignInProps) {
  const text = textsOf(TEXTS);
  const [identifier, setIdentifier] = useState(known);
  const [challenge, setChallenge] = useState<Challenge>();
  const send = useWork(async () => {
    const body = { identifier: identifier.trim(), deviceReference: deviceReference() };
    setChallenge(await callRest<Challenge>('POST', PATH, body));
  });
  if (challenge !== undefined) {
    const { challengeId } = challenge;
    return (
      <CodeForm
        deployment={deployment}
        recipient={identifier.trim()}
        verify={(otp) => callRest('POST', `${PATH}/${challengeId}/verifications`, { otp })}
        onVerified={onSignedIn}
        onRestart={() => setChallenge(undefined)}
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
        error={violationAt(send.failure, 'identifier')}
        autocomplete="username"
        dir="ltr"
        isFirst
      />
      {deployment === 'local' && identifier === '' ? (
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

/** Names this browser to the service, the same at each sign-in. Where nothing can be kept, a new name each time. */
export function deviceReference(): string {
  try {
    const known = localStorage.getItem(KEY);
    if (known !== null) return known;
    const made = randomUuid();
    localStorage.setItem(KEY, made);
    return made;
  } catch {
    return randomUuid();
  }
}

function randomUuid(): string {
  return crypto.randomUUID();
}
