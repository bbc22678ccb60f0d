import type { ComponentChildren } from 'preact';
import type { Tone } from './shipment-words.ts';

/** One shape for each tone: colour alone tells nothing to many. */
const SHAPES: Readonly<Record<Tone, string>> = {
  running: 'M3 8h8M8 4l4 4-4 4',
  waiting: 'M8 4v4l3 2M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2z',
  good: 'M3 8.5l3.5 3.5L13 4.5',
  bad: 'M8 3v6M8 12.5v.5',
  over: 'M4 4l8 8M12 4l-8 8',
};

/** A state: icon, word and colour together. */
export function Pill({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return (
    <span class={`pill ${tone}`}>
      <svg
        viewBox="0 0 16 16"
        width="14"
        height="14"
        aria-hidden="true"
        focusable="false"
        class={tone === 'running' ? 'onward' : undefined}
      >
        <path
          d={SHAPES[tone]}
          fill="none"
          stroke="currentColor"
          stroke-width="2"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      </svg>
      {children}
    </span>
  );
}
