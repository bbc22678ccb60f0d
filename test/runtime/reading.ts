import { extractText, getDocumentProxy } from 'unpdf';
import { expect, it } from 'vitest';
import { BASE_URL } from '../../scripts/shared/connection.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { expectProblem } from '../support/problem.ts';
import type { Started } from './service.ts';

/** Pages and their files. */
export function describeReading(started: Started): void {
  it('serves its pages with its own address and entity tags', async () => {
    const { fetch } = started();
    const page = await fetch('/problems/rate-limited', { headers: { accept: 'application/json' } });
    expect(await page.json()).toMatchObject({ type: `${BASE_URL}/problems/rate-limited` });
    const tag = page.headers.get('etag') ?? '';
    for (const path of ['/docs', '/docs?lang=ar', '/openapi.json', '/llms.txt']) {
      const response = await fetch(path, { headers: { 'if-none-match': tag } });
      expect([path, response.status]).toEqual([path, 200]);
      const again = await fetch(path, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } });
      expect([path, again.status]).toEqual([path, 304]);
    }
    // Their storage paths are not public.
    for (const path of ['/docs.en.html', '/browser-files.json', '/problems/rate-limited.en.html'])
      await expectProblem(await fetch(path), { status: 404, code: 'ROUTE_NOT_FOUND' });
  });

  it('answers an unknown path with a page for a browser, and with a problem for a program', async () => {
    const { fetch } = started();
    const token = `shard-1_${'7'.repeat(32)}`;
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'ar' };
    const page = await fetch(`/t/${token}/more`, { headers });
    expect([page.status, page.headers.get('content-language')]).toEqual([404, 'ar']);
    const text = await page.text();
    expect(text).toContain('الصفحة غير موجودة');
    expect(text).not.toContain(token);
    await expectProblem(await fetch('/nothing', { headers: { accept: '*/*' } }), {
      status: 404,
      code: 'ROUTE_NOT_FOUND',
    });
  });

  it('prints labels as PDF and as ZPL', async () => {
    const { merchant } = await newSandbox(started(), 'shard-1');
    const recipient = { name: 'زينب الحربي', phone: '0598765431' };
    const { shipmentId } = await merchant.create({ recipient });
    const path = `/v2/external/waybills?lang=ar&shipmentIds=${shipmentId}`;
    const pdf = await merchant.get(path, { accept: 'application/pdf' });
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const document = await getDocumentProxy(new Uint8Array(await pdf.arrayBuffer()));
    expect((await extractText(document)).text).toEqual([expect.stringContaining('********5431')]);
    const zpl = await merchant.get(path, { accept: 'application/zpl' });
    expect([zpl.status, zpl.headers.get('content-type')]).toEqual([200, 'application/zpl']);
    expect(await zpl.text()).toMatch(/^\^XA\n[^]*\^GFA,[^]*\^BCN,[^]*\n\^XZ\n$/);
  });

  it('serves fonts, scripts and styles that a browser may cache for ever', async () => {
    const { fetch } = started();
    const page = await fetch('/console/shipments?state=OFFERED');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const files = [...(await page.text()).matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(files.map((path) => path.replace(/-[\w-]{8}\./, '.'))).toEqual([
      '/assets/latin-400.woff2',
      '/assets/latin-600.woff2',
      '/assets/console.css',
      '/assets/console.js',
    ]);
    for (const path of files) {
      const file = await fetch(path);
      expect([path, file.status]).toEqual([path, 200]);
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(file.headers.get('content-type')).toMatch(/^(?:text\/(?:css|javascript); charset=utf-8|font\/woff2)$/);
      expect((await file.text()).length).toBeGreaterThan(100);
    }
    for (const path of ['/assets/console-00000000.js', '/assets/..%2Fopenapi.json', '/assets/openapi.json'])
      await expectProblem(await fetch(path), { status: 404, code: 'ROUTE_NOT_FOUND' });
  });
}
