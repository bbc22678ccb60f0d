import type { Work } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';
import { Button } from './button.tsx';
import { ProblemNotice } from './problem-notice.tsx';

const TEXTS = {
  en: {
    title: 'Changed elsewhere',
    detail: 'Somebody changed this while you were at it, so nothing was saved. What you typed is still here.',
    reload: 'Look at what stands there now',
    now: 'Elsewhere it became:',
  },
  ar: {
    title: 'تغيّر من مكان آخر',
    detail: 'غيّر شخص ما هذه البيانات أثناء عملك عليها، فلم يُحفظ شيء. ما كتبته ما زال هنا.',
    reload: 'اعرض القيم الحالية',
    now: 'أصبحت في مكان آخر:',
  },
};

interface ChangeFailureProps {
  readonly work: Pick<Work<never>, 'failure' | 'forget'>;
  /** Reads the version that is current; a form keeps what was typed. */
  readonly reload: () => void;
  /** Fields that say themselves what is wrong with them; what else is wrong is said here. All, when left out. */
  readonly fields?: readonly string[];
}

/** Why a change was not saved; when somebody else was faster, the way on is to look and save again. */
export function ChangeFailure({ work: { failure, forget }, reload, fields }: ChangeFailureProps) {
  if (failure === undefined) return null;
  const isSaidThere = failure.violations.every(({ field }) => fields?.includes(field) ?? true);
  if (failure.violations.length > 0 && isSaidThere) return null;
  if (failure.code !== 'PRECONDITION_FAILED') return <ProblemNotice failure={failure} />;
  const text = textsOf(TEXTS);
  const look = () => {
    forget();
    reload();
  };
  return (
    <div class="notice" role="alert">
      <p>
        <strong>{text.title}</strong> {text.detail}
      </p>
      <Button onClick={look}>{text.reload}</Button>
    </div>
  );
}

/** Under a field that somebody else changed meanwhile: what stands there. Nothing when he did not. */
export function changedHint(before: string, now: string) {
  if (before === now) return undefined;
  return (
    <>
      {textsOf(TEXTS).now} <bdi>{now === '' ? '—' : now}</bdi>
    </>
  );
}
