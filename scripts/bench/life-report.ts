import type { Counted } from './databases-counted.ts';
import type { Machine } from './machine.ts';
import { sum } from './statistics.ts';

/** One step of a life, with all that it sets off. */
export interface LifeStep extends Counted {
  readonly step: string;
  readonly webhooks: number;
}

export interface LifeResult {
  readonly startedAt: string;
  readonly plan: { readonly positions: number; readonly views: number; readonly reads: number };
  readonly steps: readonly LifeStep[];
  readonly machine: Machine;
  readonly versions: Readonly<Record<string, string>>;
}

export const LIFE_HEADINGS = ['step', 'webhooks', 'requests to libSQL', 'rows read', 'rows written'];

export function lifeRows({ steps }: LifeResult): string[][] {
  const counts = ['webhooks', 'requests', 'rowsRead', 'rowsWritten'] as const;
  const all = counts.map((name) => sum(steps.map((step) => step[name])));
  return [
    ...steps.map((step) => [step.step, ...counts.map((name) => String(step[name]))]),
    ['all', ...all.map(String)],
  ];
}
