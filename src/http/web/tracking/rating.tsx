import { STARS_MAX } from '../../../contract/tracking.ts';
import type { Locale } from '../../../core/locale.ts';
import type { TrackingView } from '../../../domain/tracking/page-view.ts';
import { WORDS } from './words.ts';

const STARS = Array.from({ length: STARS_MAX }, (_, index) => index + 1);

/** Asks for a rating of a delivered shipment, or shows it. The form needs no script. */
export function Rating({ view: { stars }, locale }: { readonly view: TrackingView; readonly locale: Locale }) {
  const words = WORDS[locale];
  if (stars === undefined) return null;
  if (stars !== null)
    return (
      <section id="rating">
        <h2>{words.rating}</h2>
        <p>{words.rated(words.stars[stars - 1] ?? String(stars))}</p>
      </section>
    );
  return (
    <section id="rating">
      <h2>{words.rating}</h2>
      <form method="post">
        <fieldset class="stars">
          <legend>{words.rate}</legend>
          {STARS.map((count) => (
            <label key={count}>
              <input type="radio" name="stars" value={count} required />
              {words.stars[count - 1]}
            </label>
          ))}
        </fieldset>
        <p class="quiet">{words.rateHint}</p>
        <button type="submit" class="send">
          {words.send}
        </button>
      </form>
    </section>
  );
}
