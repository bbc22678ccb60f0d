import { Toasts } from './kit/toasts.tsx';
import { SessionGate } from './session/session-gate.tsx';
import { AREAS } from './shell/areas.tsx';
import { Frame } from './shell/frame.tsx';
import { later } from './shell/later.tsx';
import { NoSuchPage } from './shell/no-such-page.tsx';
import { usePlace } from './shell/place.ts';
import { Strip } from './shell/strip.tsx';

const SignUp = later(async () => (await import('./session/sign-up.tsx')).SignUp);

/** The console: whoever has no session signs in or up; whoever has one sees the area that the address names. */
export function App({ deployment }: { readonly deployment: string }) {
  const { area } = usePlace();
  return (
    <>
      <Strip deployment={deployment} />
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

function AreaPage({ deployment }: { readonly deployment: string }) {
  const place = usePlace();
  const area = AREAS.find(({ name }) => name === place.area);
  if (area === undefined || !area.isIn(deployment)) return <NoSuchPage />;
  // A key: a form of one shipment is not that of the next.
  return (
    <area.Page key={`${place.area}/${place.id ?? ''}/${place.part ?? ''}`} place={place} deployment={deployment} />
  );
}
