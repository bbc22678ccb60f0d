import { useEffect, useState } from 'preact/hooks';
import { actingAsText } from '../../core/acting-as.ts';
import type { Deployment } from '../../core/deployment.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, isOperations, Link } from '../../ui/browser/base/navigation.tsx';
import { CodeForm } from '../../ui/browser/kit/code-form.tsx';
import { Dialog } from '../../ui/browser/kit/dialog.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { Skeleton } from '../../ui/browser/kit/loading.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { callRest, type Outputs, readSession } from '../../ui/browser/service/calls.ts';
import { once, type Proof, proofOf, useWork } from '../../ui/browser/service/loading.ts';
import { actorOf, Holder, homeOf, type Session } from './holder.tsx';
import { SignIn } from './sign-in.tsx';

const TEXTS = {
  en: {
    session: 'Your session has ended. Sign in to continue.',
    signIn: 'Sign in again, by the address that you keep',
    person: 'You are signed in as somebody else in another tab',
    assurance: 'Confirm your identity',
    here: 'This page shows:',
    now: 'Signed in in another tab:',
    nothing: 'Nothing was sent.',
    goOn: 'Go on as',
    again: 'Sign in again here as',
  },
  ar: {
    session: 'انتهت جلستك. سجّل الدخول للمتابعة.',
    signIn: 'سجّل الدخول من جديد بالعنوان الذي تحتفظ به',
    person: 'تم تسجيل الدخول بحساب آخر في علامة تبويب أخرى',
    assurance: 'تأكيد هويتك',
    here: 'تعرض هذه الصفحة:',
    now: 'الحساب المسجَّل في علامة التبويب الأخرى:',
    nothing: 'لم يُرسل شيء.',
    goOn: 'تابع باسم',
    again: 'سجّل الدخول هنا من جديد باسم',
  },
};

interface ProofDialogProps {
  readonly deployment: Deployment;
  /** The session that the page shows. Nobody else is signed in here. */
  readonly session: Session;
  readonly proof: Proof;
  readonly onSettled: (isGiven: boolean) => void;
}

/** Asks the person the page shows for a proof. The form under it keeps what was typed. */
export function ProofDialog({ deployment, session, proof: first, onSettled }: ProofDialogProps) {
  const text = textsOf(TEXTS);
  const [proof, setProof] = useState(first);
  const done = () => onSettled(true);
  return (
    <Dialog key={proof} title={text[proof]} onClose={() => onSettled(false)}>
      {proof === 'person' ? (
        <SomebodyElse session={session} onSame={done} onAgain={() => setProof('session')} />
      ) : (
        <>
          <p>
            <Holder session={session} />
          </p>
          {proof === 'session' || proof === 'signIn' ? (
            <SignIn deployment={deployment} identifier={session.person.email ?? ''} onSignedIn={done} />
          ) : (
            <Elevate deployment={deployment} session={session} onElevated={done} onLost={setProof} />
          )}
        </>
      )}
    </Dialog>
  );
}

interface SomebodyElseProps {
  readonly session: Session;
  readonly onSame: () => void;
  readonly onAgain: () => void;
}

/** Names both, and offers to go on as the one or as the other. */
function SomebodyElse({ session, onSame, onAgain }: SomebodyElseProps) {
  const text = textsOf(TEXTS);
  const [other, setOther] = useState<Session>();
  useEffect(() => {
    readSession().then((now) => {
      if (actingAsText(actorOf(now)) === actingAsText(actorOf(session))) onSame();
      else setOther(now);
    }, onAgain);
  }, []);
  if (other === undefined) return <Skeleton lines={3} />;
  return (
    <>
      <p>
        {text.here} <Holder session={session} />
        <br />
        {text.now}{' '}
        <strong>
          <Holder session={other} />
        </strong>
      </p>
      <p>{text.nothing}</p>
      <div class="actions">
        <Button kind="primary" onClick={() => location.replace(`${homeOf(other)}?lang=${locale}`)}>
          {text.goOn} <bdi>{other.person.fullName}</bdi>
        </Button>
        <Button onClick={onAgain}>
          {text.again} <bdi>{session.person.fullName}</bdi>
        </Button>
      </div>
    </>
  );
}

type Elevation = Outputs['sessions']['startElevation'];

const PATH = '/v2/company-authentication/assurance-elevations';
const ELEVATE_TEXTS = {
  en: {
    action: 'This action needs a second factor:',
    operations:
      'You have proved one of your addresses. The operators’ pages show every company, so they also need the other:',
    EMAIL: 'a code that we send to your e-mail address.',
    SMS: 'a code that we send to your mobile.',
    lost: 'Your other address belongs to another person now.',
    replace: 'Replace it',
  },
  ar: {
    action: 'يحتاج هذا الإجراء إلى عامل تحقق ثانٍ:',
    operations: 'أثبتّ أحد عنوانيك. تعرض صفحات المشغّلين كل الشركات، لذلك تحتاج إلى العنوان الآخر أيضًا:',
    EMAIL: 'رمز نرسله إلى بريدك الإلكتروني.',
    SMS: 'رمز نرسله إلى جوالك.',
    lost: 'أصبح عنوانك الآخر لشخص آخر.',
    replace: 'استبدله',
  },
};

interface ElevateProps extends Pick<ProofDialogProps, 'deployment' | 'session'> {
  readonly onElevated: () => void;
  /** The session has ended or is another's, so that first has to be proved again. */
  readonly onLost: (proof: Proof) => void;
}

/** Proves the second factor with a code. The service sends it through the channel that was not used to sign in. */
function Elevate({ deployment, session, onElevated, onLost }: ElevateProps) {
  const text = textsOf(ELEVATE_TEXTS);
  const [elevation, setElevation] = useState<Elevation>();
  const call = <Answer,>(path: string, body: object) =>
    callRest<Answer>('POST', path, body).catch((error: unknown) => {
      const proof = proofOf(error);
      if (proof !== undefined) onLost(proof);
      throw error;
    });
  const send = useWork(async () => setElevation(await call<Elevation>(PATH, {})), once);
  useEffect(() => void send.start(undefined), []);
  if (send.failure?.code === 'INVALID_STATE_TRANSITION')
    return (
      <p>
        {text.lost} <Link to={addressOf('account')}>{text.replace}</Link>
      </p>
    );
  if (send.failure !== undefined)
    return <ProblemNotice failure={send.failure} retry={() => void send.start(undefined)} />;
  if (elevation === undefined) return <Skeleton lines={1} />;
  const { elevationId, channel, maskedDestination } = elevation;
  return (
    <>
      <p>
        {isOperations && session.assuranceLevel === 'AAL1' ? text.operations : text.action} {text[channel]}
      </p>
      <CodeForm
        key={elevationId}
        deployment={deployment}
        recipient="me"
        shownRecipient={maskedDestination}
        verify={(otp) => call(`${PATH}/${elevationId}/verifications`, { otp })}
        onVerified={onElevated}
        onRestart={() => void send.start(undefined)}
      />
    </>
  );
}
