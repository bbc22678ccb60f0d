import { ACCESS_TOKEN_SECONDS } from '../access/access-token.ts';
import { TIMEOUT_MS } from '../client/options.ts';
import { TOLERANCE_SECONDS } from '../client/verify-webhook.ts';
import { CASE_DAYS_AFTER_END, CASE_MESSAGES_MAX, CASES_MAX } from '../contract/case-state.ts';
import { COLLECTION_DAYS_MAX } from '../contract/cod-state.ts';
import { MEDIA_ASSETS_MAX } from '../contract/media-asset-state.ts';
import { LIMIT_DEFAULT } from '../contract/page.ts';
import { REQUIREMENTS_MAX } from '../contract/shipment.ts';
import { ITEMS_MAX } from '../contract/shipment-state.ts';
import {
  ACCEPT_LANGUAGE_MAX,
  ADDRESS_METERS_MAX,
  ADDRESS_WAIT_SECONDS,
  AMENDMENT_KILOMETERS_MAX,
  AMENDMENTS_MAX,
  ATTEMPT_AGAIN_MINUTES,
  BATCH_ITEMS_MAX,
  BATCH_MEBIBYTES_MAX,
  BATCHES_RUNNING_MAX,
  BODY_PART_BYTES,
  BODY_PART_SECONDS,
  BODY_SECONDS_MAX,
  CODE_ATTEMPTS_MAX,
  CODE_MINUTES,
  DECISION_HOURS,
  DECISION_HOURS_PERISHABLE,
  DELIVERY_ATTEMPTS_MAX,
  DOOR_METERS,
  EVENTS_KEPT_SECONDS,
  FAILURES_LOGGED_DAYS,
  FRESH_MINUTES,
  HELD_HOURS,
  IDEMPOTENCY_KEY_LENGTH_MAX,
  IDEMPOTENCY_KEY_LENGTH_MIN,
  LINK_DAYS_MAX,
  LOCK_SECONDS_DEFAULT,
  MEDIA_WAITING_DAYS,
  OVERLAP_SECONDS_MAX,
  PAGE_LIMIT_MAX,
  PIN_KILOMETERS_MAX,
  PRICE_LOCK_METERS_MAX,
  PROOF_MEDIA_KEPT_DAYS,
  RATE_LIMITS,
  REPLAY_DAYS_MAX,
  REPLAY_MATCHED_MAX,
  RETURN_DAYS,
  RETURN_DECISION_DAYS,
  SEARCH_OFFERS_MAX,
  SEARCH_SECONDS_MAX,
  SUCCESSES_LOGGED_DAYS,
  TRPC_CALLS_MAX,
  UPLOAD_MEBIBYTES_MAX,
  URL_LENGTH_MAX,
} from '../core/limits.ts';
import type { Locale } from '../core/locale.ts';
import {
  deliveryTerms,
  PAUSE_SECONDS_FIRST,
  PAUSE_SECONDS_MAX,
  RETRY_AFTER_SECONDS_MAX,
  TRIAL_DIVISOR,
} from '../core/webhook-terms.ts';
import { CODE_SPACING_SECONDS, CODE_WINDOW_SECONDS } from '../domain/challenges/code.ts';
import { HOUR_SECONDS } from '../domain/challenges/limit.ts';
import { KEPT_SECONDS } from '../domain/idempotency/once.ts';
import { IDLE_SECONDS, SESSION_SECONDS } from '../domain/people/session/session.ts';
import { PIN_RESENDS_MAX, PIN_TRIES_MAX } from '../domain/proof/store.ts';
import { RECIPIENT_SECONDS } from '../domain/recipients/sign-in.ts';
import { CAPABILITY_SECONDS, DRAFT_SECONDS } from '../domain/registrations/registration.ts';
import { KEY_SECONDS } from '../domain/shipments/create.ts';
import { ACTIVE_MAX } from '../domain/tracking/link.ts';
import { ENDPOINTS_MAX } from '../domain/webhooks/endpoint.ts';
import { BODY_BYTES_MAX, OPEN_BODY_BYTES_MAX } from '../http/rest/input.ts';

const { delaysSeconds, timeoutMs, disableAfterSeconds, disableAfterFailures } = deliveryTerms('production', {});

const DAY_SECONDS = 86_400;

/** The limits that the pages repeat, each from the constant that the service enforces. */
export const LIMITS = {
  trpcCalls: TRPC_CALLS_MAX,
  amendmentsMax: AMENDMENTS_MAX,
  decisionHours: DECISION_HOURS,
  perishableHours: DECISION_HOURS_PERISHABLE,
  attempts: DELIVERY_ATTEMPTS_MAX,
  attemptAgainMinutes: ATTEMPT_AGAIN_MINUTES,
  returnDays: RETURN_DAYS,
  returnDecisionDays: RETURN_DECISION_DAYS,
  amendmentKilometers: AMENDMENT_KILOMETERS_MAX,
  acceptLanguageLength: ACCEPT_LANGUAGE_MAX,
  accessTokenSeconds: ACCESS_TOKEN_SECONDS,
  batchItems: BATCH_ITEMS_MAX,
  batchMebibytes: BATCH_MEBIBYTES_MAX,
  batchesRunning: BATCHES_RUNNING_MAX,
  caseMessages: CASE_MESSAGES_MAX,
  cases: CASES_MAX,
  caseSeconds: CASE_DAYS_AFTER_END * DAY_SECONDS,
  capabilitySeconds: CAPABILITY_SECONDS,
  clientTimeoutSeconds: TIMEOUT_MS / 1000,
  bodyPartKilobytes: BODY_PART_BYTES / 1000,
  bodyPartSeconds: BODY_PART_SECONDS,
  bodySeconds: BODY_SECONDS_MAX,
  bodyKibibytes: BODY_BYTES_MAX / 1024,
  openBodyKibibytes: OPEN_BODY_BYTES_MAX / 1024,
  codeAttempts: CODE_ATTEMPTS_MAX,
  codeSeconds: CODE_MINUTES * 60,
  codeSpacingSeconds: CODE_SPACING_SECONDS,
  codeWindowSeconds: CODE_WINDOW_SECONDS,
  disableAfterFailures,
  disableAfterSeconds,
  draftSeconds: DRAFT_SECONDS,
  documentMebibytes: UPLOAD_MEBIBYTES_MAX,
  elevationSeconds: FRESH_MINUTES * 60,
  endpoints: ENDPOINTS_MAX,
  eventSeconds: EVENTS_KEPT_SECONDS,
  failureLoggedSeconds: FAILURES_LOGGED_DAYS * DAY_SECONDS,
  heldSeconds: HELD_HOURS * 3600,
  hourSeconds: HOUR_SECONDS,
  items: ITEMS_MAX,
  collectionSeconds: COLLECTION_DAYS_MAX * DAY_SECONDS,
  keyLengthMax: IDEMPOTENCY_KEY_LENGTH_MAX,
  keyLengthMin: IDEMPOTENCY_KEY_LENGTH_MIN,
  keySeconds: KEY_SECONDS,
  lockMetres: PRICE_LOCK_METERS_MAX,
  lockSeconds: LOCK_SECONDS_DEFAULT,
  linkSeconds: LINK_DAYS_MAX * DAY_SECONDS,
  optionalKeySeconds: KEPT_SECONDS,
  overlapSeconds: OVERLAP_SECONDS_MAX,
  pinResends: PIN_RESENDS_MAX,
  pinTries: PIN_TRIES_MAX,
  proofMediaSeconds: PROOF_MEDIA_KEPT_DAYS * DAY_SECONDS,
  doorMetres: DOOR_METERS,
  pageDefault: LIMIT_DEFAULT,
  pageMax: PAGE_LIMIT_MAX,
  addressKilometers: ADDRESS_METERS_MAX / 1000,
  addressWaitSeconds: ADDRESS_WAIT_SECONDS,
  pinKilometers: PIN_KILOMETERS_MAX,
  pictures: MEDIA_ASSETS_MAX,
  pictureSeconds: MEDIA_WAITING_DAYS * DAY_SECONDS,
  rateSeconds: 60,
  recipientSeconds: RECIPIENT_SECONDS,
  replayEvents: REPLAY_MATCHED_MAX,
  replaySeconds: REPLAY_DAYS_MAX * DAY_SECONDS,
  requirements: REQUIREMENTS_MAX,
  searchOffers: SEARCH_OFFERS_MAX,
  searchSeconds: SEARCH_SECONDS_MAX,
  sessionIdleSeconds: IDLE_SECONDS,
  sessionSeconds: SESSION_SECONDS,
  signatureToleranceSeconds: TOLERANCE_SECONDS,
  successLoggedSeconds: SUCCESSES_LOGGED_DAYS * DAY_SECONDS,
  trackingLinks: ACTIVE_MAX,
  urlLength: URL_LENGTH_MAX,
  webhookAttempts: delaysSeconds.length,
  webhookAnswerSeconds: timeoutMs / 1000,
  webhookPauseSeconds: PAUSE_SECONDS_FIRST,
  webhookPauseSecondsMax: PAUSE_SECONDS_MAX,
  webhookRetryAfterSeconds: RETRY_AFTER_SECONDS_MAX,
  webhookTrialDivisor: TRIAL_DIVISOR,
} as const;

const TAGS = { en: 'en-GB', ar: 'ar-u-nu-latn' } as const satisfies Record<Locale, string>;
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A duration in words, in the largest unit that holds it as a whole number: `30 minutes`. A day alone is 24 hours. */
function inWords(seconds: number, locale: Locale): string {
  const [unit, length] =
    UNITS.find(([, one]) => seconds % one === 0 && seconds / one > (one === 86_400 ? 1 : 0)) ?? UNITS[3];
  return new Intl.NumberFormat(TAGS[locale], { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length);
}

/** The delays between the attempts of a webhook delivery, in words. The first attempt has no delay. */
export function webhookDelaysInWords(locale: Locale): string {
  const delays = delaysSeconds.slice(1).map((seconds) => inWords(seconds, locale));
  return new Intl.ListFormat(TAGS[locale]).format(delays);
}

/** The value of `limits.pageMax`, `rates.reads` or, in words, `duration limits.keySeconds`. */
export function limitText(name: string, locale: Locale): string | undefined {
  const [, duration, group, key = ''] = /^(duration )?(limits|rates)\.(\w+)$/.exec(name) ?? [];
  const numbers: Readonly<Record<string, number>> = group === 'rates' ? RATE_LIMITS : LIMITS;
  const value = group !== undefined && Object.hasOwn(numbers, key) ? numbers[key] : undefined;
  if (value === undefined) return undefined;
  return duration === undefined ? String(value) : inWords(value, locale);
}
