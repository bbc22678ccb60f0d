import type * as z from 'zod';
import { VIOLATIONS, type ViolationCode } from '../core/catalogue.ts';
import type { Violation } from '../core/result.ts';

/** A violation with the first step of its path, which tells where in the request it stands. */
export interface LocatedViolation extends Violation {
  readonly root: string;
}

/**
 * Body members that bear the name of a path, query or header parameter are handed to the schema under this mark, so
 * that they are the unknown properties they are on REST.
 */
export const FOREIGN_MARK = '\0';

/** Every violation of a schema in the service's own codes. `raw` is what was parsed: it tells absent from mistyped. */
export function violationsOf(error: z.ZodError, raw: unknown): LocatedViolation[] {
  return error.issues.flatMap((issue) => violationsOfIssue(issue, raw));
}

function violationsOfIssue(issue: z.core.$ZodIssue, raw: unknown): LocatedViolation[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const path = [...issue.path, key.startsWith(FOREIGN_MARK) ? key.slice(FOREIGN_MARK.length) : key];
      // A marked key never stands for the parameter of its name.
      const root = key.startsWith(FOREIGN_MARK) ? key : String(path[0]);
      return { root, field: formatPath(path), code: 'UNKNOWN_PROPERTY' };
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
  return Object.hasOwn(VIOLATIONS, text);
}

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
