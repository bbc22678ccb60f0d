import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { code } from './blocks.ts';
import type { LifecycleEdge } from './lifecycle.ts';

const ENDS = { en: 'the end', ar: 'النهاية' } as const satisfies Record<Locale, string>;

/** The lifecycle as a list: each state, where it leads, and the event that tells of it. It needs no width. */
export function statesList(edges: readonly LifecycleEdge[], locale: Locale): Html {
  const states = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const entries = states.map((state) => {
    const ways = edges.filter(({ from }) => from === state);
    const lines = ways.map(
      ({ to, label }) => html`<dd><bdi dir="ltr">→ <code>${to}</code> <span class="quiet">${label}</span></bdi></dd>`,
    );
    return html`<dt>${code(state)}</dt>${lines.length === 0 ? html`<dd class="quiet">${ENDS[locale]}</dd>` : lines}
`;
  });
  return html`<dl class="states">${entries}</dl>`;
}
