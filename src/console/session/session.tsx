import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { actingAsText } from '../../core/acting-as.ts';
import type { Deployment } from '../../core/deployment.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, isOperations, navigate } from '../../ui/browser/base/navigation.tsx';
import { DraftOwner } from '../../ui/browser/kit/draft.tsx';
import { ActingFor, Button } from '../../ui/browser/kit/form.tsx';
import { forgetDrafts } from '../../ui/browser/kit/kept-draft.ts';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { callRest, readSession, showActor } from '../../ui/browser/service/calls.ts';
import { type CallFailure, failureOf } from '../../ui/browser/service/failure.ts';
import { askOnce, type Proof, setAskProof } from '../../ui/browser/service/loading.ts';
import { LoadingFrame } from '../../ui/frame.tsx';
import { keptHere } from '../../ui/kept-here.ts';
import { actorOf, draftsOf, homeOf, type Session } from './holder.tsx';
import { ProofDialog } from './proof-dialog.tsx';
import { SignInPage } from './sign-in.tsx';

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

const TEXTS = { en: { signOut: 'Sign out' }, ar: { signOut: 'تسجيل الخروج' } };

/** The person this document shows. Another person gets a new document, so that no value kept in memory reaches them. */
let firstHolder: string | undefined;

interface Asked {
  readonly proof: Proof;
  readonly answer: (isGiven: boolean) => void;
}

/**
 * Shows its children to people with a session. Operators who open the console, and merchants who open the operators' pages,
 * are sent to their own. If the session ends, or somebody else signs in in another tab, a dialog asks over the page.
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
    readSession().then(
      (session) => {
        // The person before this one may not have signed out.
        forgetDrafts(draftsOf(session));
        if ((session.company === null) !== isOperations) return location.replace(homeOf(session));
        const holder = actingAsText(actorOf(session));
        firstHolder ??= holder;
        if (holder !== firstHolder) return location.replace(`${homeOf(session)}?lang=${locale}`);
        showActor(actorOf(session));
        tellTabs(session);
        setState({ kind: 'somebody', session });
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
  useOtherTabs(state.kind === 'somebody' ? state.session : undefined);
  const settle = (isGiven: boolean) => {
    if (isGiven && state.kind === 'somebody') tellTabs(state.session);
    asked?.answer(isGiven);
    setAsked(undefined);
  };
  if (state.kind === 'asking') return <LoadingFrame locale={locale} />;
  const signOut = async () => {
    const ended = callRest('DELETE', '/v2/company-authentication/sessions/current');
    const failure = await ended.then(() => undefined, failureOf);
    // The session of somebody else goes on.
    if (failure?.code === 'SESSION_CHANGED') return void askOnce('person');
    if (failure !== undefined && failure.code !== 'AUTHENTICATION_REQUIRED') return showToast(failure.title);
    forgetDrafts();
    tellTabs(undefined);
    showActor(undefined);
    navigate(addressOf(''), { isReplacing: true });
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
      <ActingFor.Provider value={session.company?.name}>
        <DraftOwner.Provider value={draftsOf(session)}>{children}</DraftOwner.Provider>
      </ActingFor.Provider>
      {asked === undefined ? null : (
        <ProofDialog deployment={deployment} session={session} proof={asked.proof} onSettled={settle} />
      )}
    </SessionContext.Provider>
  );
}

const SIGNED_IN = 'mirsal-signed-in';

/** Who is signed in in this browser, as the tabs tell each other; null after a sign-out in any of them. */
export function signedInHere(): string | null {
  return keptHere.getItem(SIGNED_IN);
}

/** Tells other tabs of this browser who is signed in now. */
function tellTabs(session: Session | undefined): void {
  if (session === undefined) keptHere.removeItem(SIGNED_IN);
  else keptHere.setItem(SIGNED_IN, actingAsText(actorOf(session)));
}

/** Asks as soon as somebody else than this page shows is signed in, so that nobody reads another's page. */
function useOtherTabs(session: Session | undefined): void {
  const actor = session === undefined ? undefined : actingAsText(actorOf(session));
  useEffect(() => {
    if (actor === undefined) return;
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === SIGNED_IN && newValue !== null && newValue !== actor) void askOnce('person');
    };
    // The browser may show the page again as it was left, after the tab has had another one.
    const look = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void askOnce('person');
    };
    addEventListener('storage', onStorage);
    addEventListener('pageshow', look);
    return () => {
      removeEventListener('storage', onStorage);
      removeEventListener('pageshow', look);
    };
  }, [actor]);
}
