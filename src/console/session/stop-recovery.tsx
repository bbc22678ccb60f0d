import { useRef, useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link, useHeadingFocus } from '../../ui/browser/base/navigation.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { once, useWork } from '../../ui/browser/service/loading.ts';
import { Mark } from '../../ui/frame.tsx';

const TEXTS = {
  en: {
    name: 'Mirsal',
    title: 'Stop the replacement',
    hint: 'Somebody asked us to replace the e-mail address and the mobile of your account. If it was not you, stop it. Your account then stays as it is.',
    stop: 'Stop it',
    stopped: 'Stopped. Your account stays as it is.',
    gone: 'It was stopped or carried out already.',
    signIn: 'Sign in',
  },
  ar: {
    name: 'مرسال',
    title: 'إيقاف الاستبدال',
    hint: 'طلب شخص منا استبدال البريد الإلكتروني ورقم الجوال في حسابك. إذا لم تكن أنت فأوقفه، ويبقى حسابك كما هو.',
    stop: 'أوقفه',
    stopped: 'تم الإيقاف. يبقى حسابك كما هو.',
    gone: 'سبق إيقافه أو تنفيذه.',
    signIn: 'تسجيل الدخول',
  },
};

/**
 * The page that the message about a recovery links to. The token is in the fragment, which browsers do not send, and programs that
 * open links of messages press no button.
 */
export function StopRecovery() {
  const text = textsOf(TEXTS);
  const main = useRef<HTMLElement>(null);
  useHeadingFocus('stop-recovery', main, text.name);
  const [isStopped, setIsStopped] = useState(false);
  const work = useWork(async () => {
    await service.sessions.stopRecovery.mutate({ token: location.hash.slice(1) });
    setIsStopped(true);
  }, once);
  return (
    <main class="door" ref={main}>
      <p class="brand">
        <Mark /> {text.name}
      </p>
      <h1>{text.title}</h1>
      {isStopped ? (
        <p role="status">{text.stopped}</p>
      ) : work.failure?.code === 'RESOURCE_NOT_FOUND' ? (
        <p role="status">{text.gone}</p>
      ) : (
        <>
          <p>{text.hint}</p>
          {work.failure === undefined ? null : <ProblemNotice failure={work.failure} />}
          <Button kind="danger" isBusy={work.isBusy} onClick={() => void work.start(undefined)}>
            {text.stop}
          </Button>
        </>
      )}
      <p>
        <Link to={addressOf('')}>{text.signIn}</Link>
      </p>
    </main>
  );
}
