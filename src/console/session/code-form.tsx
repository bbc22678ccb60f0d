import { useEffect, useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { type Failure, violationAt } from '../service/failure.ts';
import { callRest } from '../service/service.ts';
import { useWork } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';

const TEXTS = {
  en: {
    code: 'Code of six digits',
    sent: 'It was sent to',
    confirm: 'Confirm',
    restart: 'Ask for another code',
    tries: (count: number) => `Tries left: ${count}`,
    inbox: 'The inbox of this machine has the code',
  },
  ar: {
    code: 'رمز من ستة أرقام',
    sent: 'أُرسل إلى',
    confirm: 'تأكيد',
    restart: 'اطلب رمزًا آخر',
    tries: (count: number) => `المحاولات المتبقية: ${count}`,
    inbox: 'الرمز في صندوق وارد هذا الجهاز',
  },
};
const DIGITS = 6;

interface CodeFormProps {
  readonly deployment: string;
  /** Where the code went: an e-mail address or a mobile; undefined where only the channel is known. */
  readonly recipient: string | undefined;
  readonly verify: (otp: string) => Promise<unknown>;
  readonly onVerified: () => void;
  readonly onRestart: () => void;
}

/** One field for a code. It may be pasted with spaces; the sixth digit sends it. */
export function CodeForm({ deployment, recipient, verify, onVerified, onRestart }: CodeFormProps) {
  const text = textsOf(TEXTS);
  const [otp, setOtp] = useState('');
  const work = useWork(verify);
  const submit = async (code: string) => {
    if (await work.start(code)) onVerified();
  };
  const change = (typed: string) => {
    const digits = latinDigits(typed).replace(/\D/g, '').slice(0, DIGITS);
    setOtp(digits);
    if (digits.length === DIGITS && otp.length < DIGITS) void submit(digits);
  };
  const known = useInboxCode(deployment, recipient);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(otp);
      }}
    >
      {recipient === undefined ? null : (
        <p>
          {text.sent} <bdi dir="ltr">{recipient}</bdi>
        </p>
      )}
      <Field
        label={text.code}
        value={otp}
        onChange={change}
        error={violationAt(work.failure, 'otp') ?? triesOf(work.failure)}
        inputMode="numeric"
        autocomplete="one-time-code"
        dir="ltr"
        isFirst
      />
      {known === undefined ? null : (
        <p class="small quiet">
          {text.inbox}:{' '}
          <button type="button" class="plain" onClick={() => change(known)}>
            <bdi dir="ltr">{known}</bdi>
          </button>
        </p>
      )}
      {work.failure === undefined || work.failure.violations.length > 0 ? null : (
        <ProblemNotice failure={work.failure} />
      )}
      <div class="actions">
        <Button type="submit" kind="primary" isBusy={work.isBusy} isDisabled={otp.length < DIGITS}>
          {text.confirm}
        </Button>
        <Button onClick={onRestart}>{text.restart}</Button>
      </div>
    </form>
  );
}

function triesOf(failure: Failure | undefined): string | undefined {
  const left = failure?.problem?.['attemptsRemaining'];
  return typeof left === 'number' ? textsOf(TEXTS).tries(left) : undefined;
}

/** Arabic and Persian keyboards type digits of their own. */
function latinDigits(typed: string): string {
  return typed.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf));
}

interface Inbox {
  readonly data: readonly { readonly code: string }[];
}

/** The newest code that a local service has kept for somebody. */
function useInboxCode(deployment: string, recipient: string | undefined): string | undefined {
  const [code, setCode] = useState<string>();
  useEffect(() => {
    if (deployment !== 'local' || recipient === undefined) return;
    callRest<Inbox>('GET', `/local/one-time-codes?recipient=${encodeURIComponent(recipient)}`).then(
      ({ data }) => setCode(data[0]?.code),
      // A convenience of this machine alone: without it the code is typed.
      () => setCode(undefined),
    );
  }, [deployment, recipient]);
  return code;
}
