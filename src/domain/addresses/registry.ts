import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import { addSeconds, type Instant, toMillis } from '../../core/instant.ts';
import { wholeSeconds } from '../../core/result.ts';
import type { Addresses, RegistryAnswer } from '../../ports/addresses.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Coordinates } from '../../ports/routing.ts';
import { settle } from '../settle.ts';
import {
  addressUpsert,
  type CallWindow,
  callInsert,
  callOfFullWindow,
  type KeptAddress,
  keptAddress,
} from './registry-store.ts';

export interface RegistryDependencies {
  readonly addresses: Addresses;
  readonly directory: { readonly database: Database; readonly writer: Writer };
  readonly clock: Clock;
  readonly config: { readonly addresses: { readonly registry?: { readonly quota: Quota } | undefined } };
}

/** The most calls in each of these times, for all processes together. Empty for no limit. */
type Quota = readonly { readonly calls: number; readonly seconds: number }[];

/**
 * The share of the quota that look-ups of companies may use. The rest is for the checks of shipments, so that no company can use it up
 * for all.
 */
export const LOOK_UP_SHARE = 0.75;

/** A building may get another address, and a code may be given to a new one. */
const FOUND_KEPT_SECONDS = 30 * 24 * 3600;
const UNKNOWN_KEPT_SECONDS = 3600;

/** When to ask again if the directory does not answer. */
const DIRECTORY_RETRY_SECONDS = 1;
/** When to ask again while the registry is not called. */
const DOWN_RETRY_SECONDS = 60;

/**
 * The address of a short code in its normal form: what the registry has answered before, or else its answer now if its quota
 * allows a call. Nothing but an answer is kept: a failure or a used up quota says nothing about the code
 * (github.com/alexreisner/geocoder/issues/148, github.com/geocoder-php/GeocoderLaravel/issues/106).
 */
export async function findInRegistry(
  dependencies: RegistryDependencies,
  shortAddress: string,
  share = 1,
): Promise<RegistryAnswer> {
  const { addresses, directory, clock } = dependencies;
  // A fixture has no quota, and without a registry there is nothing to keep.
  if (addresses.registry !== 'spl') return addresses.find(shortAddress);
  const kept = await directory.database.read(keptAddress(shortAddress, clock.now()));
  if (!kept.ok) return unavailable(DIRECTORY_RETRY_SECONDS);
  const [row] = kept.rows;
  if (row !== undefined) return answerOf(row);
  const answer = await withinQuota(dependencies, share, () => addresses.find(shortAddress));
  if (answer.kind !== 'unavailable')
    // The answer holds also if it cannot be kept.
    await directory.writer.commit({ statements: [addressUpsert(rowOf(shortAddress, answer, clock.now()))] });
  return answer;
}

/** The address nearest to a point, if the quota allows a call. Points are of people, so no answer is kept. */
export async function findNearest(dependencies: RegistryDependencies, point: Coordinates): Promise<RegistryAnswer> {
  const { addresses } = dependencies;
  if (addresses.registry !== 'spl') return addresses.nearest(point);
  return withinQuota(dependencies, LOOK_UP_SHARE, () => addresses.nearest(point));
}

/** How long calls are counted. */
export function longestWindow({ addresses }: RegistryDependencies['config']): number {
  return Math.max(0, ...(addresses.registry?.quota ?? []).map(({ seconds }) => seconds));
}

/** The directory counts the calls, so that all processes together stay below the quota. */
async function withinQuota(
  { addresses, directory, clock, config }: RegistryDependencies,
  share: number,
  call: () => Promise<RegistryAnswer>,
): Promise<RegistryAnswer> {
  const whole = config.addresses.registry?.quota ?? [];
  const quota = whole.map(({ calls, seconds }) => ({ calls: Math.ceil(calls * share), seconds }));
  // Without this, a registry that is down would use up the quota of a week.
  if (addresses.isRegistryDown()) return unavailable(DOWN_RETRY_SECONDS);
  if (quota.length === 0) return call();
  const now = clock.now();
  const [first, second, third] = quota.map(({ calls, seconds }) => ({ since: addSeconds(now, -seconds), max: calls }));
  // A window without calls has room.
  const none = { since: now, max: 1 };
  const taken = settle(
    await directory.writer.commit({ statements: [callInsert(now, [first ?? none, second ?? none, third ?? none])] }),
  );
  if (!taken.ok) return unavailable(DIRECTORY_RETRY_SECONDS);
  return taken.value ? call() : unavailable(await secondsUntilRoom(directory.database, quota, now));
}

async function secondsUntilRoom(database: Database, quota: Quota, now: Instant): Promise<number> {
  const windows: readonly (CallWindow & { readonly seconds: number })[] = quota.map(({ calls, seconds }) => ({
    since: addSeconds(now, -seconds),
    max: calls,
    seconds,
  }));
  const answer = await database.readAll(windows.map(callOfFullWindow));
  if (!answer.ok) return DIRECTORY_RETRY_SECONDS;
  const waits = windows.map(({ seconds }, index) => {
    const oldest = answer.results[index]?.[0]?.calledAt;
    return oldest === undefined ? 0 : (toMillis(addSeconds(oldest, seconds)) - toMillis(now)) / 1000;
  });
  return wholeSeconds(Math.max(...waits));
}

function unavailable(retryAfterSeconds: number): RegistryAnswer {
  return { kind: 'unavailable', retryAfterSeconds };
}

function answerOf({ latitude, longitude, expiresAt: _expiresAt, ...address }: KeptAddress): RegistryAnswer {
  if (latitude === null || longitude === null) return { kind: 'unknown' };
  return { kind: 'found', address: { ...address, location: { latitude, longitude } } };
}

const WITHOUT_ADDRESS = {
  buildingNumber: null,
  street: null,
  district: null,
  city: null,
  postalCode: null,
  additionalNumber: null,
  latitude: null,
  longitude: null,
};

function rowOf(
  shortAddress: string,
  answer: Exclude<RegistryAnswer, { kind: 'unavailable' }>,
  now: Instant,
): KeptAddress {
  if (answer.kind === 'unknown')
    return { shortAddress, ...WITHOUT_ADDRESS, expiresAt: addSeconds(now, UNKNOWN_KEPT_SECONDS) };
  const { location, ...address } = answer.address;
  return { ...address, ...location, shortAddress, expiresAt: addSeconds(now, FOUND_KEPT_SECONDS) };
}
