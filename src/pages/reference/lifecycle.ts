import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { code } from './blocks.ts';

/** A legal change of state and its events. */
export interface LifecycleEdge {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

const BOX = { width: 190, height: 44, rowHeight: 76 } as const;
/** The distance between lanes. Lines with the same target share a lane. */
const LANE_WIDTH = 16;
const CORNER = 6;
const MARGIN = 8;

/**
 * The lifecycle as SVG. The longest path through it is one column. The other states are beside it. Each target has its
 * own lane, so that lines may cross but never overlap. Each line's title has its events.
 */
export function lifecycleDrawing(edges: readonly LifecycleEdge[], title: string): Html {
  const spine = longestWay(edges);
  const sides = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].filter((state) => !spine.includes(state));
  const plan = place(edges, spine, sides);
  const ends = new Set(edges.map((edge) => edge.to).filter((state) => edges.every((edge) => edge.from !== state)));
  const boxes = [...plan.boxes].map(([state, box]) => drawBox(state, box, ends.has(state)));
  return html`<svg viewBox="0 0 ${plan.width} ${plan.height}" role="img" aria-label="${title}">
${edges.map((edge) => drawEdge(edge, plan))}
${boxes}
</svg>`;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly column: 'spine' | 'side';
}

interface Plan {
  readonly boxes: ReadonlyMap<string, Box>;
  readonly spine: readonly string[];
  /** The position of each lane, by its side and target state. */
  readonly lanes: ReadonlyMap<string, { readonly x: number; readonly offset: number }>;
  readonly width: number;
  readonly height: number;
}

type Lane = 'before' | 'between' | 'after';

function place(edges: readonly LifecycleEdge[], spine: readonly string[], sides: readonly string[]): Plan {
  const keys = (wanted: Lane) => [
    ...new Set(edges.filter((edge) => laneOf(edge, spine) === wanted).map((edge) => `${wanted} ${edge.to}`)),
  ];
  const [before, between, after] = [keys('before'), keys('between'), keys('after')];
  const spineX = MARGIN + before.length * LANE_WIDTH + LANE_WIDTH;
  const betweenX = spineX + BOX.width + LANE_WIDTH;
  const sideX = betweenX + between.length * LANE_WIDTH + LANE_WIDTH;
  const afterX = sideX + BOX.width + LANE_WIDTH;
  const spineBoxes = spine.map((state, row): [string, Box] => [state, { x: spineX, y: rowY(row), column: 'spine' }]);
  const sideBoxes = placeSides(edges, spine, sides).map(([state, y]): [string, Box] => [
    state,
    { x: sideX, y, column: 'side' },
  ]);
  const lanes = [lanesFrom(before, MARGIN), lanesFrom(between, betweenX), lanesFrom(after, afterX)].flat();
  const lowest = Math.max(0, ...[...spineBoxes, ...sideBoxes].map(([, box]) => box.y));
  return {
    boxes: new Map([...spineBoxes, ...sideBoxes]),
    spine,
    lanes: new Map(lanes),
    width: afterX + after.length * LANE_WIDTH + MARGIN,
    height: lowest + BOX.height / 2 + MARGIN,
  };
}

function rowY(row: number): number {
  return MARGIN + BOX.height / 2 + row * BOX.rowHeight;
}

/** Places each state beside the middle of the rows that lead to it, without overlaps. */
function placeSides(
  edges: readonly LifecycleEdge[],
  spine: readonly string[],
  sides: readonly string[],
): readonly (readonly [string, number])[] {
  const wanted = sides.map((state): [string, number] => {
    const rows = edges.filter((edge) => edge.to === state).map((edge) => spine.indexOf(edge.from));
    const known = rows.filter((row) => row >= 0);
    return [state, known.length === 0 ? 0 : known.reduce((sum, row) => sum + row, 0) / known.length];
  });
  let free = rowY(0);
  return wanted
    .sort((left, right) => left[1] - right[1])
    .map(([state, row]) => {
      const y = Math.max(free, rowY(row));
      free = y + BOX.rowHeight;
      return [state, y];
    });
}

function lanesFrom(keys: readonly string[], start: number): [string, { x: number; offset: number }][] {
  const middle = (keys.length - 1) / 2;
  const spread = Math.min(9, (BOX.height - 12) / Math.max(1, keys.length - 1));
  return keys.map((key, index) => [key, { x: start + index * LANE_WIDTH, offset: (index - middle) * spread }]);
}

/** The lane of an edge. An edge to the next row needs none, because a straight arrow is enough. */
function laneOf(edge: LifecycleEdge, spine: readonly string[]): Lane | undefined {
  const from = spine.indexOf(edge.from);
  const to = spine.indexOf(edge.to);
  if (from >= 0 && to >= 0) return to === from + 1 ? undefined : 'before';
  return from < 0 && to < 0 ? 'after' : 'between';
}

function drawEdge(edge: LifecycleEdge, plan: Plan): Html {
  const from = plan.boxes.get(edge.from);
  const to = plan.boxes.get(edge.to);
  if (from === undefined || to === undefined) return html``;
  const lane = laneOf(edge, plan.spine);
  const track = lane === undefined ? undefined : plan.lanes.get(`${lane} ${edge.to}`);
  const { line, tip } = track === undefined ? straight(from, to) : bent(from, to, track);
  const title = `${edge.from} → ${edge.to}: ${edge.label}`;
  return html`<g><title>${title}</title><path d="${line}"/><path class="tip" d="${tip}"/></g>
`;
}

function straight(from: Box, to: Box): { line: string; tip: string } {
  const x = from.x + BOX.width / 2;
  const end = to.y - BOX.height / 2;
  return {
    line: `M${x} ${from.y + BOX.height / 2}V${end - 6}`,
    tip: `M${x} ${end}l-5 -9h10z`,
  };
}

function bent(from: Box, to: Box, track: { x: number; offset: number }): { line: string; tip: string } {
  const startX = track.x > from.x ? from.x + BOX.width : from.x;
  const endX = track.x > to.x ? to.x + BOX.width : to.x;
  const startY = from.y + track.offset;
  const endY = to.y + track.offset;
  const out = Math.sign(track.x - startX);
  const back = Math.sign(endX - track.x);
  const down = Math.sign(endY - startY);
  const turn = Math.min(CORNER, Math.abs(endY - startY) / 2);
  const line = [
    `M${startX} ${startY}H${track.x - out * turn}`,
    `Q${track.x} ${startY} ${track.x} ${startY + down * turn}`,
    `V${endY - down * turn}`,
    `Q${track.x} ${endY} ${track.x + back * turn} ${endY}`,
    `H${endX - back * 6}`,
  ];
  return { line: line.join(''), tip: `M${endX} ${endY}l${back * -9} -5v10z` };
}

function drawBox(state: string, box: Box, isEnd: boolean): Html {
  const top = box.y - BOX.height / 2;
  return html`<g class="${isEnd ? 'end' : 'state'}">
<rect x="${box.x}" y="${top}" width="${BOX.width}" height="${BOX.height}" rx="10"/>
<text x="${box.x + BOX.width / 2}" y="${box.y}">${state}</text></g>
`;
}

/** The longest path from the first edge's state without a repeated state. Of two equal paths, the first one found. */
function longestWay(edges: readonly LifecycleEdge[]): readonly string[] {
  const [first] = edges;
  return first === undefined ? [] : extend([first.from], edges);
}

function extend(way: readonly string[], edges: readonly LifecycleEdge[]): readonly string[] {
  const next = edges.filter((edge) => edge.from === way.at(-1) && !way.includes(edge.to));
  return next
    .map((edge) => extend([...way, edge.to], edges))
    .reduce((best, one) => (one.length > best.length ? one : best), way);
}

const ENDS = { en: 'final state', ar: 'حالة نهائية' } as const satisfies Record<Locale, string>;

/** The lifecycle as a list of states, with the next states and their events. It fits narrow screens. */
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
