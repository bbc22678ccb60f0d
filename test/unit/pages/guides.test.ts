import { describe, expect, it } from 'vitest';
import openApiDocument from '../../../docs/openapi.json' with { type: 'json' };
import { readText } from '../../../scripts/shared/repository-file.ts';
import { RATE_LIMITS } from '../../../src/core/limits.ts';
import { ASSET_PATHS, BASE_URL_MARK, fontEntries } from '../../../src/http/web/asset-paths.ts';
import { readChangelog } from '../../../src/pages/guides/changes.ts';
import { STARTERS } from '../../../src/pages/guides/clients.ts';
import { glossaryFields } from '../../../src/pages/guides/glossary.ts';
import { listOperations } from '../../../src/pages/reference/operations.ts';
import { renderSite } from '../../../src/pages/site/site.ts';
import { GUIDES } from '../../../src/pages/text.ts';
import { environment } from '../../../src/service/environment.ts';
import { expectPlainDocument } from '../../support/expect-plain-document.ts';

const changelog = readText('CHANGELOG.md');
const browserFiles = {
  entries: {
    ...Object.fromEntries(fontEntries('ar').map((name) => [name, `/assets/${name}`])),
    ...{ 'site.css': '/assets/site-0123abcd.css', 'reference.js': '/assets/reference-0123abcd.js' },
  },
  names: [],
};
const site = renderSite({ baseUrl: BASE_URL_MARK, browserFiles, readText });
const LOCALES = ['en', 'ar'] as const;
const pagesOf = (locale: string) => GUIDES.map((slug) => [slug, textOf(`docs/${slug}.${locale}.html`)] as const);

describe.each(LOCALES)('in %s', (locale) => {
  it.each([...pagesOf(locale), ['changes', textOf(`changes.${locale}.html`)] as const])(
    'the guide %s is a plain document whose links lead somewhere',
    (_slug, page) => {
      expectPlainDocument(page, locale);
      const links = [...page.matchAll(/ href="([^"]*)"/g)].map(([, address = '']) => address);
      expect(links.length).toBeGreaterThan(20);
      expect(links.filter((address) => !leadsSomewhere(address, page, locale))).toEqual([]);
    },
  );

  it('every guide has the same sections as in the other language', () => {
    const anchors = (text: string) => [...text.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
    for (const [slug, text] of pagesOf(locale)) expect(anchors(text)).toEqual(anchors(textOf(`docs/${slug}.en.html`)));
  });

  it('the budgets are those of the configuration', () => {
    const limits = environment.shape.RATE_LIMITS.parse(undefined);
    expect(limits).toEqual(RATE_LIMITS);
    const page = textOf(`docs/limits.${locale}.html`);
    for (const budget of ['reads', 'writes', 'estimates', 'tokens', 'tracking', 'codes', 'registrations'] as const) {
      const row = page.split('<tr>').find((one) => one.includes(`<code>${budget}</code>`)) ?? '';
      expect(row.replace(/<[^>]+>/g, ' ').split(/\s+/), budget).toContain(String(limits[budget]));
    }
  });

  it('every POST of the document has its advice', () => {
    const page = textOf(`docs/retries.${locale}.html`).replaceAll('<wbr>', '');
    const posts = listOperations(openApiDocument).filter(({ method }) => method === 'POST');
    expect(posts.filter(({ path }) => !page.includes(`<code>${path}</code>`))).toEqual([]);
    // A price lock is stored nowhere, so nothing can be read before a retry.
    const lock = page.split('<tr>').find((row) => row.includes('<code>/v2/external/price-locks</code>')) ?? '';
    expect(lock).toContain(locale === 'en' ? 'Nothing is stored twice' : 'لا يُحفظ شيء مرتين');
  });

  it('VAT exactly between two is rounded away from zero, unlike half to even', () => {
    const page = textOf(`docs/vat.${locale}.html`);
    const row = page.split('<tr>').find((one) => one.includes('<code>12.3</code>')) ?? '';
    expect([...row.matchAll(/<code>([^<]*)<\/code>/g)].map(([, value]) => value)).toEqual([
      '12.3',
      '1.845',
      '1.85',
      '1.84',
    ]);
    // The sum of the rounded lines differs from the rounded sum, as the text says.
    expect(page).toContain('<code>4.41 ≠ 4.4</code>');
  });
});

it.each(LOCALES)('the reference in %s lists each change of state once, and its events once', (locale) => {
  const page = textOf(`docs.${locale}.html`);
  const lists = [...page.matchAll(/→ <code>\w+<\/code> <span class="quiet">([^<]*)</g)].map(([, label = '']) => label);
  expect(lists).toContain('shipment.offer_declined, shipment.offer_expired');
  expect(lists).toContain('shipment.driver_released');
  expect(lists.filter((label) => new Set(label.split(', ')).size < label.split(', ').length)).toEqual([]);
});

it('the page, the program and its README name one version of .NET', () => {
  const { needs } = STARTERS.find(({ file }) => file === 'Mirsal.cs') ?? {};
  const files = ['docs/clients/Mirsal.cs', 'docs/clients/README.md'] as const;
  for (const file of files) expect(new Set(readText(file).match(/\.NET \d+/g)), file).toEqual(new Set([needs]));
});

it('no guide has the address of another page', () => {
  const parts: unknown = JSON.parse(textOf('docs/parts.json'));
  expect(parts).toEqual([...new Set(Array.isArray(parts) ? parts : [])]);
});

it('the glossary has every field of the document', () => {
  const names = new Set(glossaryFields(openApiDocument).map(({ name }) => name));
  for (const schema of Object.values(openApiDocument.components.schemas)) {
    const properties = 'properties' in schema ? Object.keys(schema.properties) : [];
    expect(properties.filter((name) => !names.has(name))).toEqual([]);
  }
  for (const name of ['externalReference', 'weightKilograms', 'reasonCode', 'nextCursor'])
    expect(names).toContain(name);
});

describe('the changes', () => {
  it('are those for callers, in whole sentences', () => {
    const releases = readChangelog(changelog);
    const changes = releases.flatMap(({ kinds }) => kinds.flatMap((kind) => kind.changes));
    expect(releases[0]?.name).toBe(/^## (.+)$/m.exec(changelog)?.[1]);
    expect(changes.length).toBe(changelog.match(/\*API\*:/g)?.length);
    expect(changes.filter((change) => /\*(?:API|Operators|Contributors)\*|\]\((?!http)|\n/.test(change))).toEqual([]);
  });

  it('leave out entries for others, and links into the repository', () => {
    const text =
      '# Log\n\n*API*: the key\n\n## 2.0.0\n\n### Added\n\n- *API*: `a` is new,\n  see [here](docs/a.md). *Operators*: b.\n- *Operators*: c.\n\n## 1.0.0\n\n### Added\n\n- *Operators*: d.\n';
    expect(readChangelog(text)).toEqual([
      { name: '2.0.0', kinds: [{ kind: 'Added', changes: ['`a` is new, see here.'] }] },
    ]);
  });
});

function textOf(path: string): string {
  const text = site.get(path);
  if (text === undefined) throw new Error(`The site has no ${path}`);
  return text;
}

/** Whether a link of our own leads to a page of the site and to an anchor on it. */
function leadsSomewhere(address: string, page: string, locale: 'en' | 'ar'): boolean {
  const [path = '', anchor] = address.replace(/\?lang=\w+/, '').split('#');
  if (/^(?:\/assets\/|\/clients\/|\/openapi\.json|\/llms\.txt|\/console|https:)/.test(path)) return true;
  const file = path === '/' ? ASSET_PATHS.home(locale) : `${path.slice(1)}.${locale}.html`;
  const text = path === '' ? page : site.get(file);
  return text !== undefined && (anchor === undefined || anchor === '' || text.includes(` id="${anchor}"`));
}
