import { useState } from 'preact/hooks';
import { Field } from '../console/kit/field.tsx';
import { Button, Form } from '../console/kit/form.tsx';
import { ProblemNotice } from '../console/kit/problem-notice.tsx';
import { MOBILE } from '../console/kit/readers.ts';
import { type Outputs, service } from '../console/service/calls.ts';
import { violationAt } from '../console/service/failure.ts';
import { useWork } from '../console/service/loading.ts';
import { CodeForm } from '../console/session/code-form.tsx';
import type { Deployment } from '../core/deployment.ts';
import { toE164 } from '../core/phone.ts';
import type { DriverSession } from './session.ts';
import { words } from './words.ts';

interface SignInProps {
  readonly deployment: Deployment;
  readonly onSignedIn: (session: DriverSession) => void;
}

/** Sends a one-time code to the driver's phone and verifies it. */
export function SignIn({ deployment, onSignedIn }: SignInProps) {
  const [phone, setPhone] = useState('');
  const [challenge, setChallenge] = useState<Outputs['driver']['startSession']>();
  const send = useWork(async () => setChallenge(await service.driver.startSession.mutate({ phone })));
  if (challenge !== undefined) {
    const { challengeId } = challenge;
    return (
      <CodeForm
        deployment={deployment}
        recipient={toE164(phone)}
        verify={async (otp) => onSignedIn(await service.driver.verifySession.mutate({ challengeId, otp }))}
        onVerified={() => undefined}
        onRestart={() => setChallenge(undefined)}
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
