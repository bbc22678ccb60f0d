import * as z from 'zod';
import type { ViolationCode } from '../core/catalogue.ts';
import { compareDecimals, type Decimal, digitCount, fractionDigits, parseDecimal } from '../core/decimal.ts';
import { type Instant, parseInstant } from '../core/instant.ts';
import type { LimitText } from '../core/limit-texts.ts';
import { codePointLength } from '../core/text.ts';
import { parseUuid, type Uuid } from '../core/uuid.ts';

/*
 * Schemas of single values. Each sets its violation code, and its metadata describes its REST form for the OpenAPI
 * document. A decimal is a string over tRPC and inside the service, and a JSON number on REST. The registry `decimals`
 * tells the REST adapter which values to convert.
 */

/* What the service itself has to know of a schema. A schema that was made of another one by `meta` or `describe` has its facts. */

/** Schemas whose value is an exact decimal. */
const decimals = z.registry<{ readonly isDecimal: true }>();

export function isDecimal(schema: z.core.$ZodType): boolean {
  return decimals.get(schema) !== undefined;
}

/** Schemas about which the request log differs from its rule: it keeps numbers and no texts. */
const logRules = z.registry<{ readonly isLogged: boolean }>();

/** Whether the request log keeps a value of this schema; undefined if its type decides. */
export function isLogged(schema: z.core.$ZodType): boolean | undefined {
  return logRules.get(schema)?.isLogged;
}

/** A code or a reference that says nothing about a person, so the request log keeps it. */
export function logged<Schema extends z.ZodType>(schema: Schema): Schema {
  logRules.add(schema, { isLogged: true });
  return schema;
}

/** A number about a person, such as a coordinate. The request log does not keep it. */
export function hidden<Schema extends z.ZodType>(schema: Schema): Schema {
  logRules.add(schema, { isLogged: false });
  return schema;
}

interface IssueSink {
  readonly value: unknown;
  readonly issues: z.core.$ZodRawIssue[];
}

/** Adds a violation of `code`. `limit` is inserted into its message. */
export function addViolation(
  sink: IssueSink,
  code: ViolationCode,
  limit?: string | number,
  path?: PropertyKey[],
): void {
  const params = limit === undefined ? { violation: code } : { violation: code, limit: String(limit) };
  sink.issues.push({ code: 'custom', input: sink.value, params, ...(path === undefined ? {} : { path }) });
}

/** Adds a violation for each key that an earlier item also has. `member` is the name of the key in an item, if it has one. */
export function addRepetitions(sink: IssueSink, keys: readonly (string | undefined)[], member?: string): void {
  const seen = new Set<string>();
  for (const [index, key] of keys.entries()) {
    const path = member === undefined ? [index] : [index, member];
    if (key === undefined) continue;
    if (seen.has(key)) addViolation(sink, 'DUPLICATE_ITEM', undefined, path);
    seen.add(key);
  }
}

export interface TextRules {
  readonly min?: number;
  readonly max: number;
  readonly pattern?: RegExp;
  /** What the pattern means. */
  readonly words?: LimitText;
}

/** Text with its length in code points. NUL and halves of surrogate pairs are refused, because databases do not store them. */
export function text(rules: TextRules) {
  const { min = 0, max, pattern, words } = rules;
  const schema = z.string().check((context) => {
    const length = codePointLength(context.value);
    if (length < min) addViolation(context, 'TOO_SHORT', min);
    else if (length > max) addViolation(context, 'TOO_LONG', max);
    else if (!context.value.isWellFormed() || context.value.includes('\0'))
      addViolation(context, 'PATTERN_MISMATCH', 'storable');
    else if (pattern !== undefined && !pattern.test(context.value)) addViolation(context, 'PATTERN_MISMATCH', words);
  });
  const patternMeta = pattern === undefined ? {} : { pattern: pattern.source };
  return schema.meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max, ...patternMeta });
}

/** Characters that change what stands around a name, and beginnings of web addresses. Joiners, which Arabic needs, are neither. */
const NOT_IN_NAMES = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]|:\/\/|www\./iu;

/**
 * A name that other people read: in messages in the service's name, on pages and on labels. It must not look like a sentence of the
 * service with an address to open.
 */
export function publicName(max: number) {
  return text({ min: 1, max }).check((context) => {
    if (NOT_IN_NAMES.test(context.value)) addViolation(context, 'PATTERN_MISMATCH', 'publicName');
  });
}

/** Text that a pattern describes completely, and `words` for people. */
export function patterned(pattern: RegExp, words: LimitText, meta: Record<string, unknown> = {}) {
  const schema = z.string().check((context) => {
    if (!pattern.test(context.value)) addViolation(context, 'PATTERN_MISMATCH', words);
  });
  return schema.meta({ pattern: pattern.source, ...meta });
}

export interface DecimalRules {
  readonly min?: Decimal;
  /** The bound itself is not allowed. */
  readonly above?: Decimal;
  readonly max?: Decimal;
  readonly fractionDigitsMax?: number;
  readonly digitsMax: number;
}

/** An exact decimal: a canonical string inside and over tRPC, a JSON number on REST. */
export function decimal(rules: DecimalRules) {
  const schema = z.string().transform((value, context): Decimal => {
    const parsed = parseDecimal(value);
    const fault = parsed === undefined ? unreadableFault(value, rules) : faultOf(parsed, rules);
    if (fault !== undefined) addViolation(context, fault.code, fault.limit);
    return parsed ?? z.NEVER;
  });
  const described = schema.meta({ override: describeDecimal(rules) });
  decimals.add(described, { isDecimal: true });
  return described;
}

/** The fault of a text that is not a decimal, or is one with too many digits. */
function unreadableFault(value: string, rules: DecimalRules): Fault {
  if (/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value)) return { code: 'OUT_OF_RANGE', limit: rangeOf(rules) };
  return { code: 'TYPE_MISMATCH', limit: 'a decimal number' };
}

interface Fault {
  readonly code: ViolationCode;
  readonly limit: string | number;
}

function faultOf(value: Decimal, rules: DecimalRules): Fault | undefined {
  const { min, above, max, fractionDigitsMax, digitsMax } = rules;
  if (min !== undefined && compareDecimals(value, min) < 0) return { code: 'OUT_OF_RANGE', limit: rangeOf(rules) };
  if (above !== undefined && compareDecimals(value, above) <= 0) return { code: 'OUT_OF_RANGE', limit: rangeOf(rules) };
  if (max !== undefined && compareDecimals(value, max) > 0) return { code: 'OUT_OF_RANGE', limit: rangeOf(rules) };
  if (fractionDigitsMax !== undefined && fractionDigits(value) > fractionDigitsMax) {
    return { code: 'SCALE_EXCEEDED', limit: fractionDigitsMax };
  }
  return digitCount(value) > digitsMax ? { code: 'OUT_OF_RANGE', limit: `at most ${digitsMax} digits` } : undefined;
}

function rangeOf({ min, above, max }: DecimalRules): string {
  const low = above === undefined ? `at least ${min}` : `greater than ${above}`;
  return max === undefined ? low : `${low} and at most ${max}`;
}

function describeDecimal({ min, above, max, fractionDigitsMax, digitsMax }: DecimalRules) {
  return {
    type: 'number' as const,
    ...(min === undefined ? {} : { minimum: Number(min) }),
    ...(above === undefined ? {} : { exclusiveMinimum: Number(above) }),
    ...(max === undefined ? {} : { maximum: Number(max) }),
    'x-decimal': {
      digits: digitsMax,
      ...(fractionDigitsMax === undefined ? {} : { fractionDigits: fractionDigitsMax }),
    },
  };
}

/** A decimal in a response, already canonical. */
export function decimalOut() {
  const schema = z.string().meta({ override: { type: 'number' as const } });
  decimals.add(schema, { isDecimal: true });
  return schema;
}

/** A coordinate in an answer. It tells where a person is. */
export function coordinateOut() {
  return hidden(decimalOut());
}

/** An instant of a request: RFC 3339 with `Z` or `+00:00`, to the microsecond. */
export const instant = z
  .string()
  .transform((value, context): Instant => {
    const parsed = parseInstant(value);
    if (parsed === undefined) addViolation(context, 'INVALID_INSTANT');
    return parsed ?? z.NEVER;
  })
  .meta({ override: { type: 'string' as const, format: 'date-time' }, example: '2026-11-21T09:00:00.000000Z' });

/** An instant of an answer. */
export const instantOut = z.string().meta({ format: 'date-time', example: '2026-11-21T09:00:00.000000Z' });

/** A UUID of a request, of any version and in any case. It becomes lower case. */
export const uuid = z
  .string()
  .transform((value, context): Uuid => {
    const parsed = parseUuid(value);
    if (parsed === undefined) addViolation(context, 'PATTERN_MISMATCH', 'uuid');
    return parsed ?? z.NEVER;
  })
  .meta({ override: { type: 'string' as const, format: 'uuid' } });

export const uuidOut = z.string().meta({ format: 'uuid' });

/** An upper-case code of a branch or a pickup location. */
export const placeCode = () =>
  logged(patterned(/^[A-Z0-9][A-Z0-9_-]{1,63}$/, 'placeCode', { minLength: 2, maxLength: 64 }));

/** An integer of a request within bounds. */
export function integer(min: number, max: number) {
  const schema = z.number().check((context) => {
    if (!Number.isInteger(context.value)) addViolation(context, 'TYPE_MISMATCH', 'an integer');
    else if (context.value < min || context.value > max) addViolation(context, 'OUT_OF_RANGE', `from ${min} to ${max}`);
  });
  return schema.meta({ override: { type: 'integer' as const, minimum: min, maximum: max } });
}
