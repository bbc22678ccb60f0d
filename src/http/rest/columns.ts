import type * as z from 'zod';

/** A column of a list as CSV: the path to its value in an entry. */
export type Column = readonly string[];

/** The output of a list: see `pageOf` in src/contract/page.ts. */
export interface ListOutput {
  readonly data: readonly unknown[];
  readonly page: { readonly nextCursor: string | null };
}

type Definition =
  | { readonly type: 'optional' | 'nullable' | 'default'; readonly innerType: z.core.$ZodType }
  | { readonly type: 'array'; readonly element: z.core.$ZodType }
  | { readonly type: 'object'; readonly shape: Readonly<Record<string, z.core.$ZodType>> }
  | { readonly type: 'other' };

/** What CSV may omit beside a list: the totals, and what a statement says once for all of its lines. */
const OMITTED: ReadonlySet<string> = new Set(['totals', 'month', 'currency', 'timeZone', 'company', 'cod']);

/** The columns of an operation's output, found at their first use; undefined if it is not a list with pages, or would lose something as CSV. */
export function columnsOfList(output: z.core.$ZodType): (() => readonly Column[]) | undefined {
  const definition = definitionOf(output);
  if (definition.type !== 'object') return undefined;
  const { data, page, ...others } = definition.shape;
  if (data === undefined || page === undefined || Object.keys(others).some((name) => !OMITTED.has(name)))
    return undefined;
  const list = definitionOf(data);
  if (list.type !== 'array') return undefined;
  const { element } = list;
  let columns: readonly Column[] | undefined;
  return () => {
    columns ??= columnsOf(element, []);
    return columns;
  };
}

/** Members of objects are columns of their own, in the order of the schema. Lists and other values are one column. */
function columnsOf(schema: z.core.$ZodType, path: Column): Column[] {
  const definition = definitionOf(schema);
  if ('innerType' in definition) return columnsOf(definition.innerType, path);
  if (definition.type !== 'object') return [path];
  return Object.entries(definition.shape).flatMap(([name, member]) => columnsOf(member, [...path, name]));
}

function definitionOf(schema: z.core.$ZodType): Definition {
  return schema._zod.def as unknown as Definition;
}
