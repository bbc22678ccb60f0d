import { describe, expect, test } from 'vitest';
import { findBarriers, openWindow, type Window } from '../../scripts/shared/browser.ts';
import { signedIn, unexpected } from '../../scripts/shared/console.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { FRAME } from '../../src/pages/reference/words.ts';
import { GUIDES } from '../../src/pages/text.ts';
import { openSite } from '../support/open-site.ts';
import { watchShifts } from '../support/page-load.ts';

const { site, browser } = await openSite('worker');

/** One page of each kind. */
const PAGES = [
  '/',
  '/docs',
  '/docs/shipments',
  '/docs/objects',
  '/docs/limits',
  '/docs/retries',
  '/changes',
  '/problems',
  '/problems/rate-limited',
  '/no-such-page',
] as const;
const LOCALES = ['en', 'ar'] as const;
const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [1280, 320] as const;
const WAYS = LOCALES.flatMap((locale) =>
  SCHEMES.flatMap((scheme) => WIDTHS.map((width) => ({ locale, scheme, width }) as const)),
);
type Way = (typeof WAYS)[number];

describe.each(PAGES)('%s', (path) => {
  test.each(WAYS)('logs no error and fits the width in $locale, $scheme, at $width px', async (way) => {
    const window = await openPage(path, way);
    expect(await cutOff(window)).toEqual([]);
    // Chromium logs the status of the page that is not there.
    expect(unexpected(window, 404)).toEqual([]);
    await window.close();
  });

  // Axe is slow and looks at both colour schemes, so each page is tested once in each language and width.
  test.each([
    { locale: 'ar', scheme: 'light', width: 1280 },
    { locale: 'en', scheme: 'dark', width: 320 },
  ] as const)('passes axe in $locale, $scheme, at $width px', async (way) => {
    const window = await openPage(path, way);
    // Folded parts count as well.
    await window.page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) {
        details.removeAttribute('name');
        details.open = true;
      }
    });
    expect(await findBarriers(window.page)).toEqual([]);
    await window.close();
  });
});

test.each(GUIDES.flatMap((slug) => LOCALES.map((locale) => [slug, locale] as const)))(
  'the guide %s passes axe and fits the width in %s',
  async (slug, locale) => {
    const window = await openPage(`/docs/${slug}`, { locale, scheme: 'dark', width: 320 });
    expect(await cutOff(window)).toEqual([]);
    expect(await findBarriers(window.page)).toEqual([]);
    await window.close();
  },
);

describe.each(LOCALES)('in %s, by keyboard', (locale) => {
  test('the first Tab stop skips to the content, and the focus is visible', async () => {
    const { page, close } = await openPage('/docs', { locale, scheme: 'light', width: 1280 });
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('skip');
    expect(await page.locator('.skip').boundingBox()).toMatchObject({
      height: expect.toSatisfy((px: number) => px > 24),
    });
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
    await page.keyboard.press('Tab');
    const outline = await page.evaluate(() => {
      const { activeElement } = document;
      if (activeElement === null) return undefined;
      return { isWithin: activeElement.closest('main') !== null, width: getComputedStyle(activeElement).outlineWidth };
    });
    expect(outline).toEqual({ isWithin: true, width: '3px' });
    await close();
  });

  test('one sample is open, and the language that a key opens is open on every page', async () => {
    const { page, close, faults } = await openPage('/docs/prices', { locale, scheme: 'light', width: 320 });
    const open = async () => new Set(await page.locator('.samples details[open] summary').allInnerTexts());
    expect(await open()).toEqual(new Set(['curl']));
    await page.locator('.samples summary', { hasText: 'PHP' }).first().focus();
    await page.keyboard.press('Enter');
    await expect.poll(open).toEqual(new Set(['PHP']));
    await page.goto(`${site.address}/docs/shipments?lang=${locale}`);
    await expect.poll(open).toEqual(new Set(['PHP']));
    expect(await page.locator('.samples pre:visible').first().innerText()).toMatch(/^\$request = curl_init\(/);
    expect(faults).toEqual([]);
    await close();
  });

  test('an operation runs with the session of the console, and its answer fills in the next one', async () => {
    const { company } = await newSandbox(site);
    const { storageState } = await signedIn(site, company);
    const options = { storageState, viewport: { width: 320, height: 800 } };
    const { page, close, faults } = await openWindow(browser, `${site.address}/docs/shipments?lang=${locale}`, options);
    const trialOf = (anchor: string) => page.locator(`[aria-labelledby="${anchor}"] .trial`);
    const sendButton = { name: FRAME[locale].send, exact: true };
    const create = trialOf('shipments-create');
    await create.locator('summary').press('Enter');
    await expect
      .poll(() => create.locator('[name="headers"]').inputValue())
      .toMatch(/^Idempotency-Key: [\da-f-]{36}\n/);
    await create.getByRole('button', sendButton).press('Enter');
    await create.getByText('HTTP 201').waitFor();
    expect(await create.locator('pre').first().textContent()).toContain('etag: "0"');
    const { shipmentId } = JSON.parse((await create.locator('pre').last().textContent()) ?? '') as {
      shipmentId: string;
    };
    expect(await findBarriers(page)).toEqual([]);
    const get = trialOf('shipments-get');
    await get.locator('summary').press('Enter');
    await expect.poll(() => get.locator('[name="address"]').inputValue()).toBe(`/v2/external/shipments/${shipmentId}`);
    await get.getByRole('button', sendButton).press('Enter');
    await get.getByText('HTTP 200').waitFor();
    expect(await get.locator('pre').last().textContent()).toContain(`"shipmentId": "${shipmentId}"`);
    expect(faults).toEqual([]);
    // Another tab signs in somebody else: the form does nothing for them until it names them.
    const other = await newSandbox(site);
    await site.sql('directory', "update companies set name = 'Tihama Roses' where id = ?", [other.company.companyId]);
    await page.context().addCookies((await signedIn(site, other.company)).storageState.cookies);
    await create.getByRole('button', { name: FRAME[locale].restore }).press('Enter');
    await create.getByText(company.name).waitFor();
    await expect
      .poll(() => create.locator('[name="headers"]').inputValue())
      .toMatch(/^Idempotency-Key: [\da-f-]{36}\n/);
    await create.getByRole('button', sendButton).press('Enter');
    await create.getByText('HTTP 409').waitFor();
    await create.getByText('Tihama Roses').waitFor();
    const created = 'select count(*) as n from shipments where company_id = ?';
    expect(await site.sql(other.company.shard, created, [other.company.companyId])).toEqual([{ n: 0 }]);
    await close();
  });

  test('the search finds an operation, and the contents are reached after it', async () => {
    const { page, close, faults } = await openPage('/docs', { locale, scheme: 'light', width: 1280 });
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('find');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.contents li') !== null)).toBe(true);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('/v2/external/shipments/{shipmentId}/cancellations');
    await page.locator('#found a').first().waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/shipments\?lang=(?:en|ar)#shipments-cancel$/);
    expect(faults).toEqual([]);
    await close();
  });
});

test('every sample is copied as it is, and is readable without a script', async () => {
  const window = await openWindow(browser, `${site.address}/docs/prices?lang=en`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page } = window;
  const blocks = page.locator('.code:visible');
  await blocks.first().getByRole('button', { name: 'Copy' }).press('Enter');
  await blocks.first().getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await blocks.first().locator('pre').textContent());
  expect(await blocks.count()).toBe(await page.locator('.code:visible button').count());
  await window.close();
  const plain = await openWindow(browser, `${site.address}/docs/prices?lang=en`, { javaScriptEnabled: false });
  expect(await plain.page.locator('.code button, #find:visible, .trial:visible').count()).toBe(0);
  await plain.page.locator('.samples summary', { hasText: 'Python' }).first().click();
  expect(await plain.page.locator('.code:visible').first().innerText()).toContain('urllib.request');
  await plain.close();
});

test('the reference runs operations only for people who signed in, and only outside production', async () => {
  const window = await openWindow(browser, `${site.address}/docs/prices?lang=en`);
  const { page } = window;
  // That of the estimate. The one before it is of a statement, and waits for a month.
  const trial = page.locator('.trial').nth(1);
  const link = trial.getByRole('link', { name: 'Sign in to the console' });
  await trial.locator('summary').press('Enter');
  expect(await link.count()).toBe(0);
  await trial.getByRole('button', { name: 'Send', exact: true }).press('Enter');
  await trial.getByText('You are not signed in.').waitFor();
  expect(await link.getAttribute('href')).toBe('/console?lang=en');
  const back = page.getByRole('banner').getByRole('link', { name: 'Console' });
  expect(await back.getAttribute('href')).toBe('/console?lang=en');
  await page.evaluate(() => document.body.setAttribute('data-deployment', 'production'));
  expect(await page.locator('.trial:visible').count()).toBe(0);
  expect(unexpected(window, 401)).toEqual([]);
  await window.close();
});

test.each(['/docs', '/docs/retries'] as const)(
  'text of %s stays where it is when its fonts come late',
  async (path) => {
    const window = await openWindow(browser, 'about:blank', { viewport: { width: 320, height: 800 } });
    const { page } = window;
    const shifts = await watchShifts(page);
    await page.route(/\.woff2$/, async (route) => {
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
      await route.continue();
    });
    await page.goto(`${site.address}${path}?lang=ar`);
    await page.evaluate(() => document.fonts.ready);
    await page.waitForLoadState('networkidle');
    expect(await shifts()).toBeLessThanOrEqual(0.05);
    await window.close();
  },
);

test('the language link shows the same page in the other language', async () => {
  const { page, close } = await openPage('/docs/shipments', { locale: 'ar', scheme: 'light', width: 320 });
  await page.getByRole('link', { name: 'English' }).click();
  await page.waitForURL('**?lang=en');
  expect(new URL(page.url()).pathname).toBe('/docs/shipments');
  expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
    'en',
    'ltr',
  ]);
  await close();
});

function openPage(path: string, { locale, scheme, width }: Way): Promise<Window> {
  return openWindow(browser, `${site.address}${path}?lang=${locale}`, {
    colorScheme: scheme,
    viewport: { width, height: 800 },
  });
}

/** Elements that are wider than the page, except those that scroll by themselves. */
function cutOff({ page }: Window): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isBeyond = (element: Element) => {
      const { left, right, width: own } = element.getBoundingClientRect();
      return own > 1 && (left < -1 || right > width + 1) && element.closest('pre, .wide, .lifecycle, .skip') === null;
    };
    const beyond = [...document.body.querySelectorAll('*')]
      .filter(isBeyond)
      .map((element) => element.outerHTML.slice(0, 80));
    return document.documentElement.scrollWidth > width ? ['the page itself', ...beyond] : beyond;
  });
}
