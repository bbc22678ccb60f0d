import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { keepFocusIn } from '../console/base/kept-focus.ts';
import { changeLocale, locale } from '../console/base/locale.ts';
import { ErrorBoundary } from '../console/kit/error-boundary.tsx';
import { Button } from '../console/kit/form.tsx';
import { ProblemNotice } from '../console/kit/problem-notice.tsx';
import { useWork } from '../console/service/loading.ts';
import { DEPLOYMENTS, type Deployment } from '../core/deployment.ts';
import { Mark, Strip } from '../ui/frame.tsx';
import { Pill } from '../ui/state.tsx';
import { Offers } from './offers.tsx';
import { CurrentParcel, headingOf } from './parcel.tsx';
import { tasksOf } from './queue.ts';
import { type DriverSession, useDriverSession } from './session.ts';
import { SignedInElsewhere, SignIn } from './sign-in.tsx';
import { type DriverWork, useDriverWork } from './use-work.ts';
import { words } from './words.ts';
import './driver.css';

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

function Work({ session, onSignedOut }: { readonly session: DriverSession; readonly onSignedOut: () => void }) {
  const work = useDriverWork(session, onSignedOut);
  const { offers, parcels, actions, refused, now, act, dismiss } = work;
  const [chosen, setChosen] = useState<string>();
  const tasks = tasksOf(parcels, actions);
  const current = tasks.find(({ parcel }) => parcel.shipmentId === chosen) ?? tasks[0];
  return (
    <>
      <Duty work={work} />
      <Connection work={work} />
      {refused.map((one) => (
        <section key={one.action.actionId} aria-label={words.refused}>
          <p class="wrong">
            {words.refused} {words[one.action.action]}
          </p>
          <ProblemNotice failure={one.failure} />
          <Button onClick={() => dismiss(one)}>{words.dismiss}</Button>
        </section>
      ))}
      <Offers offers={offers} actions={actions} now={now} act={act} />
      {current === undefined ? <Idle work={work} /> : <CurrentParcel task={current} act={act} />}
      {tasks.length < 2 ? null : (
        <section aria-labelledby="others">
          <h2 id="others">{words.others}</h2>
          {tasks
            .filter((task) => task !== current)
            .map((task) => (
              <p key={task.parcel.shipmentId}>
                <Button onClick={() => setChosen(task.parcel.shipmentId)}>
                  <bdi dir="ltr">{task.parcel.shipmentNumber}</bdi> · {headingOf(task)}
                </Button>
              </p>
            ))}
        </section>
      )}
      <SignOut work={work} />
    </>
  );
}

function Duty({ work: { standing, setDuty } }: { readonly work: DriverWork }) {
  const change = useWork(setDuty);
  if (standing === undefined) return null;
  const { firstName, onDuty, activeCount } = standing;
  return (
    <section class="duty">
      <p>
        <b dir="auto">{firstName}</b>{' '}
        <Pill tone={onDuty ? 'running' : 'over'}>{onDuty ? words.onDuty : words.offDuty}</Pill>{' '}
        <span class="quiet">{words.load(activeCount)}</span>
      </p>
      <Button kind={onDuty ? 'quiet' : 'primary'} isBusy={change.isBusy} onClick={() => void change.start(!onDuty)}>
        {onDuty ? words.goOffDuty : words.goOnDuty}
      </Button>
      {change.failure === undefined ? null : <ProblemNotice failure={change.failure} />}
    </section>
  );
}

function Connection({ work: { isOffline, actions } }: { readonly work: DriverWork }) {
  return (
    <div role="status">
      {isOffline ? (
        <p class="notice">
          {words.offline} {actions.length === 0 ? null : words.waiting(actions.length)}
        </p>
      ) : null}
    </div>
  );
}

function Idle({ work: { standing, offers } }: { readonly work: DriverWork }) {
  return (
    <section class="empty">
      <h1>{words.idle}</h1>
      {offers.length > 0 ? null : <p>{standing?.onDuty === false ? words.idleOff : words.idleOn}</p>}
    </section>
  );
}

function SignOut({ work: { actions, signOut } }: { readonly work: DriverWork }) {
  const end = useWork(signOut);
  return (
    <footer>
      {end.failure === undefined ? null : <ProblemNotice failure={end.failure} />}
      {actions.length > 0 ? (
        <p class="quiet small">{words.signOutLater}</p>
      ) : (
        <button type="button" class="plain" onClick={() => void end.start(undefined)}>
          {words.signOut}
        </button>
      )}
    </footer>
  );
}

const root = document.getElementById('driver');
const deployment = DEPLOYMENTS.find((name) => name === root?.dataset['deployment']) ?? 'production';
if (root !== null)
  render(
    <ErrorBoundary>
      <App deployment={deployment} />
    </ErrorBoundary>,
    root,
  );
