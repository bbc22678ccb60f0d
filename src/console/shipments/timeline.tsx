import type { Outputs } from '../service/service.ts';
import { formatTime, locale } from '../shell/locale.ts';
import { ACTOR_WORDS, EVENT_WORDS, REASON_WORDS } from './words.ts';

type Entry = Outputs['shipments']['timeline']['data'][number];

/** What happened, oldest first; the last is where the shipment is. */
export function Timeline({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <ol class="timeline">
      {entries.map(({ sequence, type, occurredAt, actor, note }) => (
        <li key={sequence}>
          <strong>{EVENT_WORDS[type][locale]}</strong> <span class="small quiet">{ACTOR_WORDS[actor][locale]}</span>
          <br />
          <time class="small quiet" dateTime={occurredAt}>
            {formatTime(occurredAt)}
          </time>
          {note === null ? null : <p class="small">{noteText(note)}</p>}
        </li>
      ))}
    </ol>
  );
}

/** A note opens with a reason's code where there is one. */
function noteText(note: string): string {
  const [, code = '', rest = ''] = /^([A-Z_]+)(?:: (.*))?$/s.exec(note) ?? [];
  const reason = Object.entries(REASON_WORDS).find(([known]) => known === code)?.[1];
  if (reason === undefined) return note;
  return rest === '' ? reason[locale] : `${reason[locale]}: ${rest}`;
}
