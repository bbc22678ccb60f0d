import { isDeepStrictEqual } from 'node:util';

/** With these the documented figures are measured; the commands take them unless told otherwise. */
export const BENCH = { rounds: 4, seconds: 3, enduranceSeconds: 40, v8Flags: [] } as const;
export const SOAK = { seconds: 60, times: 5, connections: 4000 } as const;
/** What happens in the life of one shipment that is counted for docs/scale.md. */
export const LIFE = { positions: 20, views: 3, reads: 2 } as const;
export const SCALE = { sizes: [10_000, 1_000_000, 5_000_000], rounds: 3, seconds: 4, runtime: 'worker' } as const;

/** By the name under which a result is kept; only what bears on it. */
const DOCUMENTED = {
  bench: BENCH,
  'soak-worker': { runtime: 'worker', ...SOAK },
  'soak-deno': { runtime: 'deno', ...SOAK },
  life: LIFE,
  'scale-sizes': { sizes: SCALE.sizes, seconds: SCALE.seconds, runtime: SCALE.runtime },
  'scale-shards': { rounds: SCALE.rounds, seconds: SCALE.seconds, runtime: SCALE.runtime },
} satisfies Readonly<Record<string, object>>;
export type ResultName = keyof typeof DOCUMENTED;

/** Where a result says with what it was measured: a bench calls it options, the others their plan. */
export type WithSettings = { readonly options: object } | { readonly plan: object };

/** Whether a result was measured as the document says. Any other is a trial. */
export function isDocumented(name: ResultName, result: WithSettings): boolean {
  const used = new Map(Object.entries('options' in result ? result.options : result.plan));
  return Object.entries(DOCUMENTED[name]).every(([setting, value]) => isDeepStrictEqual(used.get(setting), value));
}
