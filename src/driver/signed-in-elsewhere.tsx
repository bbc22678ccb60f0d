import { textsOf } from '../ui/browser/base/locale.ts';
import { Button } from '../ui/browser/kit/form.tsx';
import type { DriverSession } from './session.ts';

const TEXTS = {
  en: {
    title: 'Another driver is signed in in another tab',
    here: 'This page was for:',
    now: 'Signed in on this phone:',
    goOn: 'Go on as',
    again: 'Sign in again here',
    kept: 'Actions that were not sent yet are kept, and are sent only for the driver who took them.',
  },
  ar: {
    title: 'سجّل سائق آخر الدخول في علامة تبويب أخرى',
    here: 'كانت هذه الصفحة للسائق:',
    now: 'السائق المسجَّل على هذا الجوال:',
    goOn: 'تابع باسم',
    again: 'سجّل الدخول هنا من جديد',
    kept: 'تبقى الإجراءات التي لم تُرسل محفوظة، ولا تُرسل إلا باسم السائق الذي نفّذها.',
  },
};

interface ElsewhereProps {
  readonly elsewhere: DriverSession;
  readonly session: DriverSession | undefined;
  readonly onFollow: () => void;
  readonly onSignIn: () => void;
}

/** Says that the phone is another driver's now, so that nobody drives in another's name. */
export function SignedInElsewhere({ elsewhere, session, onFollow, onSignIn }: ElsewhereProps) {
  const text = textsOf(TEXTS);
  return (
    <section role="alert">
      <h1>{text.title}</h1>
      {session === undefined ? null : (
        <p>
          {text.here} <bdi>{session.firstName}</bdi>
        </p>
      )}
      <p>
        {text.now} <b dir="auto">{elsewhere.firstName}</b>
      </p>
      <p class="small">{text.kept}</p>
      <div class="actions">
        <Button kind="primary" onClick={onFollow}>
          {text.goOn} <bdi>{elsewhere.firstName}</bdi>
        </Button>
        <Button onClick={onSignIn}>{text.again}</Button>
      </div>
    </section>
  );
}
