import { useRef, useState } from 'preact/hooks';
import { isRecord } from '../../client/problem.ts';
import type { Deployment } from '../../core/deployment.ts';
import { changeLocale, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link, navigate, useHeadingFocus } from '../../ui/browser/base/navigation.tsx';
import { CodeForm } from '../../ui/browser/kit/code-form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { failureOf } from '../../ui/browser/service/failure.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { Mark } from '../../ui/frame.tsx';
import { SignUpDocuments } from './sign-up-documents.tsx';
import { isComplete, type SignUpDraft, useSignUpDraft } from './sign-up-draft.ts';
import { SignUpIdentity } from './sign-up-identity.tsx';
import './sign-up.css';

const TEXTS = {
  en: {
    name: 'Mirsal',
    steps: { identity: 'Company', documents: 'Documents', code: 'Code' },
    titles: {
      identity: 'Register your company',
      documents: 'Add your documents',
      code: 'Confirm your mobile',
      done: 'Your company is registered',
    },
    progress: 'Steps of the registration',
    signIn: 'Already registered? Sign in',
    restart: 'Start again with other details',
    invited:
      'Your mobile already signs somebody in to another company, so it cannot sign you in to this one. Open the invitation that we sent to your e-mail address.',
    other: 'العربية',
  },
  ar: {
    name: 'مرسال',
    steps: { identity: 'الشركة', documents: 'المستندات', code: 'الرمز' },
    titles: {
      identity: 'سجّل شركتك',
      documents: 'أرفق مستنداتك',
      code: 'أكّد رقم جوالك',
      done: 'اكتمل تسجيل شركتك',
    },
    progress: 'خطوات التسجيل',
    signIn: 'لديك حساب؟ سجّل الدخول',
    restart: 'ابدأ من جديد ببيانات أخرى',
    invited:
      'رقم جوالك مرتبط بحساب في شركة أخرى، فلا يمكن الدخول به إلى هذه الشركة. افتح الدعوة التي أرسلناها إلى بريدك الإلكتروني.',
    other: 'English',
  },
};
const STEPS = ['identity', 'documents', 'code'] as const;
type Step = (typeof STEPS)[number];

/** The registration of a new company: its details, its documents, and a code. The code also signs the owner in. */
export function SignUp({ deployment }: { readonly deployment: Deployment }) {
  const text = textsOf(TEXTS);
  const [draft, keep] = useSignUpDraft();
  const [isInvited, setIsInvited] = useState(false);
  const step = stepOf(draft?.isPastDocuments);
  const main = useRef<HTMLElement>(null);
  useHeadingFocus(isInvited ? 'invited' : step, main, text.name);
  return (
    <main class="door wide" ref={main}>
      <p class="brand">
        <Mark /> {text.name}
      </p>
      {isInvited ? null : <Progress step={step} />}
      <h1>{isInvited ? text.titles.done : text.titles[step]}</h1>
      {isInvited ? <p>{text.invited}</p> : null}
      {draft === undefined && !isInvited ? <SignUpIdentity onRegistered={keep} /> : null}
      {draft !== undefined && step === 'documents' ? <SignUpDocuments draft={draft} keep={keep} /> : null}
      {draft !== undefined && step === 'code' ? (
        <SignUpCode
          deployment={deployment}
          draft={draft}
          keep={keep}
          onCompleted={(isSignedIn) => {
            keep(undefined);
            if (isSignedIn) navigate(addressOf(''));
            else setIsInvited(true);
          }}
        />
      ) : null}
      <footer class="small">
        {step === 'identity' ? <Link to={addressOf('')}>{text.signIn}</Link> : null}
        {draft === undefined ? null : (
          <button type="button" class="plain" onClick={() => keep(undefined)}>
            {text.restart}
          </button>
        )}
        <button type="button" class="plain" lang={locale === 'ar' ? 'en' : 'ar'} onClick={changeLocale}>
          {text.other}
        </button>
      </footer>
    </main>
  );
}

function stepOf(isPastDocuments: boolean | undefined): Step {
  if (isPastDocuments === undefined) return 'identity';
  return isPastDocuments ? 'code' : 'documents';
}

function Progress({ step }: { readonly step: Step }) {
  const text = textsOf(TEXTS);
  const at = STEPS.indexOf(step);
  return (
    <ol class="progress" aria-label={text.progress}>
      {STEPS.map((name, index) => (
        <li key={name} class={index < at ? 'past' : undefined} aria-current={index === at ? 'step' : undefined}>
          {text.steps[name]}
        </li>
      ))}
    </ol>
  );
}

interface SignUpCodeProps {
  readonly deployment: Deployment;
  readonly draft: SignUpDraft;
  readonly keep: (draft: SignUpDraft | undefined) => void;
  readonly onCompleted: (isSignedIn: boolean) => void;
}

/** The last step: the code that was sent to the mobile number. It creates the company. */
export function SignUpCode({ deployment, draft, keep, onCompleted }: SignUpCodeProps) {
  const { registration, mobileNumber } = draft;
  const { registrationId, verification, sandboxOtp } = registration;
  const resend = useWork(async () => {
    const sent = await service.registrations.requestVerification.mutate({ registrationId });
    const { sandboxOtp: newOtp, ...again } = sent;
    const renewed = { ...registration, verification: { ...verification, ...again } };
    keep({ ...draft, registration: newOtp === undefined ? renewed : { ...renewed, sandboxOtp: newOtp } });
  });
  const isSignedIn = useRef(false);
  const verify = async (otp: string) => {
    try {
      const entered = await service.sessions.enterRegistration.mutate({ registrationId, otp });
      isSignedIn.current = entered.isSignedIn;
    } catch (error) {
      keepMissing(error);
      throw error;
    }
  };
  /** If the service reports that a document is missing, the person goes back to the documents. */
  const keepMissing = (error: unknown) => {
    const missing = failureOf(error).problem?.['requiredDocuments'];
    if (!Array.isArray(missing)) return;
    const states = new Map(missing.filter(isRecord).map((document) => [document['documentType'], document['state']]));
    const requiredDocuments = registration.requiredDocuments.map((document) =>
      states.get(document.documentType) === 'MISSING' ? { ...document, state: 'MISSING' as const } : document,
    );
    const known = { ...draft, registration: { ...registration, requiredDocuments } };
    keep({ ...known, isPastDocuments: isComplete(known) });
  };
  return (
    <>
      <CodeForm
        key={verification.resendAvailableAt}
        deployment={deployment}
        recipient={`+966${mobileNumber}`}
        resendAvailableAt={verification.resendAvailableAt}
        {...(sandboxOtp === undefined ? {} : { knownCode: sandboxOtp })}
        verify={verify}
        onVerified={() => onCompleted(isSignedIn.current)}
        onRestart={() => void resend.start(undefined)}
      />
      {resend.failure === undefined ? null : <ProblemNotice failure={resend.failure} />}
    </>
  );
}
