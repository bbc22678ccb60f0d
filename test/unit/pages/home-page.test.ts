import { describe, expect, it } from 'vitest';
import openApiDocument from '../../../docs/openapi.json' with { type: 'json' };
import { readText } from '../../../scripts/shared/repository-file.ts';
import { homePage, notFoundPage } from '../../../src/pages/site/home.ts';
import { expectPlainDocument } from '../../support/expect-plain-document.ts';

const site = { document: openApiDocument, baseUrl: 'https://sandbox.example', readText };
const linksOf = (page: string) =>
  [...page.matchAll(/<dt><a href="([^"?]+)/g)].map(([, path]) => path).filter((path) => path !== undefined);

describe.each(['en', 'ar'] as const)('in %s', (locale) => {
  it('is a plain document', () => expectPlainDocument(homePage({ ...site, locale }), locale));

  it('has a plain document for addresses that do not exist, with the places for people', () => {
    const page = notFoundPage({ ...site, locale });
    expectPlainDocument(page, locale);
    expect(linksOf(page)).toEqual(['/', '/console', '/driver', '/docs', '/changes', '/problems']);
    const other = locale === 'en' ? 'ar' : 'en';
    expect(page).toContain(`href="?lang=${other}"`);
  });

  it('links to the same parts, and first to the registration', () => {
    expect(homePage({ ...site, locale })).toContain(`href="/console/sign-up?lang=${locale}"`);
    expect(linksOf(homePage({ ...site, locale }))).toEqual([
      '/console',
      '/driver',
      '/docs',
      '/changes',
      '/problems',
      '/openapi.json',
      '/llms.txt',
      '/.well-known/oauth-authorization-server',
      '/.well-known/jwks.json',
      '/ready',
    ]);
  });
});
