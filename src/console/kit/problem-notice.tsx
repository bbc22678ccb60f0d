import type { Failure } from '../service/failure.ts';
import { locale, textsOf } from '../shell/locale.ts';

const TEXTS = {
  en: { retry: 'Try again', more: 'What this means', request: 'Request' },
  ar: { retry: 'أعد المحاولة', more: 'ماذا يعني هذا', request: 'الطلب' },
};

interface NoticeProps {
  readonly failure: Failure;
  readonly retry?: () => void;
}

/** Why something did not work, how to ask about it, and a way on. */
export function ProblemNotice({ failure, retry }: NoticeProps) {
  const text = textsOf(TEXTS);
  const { title, detail, problem, requestId, violations } = failure;
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{title}</strong>
        {detail === undefined ? null : <> {detail}</>}
      </p>
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
        {retry === undefined ? null : (
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
