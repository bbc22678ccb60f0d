import { formatTime, locale } from '../../ui/browser/base/locale.ts';
import { type Entry, foldOffers, type TimelineLine } from './folded-offers.ts';
import { noteText } from './reason-text.ts';
import { type Dispatch, searchText } from './search-words.ts';
import { ACTOR_WORDS, EVENT_WORDS } from './words.ts';

interface TimelineProps {
  readonly entries: readonly Entry[];
  /** Where the search stands, while there is one. */
  readonly dispatch: Dispatch | undefined;
}

/** The events of a shipment, oldest first. The last one is the current state, or what a search for a driver does next. */
export function Timeline({ entries, dispatch }: TimelineProps) {
  const lines = foldOffers(entries);
  const isFolded = (lines.at(-1)?.offers ?? 0) > 0;
  const next = dispatch === undefined || isFolded ? '' : searchText(0, dispatch);
  return (
    <ol class="timeline">
      {lines.map((line, index) => (
        <li key={keyOf(line.entries[0])}>
          {line.offers === 0 ? (
            <Event entry={line.entries[0]} />
          ) : (
            <Offers line={line} dispatch={index === lines.length - 1 ? dispatch : undefined} />
          )}
        </li>
      ))}
      {next === '' ? null : <li class="next quiet">{next}</li>}
    </ol>
  );
}

function keyOf({ sequence, occurredAt }: Entry): string {
  return `${sequence} ${occurredAt}`;
}

/** Repeated offers in one line, which opens to show each. */
function Offers({
  line: { entries, offers },
  dispatch,
}: { readonly line: TimelineLine } & Pick<TimelineProps, 'dispatch'>) {
  const last = entries.at(-1) ?? entries[0];
  return (
    <>
      <details>
        <summary>{searchText(offers, dispatch)}</summary>
        <ol>
          {entries.map((entry) => (
            <li key={keyOf(entry)}>
              <Event entry={entry} />
            </li>
          ))}
        </ol>
      </details>
      <time class="small quiet" dateTime={last.occurredAt}>
        {formatTime(last.occurredAt)}
      </time>
    </>
  );
}

function Event({ entry: { type, occurredAt, actor, note } }: { readonly entry: Entry }) {
  return (
    <>
      <strong>{EVENT_WORDS[type][locale]}</strong> <span class="small quiet">{ACTOR_WORDS[actor][locale]}</span>
      <br />
      <time class="small quiet" dateTime={occurredAt}>
        {formatTime(occurredAt)}
      </time>
      {note === null ? null : <p class="small">{noteText(note)}</p>}
    </>
  );
}
