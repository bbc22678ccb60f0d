import * as z from 'zod';
import { decodeUtf8, readBytesWithin } from '../../core/bounded-bytes.ts';
import { type Decimal, decimalFromNumber, parseDecimal } from '../../core/decimal.ts';
import { readOneLine } from '../../core/typed/text.ts';
import type { Coordinates } from '../../ports/routing.ts';
import { BadAnswer } from '../bad-answer.ts';
import { fetchOrRepeat, type ProviderPlatform } from '../guarded-call.ts';

/* What the answers of a registry and of a geocoder have in common. */

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

/** Asks a source and reads its answer. Throws if the source does not answer, or if the text is too long or not UTF-8. */
export async function ask(
  fetch: ProviderPlatform['fetch'],
  url: string,
  init: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    readonly bytesMax: number;
  },
): Promise<Answer> {
  const { signal, bytesMax, headers } = init;
  // A redirect is not followed, because it would let the source choose the addresses that this service calls.
  const response = await fetchOrRepeat(fetch, url, {
    headers: { accept: 'application/json', ...headers },
    redirect: 'manual',
    signal,
  });
  const bytes = await readBytesWithin(response.body, bytesMax);
  const text = typeof bytes === 'string' ? undefined : decodeUtf8(bytes);
  // Without the text, because answers of these sources name places.
  if (text === undefined) throw new BadAnswer(response.status);
  return { status: response.status, text, retryAfter: response.headers.get('retry-after') };
}

/** Longer than any name of a place. */
const NAME_LENGTH_MAX = 240;
/** A name, or a number that somebody wrote without quotes. Null if it is absent, empty or the word `null`. */
export const nameOrNull = z
  .union([z.string().max(NAME_LENGTH_MAX), z.number()])
  .nullish()
  .transform((value) => {
    const name = readOneLine(String(value ?? ''));
    return name === '' || name.toLowerCase() === 'null' ? null : name;
  });

/** Saudi Arabia with its islands, in whole degrees. */
export const KINGDOM = { west: 34, south: 16, east: 56, north: 33 } as const;

/**
 * A place in Saudi Arabia, or undefined. Swapped coordinates, and zeros for unknown ones, are outside of it
 * (github.com/pelias/leaflet-plugin/issues/163).
 */
export function placeIn(latitude: unknown, longitude: unknown): Coordinates | undefined {
  const [north, east] = [decimalOf(latitude), decimalOf(longitude)];
  if (north === undefined || east === undefined) return undefined;
  const isInside =
    Number(north) >= KINGDOM.south &&
    Number(north) <= KINGDOM.north &&
    Number(east) >= KINGDOM.west &&
    Number(east) <= KINGDOM.east;
  return isInside ? { latitude: north, longitude: east } : undefined;
}

function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value === 'number') return decimalFromNumber(value);
  return typeof value === 'string' ? parseDecimal(value.trim()) : undefined;
}
