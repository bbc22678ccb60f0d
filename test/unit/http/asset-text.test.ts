import { describe, expect, it } from 'vitest';
import { readText } from '../../../scripts/shared/repository-file.ts';
import { Problem } from '../../../src/core/problem.ts';
import {
  BASE_URL_MARK,
  type BrowserFiles,
  CONTACT_CHOICE,
  CONTACT_MARK,
  DEPLOYMENT_MARK,
  fontEntries,
} from '../../../src/http/web/asset-paths.ts';
import { assetText, browserFiles } from '../../../src/http/web/asset-text.ts';
import { renderSite } from '../../../src/pages/site/site.ts';
import { cloudflareAssets } from '../../../src/platform/cloudflare/assets.ts';
import type { ReadAsset, Services } from '../../../src/service/services.ts';

function servicesOf(baseUrl: string, readAsset: ReadAsset): Services {
  return { config: { baseUrl, deployment: 'sandbox' }, readAsset } as Services;
}

const files: BrowserFiles = {
  entries: {
    ...Object.fromEntries(fontEntries('ar').map((name) => [name, `/assets/${name}`])),
    ...{ 'site.css': '/assets/site-0123abcd.css', 'reference.js': '/assets/reference-0123abcd.js' },
  },
  names: ['site-0123abcd.css'],
};
const site = renderSite({ baseUrl: BASE_URL_MARK, browserFiles: files, readText });
const bytesOf = (text: string | undefined) => (text === undefined ? undefined : new TextEncoder().encode(text));

const { known, unknown, end } = CONTACT_CHOICE;
const withoutContact = (text: string) =>
  text
    .split(known)
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf(unknown) + unknown.length).replace(end, '')))
    .join('');

describe('an asset', () => {
  it.each(['http://127.0.0.1:8787', 'https://api.example/a?b=c&d'])(
    'for %s equals a rendering for that address and deployment',
    async (baseUrl) => {
      const services = servicesOf(baseUrl, (path) => Promise.resolve(bytesOf(site.get(path))));
      for (const [path, text] of renderSite({ baseUrl, browserFiles: files, readText }))
        expect(await assetText(services, path), path).toBe(withoutContact(text).replace(DEPLOYMENT_MARK, 'sandbox'));
    },
  );

  it('contains the address literally, even if it looks like a replacement pattern', async () => {
    const services = servicesOf('https://api.example/$&', () => Promise.resolve(bytesOf(`at ${BASE_URL_MARK}/docs`)));
    expect(await assetText(services, 'b.txt')).toBe('at https://api.example/$&/docs');
  });

  it('contains the contact of the carrier, or the text for a deployment without one', async () => {
    const made = `1 ${known}Ask\n${CONTACT_MARK}.${unknown}Ask nobody.${end} 2 ${known}a${unknown}b${end}`;
    const textFor = (baseUrl: string, carrierContact: object | undefined) => {
      const services = servicesOf(baseUrl, () => Promise.resolve(bytesOf(made)));
      return assetText({ ...services, config: { ...services.config, carrierContact } }, 'contact.html');
    };
    const both = { phone: '+966920000000', email: "o'neil&co@carrier.example" };
    expect(await textFor('https://both.example', both)).toBe(
      '1 Ask\n+966920000000 · o&#39;neil&amp;co@carrier.example. 2 a',
    );
    expect(await textFor('https://none.example', undefined)).toBe('1 Ask nobody. 2 b');
  });

  it.each(['en', 'ar'] as const)('has one of the texts about the contact in %s, in all its forms', async (locale) => {
    for (const path of [`docs/support.${locale}.html`, `docs/support.${locale}.md`]) {
      const services = servicesOf('https://support.example', () => Promise.resolve(bytesOf(site.get(path))));
      const text = await assetText(services, path);
      expect(site.get(path), path).toContain(known);
      expect(text, path).not.toMatch(/contact[a-z-]*\.invalid/);
    }
  });

  it('is read once and cached', async () => {
    let reads = 0;
    const services = servicesOf('https://once.example', () => Promise.resolve(bytesOf(`text ${(reads += 1)}`)));
    await assetText(services, 'a.txt');
    expect([await assetText(services, 'a.txt'), reads]).toEqual(['text 1', 1]);
  });

  it('that cannot be read is 503 until it can', async () => {
    const late = new Map<string, string>();
    const services = servicesOf('https://late.example', (path) => Promise.resolve(bytesOf(late.get(path))));
    const refused: unknown = await assetText(services, 'a.txt').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Problem);
    expect(refused).toMatchObject({ refusal: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 60 } });
    late.set('a.txt', 'here');
    expect(await assetText(services, 'a.txt')).toBe('here');
  });
});

it('scripts and styles are those of the deployed build', async () => {
  const buildOf = (name: string) => {
    const build: BrowserFiles = { entries: { 'site.css': `/assets/${name}.css` }, names: [`${name}.css`] };
    return {
      build,
      services: servicesOf(`https://${name}.example`, () => Promise.resolve(bytesOf(JSON.stringify(build)))),
    };
  };
  for (const { build, services } of [buildOf('one'), buildOf('other')])
    expect(await browserFiles(services)).toEqual(build);
});

describe('assets on Cloudflare', () => {
  it('are fetched by their path', async () => {
    const fetched: string[] = [];
    const fetch = (address: string) => {
      fetched.push(new URL(address).pathname);
      return Promise.resolve(new Response('مرسال'));
    };
    const bytes = await cloudflareAssets({ fetch }, expect.unreachable)('problems/a.en.html');
    expect(new TextDecoder().decode(bytes)).toBe('مرسال');
    expect(fetched).toEqual(['/problems/a.en.html']);
  });

  it.each([
    ['are not bound', undefined],
    ['have no such file', { fetch: () => Promise.resolve(new Response('', { status: 404 })) }],
    ['do not answer', { fetch: () => Promise.reject(new Error('gone')) }],
  ])('that %s are missing and logged', async (_case, binding) => {
    const reported: string[] = [];
    const readAsset = cloudflareAssets(binding, (path) => reported.push(path));
    expect([await readAsset('a.txt'), reported]).toEqual([undefined, ['a.txt']]);
  });
});
