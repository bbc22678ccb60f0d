import { describe, expect, it } from 'vitest';
import openApiDocument from '../../docs/openapi.json' with { type: 'json' };
import { BASE_URL } from '../../scripts/shared/connection.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { PROBLEM_CODES } from '../../src/core/catalogue.ts';
import { GUIDES, MARKDOWN_GUIDES } from '../../src/pages/text.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();

/** The committed document has the address of a local service. */
const LOCAL_ADDRESS = openApiDocument.servers[0]?.variables.baseUrl.default ?? '';

describe('the page of a problem type', () => {
  it.each(PROBLEM_CODES)('explains %s, as a page and as JSON', async (code) => {
    const path = `/problems/${code.toLowerCase().replaceAll('_', '-')}`;
    const page = await environment.fetch(path, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain(code);
    const document = await environment.fetch(path, { headers: { accept: 'application/json' } });
    expect([document.status, document.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await document.json()).toMatchObject({ code });
  });

  it('has an example with the members of a real answer', async () => {
    const merchant = await merchantOf(environment, environment.companies[0]);
    const shipments = '/v2/external/shipments';
    const key = 'a'.repeat(16);
    const refused = await Promise.all([
      merchant.get(`${shipments}?page=1`),
      merchant.get(`${shipments}?state=X`),
      merchant.get(`${shipments}?limit=0`),
      merchant.get(`${shipments}/abc`),
      merchant.post(shipments, {}),
      merchant.postShipment({}, { 'idempotency-key': 'short' }),
      merchant.postShipment('{', { 'idempotency-key': key }),
      merchant.postShipment({}, { 'idempotency-key': key }),
      merchant.post('/v2/external/webhook-endpoints', { url: 'https://10.0.0.1/', eventTypes: ['*'] }),
      environment.fetch('/nothing'),
      environment.fetch(shipments),
    ]);
    for (const response of refused) {
      const body = JSON.parse(await response.text()) as { readonly code: string };
      const path = `/problems/${body.code.toLowerCase().replaceAll('_', '-')}`;
      const page = await environment.fetch(path, { headers: { accept: 'application/json' } });
      const { example } = (await page.json()) as { readonly example: object };
      // traceId is present only if the request had a traceparent.
      const shown = Object.keys(example).filter((name) => name !== 'traceId');
      expect([body.code, shown.toSorted()]).toEqual([body.code, Object.keys(body).toSorted()]);
    }
  });

  it('is listed in an index, as a page and as JSON', async () => {
    const page = await environment.fetch('/problems', { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const index = await environment.fetch('/problems', { headers: { accept: 'application/json' } });
    const { data } = (await index.json()) as { readonly data: readonly { readonly type: string }[] };
    expect(data).toHaveLength(PROBLEM_CODES.length);
    for (const { type } of data.slice(0, 2)) expect(type.startsWith(`${BASE_URL}/problems/`)).toBe(true);
  });

  it('is 404 for an unknown code', async () => {
    for (const name of ['nothing', 'MALFORMED_JSON', 'constructor']) {
      await expectProblem(await environment.fetch(`/problems/${name}`), { status: 404, code: 'ROUTE_NOT_FOUND' });
    }
  });
});

describe('the home page', () => {
  it.each(['en', 'ar'])('links in %s to all pages, and every link works', async (lang) => {
    const response = await environment.fetch('/', { headers: { cookie: `lang=${lang}` } });
    expect([response.status, response.headers.get('content-language')]).toEqual([200, lang]);
    expect(response.headers.get('vary')).toMatch(/Cookie/);
    const text = await response.text();
    const paths = [...text.matchAll(/ href="(\/[^"]*)"/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(8);
    const statuses = await Promise.all(paths.map(async (path) => [path, (await environment.fetch(path)).status]));
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
  });
});

describe('a guide', () => {
  const pages = ['/changes', ...GUIDES.map((slug) => `/docs/${slug}`)];

  it.each(pages)('is at %s in both languages', async (path) => {
    for (const lang of ['en', 'ar']) {
      const page = await environment.fetch(`${path}?lang=${lang}`);
      expect([page.status, page.headers.get('content-language')]).toEqual([200, lang]);
      expect(await page.text()).toContain(`href="${path}?lang=${lang}" aria-current="page"`);
    }
  });

  it.each(MARKDOWN_GUIDES)(
    'is at /docs/%s.md as Markdown, in both languages, and llms.txt links to it',
    async (slug) => {
      const texts = await Promise.all(
        ['en', 'ar'].map(async (lang) => {
          const response = await environment.fetch(`/docs/${slug}.md?lang=${lang}`);
          const { headers } = response;
          expect([response.status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
          expect([headers.get('content-language'), headers.get('vary')]).toEqual([
            lang,
            expect.stringMatching(/Cookie/),
          ]);
          const text = await response.text();
          expect(text).toMatch(/^# \S.*\n\n> \S/);
          expect(text).not.toMatch(/\{\{|\{#|^---|base-url\.invalid/);
          return text;
        }),
      );
      expect(texts[0]).not.toBe(texts[1]);
      const list = await (await environment.fetch('/llms.txt')).text();
      expect(list).toContain(`(${BASE_URL}/docs/${slug}.md): `);
    },
  );

  it('is 404 as Markdown if it is no guide', async () => {
    for (const name of ['shipments.md', 'nothing.md', 'retries.en.md', '.md'])
      await expectProblem(await environment.fetch(`/docs/${name}`), { status: 404, code: 'ROUTE_NOT_FOUND' });
  });

  it('tells the budget that the service then counts', async () => {
    const merchant = await merchantOf(environment, environment.companies[0]);
    const counted = await merchant.get('/v2/external/branches');
    const [budget = ''] = counted.headers.get('ratelimit-policy')?.split(';') ?? [];
    const page = await environment.fetch('/docs/limits');
    expect(await page.text()).toContain(`<code>${budget.replaceAll('"', '')}</code>`);
  });
});

describe('a page', () => {
  it.each([
    ['/console/', '/console'],
    ['/operations/?lang=ar', '/operations?lang=ar'],
    ['/driver/', '/driver'],
    ['/docs/', '/docs'],
    ['/docs/retries/', '/docs/retries'],
    ['/console/shipments/', '/console/shipments'],
    ['/problems/', '/problems'],
    ['/changes/?a=%2F', '/changes?a=%2F'],
    ['/llms.txt/', '/llms.txt'],
  ])('with a slash at its end leads to the one without: %s', async (path, target) => {
    const headers = { accept: 'text/html' };
    const response = await environment.fetch(path, { headers, redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([308, target]);
    const page = await environment.fetch(target, { headers });
    expect(page.status).toBe(200);
  });

  it.each(['//evil.example/', '/docs//', '/console/%2F/%2F/%2F/x/', '/v2/external/shipments/', '/nothing/'])(
    'is not where %s leads',
    async (path) => {
      const response = await environment.fetch(path, { redirect: 'manual' });
      await expectProblem(response, { status: 404, code: 'ROUTE_NOT_FOUND' });
    },
  );
});

describe('the OpenAPI document', () => {
  it('is served as committed, with the address of this deployment', async () => {
    const response = await environment.fetch('/openapi.json');
    expect(response.status).toBe(200);
    const deployed: unknown = JSON.parse(JSON.stringify(openApiDocument).replaceAll(LOCAL_ADDRESS, BASE_URL));
    expect(await response.json()).toEqual({ ...Object(deployed), servers: [{ url: BASE_URL }] });
  });

  it.each([
    ['/docs', 'text/html; charset=utf-8'],
    ['/llms.txt', 'text/plain; charset=utf-8'],
  ])('is readable at %s without a token, with all of its paths', async (path, type) => {
    const response = await environment.fetch(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    const text = await response.text();
    expect(text).not.toContain('base-url.invalid');
    for (const operation of ['/v2/external/shipments', '/oauth/token', '/v2/external/pickup-locations'])
      expect(text).toContain(operation);
  });
});

describe('the reference', () => {
  const tags = openApiDocument.tags.map(({ name }) => name.toLowerCase().replaceAll(' ', '-'));

  it.each([...tags, 'objects'])('has the page /docs/%s', async (part) => {
    for (const lang of ['en', 'ar']) {
      const page = await environment.fetch(`/docs/${part}?lang=${lang}`);
      expect([page.status, page.headers.get('content-language')]).toEqual([200, lang]);
      expect(await page.text()).toContain(`<html lang="${lang}"`);
    }
  });

  it('has no other pages', async () => {
    for (const part of ['nothing', 'parts.json', 'Shipments', '..%2Fllms'])
      await expectProblem(await environment.fetch(`/docs/${part}`), { status: 404, code: 'ROUTE_NOT_FOUND' });
  });

  it('has every address that llms.txt and the home page link to', async () => {
    const [digest, first] = await Promise.all(
      ['/llms.txt', '/docs'].map(async (path) => (await environment.fetch(path)).text()),
    );
    const addresses = [
      ...[...(digest ?? '').matchAll(/\]\(([^)]+)\)/g)].map(([, address = '']) => address.replace(BASE_URL, '')),
      ...[...(first ?? '').matchAll(/href="(\/[^"]+)"/g)].map(([, address = '']) => address),
    ];
    const pages = Map.groupBy(new Set(addresses), (address) => address.split('#')[0] ?? '');
    for (const [path, links] of pages) {
      const response = await environment.fetch(path);
      expect([path, response.status]).toEqual([path, 200]);
      const text = await response.text();
      for (const anchor of links.flatMap((link) => link.split('#').slice(1))) expect(text).toContain(` id="${anchor}"`);
    }
  });
});
