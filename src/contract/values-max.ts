import type * as z from 'zod';

/** The parts of zod's definitions that say how many values a value has. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly checks?: readonly {
    readonly _zod: { readonly def: { readonly check: string; readonly maximum?: number } };
  }[];
}

/** What lists and objects count whose schema does not say how long they may be. */
const OPEN_VALUES = 100;
/** A whole creation in a batch, which is judged when its turn comes. */
const CREATION_VALUES = 1000;

/** The members and entries that a valid value of this schema has at most, all objects and lists in it together. */
export function valuesMaxOf(schema: z.core.$ZodType): number {
  const definition = schema._zod.def as unknown as Definition;
  const { type, shape, element, innerType, options } = definition;
  if (shape !== undefined) return Object.values(shape).reduce((sum, member) => sum + 1 + valuesMaxOf(member), 0);
  if (element !== undefined) return lengthMaxOf(definition) * (1 + valuesMaxOf(element));
  if (innerType !== undefined) return valuesMaxOf(innerType);
  if (definition.in !== undefined) return valuesMaxOf(definition.in);
  if (options !== undefined) return Math.max(...options.map(valuesMaxOf));
  if (type === 'custom') return CREATION_VALUES;
  return type === 'unknown' || type === 'record' ? OPEN_VALUES : 0;
}

function lengthMaxOf({ checks = [] }: Definition): number {
  const limits = checks.flatMap(({ _zod: { def } }) => (def.check === 'max_length' ? (def.maximum ?? []) : []));
  return limits.length === 0 ? OPEN_VALUES : Math.min(...limits);
}
