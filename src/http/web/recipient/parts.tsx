import { PLACE_KINDS } from '../../../contract/amendment-state.ts';
import { REFUSAL_REASONS } from '../../../contract/recipient-state.ts';
import { parseInstant } from '../../../core/instant.ts';
import { INSTRUCTIONS_LENGTH_MAX, PLACE_NOTE_LENGTH_MAX } from '../../../core/limits.ts';
import type { Locale } from '../../../core/locale.ts';
import { formatDay, formatTime } from '../formats.ts';
import { WORDS as TRACKING_WORDS } from '../tracking/words.ts';
import { CommentField } from './fields.tsx';
import type { PartProps } from './shown.ts';
import { WORDS } from './words.ts';

/* When the parcel comes, what the driver has to know, and that it is not wanted. */

/** The days and times that can be asked for, as buttons: one tap asks. */
export function WindowSection({ shown: { delivery, locale } }: PartProps) {
  const words = WORDS[locale];
  const { window, windowsOffered } = delivery;
  if (window === null && windowsOffered.length === 0) return null;
  const days = Map.groupBy(windowsOffered, ({ start }) => dayOf(start, locale));
  return (
    <section id="when">
      <h2>{words.when}</h2>
      {window === null ? null : (
        <p>
          {words.windowIs[window.status]}{' '}
          <strong>{TRACKING_WORDS[locale].at(dayOf(window.start, locale), timesOf(window, locale))}</strong>
        </p>
      )}
      {windowsOffered.length === 0 ? null : (
        <form method="post">
          <input type="hidden" name="do" value="window" />
          {[...days].map(([day, windows]) => (
            <fieldset key={day} class="times">
              <legend>{day}</legend>
              {windows.map((one) => (
                <button
                  key={one.start}
                  type="submit"
                  name="windowStart"
                  value={one.start}
                  class="plain"
                  aria-pressed={one.start === window?.start}
                >
                  {timesOf(one, locale)}
                </button>
              ))}
            </fieldset>
          ))}
          <p class="quiet">{words.windowHint}</p>
        </form>
      )}
    </section>
  );
}

function dayOf(instant: string, locale: Locale): string {
  const at = parseInstant(instant);
  return at === undefined ? '' : formatDay(at, locale);
}

function timesOf({ start, end }: { readonly start: string; readonly end: string }, locale: Locale): string {
  return [start, end]
    .map((instant) => {
      const at = parseInstant(instant);
      return at === undefined ? '' : formatTime(at, locale);
    })
    .join('–');
}

export function DoorSection({ shown: { delivery, locale } }: PartProps) {
  const words = WORDS[locale];
  const { place, instructions } = delivery;
  return (
    <section id="door">
      <h2>{words.place}</h2>
      <form method="post">
        <label class="field">
          {words.placeKind}
          <select name="kind">
            {place === null ? <option value="">{words.noPlace}</option> : null}
            {PLACE_KINDS.map((kind) => (
              <option key={kind} value={kind} selected={kind === place?.kind}>
                {words.places[kind]}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          {words.placeNote}
          <input name="note" dir="auto" maxLength={PLACE_NOTE_LENGTH_MAX} value={place?.note ?? ''} />
        </label>
        <label class="field">
          {words.instructions}
          <textarea name="instructions" dir="auto" rows={3} maxLength={INSTRUCTIONS_LENGTH_MAX}>
            {instructions ?? ''}
          </textarea>
          <span class="quiet">{words.instructionsHint}</span>
        </label>
        <button type="submit" name="do" value="door" class="send">
          {words.save}
        </button>
        <p class="quiet">{words.untilEnd}</p>
      </form>
    </section>
  );
}

export function RefusalSection({ shown: { delivery, locale, merchantName } }: PartProps) {
  const words = WORDS[locale];
  if (delivery.refusal !== null)
    return (
      <section id="refusal">
        <h2>{words.refusal}</h2>
        <p>{words.refused(merchantName)}</p>
      </section>
    );
  return (
    <section id="refusal">
      <details>
        <summary class="plain wide">{words.refusal}</summary>
        <form method="post">
          <p>{words.refusalLead(merchantName)}</p>
          <fieldset class="reasons">
            <legend class="unseen">{words.refusal}</legend>
            {REFUSAL_REASONS.map((reason) => (
              <label key={reason}>
                <input type="radio" name="reasonCode" value={reason} required />
                {words.reasons[reason]}
              </label>
            ))}
          </fieldset>
          <CommentField label={words.comment} />
          <button type="submit" name="do" value="refuse" class="danger wide">
            {words.refuse}
          </button>
        </form>
      </details>
    </section>
  );
}
