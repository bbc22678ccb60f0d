import { v7 } from 'uuid';
import { type Instant, instantFromMillis, parseInstant } from '../../src/core/instant.ts';
import { parseUuid, type Uuid } from '../../src/core/uuid.ts';

/* Values for seeded rows. */

export function newId(): Uuid {
  return requireUuid(v7());
}

export function now(): Instant {
  return instantFromMillis(Date.now());
}

export function requireUuid(text: string): Uuid {
  const id = parseUuid(text);
  if (id === undefined) throw new Error(`Not a UUID: ${text}`);
  return id;
}

export function requireInstant(text: string): Instant {
  const instant = parseInstant(text);
  if (instant === undefined) throw new Error(`Not an instant: ${text}`);
  return instant;
}
