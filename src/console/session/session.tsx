import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Deployment } from '../../core/deployment.ts';
import { LoadingFrame } from '../../ui/frame.tsx';
import { locale, textsOf } from '../base/locale.ts';
import { isOperations } from '../base/navigation.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Button } from '../kit/form.tsx';
import { forgetDrafts } from '../kit/kept-draft.ts';
import { Skeleton } from '../kit/loading.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { callRest, type Outputs, service } from '../service/calls.ts';
import { type CallFailure, failureOf } from '../service/failure.ts';
import { type Proof, setAskProof, useWork } from '../service/loading.ts';
import { CodeForm } from './code-form.tsx';
import { SignIn, SignInPage } from './sign-in.tsx';

/** An operator's session has no company. */
type Session = Outputs['sessions']['current'];

interface SessionFacts {
  readonly session: Session;
  readonly signOut: () => Promise<void>;
}

const SessionContext = createContext<SessionFacts | undefined>(undefined);

/** The session of the person who is signed in. Use it only inside `SessionGate`. */
export function useSession(): SessionFacts {
  const facts = useContext(SessionContext);
  if (facts === undefined) throw new Error('useSession was called outside SessionGate');
  return facts;
}

/** Whether the person is an owner of the company. The service refuses other people some changes. */
export function useIsOwner(): boolean {
  return useSession().session.person.role === 'OWNER';
}

type State =
  | { readonly kind: 'asking' }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'failed'; readonly failure: CallFailure }
  | { readonly kind: 'somebody'; readonly session: Session };

const TEXTS = {
  en: {
    session: 'Your session has ended. Sign in to continue.',
    assurance: 'Confirm your identity',
    signOut: 'Sign out',
  },
  ar: { session: 'انتهت جلستك. سجّل الدخول للمتابعة.', assurance: 'تأكيد هويتك', signOut: 'تسجيل الخروج' },
};

interface Asked {
  readonly proof: Proof;
  readonly answer: (isGiven: boolean) => void;
}

/**
 * Shows its children to people with a session. Operators who open the console, and merchants who open the operators' pages,
 * are sent to their own. If the session ends, a dialog asks them to sign in again over the page.
 */
export function SessionGate({
  deployment,
  children,
}: {
  readonly deployment: Deployment;
  readonly children: ComponentChildren;
}) {
  const [state, setState] = useState<State>({ kind: 'asking' });
  const [asked, setAsked] = useState<Asked>();
  const ask = () => {
    setState({ kind: 'asking' });
    service.sessions.current.query({}).then(
      (session) => {
        const isOperator = session.company === null;
        // The person before this one may not have signed out.
        forgetDrafts(session.person.personId);
        if (isOperator === isOperations) setState({ kind: 'somebody', session });
        else location.replace(isOperator ? '/operations' : '/console');
      },
      (error: unknown) => {
        const failure = failureOf(error);
        setState(failure.code === 'AUTHENTICATION_REQUIRED' ? { kind: 'nobody' } : { kind: 'failed', failure });
      },
    );
  };
  useEffect(() => {
    setAskProof((proof) => new Promise((answer) => setAsked({ proof, answer })));
    ask();
  }, []);
  const settle = (isGiven: boolean) => {
    asked?.answer(isGiven);
    setAsked(undefined);
  };
  if (state.kind === 'asking') return <LoadingFrame locale={locale} />;
  const signOut = async () => {
    // An error is ignored: it usually means that the session has already ended.
    await callRest('DELETE', '/v2/company-authentication/sessions/current').catch(failureOf);
    forgetDrafts();
    setState({ kind: 'nobody' });
  };
  if (state.kind === 'failed')
    return (
      <main class="door">
        <ProblemNotice failure={state.failure} retry={ask} />
        {state.failure.problem?.companyState === 'SUSPENDED' ? (
          <Button onClick={() => void signOut()}>{textsOf(TEXTS).signOut}</Button>
        ) : null}
      </main>
    );
  if (state.kind === 'nobody') return <SignInPage deployment={deployment} onSignedIn={ask} />;
  const { session } = state;
  return (
    <SessionContext.Provider value={{ session, signOut }}>
      {children}
      {asked === undefined ? null : (
        <Dialog title={textsOf(TEXTS)[asked.proof]} onClose={() => settle(false)}>
          {asked.proof === 'session' ? (
            <SignIn deployment={deployment} identifier={session.person.email} onSignedIn={() => settle(true)} />
          ) : (
            <Elevate deployment={deployment} onElevated={() => settle(true)} />
          )}
        </Dialog>
      )}
    </SessionContext.Provider>
  );
}

type Elevation = Outputs['sessions']['startElevation'];

const PATH = '/v2/company-authentication/assurance-elevations';
const ELEVATE_TEXTS = {
  en: {
    EMAIL: 'This action needs a second factor: a code that we send to your e-mail address.',
    SMS: 'This action needs a second factor: a code that we send to your mobile.',
  },
  ar: {
    EMAIL: 'يحتاج هذا الإجراء إلى عامل تحقق ثانٍ: رمز نرسله إلى بريدك الإلكتروني.',
    SMS: 'يحتاج هذا الإجراء إلى عامل تحقق ثانٍ: رمز نرسله إلى جوالك.',
  },
};

interface ElevateProps {
  readonly deployment: Deployment;
  readonly onElevated: () => void;
}

/** Proves the second factor with a code. The service sends it through the channel that was not used to sign in. */
function Elevate({ deployment, onElevated }: ElevateProps) {
  const text = textsOf(ELEVATE_TEXTS);
  const [elevation, setElevation] = useState<Elevation>();
  const send = useWork(async () => setElevation(await callRest<Elevation>('POST', PATH, {})));
  useEffect(() => void send.start(undefined), []);
  if (send.failure !== undefined)
    return <ProblemNotice failure={send.failure} retry={() => void send.start(undefined)} />;
  if (elevation === undefined) return <Skeleton lines={1} />;
  const { elevationId, channel, maskedDestination } = elevation;
  return (
    <>
      <p>{text[channel]}</p>
      <CodeForm
        key={elevationId}
        deployment={deployment}
        recipient="me"
        shownRecipient={maskedDestination}
        verify={(otp) => callRest('POST', `${PATH}/${elevationId}/verifications`, { otp })}
        onVerified={onElevated}
        onRestart={() => void send.start(undefined)}
      />
    </>
  );
}
