import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { forceState } from '../../scripts/shared/force-state.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import type { JsonObject } from '../../scripts/shared/shipments.ts';
import { createLink, linksOf, readLink, revokeLink, SECRET, secrets } from '../../scripts/shared/tracking.ts';
import { until } from '../../scripts/shared/until.ts';
import { describeChangeSockets } from '../support/change-sockets.ts';
import { expectPlainDocument } from '../support/expect-plain-document.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment, 'shard-2');
const open = (token: string, headers = {}, method = 'GET') => environment.fetch(`/t/${token}`, { method, headers });

async function newLink(body = {}) {
  const { shipmentId } = await sandbox.create({ ...secrets(), codAmount: 94.5, paymentMethod: 'COD' });
  await sandbox.untilState(shipmentId, 'OFFERED');
  return { shipmentId, ...(await createLink(sandbox.merchant, shipmentId, body)) };
}

const RIYADH_NORTH = { latitude: 24.7511, longitude: 46.6602 };

/** The scale bar of a drawing. */
function scaleOf(text: string) {
  const [, width] = /class="scale" d="M12 \d+v6h([\d.]+)v/.exec(text) ?? [];
  const [, length, unit] = />([\d.]+) (m|km)<\/text>/.exec(text) ?? [];
  return { width: Number(width), meters: Number(length) * (unit === 'km' ? 1000 : 1) };
}

/** A page that has a script; the other pages have none. */
function expectPage(text: string, locale: 'en' | 'ar'): void {
  expectPlainDocument(
    text.replace(/<script type="module" src="\/assets\/tracking-[\w-]{8}\.js"><\/script>/, ''),
    locale,
  );
}

describe('the page of a tracking link', () => {
  it('cannot be cached, indexed or framed, and sends no referrer', async () => {
    const { token, url } = await newLink();
    expect(url).toBe(`${environment.baseUrl}/t/${token}`);
    const response = await open(token);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-language': 'en',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
      vary: expect.stringMatching(/Cookie.*Accept-Language/),
    });
    const text = await response.text();
    expectPage(text, 'en');
    expect(text).not.toContain(token);
    expect(text.replaceAll('delivery address', '')).not.toMatch(SECRET);
  });

  it('shows the pickup and the destination as areas', async () => {
    const { token } = await newLink();
    const text = await (await open(token)).text();
    const radii = [...text.matchAll(/<circle class="(pickup|area)" cx="[\d.]+" cy="[\d.]+" r="([\d.]+)"/g)]
      .map(([, name, radius]) => [name, Number(radius)] as const)
      .filter(([, radius]) => radius !== 7);
    expect(radii.map(([name]) => name)).toEqual(['pickup', 'area']);
    const { width, meters } = scaleOf(text);
    for (const [, radius] of radii) expect(Math.abs((radius * meters) / width - 700)).toBeLessThan(20);
  });

  it('draws the same area for destinations close to each other', async () => {
    const near = { addressLine: '1', cityCode: 'RUH', latitude: 24.79055, longitude: 46.62911 };
    const drawings = await Promise.all(
      [secrets()['destination'], near].map(async (destination) => {
        const { shipmentId } = await sandbox.create({ destination });
        const { token } = await createLink(sandbox.merchant, shipmentId);
        return /<circle class="area"[^>]*>/.exec(await (await open(token)).text())?.[0];
      }),
    );
    expect(drawings[0]).toMatch(/cx="[\d.]+" cy="[\d.]+"/);
    expect(drawings[1]).toBe(drawings[0]);
  });

  it('is 304 with the entity tag in the page while nothing changes, and does not count as a view', async () => {
    const { token, shipmentId, linkId } = await newLink();
    const first = await open(token);
    const etag = first.headers.get('etag') ?? '';
    expect(await first.text()).toContain(`<meta name="entity-tag" content="${etag.replaceAll('"', '&quot;')}"/>`);
    for (const tag of [etag, etag.slice(2)]) {
      const again = await open(token, { 'if-none-match': tag });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    }
    await forceState(environment, sandbox.company, shipmentId, 'PICKED_UP');
    const later = await open(token, { 'if-none-match': etag });
    expect(later.status).toBe(200);
    expect(later.headers.get('etag')).not.toBe(etag);
    const viewed = await until('the view is counted', async () => {
      const read = await readLink(await sandbox.merchant.get(`${linksOf(shipmentId)}/${linkId}`));
      return read.viewCount > 0 ? read : undefined;
    });
    expect(viewed.viewCount).toBe(1);
  });

  it.each([
    // link, cookie, Accept-Language, query, expected
    [undefined, undefined, 'ar', '', 'ar'],
    [undefined, 'lang=ar', 'en', '', 'ar'],
    ['ar', undefined, 'en', '', 'ar'],
    ['ar', 'a=b; lang=en', 'ar', '', 'en'],
    ['en', 'lang=en', 'en', '?lang=ar', 'ar'],
    ['ar', 'lang=fr', 'en', '?lang=fr', 'ar'],
  ] as const)('chooses the language for link %s, cookie %s, Accept-Language %s, query %s: %s', async (...row) => {
    const [locale, cookie, accepts, query, shown] = row;
    const { token } = await newLink(locale === undefined ? {} : { locale });
    const headers = { 'accept-language': accepts, ...(cookie === undefined ? {} : { cookie }) };
    const response = await open(`${token}${query}`, headers);
    expect(response.headers.get('content-language')).toBe(shown);
    expectPage(await response.text(), shown);
    const isChoice = query === '?lang=ar';
    expect(response.headers.get('set-cookie')).toBe(
      isChoice ? 'lang=ar; Path=/; Max-Age=31536000; SameSite=Lax; Secure' : null,
    );
  });

  it('answers HEAD like GET, and allows no method but POST besides', async () => {
    const { token } = await newLink();
    const [get, head] = [await open(token), await open(token, {}, 'HEAD')];
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', get.headers.get('etag')]);
    const { byteLength } = await get.arrayBuffer();
    expect(head.headers.get('content-length')).toBe(String(byteLength));
    await expectProblem(await open(token, {}, 'PUT'), { status: 405, code: 'METHOD_NOT_ALLOWED' });
    expect((await open(token, {}, 'OPTIONS')).headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS');
  });

  it('is smaller than 40 kB compressed, without fonts', async () => {
    const { token } = await newLink({ locale: 'ar' });
    const text = await (await open(token)).text();
    const assets = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+\.(?:css|js))"/g)].map(([, path = '']) => path);
    expect(assets).toHaveLength(2);
    const parts = await Promise.all(assets.map(async (path) => (await environment.fetch(path)).text()));
    const bytes = [text, ...parts].reduce((sum, part) => sum + gzipSync(part).byteLength, 0);
    expect(bytes).toBeLessThan(40_000);
  });
});

describe('the page after the end of a delivery', () => {
  const driver = sandbox.signIn();
  async function ended(last: JsonObject) {
    const link = await newLink();
    for (const action of [{ action: 'ACCEPT' }, { action: 'PICK_UP' }, { action: 'DEPART' }, last])
      expect((await (await driver).act(link.shipmentId, action)).status).toBe(200);
    return link;
  }
  const textOf = async (token: string, lang: 'en' | 'ar') => (await open(`${token}?lang=${lang}`)).text();

  it('has the time, and what was paid to the driver', async () => {
    const { token } = await ended({ action: 'DELIVER', collected: { amount: 94.5, method: 'CASH' } });
    const en = await textOf(token, 'en');
    expect(en).toMatch(/<p class="lead">Delivered on [^<]+ at \d\d:\d\d<\/p>/);
    expect(en).toContain('<dt>Paid</dt><dd>94.50 Saudi riyals, to the driver</dd>');
    expect(en).not.toContain('Amount to pay');
    const ar = await textOf(token, 'ar');
    expect(ar).toMatch(/<p class="lead">تم التوصيل [^<]+ الساعة \d{1,2}:\d\d [صم]<\/p>/);
    expect(ar).toMatch(/<dt>المدفوع<\/dt><dd>[^<]*94\.50[^<]*، دُفع للسائق<\/dd>/);
  });

  it('has nothing paid if nothing was due', async () => {
    const { shipmentId } = await sandbox.create(secrets());
    await sandbox.untilState(shipmentId, 'OFFERED');
    const { token } = await createLink(sandbox.merchant, shipmentId);
    for (const action of ['ACCEPT', 'PICK_UP', 'DEPART', 'DELIVER'])
      expect((await (await driver).act(shipmentId, { action })).status).toBe(200);
    expect(await textOf(token, 'en')).not.toContain('<dt>Paid</dt>');
  });

  it.each([
    ['REDELIVER', 'The driver comes to you again. ', 'يعود إليك السائق مرة أخرى. '],
    ['RETURN', 'The parcel goes back to ', 'تعود الشحنة إلى '],
  ])('says that the shop decides after a failure, and what it has decided: %s', async (kind, en, ar) => {
    const { token, shipmentId } = await ended({ action: 'FAIL', reasonCode: 'RECIPIENT_REFUSED' });
    const { name } = sandbox.company;
    expect(await textOf(token, 'en')).toContain(`<p class="lead">${name} decides what happens next`);
    expect(await textOf(token, 'ar')).toContain(`<p class="lead">يقرر ${name} الخطوة التالية`);
    const chosen = await sandbox.merchant.post(`${SHIPMENTS}/${shipmentId}/resolutions`, { kind });
    expect(chosen.status).toBe(201);
    const { shipmentId: next } = JSON.parse(await chosen.text()) as { shipmentId: string };
    const after = await textOf(token, 'en');
    expect(after).toContain(`<p class="lead">${en}`);
    expect(await textOf(token, 'ar')).toContain(`<p class="lead">${ar}`);
    // Wherever the parcel goes, this page neither draws nor names it.
    expect((await (await driver).act(next, { action: 'DEPART', position: RIYADH_NORTH })).status).toBe(200);
    expect(await textOf(token, 'en')).toBe(after);
    expect(after).not.toMatch(/<svg class="drawing|class="driver"/);
    expect(after).not.toContain(next);
  });
});

describe('the page of an unusable link', () => {
  it('is always the same: unknown, expired, revoked or malformed', async () => {
    const [revoked, expired] = [await newLink(), await newLink()];
    const path = `${linksOf(revoked.shipmentId)}/${revoked.linkId}`;
    expect((await revokeLink(environment, sandbox, path, '*')).status).toBe(204);
    await environment.sql(sandbox.company.shard, 'update tracking_links set expires_at = 1 where id = ?', [
      expired.linkId,
    ]);
    const unknown = `shard-2_${'0'.repeat(32)}`;
    const tokens = [unknown, revoked.token, expired.token, `shard-9_${'0'.repeat(32)}`, 'x', '%', '%E0%A4'];
    const pages = await Promise.all(
      tokens.map(async (token) => {
        const response = await open(token, { 'accept-language': 'ar' });
        const { headers, status } = response;
        const told = ['content-type', 'content-security-policy', 'cache-control', 'etag', 'x-robots-tag'];
        return JSON.stringify([status, await response.text(), ...told.map((name) => headers.get(name))]);
      }),
    );
    expect(new Set(pages).size).toBe(1);
    expect(pages[0]).toMatch(/^\[404,.*هذا الرابط لا يعمل/s);
    expectPage(await (await open('x')).text(), 'en');
  });
});

describeChangeSockets(() => environment);
