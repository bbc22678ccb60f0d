import type { Deployment } from '../core/deployment.ts';
import { Strip } from '../ui/strip.tsx';
import { Toasts } from './kit/toasts.tsx';
import { SessionGate } from './session/session-gate.tsx';
import { AREAS } from './shell/areas.tsx';
import { Frame } from './shell/frame.tsx';
import { later } from './shell/later.tsx';
import { locale } from './shell/locale.ts';
import { NoSuchPage } from './shell/no-such-page.tsx';
import { usePlace } from './shell/place.ts';

const SignUp = later(async () => (await import('./session/sign-up.tsx')).SignUp);

/** The console: whoever has no session signs in or up; whoever has one sees the area that the address names. */
export function App({ deployment }: { readonly deployment: Deployment }) {
  const { area } = usePlace();
  return (
    <>
      <Strip deployment={deployment} locale={locale} />
      {area === 'sign-up' ? (
        <SignUp deployment={deployment} />
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

function AreaPage({ deployment }: { readonly deployment: Deployment }) {
  const place = usePlace();
  const area = AREAS.find(({ name }) => name === place.area);
  if (area === undefined || !area.isIn(deployment)) return <NoSuchPage />;
  // A key: a form of one shipment is not that of the next.
  return (
    <area.Page key={`${place.area}/${place.id ?? ''}/${place.part ?? ''}`} place={place} deployment={deployment} />
  );
}
