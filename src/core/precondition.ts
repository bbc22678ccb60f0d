import { type Refusal, refuse } from './result.ts';
import { fnv1aOf } from './text.ts';

/** The condition of `If-Match` (RFC 9110 section 13.1.1): any current representation, or one of these versions. */
export type Precondition =
  | { readonly kind: 'any' }
  | { readonly kind: 'versions'; readonly versions: readonly number[] };

/** Weak tags and tags that are not numbers are valid entity tags, but they match nothing. */
const ENTITY_TAG = /\s*(?:(W\/)?"([\x21\x23-\x7e\x80-\uffff]*)"\s*)?(?:,|$)/y;
/** The longest tag is a safe integer up to version 900,000. */
const INTEGER = /^(?:0|[1-9][0-9]{0,15})$/;
/** Much longer than any list of versions that a client holds. */
const LENGTH_MAX = 1024;
/** Versions are smaller. A larger tag also has a hash of 32 bits. */
const WITH_HASH = 10_000_000_000;

/**
 * A strong entity tag, always a quoted decimal integer. It is the version, unless parts of the representation have changed
 * without the version since the creation: their values are in `derived`. Then the tag has a hash of them as its last ten
 * digits, because a tag without them would answer 304 although the representation has changed.
 */
export function etagOf(version: number, derived: readonly (string | number | bigint | null)[] = []): string {
  const isDerived = derived.some((part) => part !== null && part !== 0);
  return isDerived ? `"${(version + 1) * WITH_HASH + fnv1aOf(derived.join(' '))}"` : `"${version}"`;
}

/** Parses `If-Match`; undefined if it is not a list of entity tags, or a very long one. */
export function parsePrecondition(header: string): Precondition | undefined {
  if (header.length > LENGTH_MAX) return undefined;
  if (header.trim() === '*') return { kind: 'any' };
  const versions: number[] = [];
  let hasTag = false;
  ENTITY_TAG.lastIndex = 0;
  while (ENTITY_TAG.lastIndex < header.length) {
    const match = ENTITY_TAG.exec(header);
    if (match === null) return undefined;
    const [, weak, tag] = match;
    hasTag ||= tag !== undefined;
    if (weak === undefined && tag !== undefined && INTEGER.test(tag)) versions.push(versionIn(Number(tag)));
  }
  return hasTag ? { kind: 'versions', versions } : undefined;
}

/** A change depends only on the version. */
function versionIn(tag: number): number {
  return tag < WITH_HASH ? tag : Math.floor(tag / WITH_HASH) - 1;
}

/** 412 with the current version if the precondition fails. */
export function checkPrecondition(precondition: Precondition, version: number): Refusal | undefined {
  if (precondition.kind === 'any' || precondition.versions.includes(version)) return undefined;
  return refuse('PRECONDITION_FAILED', { members: { currentVersion: version } });
}
