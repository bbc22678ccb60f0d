import type { Work } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';
import { ProblemNotice } from './problem-notice.tsx';

const TEXTS = { en: 'Elsewhere it became:', ar: 'أصبحت في مكان آخر:' };

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
  const look = () => {
    forget();
    reload();
  };
  return <ProblemNotice failure={failure} reload={look} />;
}

/** Under a field that somebody else changed meanwhile: what stands there. Nothing when he did not. */
export function changedHint(before: string, now: string) {
  if (before === now) return undefined;
  return (
    <>
      {textsOf(TEXTS)} <bdi>{now === '' ? '—' : now}</bdi>
    </>
  );
}
