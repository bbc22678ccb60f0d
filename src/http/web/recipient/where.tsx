import { ADDRESS_LINE_LENGTH_MAX } from '../../../core/limits.ts';
import { MAP_WORDS } from '../../../ui/map/map-words.ts';
import { StreetMap, streetCreditOf } from '../../../ui/street-map.tsx';
import { formatNumber } from '../formats.ts';
import { pathOf } from '../tracking/way.tsx';
import { WORDS as TRACKING_WORDS } from '../tracking/words.ts';
import type { PartProps, Proposal } from './shown.ts';
import { WORDS } from './words.ts';

/* Where the parcel goes, and where it may go instead. */

/** The present place: to confirm it, or to look for another one. */
export function WhereSection({ shown }: PartProps) {
  const { delivery, locale } = shown;
  const words = WORDS[locale];
  const may = delivery.may.find(({ change }) => change === 'ADDRESS');
  const { destination, nationalAddress, confirmedAt } = delivery;
  return (
    <section id="where" class="answer">
      <h1>{may?.allowed === true && confirmedAt === null ? words.question : words.door}</h1>
      <Drawing shown={shown} />
      <p class="lead">
        <bdi>{destination.addressLine}</bdi>
      </p>
      {nationalAddress.shortAddress === null ? null : (
        <p>
          {words.shortCode}{' '}
          <bdi class="number" dir="ltr">
            {nationalAddress.shortAddress}
          </bdi>
        </p>
      )}
      {confirmedAt === null ? null : <p class="good">✓ {words.confirmed}</p>}
      {may === undefined ? null : may.allowed ? (
        <>
          {confirmedAt === null ? (
            <form method="post">
              <input type="hidden" name="version" value={delivery.version} />
              <button type="submit" name="do" value="confirm" class="send wide">
                {words.yes}
              </button>
            </form>
          ) : null}
          <details id="change">
            <summary class="plain wide">{confirmedAt === null ? words.no : words.other}</summary>
            <h2>{words.ways}</h2>
            <form method="post" data-locate hidden>
              <input type="hidden" name="latitude" />
              <input type="hidden" name="longitude" />
              <input type="hidden" name="do" value="locate" />
              <button type="submit" class="send wide">
                {words.here}
              </button>
              <p class="quiet">{words.hereHint}</p>
              <p class="trouble" role="alert" data-trouble={words.troubles.NO_POSITION} hidden />
            </form>
            <MapForm shown={shown} />
            <form method="post">
              <label class="field">
                {words.byCode}
                <input name="shortAddress" dir="ltr" required maxLength={24} autoCapitalize="characters" />
                <span class="quiet">{words.byCodeHint}</span>
              </label>
              <button type="submit" name="do" value="find" class="plain">
                {words.find}
              </button>
            </form>
            <form method="post">
              <label class="field">
                {words.byText}
                <input name="text" dir="auto" required minLength={3} maxLength={120} />
                <span class="quiet">{words.byTextHint}</span>
              </label>
              <button type="submit" name="do" value="suggest" class="plain">
                {words.search}
              </button>
            </form>
          </details>
          <p class="quiet">{words.untilDeparture}</p>
        </>
      ) : (
        <p class="quiet">{words.troubles[may.code ?? 'TOO_LATE']}</p>
      )}
    </section>
  );
}

/** The pin on a map, from where the parcel goes now. It stays hidden without a script and without a map. */
function MapForm({ shown: { delivery, locale } }: PartProps) {
  const words = WORDS[locale];
  const { latitude, longitude } = delivery.destination;
  return (
    <form method="post" data-pin={words.pinInstead} hidden>
      <input type="hidden" name="latitude" value={latitude} />
      <input type="hidden" name="longitude" value={longitude} />
      <input type="hidden" name="do" value="locate" />
      <button type="button" class="plain wide" data-show-map data-loading={TRACKING_WORDS[locale].loadingMap}>
        {words.onMap}
      </button>
      <p class="quiet" role="status" data-map-state />
      <div data-map-place={words.door} hidden>
        <p>{words.onMapHint}</p>
        <div class="map-place" />
        <button type="button" class="plain wide" data-middle>
          {MAP_WORDS[locale].toMiddle}
        </button>
        <button type="submit" class="send wide">
          {words.usePin}
        </button>
      </div>
    </form>
  );
}

/** One place is shown in the drawing; several are a list to choose from. */
export function ProposalSection({ shown, found }: PartProps & { readonly found: readonly Proposal[] }) {
  const { locale } = shown;
  const words = WORDS[locale];
  const [only, ...others] = found;
  const isOne = others.length === 0;
  return (
    <section id="where" class="answer">
      <h1>{isOne ? words.isIt : words.which}</h1>
      {isOne ? <Drawing shown={shown} /> : null}
      {isOne && only !== undefined && only.shortAddress !== null ? (
        <p>
          {words.shortCode}{' '}
          <bdi class="number" dir="ltr">
            {only.shortAddress}
          </bdi>
        </p>
      ) : null}
      {only !== undefined && isOne ? (
        <form method="post">
          <PlaceInputs place={only} />
          <label class="field">
            {words.addressLine}
            <input
              name="addressLine"
              dir="auto"
              required
              maxLength={ADDRESS_LINE_LENGTH_MAX}
              value={only.addressLine}
            />
          </label>
          <button type="submit" name="do" value="move" class="send wide">
            {words.useIt}
          </button>
        </form>
      ) : (
        <ul class="choices">
          {found.map((place) => (
            <li key={`${place.latitude} ${place.longitude}`}>
              <form method="post">
                <PlaceInputs place={place} />
                <input type="hidden" name="addressLine" value={place.addressLine} />
                <button type="submit" name="do" value="show" class="plain wide">
                  <bdi>{place.title}</bdi>
                  {place.addressLine === place.title ? null : <span class="quiet">{place.addressLine}</span>}
                </button>
              </form>
            </li>
          ))}
        </ul>
      )}
      <p>
        <a href="?">{words.cancel}</a>
      </p>
    </section>
  );
}

function PlaceInputs({ place }: { readonly place: Proposal }) {
  return (
    <>
      <input type="hidden" name="latitude" value={place.latitude} />
      <input type="hidden" name="longitude" value={place.longitude} />
      {place.shortAddress === null ? null : <input type="hidden" name="shortAddress" value={place.shortAddress} />}
    </>
  );
}

function Drawing({ shown: { sketch, streets, locale } }: PartProps) {
  const words = WORDS[locale];
  const { width, height, door, proposed, scale, way } = sketch;
  const credit = streetCreditOf(streets);
  const { meters, kilometers } = TRACKING_WORDS[locale];
  const length =
    scale.meters < 1000
      ? `${formatNumber(scale.meters, locale)} ${meters}`
      : `${formatNumber(scale.meters / 1000, locale)} ${kilometers}`;
  return (
    <figure>
      <svg class="drawing" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words.drawing}>
        <StreetMap streets={streets} frame={{ x: 0, y: 0, width, height }} />
        {way.length === 0 ? null : <path class="line" d={pathOf(way)} />}
        <circle class={proposed === null ? 'driver' : 'pickup'} cx={door.x} cy={door.y} r="7" />
        {proposed === null ? null : <circle class="driver" cx={proposed.x} cy={proposed.y} r="7" />}
        <path class="scale" d={`M12 ${height - 16}v6h${scale.length}v-6`} />
        <text x={18 + scale.length} y={height - 10}>
          {length}
        </text>
      </svg>
      <figcaption class="quiet">
        {proposed === null ? words.door : `${words.proposed} ●`}
        {credit === undefined ? null : ` · ${credit[locale]}`}
      </figcaption>
    </figure>
  );
}
