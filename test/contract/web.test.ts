import { describe, expect, it } from 'vitest';
import openApiDocument from '../../docs/openapi.json' with { type: 'json' };
import { PROBLEM_CODES } from '../../src/core/catalogue.ts';
import { BASE_URL } from '../support/connection.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();

describe('the address of a problem type', () => {
  it.each(PROBLEM_CODES)('answers for %s, as a page and as JSON', async (code) => {
    const path = `/problems/${code.toLowerCase().replaceAll('_', '-')}`;
    const page = await environment.fetch(path, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain(code);
    const document = await environment.fetch(path, { headers: { accept: 'application/json' } });
    expect([document.status, document.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await document.json()).toMatchObject({ code });
  });

  it('answers 404 for a code that there is not', async () => {
    for (const name of ['nothing', 'MALFORMED_JSON', 'constructor']) {
      await expectProblem(await environment.fetch(`/problems/${name}`), { status: 404, code: 'ROUTE_NOT_FOUND' });
    }
  });
});

describe('the first page', () => {
  it.each(['en', 'ar'])('says in %s where everything is, and all of it is there', async (lang) => {
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

describe('the document', () => {
  it('is served as it is committed, with the address of this deployment', async () => {
    const response = await environment.fetch('/openapi.json');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ...openApiDocument, servers: [{ url: BASE_URL }] });
  });

  it.each([
    ['/docs', 'text/html; charset=utf-8'],
    ['/llms.txt', 'text/plain; charset=utf-8'],
  ])('can be read at %s without a token, with every path of it', async (path, type) => {
    const response = await environment.fetch(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    const text = await response.text();
    for (const operation of ['/v2/external/shipments', '/oauth/token', '/v2/external/pickup-locations'])
      expect(text).toContain(operation);
  });
});
