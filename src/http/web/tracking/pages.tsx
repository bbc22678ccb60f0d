import { isTerminal } from '../../../contract/shipment-state.ts';
import { Answer } from './answer.tsx';
import { type Place, renderFrame } from './frame.tsx';
import { Change, Help, Parcel, Progress } from './parcel.tsx';
import { Rating } from './rating.tsx';
import { type DrawnView, Way } from './way.tsx';
import { WORDS } from './words.ts';

export { withTag } from './frame.tsx';

/** The page of a valid link at its address. */
export function trackingPage(view: DrawnView, path: string, place: Place): string {
  const { stateLabel, merchantName, merchantLogo, state } = view.tracking;
  const { locale } = place;
  return renderFrame({
    ...place,
    title: `${stateLabel} · ${merchantName}`,
    name: merchantName,
    preview: { title: WORDS[locale].from(merchantName), description: WORDS[locale].preview },
    logo: merchantLogo,
    canChange: !isTerminal(state),
    children: (
      <>
        <Answer view={view} locale={locale} />
        <Change view={view} path={path} locale={locale} />
        <Rating view={view} locale={locale} />
        <Way view={view} locale={locale} mapScript={place.files.entries['route-map.js']} />
        <Progress view={view} locale={locale} />
        <Parcel view={view} locale={locale} />
        <Help view={view} locale={locale} />
      </>
    ),
  });
}

/** The page of a link that is unknown, expired or revoked. It is the same in all three cases. */
export function gonePage(place: Place): string {
  const words = WORDS[place.locale];
  return renderFrame({
    ...place,
    title: words.goneTitle,
    name: undefined,
    canChange: false,
    children: (
      <section id="answer" class="answer over">
        <h1>{words.goneTitle}</h1>
        <p class="lead">{words.goneText}</p>
        <p>{words.goneHelp}</p>
      </section>
    ),
  });
}

/** The page for a failure of the service and for a client that sends too many requests. */
export function troublePage(requestId: string, place: Place): string {
  const words = WORDS[place.locale];
  return renderFrame({
    ...place,
    title: words.troubleTitle,
    name: undefined,
    canChange: false,
    children: (
      <section id="answer" class="answer waiting">
        <h1>{words.troubleTitle}</h1>
        <p class="lead">{words.troubleText}</p>
        <p>
          <a href="">{words.again}</a>
        </p>
        <p class="quiet">
          {words.request} <bdi>{requestId}</bdi>
        </p>
      </section>
    ),
  });
}
