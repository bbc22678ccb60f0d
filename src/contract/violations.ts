import type * as z from 'zod';
import { VIOLATIONS_MAX } from '../core/limits.ts';
import { VIOLATION_CODES, type ViolationCode } from '../core/problem-code.ts';
import type { Violation } from '../core/result.ts';
import { shortNameOf } from '../core/text.ts';

/** A violation with the first part of its path, which says where in the request it is. */
export interface LocatedViolation extends Violation {
  readonly root: string;
}

/**
 * Prefix for body members with the name of a path, query or header parameter, so that the schema refuses them as unknown
 * properties.
 */
export const FOREIGN_MARK = '\0';

/**
 * The first violations of a schema with the service's codes. `raw` is the parsed input: it tells absent from mistyped
 * members.
 */
export function violationsOf(
  issues: readonly z.core.$ZodIssue[],
  raw: unknown,
  max: number = VIOLATIONS_MAX,
): LocatedViolation[] {
  const violations: LocatedViolation[] = [];
  for (const issue of issues) {
    if (violations.length >= max) break;
    violations.push(...violationsOfIssue(issue, raw, max - violations.length));
  }
  return violations;
}

function violationsOfIssue(issue: z.core.$ZodIssue, raw: unknown, max: number): LocatedViolation[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, max).map((key) => {
      const name = key.startsWith(FOREIGN_MARK) ? key.slice(FOREIGN_MARK.length) : key;
      // A marked key is never the parameter of its name.
      const root = key.startsWith(FOREIGN_MARK) ? key : String(issue.path[0] ?? key);
      return { root, field: formatPath([...issue.path, shortNameOf(name)]), code: 'UNKNOWN_PROPERTY' };
    });
  }
  const { code, limit } = codeOf(issue, raw);
  return [{ root: String(issue.path[0] ?? ''), field: formatPath(issue.path), code, limit }];
}

function codeOf(issue: z.core.$ZodIssue, raw: unknown): { code: ViolationCode; limit?: string | undefined } {
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_value': {
      const value = valueAt(raw, issue.path);
      if (value === undefined) return { code: 'REQUIRED' };
      if (value === null) return { code: 'NULL_NOT_ALLOWED' };
      if (issue.code === 'invalid_type') return { code: 'TYPE_MISMATCH', limit: issue.expected };
      if (typeof value !== 'string') return { code: 'TYPE_MISMATCH', limit: 'string' };
      return { code: 'NOT_IN_ENUM', limit: issue.values.join(', ') };
    }
    case 'too_small':
      return { code: issue.origin === 'array' ? 'TOO_FEW_ITEMS' : 'OUT_OF_RANGE', limit: String(issue.minimum) };
    case 'too_big':
      return { code: issue.origin === 'array' ? 'TOO_MANY_ITEMS' : 'OUT_OF_RANGE', limit: String(issue.maximum) };
    case 'custom':
      return customCodeOf(issue.params ?? {});
    default:
      return { code: 'TYPE_MISMATCH' };
  }
}

function customCodeOf(params: Readonly<Record<string, unknown>>): { code: ViolationCode; limit?: string | undefined } {
  const { violation, limit } = params;
  if (typeof violation !== 'string' || !isViolationCode(violation)) return { code: 'TYPE_MISMATCH' };
  return typeof limit === 'string' ? { code: violation, limit } : { code: violation };
}

function isViolationCode(text: string): text is ViolationCode {
  return CODES.has(text);
}
const CODES: ReadonlySet<string> = new Set(VIOLATION_CODES);

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

/** `items[3].weightKilograms` */
function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? String(step) : `.${String(step)}`;
  }
  return text === '' ? 'body' : text;
}
