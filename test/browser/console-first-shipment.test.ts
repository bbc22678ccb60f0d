import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findBarriers, openWindow } from '../../scripts/shared/browser.ts';
import { unexpected } from '../../scripts/shared/console.ts';
import { newContacts, otherThan } from '../../scripts/shared/people.ts';
import { PDF, PNG, pngOf } from '../support/files.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');

/** The maximum number of clicks from sign-in to the first delivered shipment. */
const CLICKS_MAX = 12;

test('a company registers by itself and gets its first shipment delivered', { timeout: 120_000 }, async () => {
  const window = await openWindow(browser, `${site.address}/console/sign-up`);
  const { page } = window;
  const { email, mobile } = newContacts();
  await tellWhoItIs(page, email, mobile);
  await uploadDocuments(page);
  await confirmMobile(page);
  // The code that proved the mobile has signed the owner in.
  let clicks = 0;
  const press = async (locator: Locator) => {
    clicks += 1;
    await locator.click();
  };
  await page.getByRole('heading', { name: 'Taif Roses' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await press(page.getByRole('button', { name: 'Set up the sandbox' }));
  await press(page.getByText('You have everything that a shipment needs.'));
  await page.getByRole('img', { name: '7 of 7 ready' }).waitFor();
  await press(page.getByRole('button', { name: 'Create a sample shipment' }));
  await press(page.getByRole('button', { name: 'Play the delivery' }));
  await page.getByRole('heading', { name: 'Delivered', exact: true }).waitFor({ timeout: 60_000 });
  expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);
  expect(await page.getByRole('listitem').filter({ hasText: 'Out for delivery' }).count()).toBe(1);
  expect(await page.title()).toBe('Delivered · Mirsal');
  // A wrong number, a wrong code, an upload without a connection, and no session.
  expect(unexpected(window, 422, 503, 401)).toEqual([]);
  await window.close();
});

async function tellWhoItIs(page: Page, email: string, mobile: string): Promise<void> {
  await page.getByLabel('Store name').fill('Taif Roses');
  await page.getByLabel('Legal form').selectOption('FREELANCER');
  expect(await page.getByLabel('Commercial registration number').count()).toBe(0);
  await page.getByLabel('Legal form').selectOption('COMMERCIAL_ENTITY');
  await page.getByLabel('Commercial registration number').fill('12');
  await page.getByLabel('Your full name').fill('نورة القحطاني');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Mobile').fill(mobile.replace('+966', '0'));
  // A reload keeps what was typed.
  await page.reload();
  expect(await page.getByLabel('Your full name').inputValue()).toBe('نورة القحطاني');
  await page.getByRole('button', { name: 'Continue to the documents' }).click();
  const number = page.getByLabel('Commercial registration number');
  await page.getByText('Enter the ten digits of the commercial registration.').waitFor();
  expect(await number.getAttribute('aria-invalid')).toBe('true');
  // Digits from an Arabic keyboard.
  await number.fill('١٠١٠١٢٣٤٥٦');
  await page.getByRole('button', { name: 'Continue to the documents' }).click();
  await page.getByRole('heading', { name: 'Add your documents' }).waitFor();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(email);
  expect(await findBarriers(page)).toEqual([]);
}

async function uploadDocuments(page: Page): Promise<void> {
  const place = (name: string) => page.getByRole('region', { name });
  const put = (name: string, file: { name: string; mimeType: string; bytes: Uint8Array }) =>
    place(name)
      .locator('input')
      .setInputFiles({ name: file.name, mimeType: file.mimeType, buffer: Buffer.from(file.bytes) });
  let uploads = 0;
  page.on('request', (request) => {
    if (request.method() === 'PUT') uploads += 1;
  });
  await put('National address', { name: 'notes.txt', mimeType: 'text/plain', bytes: PDF });
  await place('National address').getByText('Use a PDF, JPEG or PNG file.').waitFor();
  await put('National address', { name: 'damaged.heic', mimeType: 'image/heic', bytes: PDF });
  await place('National address').getByText('This browser cannot read HEIC').waitFor();
  await put('National address', { name: 'two.jpg', mimeType: 'image/jpeg', bytes: PDF });
  await place('National address').getByText('This is no picture that the browser can read').waitFor();
  await put('National address', { name: 'half.pdf', mimeType: 'application/pdf', bytes: PDF.slice(0, 30) });
  await place('National address').getByText('The content does not match the file type').waitFor();
  await put('National address', {
    name: 'big.pdf',
    mimeType: 'application/pdf',
    bytes: new Uint8Array(1024 * 1024 + 1),
  });
  await place('National address').getByText('larger than 1 MB').waitFor();
  expect(uploads).toBe(0);
  await put('National address', { name: 'العنوان.pdf', mimeType: 'application/pdf', bytes: PDF });
  await place('National address').getByText('Uploaded').waitFor();
  // A reload keeps the registration and the uploaded files.
  await page.reload();
  await place('National address').getByText('العنوان.pdf').waitFor();
  await failOnce(page);
  // The browser makes a JPEG of a photograph that is too large, or of a type that the service refuses.
  await put('Commercial registration', { name: 'cr.png', mimeType: 'image/png', bytes: pngOf(3 * 1024 * 1024) });
  await place('Commercial registration').getByRole('button', { name: 'Try again' }).click();
  await place('Commercial registration').getByText('Uploaded').waitFor();
  await place('Commercial registration').getByText('cr.jpg').waitFor();
  await put('Commercial registration', { name: 'photo.HEIC', mimeType: '', bytes: PNG });
  await place('Commercial registration').getByText('photo.jpg').waitFor();
  // A picture of another type than its name says, and a PDF that may ask for a password.
  await put('Commercial registration', { name: 'shot.jpg', mimeType: 'image/jpeg', bytes: PNG });
  await place('Commercial registration').getByText('shot.jpg').waitFor();
  const locked = new TextEncoder().encode('%PDF-1.7\ntrailer << /Encrypt 8 0 R >>\n%%EOF');
  await put('Commercial registration', { name: 'locked.pdf', mimeType: 'application/pdf', bytes: locked });
  await place('Commercial registration').getByText('save it without one').waitFor();
  await place('Commercial registration').getByText('locked.pdf').waitFor();
  await page.getByRole('button', { name: 'Continue to the code' }).click();
}

/** The next upload has no connection. */
async function failOnce(page: Page): Promise<void> {
  await page.route('**/documents/*', (route) => route.fulfill({ status: 503, body: '' }), { times: 1 });
}

async function confirmMobile(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Confirm your mobile' }).waitFor();
  const known = page.getByRole('button', { name: /^\d{6}$/ });
  const code = (await known.textContent()) ?? '';
  expect(await page.getByRole('button', { name: /^Send another code in \d+ s$/ }).count()).toBe(1);
  const wrong = otherThan(code);
  await page.getByLabel('Six-digit code').fill(`${wrong.slice(0, 3)} ${wrong.slice(3)}`);
  await page.getByText('Tries left: 4').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  // The refused code is selected. A correction while the service checks a code is sent right after it.
  const checked = Promise.withResolvers<void>();
  await page.route(
    '**/trpc/sessions.enterRegistration?*',
    async (route) => {
      await checked.promise;
      await route.continue();
    },
    { times: 1 },
  );
  await page.keyboard.type(wrong);
  await page.getByLabel('Six-digit code').press('ControlOrMeta+a');
  await page.keyboard.type(code);
  checked.resolve();
}
