import type { Failure } from '../service/failure.ts';
import { locale, textsOf } from '../shell/locale.ts';

const TEXTS = {
  en: {
    retry: 'Try again',
    more: 'What this means',
    request: 'Request',
    changed: 'This was changed elsewhere meanwhile.',
    kept: 'What you typed stays.',
    reload: 'Load what is there now',
  },
  ar: {
    retry: 'أعد المحاولة',
    more: 'ماذا يعني هذا',
    request: 'الطلب',
    changed: 'تغيّر هذا من مكان آخر في الأثناء.',
    kept: 'ما كتبته باقٍ كما هو.',
    reload: 'حمّل الوضع الحالي',
  },
};
/** What is here is not what the service has by now. */
const CHANGED: ReadonlySet<string> = new Set([
  'PRECONDITION_FAILED',
  'INVALID_STATE_TRANSITION',
  'SHIPMENT_NOT_CANCELLABLE',
  'SHIPMENT_TERMINAL',
  'BRANCH_INACTIVE',
]);

interface NoticeProps {
  readonly failure: Failure;
  readonly retry?: () => void;
  /** Loads again what the refused change was made to; offered when somebody else was faster. */
  readonly reload?: () => void;
}

/** Why something did not work, how to ask about it, and a way on. */
export function ProblemNotice({ failure, retry, reload }: NoticeProps) {
  const text = textsOf(TEXTS);
  const { title, detail, problem, requestId, violations } = failure;
  const isChanged = reload !== undefined && CHANGED.has(failure.code);
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{title}</strong>
        {detail === undefined ? null : <> {detail}</>}
      </p>
      {isChanged ? (
        <p>
          {text.changed} {text.kept}
        </p>
      ) : null}
      {violations.length === 0 ? null : (
        <ul>
          {violations.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <bdi dir="ltr">
                <code>{field}</code>
              </bdi>{' '}
              {message}
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
        {retry === undefined || isChanged ? null : (
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
