import { useContext, useState } from 'preact/hooks';
import { useNow } from '../base/company-clock.ts';
import { locale, textsOf } from '../base/locale.ts';
import { Link } from '../base/navigation.tsx';
import { type CallFailure, sentenceOf } from '../service/failure.ts';
import type { Work } from '../service/loading.ts';
import { CarrierContact } from './carrier-contact.tsx';
import { InForm } from './form.tsx';
import { Moment } from './text.tsx';

const TEXTS = {
  en: {
    retry: 'Try again',
    first: 'To the first page',
    more: 'About this error',
    request: 'Request',
    changed: 'Someone else changed this in the meantime.',
    kept: 'What you typed is still here.',
    reload: 'Load the current version',
    anew: 'Load the new version',
    held: 'You changed your e-mail address or mobile. You can do this from',
    wait: (seconds: number) => `Try again in ${seconds} s.`,
    waited: 'You can try again now.',
    suspended: 'The carrier has suspended your company. Your shipments go on, and tracking links work.',
    ask: 'Ask the carrier what to do:',
  },
  ar: {
    retry: 'أعد المحاولة',
    first: 'إلى الصفحة الأولى',
    more: 'شرح هذا الخطأ',
    request: 'الطلب',
    changed: 'غيّر مستخدم آخر هذه البيانات أثناء عملك عليها.',
    kept: 'ما كتبته ما زال هنا.',
    reload: 'حمّل النسخة الحالية',
    anew: 'حمّل الإصدار الجديد',
    held: 'غيّرت بريدك الإلكتروني أو جوالك. يمكنك فعل هذا ابتداءً من',
    wait: (seconds: number) => `أعد المحاولة بعد ${seconds} ث.`,
    waited: 'يمكنك إعادة المحاولة الآن.',
    suspended: 'أوقف الناقل شركتك مؤقتًا. تستمر شحناتك وتعمل روابط التتبع.',
    ask: 'اسأل الناقل عن المطلوب:',
  },
};
/** Codes that mean that the page shows an old version. */
const CHANGED: ReadonlySet<string> = new Set([
  'PRECONDITION_FAILED',
  'INVALID_STATE_TRANSITION',
  'SHIPMENT_NOT_CANCELLABLE',
  'SHIPMENT_TERMINAL',
  'BRANCH_INACTIVE',
]);

interface NoticeProps {
  readonly failure: CallFailure;
  readonly retry?: () => void;
  /** Loads the current version. The notice offers it when someone else changed the data first. */
  readonly reload?: () => void;
}

/** Shows why a call failed, its request id, and what to do next. */
export function ProblemNotice({ failure, retry, reload }: NoticeProps) {
  const text = textsOf(TEXTS);
  const { title, detail, problem, requestId, violations } = failure;
  const isInForm = useContext(InForm);
  const isChanged = reload !== undefined && CHANGED.has(failure.code);
  const isLost = failure.code === 'INVALID_CURSOR';
  const isOutdated = failure.code === 'PAGE_OUTDATED';
  const waitSeconds = problem?.retryAfterSeconds;
  const heldUntil = problem?.heldUntil;
  // Its detail tells programs where the seconds are.
  const isTooMany = problem?.status === 429 && waitSeconds !== undefined;
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{title}</strong>
        {typeof heldUntil === 'string' ? (
          <>
            {' '}
            {text.held} <Moment at={heldUntil} />
          </>
        ) : detail === undefined || isTooMany ? null : (
          <> {detail}</>
        )}
        {waitSeconds === undefined ? null : <Wait key={requestId} seconds={waitSeconds} />}
      </p>
      {problem?.companyState === 'SUSPENDED' ? (
        <>
          <p>{text.suspended}</p>
          <CarrierContact>{text.ask}</CarrierContact>
        </>
      ) : null}
      {isChanged || (isInForm && failure.code === 'NETWORK') ? (
        <p>
          {isChanged ? text.changed : null} {isInForm ? text.kept : null}
        </p>
      ) : null}
      {violations.length === 0 ? null : (
        <ul>
          {violations.map((violation) => (
            <li key={`${violation.field} ${violation.message}`}>
              <bdi dir="ltr">
                <code>{violation.field}</code>
              </bdi>{' '}
              {sentenceOf(violation)}
            </li>
          ))}
        </ul>
      )}
      <p class="small">
        {isChanged ? (
          <button type="button" class="plain" onClick={reload}>
            {text.reload}
          </button>
        ) : null}
        {isLost ? <Link to={firstPage()}>{text.first}</Link> : null}
        {isOutdated ? (
          <button type="button" class="plain" onClick={() => location.reload()}>
            {text.anew}
          </button>
        ) : null}
        {retry === undefined || isChanged || isLost || isOutdated ? null : (
          <button type="button" class="plain" onClick={retry}>
            {text.retry}
          </button>
        )}
        {problem === undefined ? null : <a href={`${new URL(problem.type).pathname}?lang=${locale}`}>{text.more}</a>}
        {requestId === undefined ? null : (
          <span class="quiet">
            {text.request} <bdi dir="ltr">{requestId}</bdi>
          </span>
        )}
      </p>
    </div>
  );
}

const SECOND_MS = 1000;

/** The seconds until the service takes the call again. The clock of the device may be wrong or change. */
function Wait({ seconds }: { readonly seconds: number }) {
  const text = textsOf(TEXTS);
  const [endsAt] = useState(() => performance.now() + seconds * SECOND_MS);
  const left = Math.ceil(useNow(() => endsAt - performance.now()) / SECOND_MS);
  return (
    <span role="timer" aria-live="off">
      {' '}
      {left > 0 ? text.wait(left) : text.waited}
    </span>
  );
}

/** The address without the place in its list. */
function firstPage(): string {
  const { pathname, searchParams } = new URL(location.href);
  searchParams.delete('cursor');
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`;
}

const CHANGE_FAILURE_TEXTS = { en: 'The current value is:', ar: 'القيمة الحالية:' };

interface ChangeFailureProps {
  readonly work: Pick<Work<never>, 'failure' | 'clearFailure'>;
  /** Loads the current version. A form keeps what was typed. */
  readonly reload: () => void;
  /** Fields that show their own errors. If it is omitted, every field does. */
  readonly fields?: readonly string[];
}

/** Shows why a change was not saved. If someone else changed the data first, the person can load it and save again. */
export function ChangeFailure({ work: { failure, clearFailure }, reload, fields }: ChangeFailureProps) {
  if (failure === undefined) return null;
  const isShownAtFields = failure.violations.every(({ field }) => fields?.includes(field) ?? true);
  if (failure.violations.length > 0 && isShownAtFields) return null;
  const look = () => {
    clearFailure();
    reload();
  };
  return <ProblemNotice failure={failure} reload={look} />;
}

/** The hint under a field that someone else changed in the meantime: the current value. */
export function changedHint(before: string, now: string) {
  if (before === now) return undefined;
  return (
    <>
      {textsOf(CHANGE_FAILURE_TEXTS)} <bdi>{now === '' ? '—' : now}</bdi>
    </>
  );
}
