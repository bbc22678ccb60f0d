import { type Refusal, refuse } from './result.ts';

/** What `If-Match` asks for (RFC 9110 section 13.1.1): any current representation, or one of these versions. */
export type Precondition =
  | { readonly kind: 'any' }
  | { readonly kind: 'versions'; readonly versions: readonly number[] };

/** Weak tags and tags that are no number are entity tags all the same; they match nothing. */
const ENTITY_TAG = /\s*(?:(W\/)?"([\x21\x23-\x7e\x80-\uffff]*)"\s*)?(?:,|$)/y;
const VERSION = /^(?:0|[1-9][0-9]{0,14})$/;

/** Parses `If-Match`; undefined when it is no list of entity tags. */
export function parsePrecondition(header: string): Precondition | undefined {
  if (header.trim() === '*') return { kind: 'any' };
  const versions: number[] = [];
  let hasTag = false;
  ENTITY_TAG.lastIndex = 0;
  while (ENTITY_TAG.lastIndex < header.length) {
    const match = ENTITY_TAG.exec(header);
    if (match === null) return undefined;
    const [, weak, tag] = match;
    hasTag ||= tag !== undefined;
    if (weak === undefined && tag !== undefined && VERSION.test(tag)) versions.push(Number(tag));
  }
  return hasTag ? { kind: 'versions', versions } : undefined;
}

/** 412 with the version that is current, unless the precondition holds. */
export function checkPrecondition(precondition: Precondition, version: number): Refusal | undefined {
  if (precondition.kind === 'any' || precondition.versions.includes(version)) return undefined;
  return refuse('PRECONDITION_FAILED', { members: { currentVersion: version } });
}
