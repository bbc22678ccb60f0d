import { describe, expect, it } from 'vitest';
import { asksForPage, prefersJson } from '../../../src/http/accept.ts';
import { represent } from '../../../src/http/web/representation.ts';

describe('JSON instead of a page', () => {
  it.each([
    ['application/json'],
    ['application/json, text/plain, */*'],
    ['text/html;q=0.5, application/json;q=0.9'],
    ['application/*, text/*;q=0.2'],
    ['text/html;q=0, application/json;q=0.1'],
  ])('is preferred by %s', (accept) => {
    expect(prefersJson(accept)).toBe(true);
  });

  it.each([
    [null],
    ['*/*'],
    ['text/html'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
    ['text/html, application/json'],
    ['application/json;q=0.5, text/html'],
    ['application/json;q=0, */*;q=0.1'],
  ])('is not preferred by %s', (accept) => {
    expect(prefersJson(accept)).toBe(false);
  });
});

describe('a page instead of a problem', () => {
  it.each([
    ['text/html'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'],
    ['text/*, */*;q=0.1'],
    ['application/json;q=0.5, text/html'],
  ])('is wanted by %s', (accept) => {
    expect(asksForPage(accept)).toBe(true);
  });

  it.each([
    [null],
    [''],
    ['*/*'],
    ['application/json'],
    ['application/problem+json'],
    ['text/html;q=0'],
    ['application/json, text/html;q=0.9'],
    ['text/plain'],
  ])('is not wanted by %s', (accept) => {
    expect(asksForPage(accept)).toBe(false);
  });
});

describe('a representation', () => {
  const page = { mediaType: 'text/html', locale: 'ar', text: '<p>مرسال</p>' } as const;
  const request = (headers: Record<string, string> = {}) => new Request('https://api.example/docs', { headers });

  it('is a page without scripts, in its language, and cacheable', async () => {
    const answer = await represent(request(), page);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-language')).toBe('ar');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(answer.headers.get('vary')).toBe('Cookie');
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
    );
    expect(await answer.text()).toBe('<p>مرسال</p>');
  });

  it.each([
    ['the tag', (etag: string) => etag],
    ['the tag made strong', (etag: string) => etag.replace('W/', '')],
    ['a list with it', (etag: string) => `"other", ${etag}`],
    ['anything', () => '*'],
  ])('is 304 for a request with %s', async (_what, tagOf) => {
    const etag = (await represent(request(), page)).headers.get('etag') ?? '';
    const answer = await represent(request({ 'if-none-match': tagOf(etag) }), page);
    expect(answer.status).toBe(304);
    expect(answer.headers.get('etag')).toBe(etag);
    expect(await answer.text()).toBe('');
  });

  it('varies by what it depends on, and by the cookie only if it has a language', async () => {
    const json = { mediaType: 'application/json', locale: 'en', text: '{}' } as const;
    expect((await represent(request(), json)).headers.get('vary')).toBeNull();
    expect((await represent(request(), { ...page, vary: 'Accept' })).headers.get('vary')).toBe('Cookie, Accept');
  });

  it('is 200 for a request with another entity tag', async () => {
    const other = (await represent(request(), { ...page, text: '' })).headers.get('etag') ?? '';
    expect((await represent(request({ 'if-none-match': other }), page)).status).toBe(200);
  });
});
