import type { Prerequisite } from '../../contract/sandbox.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { PREREQUISITE_WORDS } from '../sandbox/prerequisite-words.ts';

const TEXTS = {
  en: {
    label: (ready: number, all: number) => `${ready} of ${all} ready`,
    ready: 'ready',
    missing: 'missing',
  },
  ar: {
    label: (ready: number, all: number) => `${ready} من ${all} جاهز`,
    ready: 'جاهز',
    missing: 'ناقص',
  },
};
const RADIUS = 42;
/** The gap between two parts, as a share of the circle. */
const GAP = 0.02;

interface RingProps {
  readonly prerequisites: readonly { readonly prerequisite: Prerequisite; readonly ready: boolean }[];
}

/** A ring with one part for each prerequisite of a shipment. */
export function ReadinessRing({ prerequisites }: RingProps) {
  const text = textsOf(TEXTS);
  const ready = prerequisites.filter((one) => one.ready).length;
  const around = 2 * Math.PI * RADIUS;
  const part = 1 / prerequisites.length;
  return (
    <div class="ring">
      <svg viewBox="0 0 100 100" role="img" aria-label={text.label(ready, prerequisites.length)}>
        {prerequisites.map((one, index) => (
          <circle
            key={one.prerequisite}
            class={one.ready ? 'ready' : undefined}
            cx="50"
            cy="50"
            r={RADIUS}
            stroke-dasharray={`${(part - GAP) * around} ${(1 - part + GAP) * around}`}
            transform={`rotate(${360 * part * index - 90} 50 50)`}
          />
        ))}
        <text x="50" y="50" direction="ltr">
          {ready}/{prerequisites.length}
        </text>
      </svg>
      <ul>
        {prerequisites.map((one) => (
          <li key={one.prerequisite}>
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
              <path class={one.ready ? 'ready' : undefined} d={one.ready ? 'M3 8.5l3.5 3.5L13 4.5' : 'M4 8h8'} />
            </svg>
            {PREREQUISITE_WORDS[one.prerequisite][locale]}
            <span class="unseen">{one.ready ? text.ready : text.missing}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
