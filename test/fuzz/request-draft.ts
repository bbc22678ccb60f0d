import type { Described } from './document.ts';

/** A request under construction, as it will be sent. */
export interface RequestDraft {
  readonly operation: Described;
  method: string;
  /** Between the slashes, percent-encoded. */
  segments: string[];
  query: [name: string, value: string][];
  headers: [name: string, value: string][];
  body: Buffer | undefined;
  /** Whether the connection is cut in the middle of the body. */
  isCut: boolean;
  /** The faults that were put into it, in order. */
  readonly spoilt: string[];
}

export function pathOf({ segments, query }: Pick<RequestDraft, 'segments' | 'query'>): string {
  const path = `/${segments.join('/')}`;
  return query.length === 0 ? path : `${path}?${query.map(([name, value]) => `${name}=${value}`).join('&')}`;
}

/** Replaces the values of a header. */
export function setHeader(draft: RequestDraft, name: string, ...values: readonly string[]): void {
  const others = draft.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  draft.headers = [...others, ...values.map((value): [string, string] => [name, value])];
}

/** The request in a report. */
export function describeRequest(draft: RequestDraft): string {
  const body = draft.body?.toString('utf8') ?? '';
  const shown = body.length > BODY_SHOWN_MAX ? `${body.slice(0, BODY_SHOWN_MAX)}… (${body.length} characters)` : body;
  const headers = draft.headers.map(([name, value]) => `${name}: ${value.slice(0, HEADER_SHOWN_MAX)}`);
  return [`${draft.method} ${pathOf(draft)}`, ...headers, shown].join('\n    ');
}

const BODY_SHOWN_MAX = 1500;
const HEADER_SHOWN_MAX = 100;
