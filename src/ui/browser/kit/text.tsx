import { companyNow, useNow } from '../base/company-clock.ts';
import { formatAge, formatTime, formatTimeToSecond, textsOf } from '../base/locale.ts';
import { showToast } from './toasts.tsx';

/** An identifier or a code. It stays left-to-right in both languages. */
export function Exact({ children }: { readonly children: string | number }) {
  return (
    <bdi dir="ltr">
      <code>{children}</code>
    </bdi>
  );
}

const TEXTS = {
  en: {
    copy: 'Copy',
    copied: 'Copied.',
    failed: 'The browser did not allow copying. Select the text and copy it yourself.',
  },
  ar: { copy: 'نسخ', copied: 'تم النسخ.', failed: 'لم يسمح المتصفح بالنسخ. حدد النص وانسخه بنفسك.' },
};

/** Copies a text. `what` names the text for screen readers. */
export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const words = textsOf(TEXTS);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => showToast(words.copied),
      () => showToast(words.failed),
    );
  };
  return (
    <button type="button" class="plain" aria-label={`${words.copy}: ${what}`} onClick={copy}>
      {words.copy}
    </button>
  );
}

/** A block of code with a copy button. */
export function Code({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <figure class="code" dir="ltr">
      <pre tabIndex={0} aria-label={what}>
        <code>{text}</code>
      </pre>
      <Copy text={text} what={what} />
    </figure>
  );
}

/** An instant in Riyadh time. The tooltip has the exact value. */
export function Moment({ at, hasSeconds = false }: { readonly at: string; readonly hasSeconds?: boolean }) {
  return (
    <time dateTime={at} title={at}>
      <bdi>{hasSeconds ? formatTimeToSecond(at) : formatTime(at)}</bdi>
    </time>
  );
}

/** How long ago an instant was. The tooltip has the exact value. */
export function Ago({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      <bdi>{formatAge(at)}</bdi>
    </time>
  );
}

const SECOND_MS = 1000;

interface CountdownProps {
  readonly until: string;
  /** The words before the remaining time. */
  readonly label?: string;
  /** The words to show once the instant has passed. Without them, the countdown stays at zero. */
  readonly over?: string;
  /** For credentials, which have the real time in a sandbox too. */
  readonly isReal?: boolean;
}

/** The company's time until an instant, updated every second. */
export function Countdown({ until, label, over, isReal = false }: CountdownProps) {
  const now = useNow(isReal ? Date.now : companyNow);
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now) / SECOND_MS));
  if (seconds === 0 && over !== undefined) return <span>{over}</span>;
  return (
    <span>
      {label === undefined ? null : `${label} `}
      <bdi dir="ltr" role="timer" aria-live="off" class="countdown">
        {clockOf(seconds)}
      </bdi>
    </span>
  );
}

/** `1:02:03` or `2:03`. More than a day is shown in hours. */
function clockOf(seconds: number): string {
  const padded = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours === 0 ? `${minutes}:${padded(seconds % 60)}` : `${hours}:${padded(minutes)}:${padded(seconds % 60)}`;
}
