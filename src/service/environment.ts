import * as z from 'zod';
import { fromBase64Url } from '../core/base64url.ts';
import { DEPLOYMENTS, PACKAGE_VERSION } from '../core/deployment.ts';
import { parsePlainJson } from '../core/json.ts';
import { ATTEMPT_NUMBER_MAX, EVENTS_KEPT_DAYS, QUOTA_WINDOWS_MAX, RATE_LIMITS } from '../core/limits.ts';
import { NUMBER_POLICIES } from '../ports/call-numbers.ts';

/** The variables of the environment, and what is wrong with their values. */

export const databaseAddress = z.strictObject({
  /** Address of libSQL's Hrana over HTTP, for example `http://127.0.0.1:8701` or `https://name.turso.io`. */
  url: z.url({ protocol: /^https?$/ }),
  authToken: z.string().min(1).optional(),
  /** sqld's admin address. With it the service restores strong durability after a restart of sqld. */
  adminUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** The key of that address, if sqld has one (`LIBSQL_ADMIN_AUTH_KEY`). */
  adminKey: z.string().min(1).optional(),
});

/** Regions in which Cloudflare hosts Durable Objects. It takes `sam`, `afr` and `me` too, and creates the object somewhere near. */
const LOCATION_HINTS = ['wnam', 'enam', 'weur', 'eeur', 'apac', 'apac-ne', 'apac-se', 'oc'] as const;
export type LocationHint = (typeof LOCATION_HINTS)[number];

const key256 = z.string().refine((text) => fromBase64Url(text)?.length === 32, 'must be 32 bytes in base64url');
const perMinute = z.int().min(1);
const seconds = z.int().min(1);

/** Saudi Post's starter key: 5 calls a minute and 100 a week. */
const STARTER_QUOTA = [
  { calls: 5, seconds: 60 },
  { calls: 100, seconds: 604_800 },
];
/** Every call is a row until its longest window has passed. */
const QUOTA_CALLS_MAX = 100_000;
const QUOTA_SECONDS_MAX = 2_678_400;

export const signingKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  kid: z.string().min(1),
  x: z.string().min(1),
  d: z.string().min(1),
});

/** Times of a day in Riyadh, such as `08:00-11:00`. */
const slots = z
  .array(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be like 08:00-11:00'))
  .min(1)
  .refine((all) => isInOrder(all.join('-').split('-')), 'must be in the order of the day and not overlap');

/** Beginnings and ends in turn. A slot may begin when the one before it ends. */
function isInOrder(times: readonly string[]): boolean {
  return times.every(
    (time, index) => index === 0 || time > (times[index - 1] ?? '') || (index % 2 === 0 && time === times[index - 1]),
  );
}

const webhookTerms = z
  .strictObject({
    delaysSeconds: z.array(z.number().min(0)).min(1).max(ATTEMPT_NUMBER_MAX),
    jitter: z.number().min(0).max(1),
    timeoutMs: z.int().min(1),
    disableAfterSeconds: seconds,
    disableAfterFailures: z.int().min(1),
  })
  .partial();

/** The rules of each variable. Tools that read or write some of the variables use them too. */
export const environment = z.object({
  DEPLOYMENT: z.enum(DEPLOYMENTS),
  /** What `/health` and the metric `build_info` call this version, for example its commit. */
  VERSION: z
    .string()
    .regex(/^[\w.+-]{1,64}$/, 'must be up to 64 letters, digits and .+-_')
    .default(PACKAGE_VERSION),
  /** Public address, without a slash at its end. Issuer and audience of access tokens. */
  BASE_URL: z
    .url({ protocol: /^https?$/ })
    .regex(/[^/]$/, 'must not end with a slash')
    .regex(/^\w+:\/\/[^/?#@]+\/?$/, 'must have no path, query or user'),
  LIBSQL_DIRECTORY: json(databaseAddress),
  LIBSQL_SHARDS: json(z.array(databaseAddress.extend({ id: z.string().regex(/^[a-z0-9-]{1,32}$/) })).min(1)),
  /**
   * The token of the directory and of each shard that has none of its own. Cloudflare takes 5 kB a variable: with a token each,
   * LIBSQL_SHARDS has room for 12 shards.
   */
  LIBSQL_TOKEN: z.string().min(1).optional(),
  /** The database of the request log. Without it no requests are logged. */
  LIBSQL_LOGS: json(databaseAddress.omit({ adminUrl: true, adminKey: true })).optional(),
  /** `managed` if the provider guarantees durability (Turso). With `strong` every commit checks that sqld syncs to disk. */
  LIBSQL_DURABILITY: z.enum(['strong', 'managed']).default('strong'),
  /** Ed25519 private keys. The first signs, all verify: rotate by adding, then moving to the front, then removing. */
  TOKEN_SIGNING_KEYS: json(z.array(signingKey).min(1)),
  /** Keys of the HMAC of client secrets. The first creates, all verify. */
  CREDENTIAL_KEYS: json(z.tuple([key256], key256)),
  /** AES-256 keys of list cursors. The first encrypts, all decrypt. */
  CURSOR_KEYS: json(z.array(key256).min(1)),
  /** AES-256 keys of price locks. The first encrypts, all decrypt. Remove a key when its last locks have expired. */
  PRICE_LOCK_KEYS: json(z.array(key256).min(1)),
  /** AES-256 keys of webhook secrets. The first encrypts, all decrypt. Remove a key only when no secret uses it. */
  WEBHOOK_KEYS: json(z.array(z.strictObject({ kid: z.string().regex(/^[\w-]{1,32}$/), key: key256 })).min(1)),
  /** Overrides of the contract's `WebhookTerms`. */
  WEBHOOK_TERMS: json(webhookTerms).default({}),
  /** On Deno: the number of your own proxies in front of the service. Each adds an address to `X-Forwarded-For`. */
  PROXIES: z.coerce.number().int().min(0).max(8).default(0),
  /** Where Cloudflare creates Durable Objects: near the databases. On Workers only `local` does without. */
  LOCATION_HINT: z.enum(LOCATION_HINTS).optional(),
  /** Raised to create all objects anew, where Cloudflare has put them in a wrong place. */
  LOCATION_GENERATION: z.coerce.number().int().min(1).default(1),
  /** A resolver for DNS over HTTPS in JSON, for runtimes without a resolver. */
  DNS_URL: z.url({ protocol: /^https?$/ }).default('https://cloudflare-dns.com/dns-query'),
  /** An OSRM HTTP v5 `route` service. Without it `local` and `sandbox` use a fixture, and production answers 503. */
  ROUTING_URL: z.url({ protocol: /^https?$/ }).optional(),
  /**
   * A PMTiles archive in the Protomaps basemap schema: on a server that answers range requests, on Deno also `file:///srv/riyadh.pmtiles`, and
   * on Workers `r2:riyadh.pmtiles`, an object of the bucket that is bound as STREETS_BUCKET. Without it there is no map, and drawings
   * of routes show no streets.
   */
  STREETS_URL: z.url({ protocol: /^(https?|file|r2)$/ }).optional(),
  /**
   * Where addresses are looked up: the national registry with its quota, and a geocoder with Photon's HTTP API. Without one of them
   * `local` and `sandbox` use a fixture in its place, and production answers 503.
   */
  ADDRESSES: json(
    z.strictObject({
      registry: z
        .strictObject({
          apiKey: z.string().min(1),
          url: z.url({ protocol: /^https?$/ }).default('https://apina.address.gov.sa/NationalAddress'),
          quota: z
            .array(
              z.strictObject({ calls: z.int().min(1).max(QUOTA_CALLS_MAX), seconds: seconds.max(QUOTA_SECONDS_MAX) }),
            )
            .max(QUOTA_WINDOWS_MAX)
            .default(STARTER_QUOTA),
        })
        .optional(),
      geocoder: z.strictObject({ url: z.url({ protocol: /^https?$/ }) }).optional(),
    }),
  ).prefault('{}'),
  /** How long dispatch waits; see `DispatchWaits`. */
  DISPATCH_WAITS: json(
    z.strictObject({
      offerSeconds: seconds,
      candidateSeconds: seconds,
      lookSeconds: seconds,
      leadSeconds: z.int().min(0).nullable().optional(),
      silenceSeconds: z.int().min(60).nullable().optional(),
    }),
  ).default({ offerSeconds: 60, candidateSeconds: 900, lookSeconds: 10 }),
  /**
   * Where uploaded files are stored if no bucket is bound to the Worker: a folder (on Deno) or an S3 bucket. Without it
   * uploads get 503.
   */
  DOCUMENTS: json(
    z.union([
      z.strictObject({ folder: z.string().min(1) }),
      z.strictObject({
        url: z.url({ protocol: /^https?$/ }),
        region: z.string().min(1),
        accessKeyId: z.string().min(1),
        secretAccessKey: z.string().min(1),
      }),
    ]),
  ).optional(),
  /**
   * Accounts that send messages to people: Unifonic for SMS, Resend for e-mail. Or, on Deno and not on production, a folder
   * that each message is written to.
   */
  MESSAGES: json(
    z.union([
      z.strictObject({ folder: z.string().min(1) }),
      z.strictObject({
        sms: z
          .strictObject({ appSid: z.string().min(1), senderId: z.string().min(1).optional(), url: z.url().optional() })
          .optional(),
        email: z
          .strictObject({ apiKey: z.string().min(1), from: z.string().min(3), url: z.url().optional() })
          .optional(),
      }),
    ]),
  ).optional(),
  /** The bearer token for `GET /metrics` on Deno. Without it the metrics cannot be read. */
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{32,}$/, 'must be at least 32 characters of a bearer token')
    .optional(),
  /** Days after a shipment's end until the recipient's personal data is deleted. Events with it are kept for 30 days. */
  RECIPIENT_RETENTION_DAYS: z.coerce.number().int().min(EVENTS_KEPT_DAYS).max(3650).default(180),
  /** The delivery windows of a day by the code of a city, and as `default` of all others. */
  DELIVERY_WINDOWS: json(z.record(z.string().regex(/^(default|[A-Z0-9_-]{2,32})$/), slots)).prefault('{}'),
  /** Days in Riyadh, such as `2026-09-23`, on which nobody owes an answer to a complaint. Fridays and Saturdays never count. */
  HOLIDAYS: json(z.array(z.string().regex(/^\d{4}-\d\d-\d\d$/)).max(100)).prefault('[]'),
  /** How drivers reach recipients. */
  RECIPIENT_NUMBERS: z.enum(NUMBER_POLICIES).default('shown'),
  /** How merchants reach the carrier. Pages, problems and messages lead to it. */
  CARRIER_CONTACT: json(
    z
      .strictObject({
        phone: z
          .string()
          .regex(/^\+[1-9]\d{6,14}$/, 'must be like +966920000000')
          .optional(),
        email: z.email().max(254).optional(),
      })
      .refine(({ phone, email }) => phone !== undefined || email !== undefined, 'must have a phone or an email'),
  ).optional(),
  /** Whether a new company may create shipments only after an operator has approved it. */
  COMPANY_APPROVAL: z.enum(['required', 'none']).optional(),
  RATE_LIMITS: json(
    z.strictObject({
      reads: perMinute.default(RATE_LIMITS.reads),
      writes: perMinute.default(RATE_LIMITS.writes),
      estimates: perMinute.default(RATE_LIMITS.estimates),
      tokens: perMinute.default(RATE_LIMITS.tokens),
      tracking: perMinute.default(RATE_LIMITS.tracking),
      failures: perMinute.default(RATE_LIMITS.failures),
      codes: z.int().min(1).default(RATE_LIMITS.codes),
      codesOfAddress: z.int().min(1).default(RATE_LIMITS.codesOfAddress),
      recipientCodes: z.int().min(1).default(RATE_LIMITS.recipientCodes),
      registrations: z.int().min(1).default(RATE_LIMITS.registrations),
      secrets: z.int().min(1).default(RATE_LIMITS.secrets),
      sms: z.int().min(1).default(RATE_LIMITS.sms),
      registrationSms: z.int().min(1).default(RATE_LIMITS.registrationSms),
      invitations: z.int().min(1).default(RATE_LIMITS.invitations),
    }),
  ).prefault('{}'),
});

export type Variables = Readonly<Record<string, unknown>>;
export type Runtime = 'deno' | 'workers';

/** What is wrong with the variables: `NAME: reason` each, or `NAME.member: reason`. No value is in it. */
export function environmentFaults(variables: Variables, runtime: Runtime): string[] {
  const given = withoutEmpty(variables);
  return faultsOf(environment.safeParse(given), given, runtime);
}

/** Compose files and units pass a variable that is not set as an empty one. */
export function withoutEmpty(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
}

export function faultsOf(
  { data, error }: z.ZodSafeParseResult<z.output<typeof environment>>,
  variables: Variables,
  runtime: Runtime,
): string[] {
  const faults = (error?.issues ?? []).map(({ path, message }) => {
    const isMissing = path.length === 1 && variables[String(path[0])] === undefined;
    return `${path.join('.')}: ${isMissing ? 'is missing' : message}`;
  });
  // `new URL()` drops a carriage return, and `docker --env-file` keeps quotes (github.com/moby/moby/issues/46773).
  for (const name of Object.keys(environment.shape))
    if (/^\s|\s$|^(['"]).*\1$/s.test(typeof variables[name] === 'string' ? variables[name] : ''))
      faults.push(`${name}: begins or ends with a space, a line end (CRLF) or quotes, which are not its value`);
  if (runtime === 'workers' && variables['DEPLOYMENT'] !== 'local' && variables['LOCATION_HINT'] === undefined)
    faults.push('LOCATION_HINT: is missing');
  if (data?.STREETS_URL?.startsWith(runtime === 'workers' ? 'file:' : 'r2:') === true)
    faults.push(`STREETS_URL: must be http, https or ${runtime === 'workers' ? 'r2' : 'file'} on this runtime`);
  if (data?.STREETS_URL?.startsWith('r2:/') === true)
    faults.push('STREETS_URL: must name an object as r2:riyadh.pmtiles, without a bucket and slashes before it');
  if (data?.DEPLOYMENT === 'production' && data.MESSAGES !== undefined && 'folder' in data.MESSAGES)
    faults.push('MESSAGES.folder: production must send its messages');
  if (data?.DEPLOYMENT === 'production' && data.RECIPIENT_NUMBERS === 'masked')
    faults.push('RECIPIENT_NUMBERS: the exchange is a fixture, which connects no call');
  return faults;
}

/** A variable that holds JSON text. */
function json<Value extends z.ZodType>(schema: Value) {
  return z
    .string()
    .transform((text, context): unknown => {
      const value = parsePlainJson(text);
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message: 'is not JSON' });
      return z.NEVER;
    })
    .pipe(schema);
}
