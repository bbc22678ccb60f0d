import { type Refusal, type Result, refuse, type Violation } from './result.ts';

/** The only error class whose content is shown to callers. It turns a refusal into a response. */
export class Problem extends Error {
  readonly refusal: Refusal;
  /** Headers that belong to this refusal alone, for example `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(refusal: Refusal, headers: Readonly<Record<string, string>> = {}) {
    super(refusal.code);
    this.name = 'Problem';
    this.refusal = refusal;
    this.headers = headers;
  }
}

/** Returns the value of a result, or throws its refusal as a `Problem`. */
export function orThrow<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  throw new Problem(result);
}

/** 400 for a header of one value that stands in two lines. */
export function repeatedHeader(name: string): Problem {
  const violations = [{ field: name, code: 'DUPLICATE_ITEM' }] as const;
  return new Problem(refuse('INVALID_HEADER', { cause: { text: 'repeatedHeader', values: { name } }, violations }));
}

/** 400 for headers that break a rule, each named by its field. */
export function invalidHeaders(...violations: readonly Violation[]): Problem {
  return new Problem(refuse('INVALID_HEADER', { violations }));
}
