import type { SqlValue, WriteStatement } from './statement.ts';

/*
 * Promise: merged statements write what each unit would have written alone, in the order of the units of one kind. Units
 * of different kinds may change places. A caller that needs one unit before another waits for its outcome first.
 *
 * libSQL spends most of a small write on parsing its SQL. Units of one kind (creations, approvals) have the same SQL with
 * other values, so their rows go into one statement. Such a part has one outcome: if it is refused, the caller splits it.
 */

/** A statement of a part, and the smallest number of rows that it must change. */
export interface PartStatement {
  readonly sql: string;
  readonly args: readonly SqlValue[];
  readonly changesMin: number;
  readonly wakes?: boolean | undefined;
}

/** One unit, or several merged units. */
export interface Part {
  /** The units, by their positions in the group. */
  readonly units: readonly number[];
  readonly statements: readonly PartStatement[];
  /** The same units as single parts, which run in the same request if this part is refused. */
  readonly fallback?: readonly Part[];
}

interface Statements {
  readonly statements: readonly WriteStatement[];
  /** The unit will probably be refused, so it is not merged with others: they would be rolled back with it. */
  readonly isApart?: boolean | undefined;
}

/** Splits a group into parts. Units whose statements differ only in rows and checks become one part. */
export function mergeUnits(units: readonly Statements[]): Part[] {
  const kinds = new Map<string, number[]>();
  for (const [index, unit] of units.entries()) {
    const kind = kindOf(unit) ?? `unit ${index}`;
    const others = kinds.get(kind);
    if (others === undefined) kinds.set(kind, [index]);
    else others.push(index);
  }
  return [...kinds.values()].map((indexes) => partOf(units, indexes));
}

/** How many parts a merged part that was refused is split into. */
const SPLIT = 8;

/**
 * Splits a refused part into smaller parts with their units as fallback, all in one request and in the units' order. If
 * one of 64 units is refused, only seven other units run alone, not 63.
 */
export function splitPart(units: readonly Statements[], { units: indexes }: Part): Part[] {
  const size = Math.ceil(indexes.length / SPLIT);
  const chunks = Array.from({ length: Math.ceil(indexes.length / size) }, (_, at) =>
    indexes.slice(at * size, (at + 1) * size),
  );
  return chunks.map((chunk) => {
    const part = partOf(units, chunk);
    return chunk.length > 1 ? { ...part, fallback: chunk.map((index) => partOf(units, [index])) } : part;
  });
}

/** Units with the same kind can be merged; undefined if a statement cannot be merged. */
function kindOf({ statements, isApart }: Statements): string | undefined {
  if (isApart === true) return undefined;
  if (statements.some(({ row, isCheck }) => row === undefined && isCheck !== true)) return undefined;
  return statements.map(({ sql }) => sql).join(';');
}

function partOf(units: readonly Statements[], indexes: readonly number[]): Part {
  const [first = [], ...others] = indexes.map((index) => units[index]?.statements ?? []);
  const statements = first.flatMap((statement, at) => {
    const all = [statement, ...others.flatMap((other) => other[at] ?? [])];
    return statement.isCheck === true ? distinctChecks(all) : [rowsTogether(statement, all)];
  });
  return { units: indexes, statements };
}

function rowsTogether({ sql, row, mustChange, wakes }: WriteStatement, all: readonly WriteStatement[]): PartStatement {
  const changesMin = mustChange === true ? all.length : 0;
  if (row === undefined || all.length === 1) return { sql, args: all[0]?.args ?? [], changesMin, wakes };
  const [start, end] = row;
  const rows = Array.from(all, () => sql.slice(start, end)).join(',');
  const args = all.flatMap((statement) => statement.args);
  return { sql: `${sql.slice(0, start)}${rows}${sql.slice(end)}`, args, changesMin, wakes };
}

function distinctChecks(all: readonly WriteStatement[]): PartStatement[] {
  const distinct = new Map(all.map(({ sql, args }) => [args.map(String).join('\0'), { sql, args, changesMin: 0 }]));
  return [...distinct.values()];
}
