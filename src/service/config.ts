import type * as z from 'zod';
import type { AdminAddress } from '../../db/durability.ts';
import type { DatabaseIdentity } from '../../db/identity.ts';
import type { Deployment } from '../core/deployment.ts';
import { deliveryTerms, type FirstLease, firstLeaseOf, type WebhookTerms } from '../core/webhook-terms.ts';
import type { NumberPolicy } from '../ports/call-numbers.ts';
import {
  type databaseAddress,
  environment,
  faultsOf,
  type LocationHint,
  type Runtime,
  type signingKey,
  type Variables,
  withoutEmpty,
} from './environment.ts';

/**
 * The settings from the environment, parsed once. `parseConfig` reports every invalid variable by name, so that a wrong
 * deployment fails at its start and says what to correct.
 */

export interface DatabaseAddress {
  readonly id: string;
  readonly url: string;
  readonly authToken: string | undefined;
  readonly admin: AdminAddress | undefined;
  readonly identity: DatabaseIdentity;
}

export interface Config {
  readonly deployment: Deployment;
  readonly version: string;
  readonly baseUrl: string;
  readonly directory: DatabaseAddress;
  readonly shards: readonly DatabaseAddress[];
  readonly logs: DatabaseAddress | undefined;
  readonly durability: 'strong' | 'managed';
  readonly signingKeys: readonly z.output<typeof signingKey>[];
  /** The first key. */
  readonly credentialKey: string;
  readonly credentialKeys: readonly string[];
  readonly cursorKeys: readonly string[];
  readonly priceLockKeys: readonly string[];
  readonly webhookKeys: readonly { readonly kid: string; readonly key: string }[];
  readonly webhookTerms: WebhookTerms;
  readonly firstLease: FirstLease;
  readonly proxies: number;
  readonly dnsUrl: string;
  /** On Workers: a part of the names of all objects. */
  readonly place: { readonly hint: LocationHint; readonly generation: number } | undefined;
  readonly routingUrl: string | undefined;
  readonly streetsUrl: string | undefined;
  readonly addresses: AddressSources;
  readonly documents: DocumentPlace | undefined;
  readonly carriers: Carriers | undefined;
  /** On Deno: the folder that messages are written to instead of being sent. Never on production. */
  readonly messageFolder: string | undefined;
  readonly waits: {
    readonly offerSeconds: number;
    readonly candidateSeconds: number;
    readonly lookSeconds: number;
    readonly leadSeconds: number | null;
    readonly silenceSeconds: number | null;
  };
  /** The slots of a day by the code of a city, and `default`. */
  readonly deliveryWindows: Readonly<Record<string, readonly string[]>>;
  /** Days in Riyadh that are no business days besides weekends. */
  readonly holidays: readonly string[];
  readonly recipientNumbers: NumberPolicy;
  readonly carrierContact: CarrierContact | undefined;
  readonly recipientRetentionDays: number;
  /** Companies that exist already are not affected. */
  readonly isApprovalRequired: boolean;
  readonly metricsToken: string | undefined;
  readonly rateLimits: RateLimits;
}

/** How merchants reach the carrier: at least one of them. */
export interface CarrierContact {
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
}

export interface AddressSources {
  readonly registry?: AddressRegistry | undefined;
  /** The address of a geocoder with Photon's HTTP API, without `/api`. */
  readonly geocoder?: { readonly url: string } | undefined;
}

export interface AddressRegistry {
  readonly apiKey: string;
  readonly url: string;
  /** The calls that the whole deployment may make within each of these times. */
  readonly quota: readonly { readonly calls: number; readonly seconds: number }[];
}

export interface Carriers {
  readonly sms?:
    | { readonly appSid: string; readonly senderId?: string | undefined; readonly url?: string | undefined }
    | undefined;
  readonly email?: { readonly apiKey: string; readonly from: string; readonly url?: string | undefined } | undefined;
}

export type DocumentPlace =
  | { readonly folder: string }
  | { readonly url: string; readonly region: string; readonly accessKeyId: string; readonly secretAccessKey: string };

export interface RateLimits {
  /** Uses a minute, for one OAuth client. */
  readonly reads: number;
  readonly writes: number;
  readonly estimates: number;
  readonly tokens: number;
  /** Uses of tracking links a minute, for one network address. */
  readonly tracking: number;
  /** Tokens and secrets a minute that a database did not know, for one network address. */
  readonly failures: number;
  /** One-time codes in 15 minutes, for one person. */
  readonly codes: number;
  /** The same for one network address. */
  readonly codesOfAddress: number;
  /** One-time codes in an hour, for the recipient of one shipment. */
  readonly recipientCodes: number;
  /** Registrations in an hour, from one network address. */
  readonly registrations: number;
  /** Secrets of an API credential in an hour, for one company. */
  readonly secrets: number;
  /** SMS in an hour, for the whole deployment, but for codes of registrations. */
  readonly sms: number;
  /** SMS with codes of registrations in an hour, for the whole deployment. */
  readonly registrationSms: number;
  readonly invitations: number;
}

/** The name of the queues of all isolates: each endpoint has one object in a place. */
function placeName(place: Config['place']): string {
  return place === undefined ? 'local' : `${place.hint}.${place.generation}`;
}

/**
 * Reads the environment of a runtime. Throws one Error that names every invalid variable. `process` is the name of one that has
 * queues of its own.
 */
export function parseConfig(variables: Variables, runtime: Runtime = 'deno', process = ''): Config {
  const given = withoutEmpty(variables);
  const parsed = environment.safeParse(given);
  const faults = faultsOf(parsed, given, runtime);
  if (!parsed.success || faults.length > 0) throw new Error(`The environment is not valid. ${faults.join('; ')}`);
  const value = parsed.data;
  const { MESSAGES: messages, LIBSQL_TOKEN: token } = value;
  const place = placeOf(value);
  const webhookTerms = deliveryTerms(value.DEPLOYMENT, value.WEBHOOK_TERMS);
  const messageFolder = messages !== undefined && 'folder' in messages ? messages.folder : undefined;
  return {
    deployment: value.DEPLOYMENT,
    version: value.VERSION,
    baseUrl: value.BASE_URL,
    directory: addressOf(
      'directory',
      value.DEPLOYMENT,
      withToken({ id: 'directory', ...value.LIBSQL_DIRECTORY }, token),
    ),
    shards: value.LIBSQL_SHARDS.map((shard) => addressOf('shard', value.DEPLOYMENT, withToken(shard, token))),
    logs:
      value.LIBSQL_LOGS === undefined
        ? undefined
        : addressOf('logs', value.DEPLOYMENT, { id: 'logs', ...value.LIBSQL_LOGS }),
    durability: value.LIBSQL_DURABILITY,
    signingKeys: value.TOKEN_SIGNING_KEYS,
    credentialKey: value.CREDENTIAL_KEYS[0],
    credentialKeys: value.CREDENTIAL_KEYS,
    cursorKeys: value.CURSOR_KEYS,
    priceLockKeys: value.PRICE_LOCK_KEYS,
    webhookKeys: value.WEBHOOK_KEYS,
    webhookTerms,
    firstLease: firstLeaseOf(runtime === 'deno' ? process : placeName(place), webhookTerms),
    proxies: value.PROXIES,
    dnsUrl: value.DNS_URL,
    place,
    routingUrl: value.ROUTING_URL,
    streetsUrl: value.STREETS_URL,
    addresses: value.ADDRESSES,
    documents: value.DOCUMENTS,
    carriers: messages === undefined || 'folder' in messages ? undefined : messages,
    messageFolder,
    waits: { ...value.DISPATCH_WAITS, leadSeconds: leadOf(value), silenceSeconds: silenceOf(value) },
    deliveryWindows: value.DELIVERY_WINDOWS,
    holidays: value.HOLIDAYS,
    recipientNumbers: value.RECIPIENT_NUMBERS,
    carrierContact: value.CARRIER_CONTACT,
    recipientRetentionDays: value.RECIPIENT_RETENTION_DAYS,
    isApprovalRequired:
      (value.COMPANY_APPROVAL ?? (value.DEPLOYMENT === 'production' ? 'required' : 'none')) === 'required',
    metricsToken: value.METRICS_TOKEN,
    rateLimits: value.RATE_LIMITS,
  };
}

function placeOf({ LOCATION_HINT: hint, LOCATION_GENERATION: generation }: z.output<typeof environment>) {
  return hint === undefined ? undefined : { hint, generation };
}

/** On production an hour. Elsewhere a shipment is offered at once, whatever its pickup window. */
function leadOf({ DEPLOYMENT, DISPATCH_WAITS }: z.output<typeof environment>): number | null {
  const { leadSeconds } = DISPATCH_WAITS;
  if (leadSeconds !== undefined) return leadSeconds;
  return DEPLOYMENT === 'production' ? 3600 : null;
}

/** Half an hour. Drivers of a local deployment are often rows without a phone. */
function silenceOf({ DEPLOYMENT, DISPATCH_WAITS }: z.output<typeof environment>): number | null {
  const { silenceSeconds } = DISPATCH_WAITS;
  if (silenceSeconds !== undefined) return silenceSeconds;
  return DEPLOYMENT === 'local' ? null : 1800;
}

/** The address of the directory or of a shard, with LIBSQL_TOKEN unless it has a token of its own. */
export function withToken<Address extends { readonly authToken?: string | undefined }>(
  address: Address,
  token: string | undefined,
): Address {
  return address.authToken === undefined ? { ...address, authToken: token } : address;
}

function addressOf(
  kind: DatabaseIdentity['kind'],
  deployment: Deployment,
  address: z.output<typeof databaseAddress> & { readonly id: string },
): DatabaseAddress {
  const { id, url, authToken, adminUrl, adminKey } = address;
  const admin = adminUrl === undefined ? undefined : { url: adminUrl, key: adminKey };
  return { id, url, authToken, admin, identity: { kind, id, deployment } };
}
