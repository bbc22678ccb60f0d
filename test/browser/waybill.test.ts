import { beforeAll, expect, test } from 'vitest';
import { findBarriers, openWindow } from '../../scripts/shared/browser.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { newSandbox, type Sandbox } from '../../scripts/shared/sandbox.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await newSandbox(site, 'shard-1');
});

const USUAL = {
  recipient: { name: 'زينب الحربي', phone: '0598765431' },
  destination: {
    addressLine: 'شارع العليا العام، مبنى 12، حي الورود',
    cityCode: 'RUH',
    latitude: 24.79,
    longitude: 46.62,
  },
  codAmount: 1234.5,
  paymentMethod: 'COD',
};
/** A long address on a label that is otherwise usual. */
const LONG_ADDRESS = {
  ...USUAL,
  destination: {
    ...USUAL.destination,
    addressLine:
      'طريق الملك فهد الفرعي، مبنى 2929، الطابق الثالث، شقة 12، خلف مسجد الحي الكبير، بجوار صيدلية النور، حي العليا، الرياض 12333',
  },
};
/** Every text with the maximum length that the API allows. */
const LONGEST = {
  recipient: { name: 'Abdulrahman Al-Qahtani '.repeat(6).slice(0, 120), phone: '0598765431' },
  destination: {
    addressLine: 'Building 12, third floor, behind the big mosque, '.repeat(5).slice(0, 240),
    ...{ cityCode: 'RUH', latitude: 24.79, longitude: 46.62 },
  },
  externalReference: `${'W'.repeat(96)}${crypto.randomUUID().slice(4)}`,
  requirements: Array.from({ length: 20 }, (_, index) => `R${index}_${'X'.repeat(40)}`),
  codAmount: 12345678901234.25,
  paymentMethod: 'COD',
};

/** The widest name that the API takes, in letters of two code units. */
const WIDE_NAME = { ...USUAL, recipient: { name: '\u{1D416}'.repeat(120), phone: '0598765431' } };
const WIDE_ARABIC_NAME = { ...USUAL, recipient: { name: 'ض'.repeat(120), phone: '0598765431' } };
const TAMIL_NAME = { ...USUAL, recipient: { name: 'முருகன் செல்வம் '.repeat(7), phone: '0598765431' } };

const LONGEST_CITY_CODE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ_01234';
const LONGEST_CITY = "update shipments set destination = json_set(destination, '$.cityCode', ?) where id = ?";

test.each([
  ['ar', 'usual', USUAL],
  ['en', 'usual', USUAL],
  ['ar', 'long', LONG_ADDRESS],
  ['en', 'long', { ...LONG_ADDRESS, requirements: ['FRAGILE', 'KEEP_UPRIGHT'] }],
  ['en', 'wide', WIDE_NAME],
  ['ar', 'wide', WIDE_ARABIC_NAME],
  ['en', 'wide', TAMIL_NAME],
  ['ar', 'longest', LONGEST],
  ['en', 'longest', LONGEST],
] as const)('a label in %s with the %s texts fits one sheet and shows the whole address', async (...row) => {
  const [lang, , { externalReference, ...changes }] = [row[0], row[1], { externalReference: undefined, ...row[2] }];
  const reference =
    externalReference === undefined ? {} : { externalReference: `${lang}${externalReference.slice(2)}` };
  const { shipmentId } = await sandbox.create({ ...changes, ...reference });
  // Creation takes only cities of the tariff, and a later tariff may have a longer code than this one has.
  if (externalReference !== undefined) await site.sql('shard-1', LONGEST_CITY, [LONGEST_CITY_CODE, shipmentId]);
  const token = await addSession(site, await addPerson(site, sandbox.company, 'MEMBER'));
  const address = `${site.address}/v2/external/shipments/${shipmentId}/waybill?lang=${lang}`;
  const window = await openWindow(browser, address, { extraHTTPHeaders: { cookie: `__Host-session=${token}` } });
  const { page } = window;
  const cut = await page.evaluate(() =>
    ['.label', '.recipient', '.name', '.phone', '.address']
      .map((part) => document.querySelector(part))
      .filter(
        (part) =>
          part !== null && (part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1),
      )
      .map((part) => `${part?.className} ${part?.scrollHeight} in ${part?.clientHeight}`),
  );
  expect(cut).toEqual([]);
  // In CSS a millimetre is 96 / 25.4 pixels.
  const sizeOf = await page.evaluate(
    () => getComputedStyle(document.querySelector('.address') ?? document.body).fontSize,
  );
  const sizeMm = (Number.parseFloat(sizeOf) * 25.4) / 96;
  expect(sizeMm).toBeGreaterThanOrEqual({ usual: 4.99, long: 4.3, longest: 2.5, wide: 3.4 }[row[1]]);
  expect(await findBarriers(page)).toEqual([]);
  expect(window.faults).toEqual([]);
  const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(sheets.match(/\/Type \/Page\b/g)).toHaveLength(1);
  // 100 × 150 mm in points.
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(sheets) ?? [];
  expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual([283, 425]);
  await window.close();
});
