import { parseStored } from '../../core/json.ts';
import { Problem } from '../../core/problem.ts';
import { refuse } from '../../core/result.ts';
import type { CarrierContact } from '../../service/config.ts';
import type { Services } from '../../service/services.ts';
import {
  ASSET_PATHS,
  BASE_URL_MARK,
  type BrowserFiles,
  CONTACT_CHOICE,
  CONTACT_MARK,
  DEPLOYMENT_MARK,
  STREETS_PATH,
} from './asset-paths.ts';
import { escapeHtml } from './html.ts';

/** A missing page is an error in the deployment, which an operator has to fix. */
const RETRY_AFTER_SECONDS = 60;

/** Both texts of a choice. */
const CHOICES = new RegExp(`${CONTACT_CHOICE.known}(.*?)${CONTACT_CHOICE.unknown}(.*?)${CONTACT_CHOICE.end}`, 'gs');

/** Caches texts that are filled in. There are few, and a process has one address. */
const texts = new Map<string, string>();

/** Reads one of `ASSET_PATHS` and fills in the address, the contact and the kind of deployment, because one build serves all. */
export async function assetText({ config, readAsset }: Services, path: string): Promise<string> {
  const key = `${path} ${config.baseUrl}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const bytes = await readAsset(path);
  if (bytes === undefined) throw assetsUnavailable();
  const made = new TextDecoder().decode(bytes);
  const address = escapeFor(config.baseUrl, path);
  const contact = contactText(config.carrierContact);
  // A function, because a dollar sign has a meaning in a replacement string.
  const text = made
    .replaceAll(BASE_URL_MARK, () => address)
    .replaceAll(CHOICES, (_whole, known: string, unknown: string) => (contact === '' ? unknown : known))
    .replaceAll(CONTACT_MARK, () => escapeFor(contact, path))
    .replace(DEPLOYMENT_MARK, config.deployment);
  texts.set(key, text);
  return text;
}

/** The response if a built file is missing. */
export function assetsUnavailable(): Problem {
  return new Problem(refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
}

/** The addresses of this build's scripts and styles. */
export async function browserFiles(services: Services): Promise<BrowserFiles> {
  return parseStored<BrowserFiles>(await assetText(services, ASSET_PATHS.browserFiles));
}

/** The attribute `data-map` of pages that may show a map. Undefined if the deployment has no archive. */
export function mapAddressOf({ streets }: Pick<Services, 'streets'>): string | undefined {
  return streets.file === undefined ? undefined : STREETS_PATH;
}

/** The same in every language. Empty if the deployment names no contact. */
function contactText({ phone, email }: CarrierContact = {}): string {
  return [phone, email].filter((one) => one !== undefined).join(' · ');
}

/** The value, escaped for the kind of file. */
function escapeFor(value: string, path: string): string {
  if (path.endsWith('.html')) return escapeHtml(value);
  return path.endsWith('.json') ? JSON.stringify(value).slice(1, -1) : value;
}
