import type { ReadStatement } from '../../db/statement.ts';
import { literalDecimal } from '../core/decimal.ts';
import { causeOf } from '../core/error-cause.ts';
import { toMillis } from '../core/instant.ts';
import type { Addresses } from '../ports/addresses.ts';
import { newObjectKey } from '../ports/documents.ts';
import type { Config } from './config.ts';
import { type KeyMode, keyFaults } from './key-check.ts';
import type { Services, Store } from './services.ts';

/* What `npm run doctor` and the start of Deno check. Each finding says what was found, and a fault says what to do. */

export interface Finding {
  readonly check: string;
  readonly isFault: boolean;
  readonly found: string;
  /** What to do about the fault; empty if all is well. */
  readonly mend: string;
  /** The service must not start: it would write to a database of another service. */
  readonly isForeign?: true;
}

export type CheckedServices = Pick<
  Services,
  'config' | 'clock' | 'random' | 'directory' | 'shards' | 'requestLog' | 'documents' | 'routing'
>;

export const well = (check: string, found: string): Finding => ({ check, isFault: false, found, mend: '' });
export const fault = (check: string, found: string, mend: string): Finding => ({ check, isFault: true, found, mend });

/** More than this ends sessions and tokens early, or issues them in the future. */
const SKEW_MS_MAX = 5000;

const SELECT_NOW: ReadStatement<number> = {
  sql: "SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  args: [],
  decode: ([value]) => Number(value),
};

/** Who each database is, and how far its clock is from this one. `causeOf` says why one did not answer. */
export function checkDatabases(services: CheckedServices, causeOf: (databaseId: string) => string): Promise<Finding[]> {
  const { directory, shards, requestLog } = services;
  const stores = [directory, ...shards.values(), ...(requestLog === undefined ? [] : [requestLog])];
  return Promise.all(stores.map((store) => checkDatabase(store, services.clock, causeOf)));
}

async function checkDatabase(
  { database }: Store,
  clock: CheckedServices['clock'],
  causeOf: (databaseId: string) => string,
): Promise<Finding> {
  const check = `database ${database.id}`;
  const sentAtMs = toMillis(clock.now());
  const answer = await database.readAll([SELECT_NOW] as const, { isFresh: true });
  const mismatch = database.mismatch();
  if (mismatch !== undefined)
    return {
      ...fault(check, mismatch, 'Correct its address, its id or DEPLOYMENT; if it is new, run npm run db:migrate'),
      isForeign: true,
    };
  if (!answer.ok)
    return fault(check, `no answer: ${causeOf(database.id)}`, 'Start it, or correct its address and token');
  const tookMs = toMillis(clock.now()) - sentAtMs;
  const skewMs = Number(answer.results[0][0]) - (sentAtMs + tookMs / 2);
  if (Math.abs(skewMs) <= SKEW_MS_MAX) return well(check, `answers in ${tookMs} ms`);
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const found = `its clock is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's`;
  return fault(check, found, 'Set both clocks by NTP (timedatectl set-ntp true)');
}

export async function checkKeys(services: CheckedServices, mode: KeyMode): Promise<Finding[]> {
  const faults = await keyFaults(services, mode);
  if (faults.length === 0) return [well('keys', 'all sign, seal and open')];
  return faults.map(({ list, found, mend }) => fault('keys', `${list}: ${found}`, mend));
}

/** Two places in Riyadh. Any answer shows that the engine works, also that it knows no road between them. */
const PROBE = [
  { latitude: literalDecimal('24.711667'), longitude: literalDecimal('46.674167') },
  { latitude: literalDecimal('24.794722'), longitude: literalDecimal('46.626111') },
] as const;

/** Whether merchants can reach the carrier. On `local` and `sandbox` nobody has to. */
export function checkContact({ deployment, carrierContact }: Pick<Config, 'deployment' | 'carrierContact'>): Finding[] {
  const check = 'contact';
  if (carrierContact !== undefined) return [well(check, Object.keys(carrierContact).join(' and '))];
  if (deployment !== 'production') return [];
  return [fault(check, 'merchants cannot reach the carrier', 'Set CARRIER_CONTACT to a phone or an e-mail address')];
}

/** One route, a file that is written, read and removed, and the accounts of the carriers. */
export function checkProviders(services: CheckedServices, send: Send): Promise<Finding[]> {
  const { carriers } = services.config;
  return Promise.all([
    checkRouting(services),
    checkDocuments(services),
    ...(carriers?.sms === undefined
      ? []
      : [
          checkCarrier(
            'sms',
            carriers.sms.url ?? UNIFONIC_URL,
            () => ({ body: new URLSearchParams({ AppSid: carriers.sms?.appSid ?? '' }) }),
            send,
          ),
        ]),
    ...(carriers?.email === undefined
      ? []
      : [
          checkCarrier(
            'e-mail',
            carriers.email.url ?? RESEND_URL,
            () => ({
              body: '{}',
              headers: { authorization: `Bearer ${carriers.email?.apiKey}`, 'content-type': 'application/json' },
            }),
            send,
          ),
        ]),
  ]);
}

async function checkRouting({ config, routing }: CheckedServices): Promise<Finding> {
  if (routing.engine === 'none')
    return fault('routing', 'ROUTING_URL is not set', 'Set it; until then estimates and creations are 503');
  const answer = await routing.findRoute(...PROBE);
  if (answer.ok || answer.reason === 'no_route') return well('routing', `${routing.engine} answers`);
  const isPath = /\/route(?:\/v1)?$/.test(config.routingUrl ?? '');
  const mend = isPath ? 'Set ROUTING_URL to the part before /route/v1' : 'Start the engine, or correct ROUTING_URL';
  return fault('routing', 'the engine gives no route in two seconds', mend);
}

/** A documented code. The registry counts the call, whether it knows the code or not. */
const CODE = 'RRRD2929';

/** The registry and the geocoder, each if it is configured. Not at each start, because it costs a call of the quota. */
export function checkAddresses(addresses: Addresses): Promise<Finding[]> {
  return Promise.all([
    ...(addresses.registry === 'spl' ? [checkRegistry(addresses)] : []),
    ...(addresses.geocoder === 'photon' ? [checkGeocoder(addresses)] : []),
  ]);
}

async function checkRegistry(addresses: Addresses): Promise<Finding> {
  const { kind } = await addresses.find(CODE);
  if (kind !== 'unavailable') return well('registry', 'answers for a short address');
  const mend = 'Correct registry in ADDRESSES, or wait if its quota is used up';
  return fault('registry', 'no usable answer in two seconds', mend);
}

async function checkGeocoder(addresses: Addresses): Promise<Finding> {
  const found = await addresses.suggest({ text: 'Riyadh', near: undefined, locale: 'en' });
  if (found === undefined)
    return fault('geocoder', 'no usable answer in two seconds', 'Start it, or correct geocoder in ADDRESSES');
  if (found.length === 0)
    return fault('geocoder', 'it does not know Riyadh', 'Import an extract that has Saudi Arabia');
  return well('geocoder', 'finds Riyadh');
}

/** Writes, reads and removes a file. */
export async function checkDocuments({
  documents,
  random,
}: Pick<CheckedServices, 'documents' | 'random'>): Promise<Finding> {
  if (documents.provider === 'none')
    return well('documents', 'DOCUMENTS is not set; uploads are 503 unless a bucket is bound');
  const key = newObjectKey(random);
  const bytes = new TextEncoder().encode(key);
  if ((await documents.put(key, { bytes, contentType: 'text/plain' })) !== 'stored')
    return fault(
      'documents',
      `${documents.provider} takes no file`,
      'Allow the key in DOCUMENTS to write there, and check its name, region and address',
    );
  const read = await documents.read(key);
  if ((await documents.removeAll([key])) !== 'removed')
    return fault('documents', `${documents.provider} deletes no file`, 'Allow the key in DOCUMENTS to delete there');
  if (typeof read === 'string' || new TextDecoder().decode(read) !== key)
    return fault(
      'documents',
      `${documents.provider} does not return what it took`,
      'Allow the key in DOCUMENTS to read there',
    );
  return well('documents', `${documents.provider} takes, returns and deletes a file`);
}

export type Send = (url: string, init: RequestInit) => Promise<Response>;
const UNIFONIC_URL = 'https://el.cloud.unifonic.com/rest/SMS/messages';
const RESEND_URL = 'https://api.resend.com/emails';
const CARRIER_TIMEOUT_MS = 5000;

/** A message without recipient and text: a carrier that knows the account refuses the message, and sends nothing. */
async function checkCarrier(channel: string, url: string, init: () => RequestInit, send: Send): Promise<Finding> {
  const check = `messages by ${channel}`;
  try {
    const response = await send(url, {
      ...init(),
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(CARRIER_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (response.status === 401 || response.status === 403)
      return fault(check, `the carrier does not know the account (${response.status})`, 'Correct its key in MESSAGES');
    if (response.status >= 500 || response.status === 404)
      return fault(
        check,
        `the carrier answers ${response.status}`,
        'Ask the carrier, or correct its address in MESSAGES',
      );
    return well(check, 'the carrier knows the account');
  } catch (error) {
    return fault(check, `no answer: ${causeOf(error)}`, 'Let this machine reach the carrier');
  }
}
