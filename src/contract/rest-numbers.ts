import type * as z from 'zod';
import { type Decimal, decimalFromNumber, fractionDigits, parseDecimal } from '../core/decimal.ts';
import { ExactNumber, rawNumber } from '../core/json.ts';
import { isDecimal } from './values.ts';

/*
 * On REST a decimal is a JSON number, everywhere else a string. This file converts between the two: it compiles a schema
 * once into a tree of the positions of its decimals, and converts values along this tree.
 */

/** Positions of decimals in a value: the value itself, the elements of an array, or members. */
export type DecimalPlaces =
  | { readonly kind: 'decimal' }
  | { readonly kind: 'array'; readonly element: DecimalPlaces }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, DecimalPlaces> };

/** The decimal places of a schema, or undefined when it has none. */
export function decimalPlacesOf(schema: z.core.$ZodType): DecimalPlaces | undefined {
  if (isDecimal(schema)) return { kind: 'decimal' };
  const definition = schema._zod.def as unknown as Definition;
  switch (definition.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return decimalPlacesOf(definition.innerType);
    case 'array': {
      const element = decimalPlacesOf(definition.element);
      return element === undefined ? undefined : { kind: 'array', element };
    }
    case 'object':
      return objectPlaces(definition.shape);
    case 'union': {
      // Objects of a union share no decimal member of another kind.
      const places = definition.options.map(decimalPlacesOf);
      const members = new Map(places.flatMap((place) => (place?.kind === 'object' ? [...place.members] : [])));
      return members.size === 0 ? undefined : { kind: 'object', members };
    }
    default:
      return undefined;
  }
}

type Definition =
  | { readonly type: 'optional' | 'nullable' | 'default'; readonly innerType: z.core.$ZodType }
  | { readonly type: 'array'; readonly element: z.core.$ZodType }
  | { readonly type: 'object'; readonly shape: Readonly<Record<string, z.core.$ZodType>> }
  | { readonly type: 'union'; readonly options: readonly z.core.$ZodType[] }
  | { readonly type: 'other' };

function objectPlaces(shape: Readonly<Record<string, z.core.$ZodType>>): DecimalPlaces | undefined {
  const members = new Map<string, DecimalPlaces>();
  for (const [name, member] of Object.entries(shape)) {
    const places = decimalPlacesOf(member);
    if (places !== undefined) members.set(name, places);
  }
  return members.size === 0 ? undefined : { kind: 'object', members };
}

/** Replaces any other value in the position of a decimal, because every decimal schema refuses this text. */
const NOT_A_NUMBER = 'not a number';

/**
 * A parsed value with its decimals as strings and all other numbers as plain numbers. It is changed in place: a copy of an object
 * with thousands of unknown members takes longer than all other work with it.
 */
export function fromRest(value: unknown, places: DecimalPlaces | undefined): unknown {
  if (places?.kind === 'decimal') return decimalText(value);
  if (value instanceof ExactNumber) return wholeNumber(value);
  if (Array.isArray(value)) {
    const element = places?.kind === 'array' ? places.element : undefined;
    for (const [index, entry] of value.entries()) value[index] = fromRest(entry, element);
    return value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = places?.kind === 'object' ? places.members : undefined;
  const own = value as Record<string, unknown>;
  // Every name is one of its own members, `__proto__` too, so this sets no prototype.
  for (const [name, member] of Object.entries(own)) {
    const converted = fromRest(member, members?.get(name));
    if (converted !== member) own[name] = converted;
  }
  return own;
}

/** Accepts a whole number in an unusual spelling (1e3). A fraction and what no double holds are refused by the integer schema. */
function wholeNumber(value: ExactNumber): unknown {
  const decimal = parseDecimal(value.source);
  const number = Number(value.source);
  return (decimal !== undefined && fractionDigits(decimal) > 0) || !Number.isFinite(number) ? value : number;
}

function decimalText(value: unknown): unknown {
  if (typeof value === 'number') return decimalFromNumber(value) ?? NOT_A_NUMBER;
  if (value instanceof ExactNumber) return value.source;
  return value === null ? null : NOT_A_NUMBER;
}

/** A double this small prints with an exponent. */
const SMALL_FRACTION = /^-?0\.00000/;

/** The JSON number of this decimal: a double if it prints the same digits, which is usual and cheaper. */
function bareNumber(decimal: Decimal): unknown {
  return decimal.length <= 15 && !SMALL_FRACTION.test(decimal) ? Number(decimal) : rawNumber(decimal);
}

/** A response with its decimals as JSON numbers. Only values that contain decimals are copied. */
export function toRest(value: unknown, places: DecimalPlaces | undefined): unknown {
  return convert(value, places, (own) => ({ ...own }));
}

/** The same for a value that nothing else uses: it is changed in place, because copies would be much of the garbage. */
export function intoRest(value: unknown, places: DecimalPlaces | undefined): unknown {
  return convert(value, places, (own) => own);
}

type Members = Record<string, unknown>;

function convert(value: unknown, places: DecimalPlaces | undefined, target: (own: Members) => Members): unknown {
  if (places === undefined || value === null || value === undefined) return value;
  if (places.kind === 'decimal') return typeof value === 'string' ? bareNumber(value as Decimal) : value;
  if (places.kind === 'array') {
    return Array.isArray(value) ? value.map((entry) => convert(entry, places.element, target)) : value;
  }
  if (typeof value !== 'object') return value;
  const converted = target(value as Members);
  // `for … of` would make an array for each member.
  places.members.forEach((member, name) => {
    if (name in converted) converted[name] = convert(converted[name], member, target);
  });
  return converted;
}
