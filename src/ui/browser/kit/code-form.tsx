import { useEffect, useRef, useState } from 'preact/hooks';
import type { Deployment } from '../../../core/deployment.ts';
import { serviceNow } from '../base/company-clock.ts';
import { textsOf } from '../base/locale.ts';
import { callRest } from '../service/calls.ts';
import { type CallFailure, violationAt } from '../service/failure.ts';
import { once, useWork } from '../service/loading.ts';
import { Field } from './field.tsx';
import { Button, Form } from './form.tsx';
import { ProblemNotice } from './problem-notice.tsx';
import { DIGITS } from './readers.ts';

const TEXTS = {
  en: {
    code: 'Six-digit code',
    sent: 'We sent a code to',
    confirm: 'Confirm',
    restart: 'Send another code',
    wait: (seconds: number) => `Send another code in ${seconds} s`,
    tries: (count: number) => `Tries left: ${count}`,
    inbox: 'The inbox on this machine has the code',
    sandbox: 'In the sandbox the code is',
  },
  ar: {
    code: 'رمز التحقق (6 أرقام)',
    sent: 'أرسلنا رمز التحقق إلى',
    confirm: 'تأكيد',
    restart: 'أرسل رمزًا آخر',
    wait: (seconds: number) => `يمكن إرسال رمز آخر بعد ${seconds} ث`,
    tries: (count: number) => `المحاولات المتبقية: ${count}`,
    inbox: 'الرمز في صندوق الوارد على هذا الجهاز',
    sandbox: 'الرمز في البيئة التجريبية هو',
  },
};
const CODE_LENGTH = 6;

interface CodeFormProps {
  readonly deployment: Deployment;
  /** The e-mail address or phone number that received the code, `me` for the person who is signed in, the id of an invitation, or undefined if it is not known. */
  readonly recipient: string | undefined;
  /** What the form shows instead of the recipient, if only a part of it is known or should be seen. */
  readonly shownRecipient?: string;
  /** The service sends no other code before this instant. */
  readonly resendAvailableAt?: string;
  /** The code, if the service answered it, as the sandbox does. */
  readonly knownCode?: string;
  readonly verify: (otp: string) => Promise<unknown>;
  readonly onVerified: () => void;
  readonly onRestart: () => void;
}

/** The form for a one-time code. It accepts a pasted code with spaces, and submits at the sixth digit. */
export function CodeForm(props: CodeFormProps) {
  const { deployment, recipient, shownRecipient = recipient, knownCode, verify, onVerified, onRestart } = props;
  const text = textsOf(TEXTS);
  const waitSeconds = useSecondsUntil(props.resendAvailableAt);
  const [otp, setOtp] = useState('');
  const work = useWork(verify, once);
  const form = useRef<HTMLFormElement>(null);
  const newest = useRef('');
  const submit = async (code: string): Promise<void> => {
    if (work.isBusy) return;
    if (await work.start(code)) return onVerified();
    // The code was corrected while the service checked this one.
    if (newest.current !== code && newest.current.length === CODE_LENGTH) return submit(newest.current);
    // The next digit, or a pasted code, replaces the refused one.
    form.current?.querySelector('input')?.select();
  };
  const change = (typed: string) => {
    const digits = typed.replace(/\D/g, '').slice(0, CODE_LENGTH);
    setOtp(digits);
    newest.current = digits;
    if (digits.length === CODE_LENGTH && digits !== otp) void submit(digits);
  };
  useMessageCode(change);
  const inboxCode = useInboxCode(deployment, knownCode === undefined ? recipient : undefined);
  const known = knownCode ?? inboxCode;
  return (
    <Form
      formRef={form}
      onSubmit={() => {
        void submit(otp);
      }}
    >
      {shownRecipient === undefined ? null : (
        <p>
          {text.sent} <bdi dir={shownRecipient === recipient ? 'ltr' : 'auto'}>{shownRecipient}</bdi>
        </p>
      )}
      <Field
        label={text.code}
        value={otp}
        onChange={change}
        error={errorOf(work.failure)}
        reads={DIGITS}
        autocomplete="one-time-code"
        isFirst
      />
      {known === undefined ? null : (
        <p class="small quiet">
          {knownCode === undefined ? text.inbox : text.sandbox}:{' '}
          <button type="button" class="plain" onClick={() => change(known)}>
            <bdi dir="ltr">{known}</bdi>
          </button>
        </p>
      )}
      {work.failure === undefined || errorOf(work.failure) !== undefined ? null : (
        <ProblemNotice failure={work.failure} />
      )}
      <div class="actions">
        <Button type="submit" kind="primary" isBusy={work.isBusy} isDisabled={otp.length < CODE_LENGTH}>
          {text.confirm}
        </Button>
        <Button isDisabled={waitSeconds > 0} onClick={onRestart}>
          {waitSeconds > 0 ? text.wait(waitSeconds) : text.restart}
        </Button>
      </div>
    </Form>
  );
}

/** The error of the code field, with the number of tries left. */
function errorOf(failure: CallFailure | undefined): string | undefined {
  const left = failure?.problem?.['attemptsRemaining'];
  if (failure === undefined || typeof left !== 'number') return violationAt(failure, 'otp');
  return `${failure.title}. ${textsOf(TEXTS).tries(left)}`;
}

/** Counts down to an instant. 0 means that there is nothing to wait for. */
function useSecondsUntil(instant: string | undefined): number {
  const secondsLeft = () =>
    instant === undefined ? 0 : Math.max(0, Math.ceil((Date.parse(instant) - serviceNow()) / 1000));
  const [seconds, setSeconds] = useState(secondsLeft);
  useEffect(() => {
    const timer = setInterval(() => {
      const left = secondsLeft();
      setSeconds(left);
      if (left === 0) clearInterval(timer);
    }, 1000);
    return () => clearInterval(timer);
  }, [instant]);
  return seconds;
}

/** Browsers that read the code in an SMS for this site, as Chrome on Android does (WICG WebOTP). */
interface MessageCodes {
  get(options: { otp: { transport: ['sms'] }; signal: AbortSignal }): Promise<{ readonly code?: string } | null>;
}

/** Takes the code from the SMS, if the browser can read it and the person agrees. */
function useMessageCode(take: (code: string) => void): void {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    if (!('OTPCredential' in globalThis)) return;
    const controller = new AbortController();
    const codes = navigator.credentials as unknown as MessageCodes;
    codes.get({ otp: { transport: ['sms'] }, signal: controller.signal }).then(
      (found) => {
        if (found?.code !== undefined) latest.current(found.code);
      },
      // The person types the code instead.
      () => undefined,
    );
    return () => controller.abort();
  }, []);
}

interface Inbox {
  readonly data: readonly { readonly code: string }[];
}

/** The newest code for a recipient in the inbox of a local service. */
function useInboxCode(deployment: Deployment, recipient: string | undefined): string | undefined {
  const [code, setCode] = useState<string>();
  useEffect(() => {
    if (deployment !== 'local' || recipient === undefined) return;
    callRest<Inbox>('GET', `/local/one-time-codes?recipient=${encodeURIComponent(recipient)}`).then(
      ({ data }) => setCode(data[0]?.code),
      // The inbox only saves typing, so its failure is not shown.
      () => setCode(undefined),
    );
  }, [deployment, recipient]);
  return code;
}
