import { useRef, useState } from 'preact/hooks';
import type { Deployment } from '../core/deployment.ts';
import { toE164 } from '../core/phone.ts';
import { textsOf } from '../ui/browser/base/locale.ts';
import { CodeForm } from '../ui/browser/kit/code-form.tsx';
import { Field } from '../ui/browser/kit/field.tsx';
import { Button, Form } from '../ui/browser/kit/form.tsx';
import { useKeptChallenge } from '../ui/browser/kit/kept-challenge.ts';
import { ProblemNotice } from '../ui/browser/kit/problem-notice.tsx';
import { MOBILE } from '../ui/browser/kit/readers.ts';
import { type Outputs, service, serviceForDriver } from '../ui/browser/service/calls.ts';
import { violationAt } from '../ui/browser/service/failure.ts';
import { useWork } from '../ui/browser/service/loading.ts';
import { type DriverSession, SIGN_IN } from './session.ts';
import { words } from './words.ts';

/** The code that was sent, and its recipient. */
interface Challenge {
  readonly challengeId: string;
  readonly recipient: string;
}

interface SignInProps {
  readonly deployment: Deployment;
  readonly onSignedIn: (session: DriverSession) => void;
}

/** Sends a one-time code to the driver's phone and verifies it. */
export function SignIn({ deployment, onSignedIn }: SignInProps) {
  const [phone, setPhone] = useState('');
  const [challenge, keepChallenge] = useKeptChallenge<Challenge>(SIGN_IN);
  const send = useWork(async () => {
    const { challengeId } = await service.driver.startSession.mutate({ phone });
    keepChallenge({ challengeId, recipient: toE164(phone) });
  });
  const begun = useRef<Outputs['driver']['verifySession'] | undefined>(undefined);
  if (challenge !== undefined) {
    const { challengeId, recipient } = challenge;
    const verify = async (otp: string) => {
      // The code signs in once. If the connection breaks before the name is read, the next press reads it again.
      begun.current ??= await service.driver.verifySession.mutate({ challengeId, otp });
      const { driverToken } = begun.current;
      const { driverId, firstName } = await serviceForDriver({ driverToken }).driver.getStanding.query({});
      keepChallenge(undefined);
      onSignedIn({ driverToken, driverId, firstName });
    };
    return (
      <CodeForm
        deployment={deployment}
        recipient={recipient}
        verify={verify}
        onVerified={() => undefined}
        onRestart={() => {
          begun.current = undefined;
          keepChallenge(undefined);
        }}
      />
    );
  }
  const error = violationAt(send.failure, 'phone', phone);
  return (
    <Form onSubmit={() => void send.start(undefined)}>
      <Field
        label={words.phone}
        hint={words.phoneHint}
        error={error}
        value={phone}
        onChange={setPhone}
        reads={MOBILE}
        autocomplete="tel"
      />
      {send.failure === undefined || error !== undefined ? null : <ProblemNotice failure={send.failure} />}
      <Button type="submit" kind="primary" isBusy={send.isBusy}>
        {words.sendCode}
      </Button>
    </Form>
  );
}

const TEXTS = {
  en: {
    title: 'Another driver is signed in in another tab',
    here: 'This page was for:',
    now: 'Signed in on this phone:',
    goOn: 'Go on as',
    again: 'Sign in again here',
    kept: 'Actions that were not sent yet are kept, and are sent only for the driver who took them.',
  },
  ar: {
    title: 'سجّل سائق آخر الدخول في علامة تبويب أخرى',
    here: 'كانت هذه الصفحة للسائق:',
    now: 'السائق المسجَّل على هذا الجوال:',
    goOn: 'تابع باسم',
    again: 'سجّل الدخول هنا من جديد',
    kept: 'تبقى الإجراءات التي لم تُرسل محفوظة، ولا تُرسل إلا باسم السائق الذي نفّذها.',
  },
};

interface ElsewhereProps {
  readonly elsewhere: DriverSession;
  readonly session: DriverSession | undefined;
  readonly onFollow: () => void;
  readonly onSignIn: () => void;
}

/** Says that the phone is another driver's now, so that nobody drives in another's name. */
export function SignedInElsewhere({ elsewhere, session, onFollow, onSignIn }: ElsewhereProps) {
  const text = textsOf(TEXTS);
  return (
    <section role="alert">
      <h1>{text.title}</h1>
      {session === undefined ? null : (
        <p>
          {text.here} <bdi>{session.firstName}</bdi>
        </p>
      )}
      <p>
        {text.now} <b dir="auto">{elsewhere.firstName}</b>
      </p>
      <p class="small">{text.kept}</p>
      <div class="actions">
        <Button kind="primary" onClick={onFollow}>
          {text.goOn} <bdi>{elsewhere.firstName}</bdi>
        </Button>
        <Button onClick={onSignIn}>{text.again}</Button>
      </div>
    </section>
  );
}
