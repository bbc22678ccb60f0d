import * as z from 'zod';
import { parseInstant } from '../core/instant.ts';
import { ExactNumber } from '../core/json.ts';
import { loggedNameOf } from '../core/text.ts';
import { isUuid } from '../core/uuid.ts';
import { isDecimal, isLogged } from './values.ts';

/*
 * What the request log keeps of requests and responses: choices from a list, booleans, UUIDs, instants, numbers but `hidden`
 * ones, and of texts those that are `logged`. Anything else is shown by its type only, such as `<string 11>`.
 */

/** Codes, references and entity tags, on their own or several with commas. Anything else in their place is hidden. */
const PLAIN_TEXT = /^[\w.:*"=,/[\]-]{1,64}$/;
/** A Saudi mobile number anywhere in a text, with the separators that `PLAIN_TEXT` allows. */
const MOBILE = /(?<![\da-z])(?:00|\+)?(?:966[-.]?|0)?5(?:[-./]?\d){8}(?![\da-z])/i;
const SMALL = 1e8;
/** A decimal of a request, which REST has changed into text. */
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/;
/** A longer list is cut. */
const ITEMS_MAX = 10;
/** No object of the contract has as many members. */
const MEMBERS_MAX = 64;

/** A value as the log shows it. */
export type Mask = (value: unknown) => unknown;

type Definition =
  | {
      readonly type: 'optional' | 'nullable' | 'default' | 'readonly' | 'nonoptional';
      readonly innerType: z.core.$ZodType;
    }
  | { readonly type: 'array'; readonly element: z.core.$ZodType }
  | { readonly type: 'object'; readonly shape: Readonly<Record<string, z.core.$ZodType>> }
  | { readonly type: 'union'; readonly options: readonly z.core.$ZodType[] }
  | { readonly type: 'enum'; readonly entries: Readonly<Record<string, string>> }
  | { readonly type: 'literal'; readonly values: readonly unknown[] }
  | { readonly type: 'boolean' | 'number' | 'null' | 'other' };

const masks = new WeakMap<z.core.$ZodType, Mask>();

/** The mask of a schema, compiled at its first use. */
export function maskOf(schema: z.core.$ZodType): Mask {
  const mask = masks.get(schema) ?? compileMask(schema);
  masks.set(schema, mask);
  return mask;
}

function compileMask(schema: z.core.$ZodType): Mask {
  const isKept = rule(schema);
  if (isKept !== undefined) {
    const hasDecimals = isDecimal(schema);
    return (value) => (isKept(value) ? (hasDecimals ? numberOf(value) : value) : cover(value));
  }
  if (isDecimal(schema)) return (value) => (typeof value === 'string' ? '<number>' : cover(value));
  const definition = definitionOf(schema);
  if ('innerType' in definition) return maskOf(definition.innerType);
  if (definition.type === 'array') return listMask(maskOf(definition.element));
  if (definition.type === 'object') return objectMask(definition.shape);
  if (definition.type === 'union') return unionMask(definition.options.map(maskOf));
  return cover;
}

/** Whether a single value of this schema may be shown; undefined for a schema that is not loggable by itself. */
function rule(schema: z.core.$ZodType): ((value: unknown) => boolean) | undefined {
  const definition = definitionOf(schema);
  if (definition.type === 'enum') return oneOf(Object.values(definition.entries));
  if (definition.type === 'literal') return oneOf(definition.values);
  if (definition.type === 'boolean') return (value) => typeof value === 'boolean';
  const format = formatOf(schema);
  if (format === 'uuid') return (value) => typeof value === 'string' && isUuid(value);
  if (format === 'date-time') return (value) => typeof value === 'string' && parseInstant(value) !== undefined;
  const isKept = isLogged(schema) ?? (definition.type === 'number' || isDecimal(schema));
  return isKept ? (value) => isPlain(schema, value) : undefined;
}

/** Whether a value follows its schema. Otherwise it may be something else that was sent in the wrong place. */
function isPlain(schema: z.core.$ZodType, value: unknown): boolean {
  // REST has changed the text of a decimal in the response into this number.
  if (typeof value === 'number' && isDecimal(schema)) return true;
  const isNumber = typeof value === 'number' || (isDecimal(schema) && DECIMAL.test(String(value)));
  // Also a number out of range, which says why the request was refused. The number of a phone has more digits.
  if (isNumber && Math.abs(Number(value)) < SMALL) return true;
  // People type phones into fields of codes. An id has these digits only by chance, between letters.
  if (typeof value === 'string' && MOBILE.test(value)) return false;
  const isShort = typeof value === 'number' || (typeof value === 'string' && PLAIN_TEXT.test(value));
  return isShort && z.safeParse(schema, value).success;
}

function oneOf(values: readonly unknown[]): (value: unknown) => boolean {
  const known = new Set(values);
  return (value) => known.has(value);
}

/** Whether the log may keep single values of this schema. False for objects and lists, whose members decide. */
export function isLoggable(schema: z.core.$ZodType): boolean {
  return rule(schema) !== undefined;
}

/** How a value is shown that is not kept. Null and what is absent have no content. */
function cover(value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (typeof value === 'string') return `<string ${value.length}>`;
  if (Array.isArray(value)) return `<array ${value.length}>`;
  return value instanceof ExactNumber ? '<number>' : `<${typeof value}>`;
}

/** A decimal is a text inside the service and a number on REST, which the log shows. */
function numberOf(value: unknown): unknown {
  return String(Number(value)) === value ? Number(value) : value;
}

function listMask(element: Mask): Mask {
  return (value) => {
    if (!Array.isArray(value)) return cover(value);
    const shown = value.slice(0, ITEMS_MAX).map(element);
    return value.length > ITEMS_MAX ? [...shown, `<${value.length - ITEMS_MAX} more>`] : shown;
  };
}

function objectMask(shape: Readonly<Record<string, z.core.$ZodType>>): Mask {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof ExactNumber)
      return cover(value);
    const shown: Record<string, unknown> = {};
    let members = 0;
    for (const [name, member] of Object.entries(value)) {
      members += 1;
      if (members > MEMBERS_MAX) break;
      const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (schema === undefined) shown[loggedNameOf(name)] = '<unknown>';
      else shown[name] = maskOf(schema)(member);
    }
    return shown;
  };
}

/** The first option that keeps a single value, or that shows an object as an object. */
function unionMask(options: readonly Mask[]): Mask {
  return (value) => {
    const shown = options.map((option) => option(value));
    const isObject = typeof value === 'object' && value !== null;
    return shown.find((one) => (isObject ? typeof one === 'object' : one === value)) ?? cover(value);
  };
}

/** JSON Schema's name of the form of a text, where the schema has one. */
function formatOf(schema: z.core.$ZodType): unknown {
  if (isDecimal(schema)) return undefined;
  const { format, override } = (z.globalRegistry.get(schema) ?? {}) as {
    readonly format?: unknown;
    readonly override?: unknown;
  };
  return format ?? (typeof override === 'object' && override !== null && 'format' in override ? override.format : null);
}

function definitionOf(schema: z.core.$ZodType): Definition {
  return schema._zod.def as unknown as Definition;
}
