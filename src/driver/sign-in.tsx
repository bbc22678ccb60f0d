import { useRef, useState } from 'preact/hooks';
import type { Deployment } from '../core/deployment.ts';
import { toE164 } from '../core/phone.ts';
import { textsOf } from '../ui/browser/base/locale.ts';
import { Field } from '../ui/browser/kit/field.tsx';
import { Button, Form } from '../ui/browser/kit/form.tsx';
import { useKeptChallenge } from '../ui/browser/kit/kept-challenge.ts';
import { lazy } from '../ui/browser/kit/loading.tsx';
import { ProblemNotice } from '../ui/browser/kit/problem-notice.tsx';
import { MOBILE } from '../ui/browser/kit/readers.ts';
import { type Outputs, service, serviceForDriver } from '../ui/browser/service/calls.ts';
import { violationAt } from '../ui/browser/service/failure.ts';
import { useWork } from '../ui/browser/service/loading.ts';
import { type DriverSession, SIGN_IN } from './session.ts';

/** Loaded while the driver waits for the code. */
const CodeForm = lazy(async () => (await import('../ui/browser/kit/code-form.tsx')).CodeForm);

const WORDS = {
  en: {
    signIn: 'Sign in',
    phone: 'Your mobile',
    phoneHint: 'For example 0512345678. We send you a code.',
    sendCode: 'Send the code',
  },
  ar: {
    signIn: 'تسجيل الدخول',
    phone: 'رقم جوالك',
    phoneHint: 'مثل 0512345678. سنرسل إليك رمز تحقق.',
    sendCode: 'أرسل رمز التحقق',
  },
};

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
  const words = textsOf(WORDS);
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
      <>
        <h1>{words.signIn}</h1>
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
      </>
    );
  }
  const error = violationAt(send.failure, 'phone', phone);
  return (
    <>
      <h1>{words.signIn}</h1>
      <Form
        onSubmit={() => {
          CodeForm.preload();
          void send.start(undefined);
        }}
      >
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
    </>
  );
}
