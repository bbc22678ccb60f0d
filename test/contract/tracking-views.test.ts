import { describe, expect, it } from 'vitest';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { createLink, linksOf, readLink } from '../../scripts/shared/tracking.ts';
import { until } from '../../scripts/shared/until.ts';
import { BROWSERS, LINK_ENDS, LINK_PROGRAMS, PREFETCHES } from '../support/cast.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment);

async function newLink(terms = {}) {
  const { shipmentId } = await sandbox.create();
  const { token, linkId } = await createLink(sandbox.merchant, shipmentId, terms);
  const viewCount = async () =>
    (await readLink(await sandbox.merchant.get(`${linksOf(shipmentId)}/${linkId}`))).viewCount;
  return { token, viewCount };
}

describe.each(['/t/', '/v2/public/tracking/'])('GET %s{token}', (path) => {
  it('counts people, and no previews, scanners, prefetches, HEAD or refreshes', async () => {
    const { token, viewCount } = await newLink();
    const open = async (headers: Readonly<Record<string, string>>, method = 'GET') =>
      environment.fetch(`${path}${token}`, { method, headers: { 'user-agent': BROWSERS[0] ?? '', ...headers } });
    for (const userAgent of LINK_PROGRAMS) expect((await open({ 'user-agent': userAgent })).status).toBe(200);
    for (const headers of PREFETCHES) expect((await open(headers)).status).toBe(200);
    expect((await open({}, 'HEAD')).status).toBe(200);
    expect((await open({ 'if-none-match': '"x"' })).status).toBe(200);
    for (const userAgent of BROWSERS) expect((await open({ 'user-agent': userAgent })).status).toBe(200);
    const stored = (least: number) =>
      until('the views are stored', async () => {
        const count = await viewCount();
        return count >= least ? count : undefined;
      });
    await stored(BROWSERS.length);
    // Views are stored in their order, so one of a program would be there with the next one.
    await open({});
    expect(await stored(BROWSERS.length + 1)).toBe(BROWSERS.length + 1);
  });
});

describe('a link with something stuck to its end', () => {
  it.each(LINK_ENDS)('opens with %j', async (end) => {
    const { token } = link;
    for (const path of [`/t/${token}${end}`, `/t/${token}${encodeURIComponent(end)}`, `/t/${token}${end}?lang=ar`]) {
      const response = await environment.fetch(path, { headers: { accept: 'text/html' } });
      expect([path.replace(token, ''), response.status]).toEqual([path.replace(token, ''), 200]);
      expect(await response.text()).toContain('id="answer"');
    }
  });

  it('is counted once, and takes a rating', async () => {
    const { token, viewCount } = await newLink();
    expect((await environment.fetch(`/t/${token}/`)).status).toBe(200);
    await until('the view is stored', async () => ((await viewCount()) === 1 ? true : undefined));
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const init = { method: 'POST', headers, body: 'stars=9', redirect: 'manual' } as const;
    expect((await environment.fetch(`/t/${token}/`, init)).status).toBe(303);
  });

  it.each(['a', '7', '/more', '/x.', '/changes/'])('is unknown with %j, which is no such thing', async (end) => {
    const response = await environment.fetch(`/t/${link.token}${end}`);
    expect(response.status).toBe(404);
  });
});
const link = await newLink();

describe('a preview of the page', () => {
  it.each([
    ['en', 'Your parcel from ', 'See where your parcel is and when it arrives.', 'en_US'],
    ['ar', 'شحنتك من ', 'تابع شحنتك واعرف موعد وصولها.', 'ar_SA'],
  ] as const)('has texts in %s that hold in every state', async (locale, title, description, languageTag) => {
    const { token } = await newLink({ locale });
    const text = await (await environment.fetch(`/t/${token}`)).text();
    const told = new Map(
      [...text.matchAll(/<meta (?:property|name)="((?:og:)?[\w:]+)" content="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    );
    expect(told.get('og:title')).toMatch(new RegExp(`^${title}.+`));
    expect([told.get('og:description'), told.get('description')]).toEqual([description, description]);
    expect([told.get('og:locale'), told.get('og:type')]).toEqual([languageTag, 'website']);
    expect(told.get('og:site_name')).toBe(locale === 'en' ? 'Tracking by Mirsal' : 'تتبّع عبر مرسال');
  });
});
