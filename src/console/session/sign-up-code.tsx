import { isRecord } from '../../client/problem.ts';
import type { Deployment } from '../../core/deployment.ts';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { failureOf } from '../service/failure.ts';
import { service } from '../service/service.ts';
import { useWork } from '../service/use-loaded.ts';
import { CodeForm } from './code-form.tsx';
import { isComplete, type SignUpDraft } from './sign-up-draft.ts';

interface SignUpCodeProps {
  readonly deployment: Deployment;
  readonly draft: SignUpDraft;
  readonly keep: (draft: SignUpDraft | undefined) => void;
  readonly onCompleted: () => void;
}

/** The code that went to the mobile of the registration. It makes the company. */
export function SignUpCode({ deployment, draft, keep, onCompleted }: SignUpCodeProps) {
  const { registration, mobileNumber } = draft;
  const { registrationId, verification, sandboxOtp } = registration;
  const resend = useWork(async () => {
    const sent = await service.registrations.requestVerification.mutate({ registrationId });
    const { sandboxOtp: newOtp, ...again } = sent;
    const renewed = { ...registration, verification: { ...verification, ...again } };
    keep({ ...draft, registration: newOtp === undefined ? renewed : { ...renewed, sandboxOtp: newOtp } });
  });
  const verify = async (otp: string) => {
    try {
      await service.registrations.verify.mutate({ registrationId, otp });
    } catch (error) {
      keepMissing(error);
      throw error;
    }
  };
  /** A document may have been taken away meanwhile: then it is asked for again. */
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
        onVerified={onCompleted}
        onRestart={() => void resend.start(undefined)}
      />
      {resend.failure === undefined ? null : <ProblemNotice failure={resend.failure} />}
    </>
  );
}
