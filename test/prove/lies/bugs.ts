import type { Rule } from '../../../scripts/prove/rules/promises.ts';
import type { Answer, SentRequest } from '../../../scripts/prove/simulation/client-requests.ts';
import type { WorldOptions } from '../../../scripts/prove/simulation/world.ts';

/** One bug, and the rules that may notice it. At least one of them must. */
export interface PlantedBug extends Pick<WorldOptions, 'rewrite' | 'spoil' | 'distort'> {
  readonly bug: string;
  readonly rules: readonly Rule[];
}

export type Rewrite = NonNullable<WorldOptions['rewrite']>;

/** Replaces one part of the statements that begin with `head`. It throws if the part is missing, because nothing would be planted. */
export function changed(head: string, part: string, instead: string): Rewrite {
  return (sql) => {
    if (!sql.startsWith(head)) return sql;
    if (!sql.includes(part)) throw new Error(`No bug can be planted in ${sql}`);
    return sql.replaceAll(part, instead);
  };
}

export const leftOut =
  (head: string): Rewrite =>
  (sql) =>
    sql.startsWith(head) ? undefined : sql;

export function whenever(
  condition: (ask: SentRequest, answer: Answer) => boolean,
  change: (answer: Answer, ask: SentRequest) => Answer,
): NonNullable<WorldOptions['distort']> {
  return (ask, answer) => (condition(ask, answer) ? change(answer, ask) : answer);
}

/** The beginnings of the statements that move a shipment and that store an event. */
export const STANDING = 'update "shipments" set "state"';
export const EVENT = 'insert into "events"';
