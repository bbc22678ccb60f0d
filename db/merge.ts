import type { SqlValue, WriteStatement } from './statement.ts';

/*
 * Promise: what is written together is what each unit would have written by itself, in the order of the units of its
 * kind. Units of different kinds change places: whoever needs one to be first waits for it, as everybody does.
 *
 * A server spends most of a small write on reading its SQL. Units of one kind (creations, approvals) say the same SQL with
 * other values; here their rows stand in one statement each. Whether all of them hold is told for all at once: a part that
 * is refused is for its caller to take apart.
 */

/** A statement of a part, and how many rows it has to touch. */
export interface PartStatement {
  readonly sql: string;
  readonly args: readonly SqlValue[];
  readonly changesMin: number;
}

/** One unit, or several that are written together. */
export interface Part {
  /** Which units, by their places in the group. */
  readonly units: readonly number[];
  readonly statements: readonly PartStatement[];
  /** The units by themselves, which run in the same request if this part is refused. */
  readonly fallback?: readonly Part[];
}

interface Statements {
  readonly statements: readonly WriteStatement[];
  /** The unit will probably be refused, so it is not merged with others: they would be rolled back with it. */
  readonly isApart?: boolean | undefined;
}

/** A group as parts: units whose statements differ in their rows and checks alone stand in one. */
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
 * A merged part that was refused, as smaller parts with their units as fallback. All are one request, in the order of the
 * units: of 64 units, one that is refused makes seven others run by themselves, not 63.
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

/** What units must have in common; nothing when one has a statement that can only stand for itself. */
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

function rowsTogether({ sql, row, mustChange }: WriteStatement, all: readonly WriteStatement[]): PartStatement {
  const changesMin = mustChange === true ? all.length : 0;
  if (row === undefined || all.length === 1) return { sql, args: all[0]?.args ?? [], changesMin };
  const [start, end] = row;
  const rows = Array.from(all, () => sql.slice(start, end)).join(',');
  const args = all.flatMap((statement) => statement.args);
  return { sql: `${sql.slice(0, start)}${rows}${sql.slice(end)}`, args, changesMin };
}

function distinctChecks(all: readonly WriteStatement[]): PartStatement[] {
  const distinct = new Map(all.map(({ sql, args }) => [args.map(String).join('\0'), { sql, args, changesMin: 0 }]));
  return [...distinct.values()];
}
