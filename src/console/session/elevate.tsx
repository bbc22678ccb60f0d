import { useEffect, useState } from 'preact/hooks';
import type { Deployment } from '../../core/deployment.ts';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { Skeleton } from '../kit/skeleton.tsx';
import { callRest, type Outputs } from '../service/service.ts';
import { useWork } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';
import { CodeForm } from './code-form.tsx';

type Elevation = Outputs['sessions']['startElevation'];

const PATH = '/v2/company-authentication/assurance-elevations';
const TEXTS = {
  en: { why: 'This needs a second proof. A code has gone to your', EMAIL: 'e-mail address.', SMS: 'mobile.' },
  ar: { why: 'يحتاج هذا إلى إثبات ثانٍ. أُرسل رمز إلى', EMAIL: 'بريدك الإلكتروني.', SMS: 'جوالك.' },
};

interface ElevateProps {
  readonly deployment: Deployment;
  readonly email: string;
  readonly onElevated: () => void;
}

/** Proves the second factor: a code by the channel that the session was not signed in by. */
export function Elevate({ deployment, email, onElevated }: ElevateProps) {
  const text = textsOf(TEXTS);
  const [elevation, setElevation] = useState<Elevation>();
  const send = useWork(async () => setElevation(await callRest<Elevation>('POST', PATH, {})));
  useEffect(() => void send.start(undefined), []);
  if (send.failure !== undefined)
    return <ProblemNotice failure={send.failure} retry={() => void send.start(undefined)} />;
  if (elevation === undefined) return <Skeleton lines={1} />;
  const { elevationId, channel } = elevation;
  return (
    <>
      <p>
        {text.why} {text[channel]}
      </p>
      <CodeForm
        key={elevationId}
        deployment={deployment}
        recipient={channel === 'EMAIL' ? email : undefined}
        verify={(otp) => callRest('POST', `${PATH}/${elevationId}/verifications`, { otp })}
        onVerified={onElevated}
        onRestart={() => void send.start(undefined)}
      />
    </>
  );
}
