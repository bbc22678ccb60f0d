import { render } from 'preact';
import { DEPLOYMENTS, type Deployment } from '../core/deployment.ts';
import { locale } from '../ui/browser/base/locale.ts';
import { isOperations, readAddress, useAddress } from '../ui/browser/base/navigation.tsx';
import { allowTranslation } from '../ui/browser/base/translation.ts';
import { ErrorBoundary } from '../ui/browser/kit/error-boundary.tsx';
import { lazy } from '../ui/browser/kit/loading.tsx';
import { NoSuchPage } from '../ui/browser/kit/page.tsx';
import { Toasts } from '../ui/browser/kit/toasts.tsx';
import { Strip } from '../ui/frame.tsx';
import { SessionGate } from './session/session.tsx';
import { AREAS } from './shell/areas.tsx';
import { Frame } from './shell/frame.tsx';
import './console.css';

const Acceptance = lazy(async () => (await import('./session/acceptance.tsx')).Acceptance);
const Account = lazy(async () => (await import('./session/account.tsx')).Account);
const StopRecovery = lazy(async () => (await import('./session/stop-recovery.tsx')).StopRecovery);
const SignUp = lazy(async () => (await import('./session/sign-up.tsx')).SignUp);

interface AppProps {
  readonly deployment: Deployment;
}

/** The console, and the operators' pages: sign-in, sign-up, the acceptance of an invitation and the end of a recovery without a session; with one, the area that the address names. */
function App({ deployment }: AppProps) {
  const { area, id } = useAddress();
  return (
    <>
      <Strip deployment={deployment} locale={locale} />
      {area === 'sign-up' && !isOperations ? (
        <SignUp deployment={deployment} />
      ) : area === 'accept' && id !== undefined ? (
        <Acceptance deployment={deployment} invitationId={id} />
      ) : area === 'stop-recovery' && !isOperations ? (
        <StopRecovery />
      ) : (
        <SessionGate deployment={deployment}>
          <Frame deployment={deployment}>
            <AreaPage deployment={deployment} />
          </Frame>
        </SessionGate>
      )}
      <Toasts />
    </>
  );
}

function AreaPage({ deployment }: AppProps) {
  const address = useAddress();
  if (address.area === 'account' && address.id === undefined) return <Account deployment={deployment} />;
  const area = AREAS.find(({ name }) => name === address.area);
  if (area === undefined || !area.isIn(deployment)) return <NoSuchPage />;
  // With a key, the form of one shipment keeps no state of another.
  return (
    <ErrorBoundary key={`${address.area}/${address.id ?? ''}/${address.part ?? ''}`}>
      <area.Page address={address} deployment={deployment} />
    </ErrorBoundary>
  );
}

const root = document.getElementById('console');
const deployment = DEPLOYMENTS.find((name) => name === root?.dataset['deployment']) ?? 'production';
if (root !== null) {
  // Preact keeps elements of the service that its first rendering does not have, such as the frame of the console.
  root.replaceChildren();
  allowTranslation(root);
  // The code of the area loads beside the session.
  const { area } = readAddress();
  AREAS.find(({ name }) => name === area)?.Page.preload();
  render(
    <ErrorBoundary>
      <App deployment={deployment} />
    </ErrorBoundary>,
    root,
  );
}
