import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { DEPLOYMENTS, type Deployment } from '../core/deployment.ts';
import { keepFocusIn } from '../ui/browser/base/kept-focus.ts';
import { changeLocale, locale } from '../ui/browser/base/locale.ts';
import { allowTranslation } from '../ui/browser/base/translation.ts';
import { ErrorBoundary } from '../ui/browser/kit/error-boundary.tsx';
import { lazy } from '../ui/browser/kit/loading.tsx';
import { Mark, Strip } from '../ui/frame.tsx';
import { useDriverSession } from './session.ts';
import { SignedInElsewhere, SignIn } from './sign-in.tsx';
import { words } from './words.ts';
import './driver.css';

/** Loaded while the driver signs in, so that the form is there first. */
const Work = lazy(async () => (await import('./work.tsx')).Work);

/** The drivers' page: sign-in, and with a session the work. */
function App({ deployment }: { readonly deployment: Deployment }) {
  const { session, elsewhere, keep, forget, follow, signInAgain } = useDriverSession();
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
          <>
            <h1>{words.signIn}</h1>
            <SignIn deployment={deployment} onSignedIn={keep} />
          </>
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
}
