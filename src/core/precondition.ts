import { type Refusal, refuse } from './result.ts';

/** The condition of `If-Match` (RFC 9110 section 13.1.1): any current representation, or one of these versions. */
export type Precondition =
  | { readonly kind: 'any' }
  | { readonly kind: 'versions'; readonly versions: readonly number[] };

/** Weak tags and tags that are not numbers are valid entity tags, but they match nothing. */
const ENTITY_TAG = /\s*(?:(W\/)?"([\x21\x23-\x7e\x80-\uffff]*)"\s*)?(?:,|$)/y;
/** The version, and after it what a change does not depend on: the parts that change without the version. */
const VERSION = /^(0|[1-9][0-9]{0,14})(?:-[0-9A-Z-]*)?$/;

/** Parses `If-Match`; undefined if it is not a list of entity tags. */
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
    const version = weak === undefined && tag !== undefined ? VERSION.exec(tag)?.[1] : undefined;
    if (version !== undefined) versions.push(Number(version));
  }
  return hasTag ? { kind: 'versions', versions } : undefined;
}

/** 412 with the current version if the precondition fails. */
export function checkPrecondition(precondition: Precondition, version: number): Refusal | undefined {
  if (precondition.kind === 'any' || precondition.versions.includes(version)) return undefined;
  return refuse('PRECONDITION_FAILED', { members: { currentVersion: version } });
}
