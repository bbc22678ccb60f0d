import * as z from 'zod';
import { parsePlainJson } from '../../core/json.ts';
import { normalizeShortAddress } from '../../core/short-address.ts';
import type { NationalAddress, Registry, RegistryAnswer } from '../../ports/addresses.ts';
import type { Coordinates } from '../../ports/routing.ts';
import type { AddressRegistry } from '../../service/config.ts';
import { BadAnswer } from '../bad-answer.ts';
import { type CallLimits, guardCalls, type ProviderPlatform } from '../guarded-call.ts';
import { type Answer, ask, nameOrNull, placeIn } from './answer.ts';

export interface SplLimits extends CallLimits {
  readonly answerBytesMax: number;
}

const SPL_LIMITS: SplLimits = {
  timeoutMs: 2000,
  /** At most ten addresses of a kilobyte. */
  answerBytesMax: 256 * 1024,
  failuresMax: 3,
  /** Each probe costs a call of the quota, of which a starter key has 100 a week. */
  openMs: 300_000,
};

/** When to ask again after a failure. */
const RETRY_SECONDS = 60;
/** The registry is asked once an hour even if it names a later time, because its operator may raise a quota meanwhile. */
const WAIT_SECONDS_MAX = 3600;

/**
 * The registry of the National Address (Saudi Post, SPL), as api.address.gov.sa describes it. The key is a header, because
 * addresses of requests are logged on the way. Without `encode` the registry answers in windows-1256.
 */
export function splRegistry(
  { url, apiKey }: Pick<AddressRegistry, 'url' | 'apiKey'>,
  platform: ProviderPlatform,
  limits: SplLimits = SPL_LIMITS,
): Registry {
  const { fetch, monotonicMs } = platform;
  const call = guardCalls('registry', limits, platform);
  // The short address has no version in its path, and the key's owner may have copied the address of another operation.
  const base = url.replace(/\/+$/, '').replace(/\/v[\d.]+$/, '');
  let closedUntilMs = Number.NEGATIVE_INFINITY;
  const secondsClosed = () => Math.ceil((closedUntilMs - monotonicMs()) / 1000);

  const read = async (
    path: string,
    query: Readonly<Record<string, string>>,
    asked?: string,
  ): Promise<RegistryAnswer> => {
    if (secondsClosed() > 0) return unavailable(secondsClosed());
    const search = new URLSearchParams({ format: 'json', language: 'A', encode: 'utf8', ...query });
    const reading = await call(async (signal, refuse) => {
      const init = { headers: { api_key: apiKey }, signal, bytesMax: limits.answerBytesMax };
      const answer = await ask(fetch, `${base}${path}?${search}`, init);
      const waitSeconds = waitOf(answer);
      if (waitSeconds === undefined) return usable(answer, asked);
      refuse(new BadAnswer(answer.status));
      closedUntilMs = monotonicMs() + waitSeconds * 1000;
      return unavailable(waitSeconds);
    });
    return reading ?? unavailable(RETRY_SECONDS);
  };

  return {
    isRegistryDown: () => call.isDown() || secondsClosed() > 0,
    find: (shortAddress) => read(BY_SHORT_ADDRESS, { shortaddress: shortAddress }, shortAddress),
    nearest: ({ latitude, longitude }) => read(BY_PLACE, { lat: latitude, long: longitude }),
  };
}

function usable(answer: Answer, asked: string | undefined): RegistryAnswer {
  const reading = readSpl(answer, asked);
  if (reading === undefined) throw new BadAnswer(answer.status);
  return reading;
}

const BY_SHORT_ADDRESS = '/NationalAddressByShortAddress/NationalAddressByShortAddress';
const BY_PLACE = '/v3.1/address/address-geocode';

function unavailable(retryAfterSeconds: number): RegistryAnswer {
  return { kind: 'unavailable', retryAfterSeconds };
}

/** The times that the gateway of the registry names: `Try again in 27 seconds`, `will be replenished in 5.03:23:11`. */
const WAIT_SECONDS = /\bin (\d{1,7}) seconds/i;
const WAIT_CLOCK = /\bin (?:(\d{1,3})\.)?(\d{1,2}):(\d\d):(\d\d)/i;

/** How long the registry takes no calls: 429 above its rate, 403 above its quota. Undefined if it has taken this one. */
function waitOf({ status, text, retryAfter }: Answer): number | undefined {
  if (status !== 429 && !(status === 403 && /quota|rate limit/i.test(text))) return undefined;
  if (/^\d{1,7}$/.test(retryAfter ?? '')) return bounded(Number(retryAfter));
  const seconds = WAIT_SECONDS.exec(text)?.[1];
  if (seconds !== undefined) return bounded(Number(seconds));
  const clock = WAIT_CLOCK.exec(text);
  if (clock === null) return RETRY_SECONDS;
  const [days, hours, minutes, rest] = clock.slice(1).map((digits) => Number(digits ?? 0));
  return bounded(((days ?? 0) * 24 + (hours ?? 0)) * 3600 + (minutes ?? 0) * 60 + (rest ?? 0));
}

function bounded(seconds: number): number {
  return Math.min(Math.max(seconds, 1), WAIT_SECONDS_MAX);
}

/**
 * Reads strictly, because a driver goes there. Undefined if the answer is not usable. An address without a place in Saudi Arabia
 * counts as unknown: the registry would answer the same again.
 */
export function readSpl({ status, text }: Pick<Answer, 'status' | 'text'>, asked?: string): RegistryAnswer | undefined {
  const parsed = splAnswer.safeParse(parsePlainJson(text));
  if (status !== 200 || !parsed.success) return undefined;
  const { success, Addresses, totalSearchResults } = parsed.data;
  if (Addresses === null || Addresses.length === 0)
    return success || Number(totalSearchResults ?? Number.NaN) === 0 ? { kind: 'unknown' } : undefined;
  if (!success) return undefined;
  const [address] = Addresses.flatMap((one) => addressOf(one, asked) ?? []);
  if (address === undefined) return { kind: 'unknown' };
  return asked === undefined || address.shortAddress === asked ? { kind: 'found', address } : undefined;
}

const splAddress = z.object({
  ShortAddress: nameOrNull,
  BuildingNumber: nameOrNull,
  Street: nameOrNull,
  District: nameOrNull,
  City: nameOrNull,
  PostCode: nameOrNull,
  AdditionalNumber: nameOrNull,
  Latitude: z.union([z.string(), z.number()]).nullish(),
  Longitude: z.union([z.string(), z.number()]).nullish(),
  /** Longitude and latitude with a space between them, or something else. */
  ObjLatLng: z.unknown().optional(),
});

const splAnswer = z.object({
  success: z.boolean(),
  totalSearchResults: z.union([z.string(), z.number()]).nullish(),
  Addresses: z.nullable(z.array(splAddress)).default(null),
});

/** Answers that have no short address are of the one that was asked for. */
function addressOf(one: z.output<typeof splAddress>, asked: string | undefined): NationalAddress | undefined {
  const shortAddress = one.ShortAddress === null ? asked : normalizeShortAddress(one.ShortAddress);
  const location = placeIn(one.Latitude, one.Longitude) ?? placeOfPair(one.ObjLatLng);
  if (shortAddress === undefined || location === undefined) return undefined;
  return {
    shortAddress,
    buildingNumber: one.BuildingNumber,
    street: arabicName(one.Street),
    district: arabicName(one.District),
    city: arabicName(one.City),
    postalCode: one.PostCode,
    additionalNumber: one.AdditionalNumber,
    location,
  };
}

function placeOfPair(pair: unknown): Coordinates | undefined {
  const [longitude, latitude] = typeof pair === 'string' ? pair.trim().split(/[\s,]+/) : [];
  return placeIn(latitude, longitude);
}

/** Of a name in both languages, `RIYADH,الرياض`, the Arabic one. */
function arabicName(name: string | null): string | null {
  if (name === null) return null;
  const parts = name.split(/[,،]/).map((part) => part.trim());
  const isArabic = (part: string) => /\p{Script=Arabic}/u.test(part);
  const isLatin = (part: string) => /\p{Script=Latin}/u.test(part);
  return (parts.some(isLatin) ? parts.find(isArabic) : undefined) ?? name;
}
