import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { DEPLOYMENTS, type Deployment } from '../core/deployment.ts';
import { keepFocusIn } from '../ui/browser/base/kept-focus.ts';
import { changeLocale, locale, textsOf } from '../ui/browser/base/locale.ts';
import { allowTranslation } from '../ui/browser/base/translation.ts';
import { ErrorBoundary } from '../ui/browser/kit/error-boundary.tsx';
import { lazy } from '../ui/browser/kit/loading.tsx';
import { Mark, Strip } from '../ui/frame.tsx';
import { useDriverSession } from './session.ts';
import './driver.css';

/* A driver needs one of these at first. */
const Work = lazy(async () => (await import('./work.tsx')).Work);
const SignIn = lazy(async () => (await import('./sign-in.tsx')).SignIn);
const SignedInElsewhere = lazy(async () => (await import('./signed-in-elsewhere.tsx')).SignedInElsewhere);

const WORDS = {
  en: { name: 'Mirsal for drivers', other: 'العربية' },
  ar: { name: 'مرسال للسائقين', other: 'English' },
};

/** The drivers' page: sign-in, and with a session the work. */
function App({ deployment }: { readonly deployment: Deployment }) {
  const { session, elsewhere, keep, forget, follow, signInAgain } = useDriverSession();
  const words = textsOf(WORDS);
  const other = locale === 'ar' ? 'en' : 'ar';
  const main = useRef<HTMLElement>(null);
  useEffect(() => (main.current === null ? undefined : keepFocusIn(main.current)), []);
  return (
    <>
      <Strip deployment={deployment} locale={locale} />
      <header class="top">
        <span class="brand">
          <Mark /> {words.name}
        </span>
        <button type="button" class="plain" lang={other} onClick={changeLocale}>
          {words.other}
        </button>
      </header>
      <main class="driver" ref={main}>
        {elsewhere !== undefined ? (
          <SignedInElsewhere elsewhere={elsewhere} session={session} onFollow={follow} onSignIn={signInAgain} />
        ) : session === undefined ? (
          <SignIn deployment={deployment} onSignedIn={keep} />
        ) : (
          <Work key={session.driverId} session={session} onSignedOut={() => forget(session.driverToken)} />
        )}
      </main>
    </>
  );
}

const root = document.getElementById('driver');
const deployment = DEPLOYMENTS.find((name) => name === root?.dataset['deployment']) ?? 'production';
if (root !== null) {
  allowTranslation(root);
  render(
    <ErrorBoundary>
      <App deployment={deployment} />
    </ErrorBoundary>,
    root,
  );
  // Without a connection, or in a browser that lists no databases, there is another chance.
  forgetOldPictures().catch(() => undefined);
}

/** Pictures show people, so they go after a day, also while nobody is signed in. They are all that this origin has in a database. */
async function forgetOldPictures(): Promise<void> {
  if ((await indexedDB.databases()).length === 0) return;
  const { forgetMedia } = await import('./proof-media.ts');
  await forgetMedia(() => false);
}
