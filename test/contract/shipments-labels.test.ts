import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { inkOf, readZpl } from '../support/zpl-reader.ts';

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment, 'shard-1');
const stranger = await newSandbox(environment, 'shard-1');
const BATCH = '/v2/external/waybills';
const PDF = { accept: 'application/pdf' };
const ZPL = { accept: 'application/zpl' };
const ITEMS = [
  { description: 'Coffee beans', quantity: 2, weightKilograms: 1.25 },
  { description: 'Paper cups', quantity: 3, weightKilograms: 0.1 },
  { description: 'Kettle', quantity: 1, weightKilograms: 1 },
];

async function newShipment(changes = {}) {
  const shipment = await sandbox.create({ recipient: { name: 'Zaynab Al-Harbi', phone: '0598765431' }, ...changes });
  return { ...shipment, path: `${SHIPMENTS}/${shipment.shipmentId}/waybill` };
}

/** A hundred labels take seconds on a busy machine. */
const SLOW_MS = 90_000;

/** The path for labels of one shipment, which is named `count` times. */
function pathOf(shipmentId: string, count: number): string {
  return `${BATCH}?shipmentIds=${Array.from({ length: count }, () => shipmentId).join(',')}`;
}

async function countPages(response: Response): Promise<number> {
  expect(response.status).toBe(200);
  return (await getDocumentProxy(new Uint8Array(await response.arrayBuffer()))).numPages;
}

async function readPdf(response: Response) {
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/pdf');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('vary')).toMatch(/^Accept,/);
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(new TextDecoder('latin1').decode(bytes.slice(0, 8))).toBe('%PDF-1.7');
  const document = await getDocumentProxy(bytes);
  const { text } = await extractText(document);
  const first = await document.getPage(1);
  // A6 in points.
  expect(first.view.map((length: number) => Math.round(length))).toEqual([0, 0, 298, 420]);
  return text.map((page) => page.replaceAll(/\s+/g, ' '));
}

async function readJob(response: Response) {
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/zpl');
  return readZpl(await response.text());
}

describe('a label as PDF', () => {
  it('is one A6 page with the content of the label and only masked personal data', async () => {
    const { path, shipmentNumber } = await newShipment({ codAmount: 1234.5, paymentMethod: 'COD', items: ITEMS });
    const pages = await readPdf(await sandbox.merchant.get(path, PDF));
    expect(pages).toHaveLength(1);
    for (const said of [
      shipmentNumber,
      sandbox.company.name,
      'Zaynab Al-Harbi',
      '********5431',
      '4 King Fahd Road, Riyadh',
      '1,234.50 Saudi riyals',
      'Pieces 6',
      'Weight 3.8 kg',
    ])
      expect(pages[0]).toContain(said);
    expect(pages[0]).not.toContain('598765431');
  });

  it('has the address in letters of 5 mm, and a long one in at least 4 mm', async () => {
    const long =
      '2929 King Fahd Branch Road, third floor, flat 12, behind the big mosque, beside Al-Noor pharmacy, Al-Olaya';
    for (const [addressLine, millimetres] of [
      ['2929 King Fahd Road, Al-Olaya, Riyadh', 5],
      [long, 4],
    ] as const) {
      const { path } = await newShipment({
        destination: { addressLine, cityCode: 'RUH', latitude: 24.79, longitude: 46.62 },
      });
      const bytes = new Uint8Array(await (await sandbox.merchant.get(path, PDF)).arrayBuffer());
      const { items } = await (await (await getDocumentProxy(bytes)).getPage(1)).getTextContent();
      const sizes = items.flatMap((item) =>
        'str' in item && item.str.includes('Fahd') ? [(item.height * 25.4) / 72] : [],
      );
      expect(sizes).toEqual([expect.toSatisfy((size: number) => size >= millimetres - 0.01)]);
    }
  });

  it('has Arabic in its reading order, with numbers within it', async () => {
    const { path } = await newShipment({
      recipient: { name: 'محمد القحطاني', phone: '0598765431' },
      destination: { addressLine: 'شارع العروبة 12', cityCode: 'RUH', latitude: 24.79, longitude: 46.62 },
    });
    const [page = ''] = await readPdf(await sandbox.merchant.get(`${path}?lang=ar`, PDF));
    // Readers of PDF put joined letters in this order only if the document has them from right to left.
    for (const word of ['محمد', 'القحطا', 'شارع', 'العروبة', 'المطلوب'])
      expect(page.replaceAll(' ', '')).toContain(word);
    expect(page).toContain('12');
    expect(page).not.toContain('?');
  });

  it('has a page for each item, numbered and with its description', async () => {
    const { path, shipmentNumber } = await newShipment({ items: ITEMS });
    const pages = await readPdf(await sandbox.merchant.get(`${path}?labels=item`, PDF));
    expect(pages).toHaveLength(3);
    // The weight in an item is that of one piece.
    const weights = ['2.5 kg', '0.3 kg', '1 kg'];
    for (const [index, { description, quantity }] of ITEMS.entries()) {
      for (const said of [
        `${index + 1}/3`,
        description,
        `Pieces ${quantity} · Weight ${weights[index]}`,
        shipmentNumber,
      ])
        expect(pages[index]).toContain(said);
    }
  });

  it('is whole with the longest texts that are accepted', async () => {
    const addressLine = `${'Building 12, third floor, behind the big mosque, '.repeat(5).slice(0, 236)} END`;
    const { path, shipmentNumber } = await newShipment({
      recipient: { name: 'Abdulrahman Al-Qahtani '.repeat(6).slice(0, 120), phone: '0598765431' },
      destination: { addressLine, cityCode: 'RUH', latitude: 24.79, longitude: 46.62 },
      externalReference: `${'W'.repeat(92)}${crypto.randomUUID()}`,
      requirements: Array.from({ length: 20 }, (_, index) => `R${index}_${'X'.repeat(40)}`),
      items: [{ description: 'قهوة '.repeat(32).trim(), quantity: 10_000, weightKilograms: 0.000001 }],
      codAmount: 12345678901234.25,
      paymentMethod: 'COD',
    });
    const [page = ''] = await readPdf(await sandbox.merchant.get(`${path}?labels=item`, PDF));
    for (const said of ['behind the big END', '12,345,678,901,234.25', shipmentNumber]) expect(page).toContain(said);
    const [format] = await readJob(await sandbox.merchant.get(`${path}?labels=item`, ZPL));
    expect(format?.lowest).toBeLessThan(1184);
    expect(format?.rightmost).toBeLessThan(812);
  });
});

describe('a label as ZPL', () => {
  it('is a format of 4 inches with both codes, and its text as pictures', async () => {
    const { path, shipmentNumber, shipmentId } = await newShipment({
      recipient: { name: 'زينب', phone: '0598765431' },
    });
    const response = await sandbox.merchant.get(path, ZPL);
    const text = await response.clone().text();
    expect(text).toMatch(/^\^XA\n\^PW812\n\^LL1184\n/);
    expect(text).toMatch(/\n\^XZ\n$/);
    const [format, ...more] = await readJob(response);
    expect(more).toEqual([]);
    expect(format?.barcode).toBe(shipmentNumber);
    expect(format?.qr).toBe(`${environment.baseUrl}/console/shipments/${shipmentId}`);
    expect(format?.pictures.length).toBeGreaterThan(10);
    for (const picture of format?.pictures ?? []) expect(inkOf(picture)).toBeGreaterThan(20);
    expect(text).not.toContain('5431');
  });

  it('is a format for each item', async () => {
    const { path, shipmentNumber } = await newShipment({ items: ITEMS });
    const formats = await readJob(await sandbox.merchant.get(`${path}?labels=item&lang=ar`, ZPL));
    expect(formats.map(({ barcode }) => barcode)).toEqual([shipmentNumber, shipmentNumber, shipmentNumber]);
  });
});

describe('the format of a label', () => {
  it.each([
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['*/*', 'text/html; charset=utf-8'],
    ['application/pdf, text/html;q=0.5', 'application/pdf'],
    ['application/*;q=0.2, application/zpl', 'application/zpl'],
    ['text/html;q=0, */*', 'application/pdf'],
  ])('for Accept: %s is %s', async (accept, type) => {
    const { path } = await newShipment();
    const response = await sandbox.merchant.get(path, { accept });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
  });

  it('is a page with an article for each item', async () => {
    const { path } = await newShipment({ items: ITEMS });
    const text = await (await sandbox.merchant.get(`${path}?labels=item`)).text();
    expect(text.match(/<article class="label[ "]/g)).toHaveLength(3);
    expect(text).toContain('>2/3<');
    expect(text).toContain('Paper cups');
  });

  it('does not open a label to others than its company', async () => {
    const { path } = await newShipment();
    for (const headers of [PDF, ZPL]) {
      await expectProblem(await stranger.merchant.get(path, headers), { status: 403, code: 'ACCESS_DENIED' });
      const nobody = await environment.fetch(path, { headers });
      await expectProblem(nobody, { status: 401, code: 'AUTHENTICATION_REQUIRED' });
    }
    const unknown = { status: 400, code: 'INVALID_QUERY_PARAMETER', violations: ['labels NOT_IN_ENUM'] } as const;
    await expectProblem(await sandbox.merchant.get(`${path}?labels=box`, PDF), unknown);
  });
});

describe('GET /v2/external/waybills', () => {
  it('prints the labels of several shipments in the order of the request', async () => {
    const made = await Promise.all(
      ['First Person', 'Second Person', 'Third Person'].map((name) =>
        newShipment({ recipient: { name, phone: '0598765431' } }),
      ),
    );
    const [first, second, third] = made.map(({ shipmentId }) => shipmentId);
    const path = `${BATCH}?shipmentIds=${third},${first},${second}`;
    const pages = await readPdf(await sandbox.merchant.get(path, PDF));
    expect(pages.map((page) => / (\w+) Person /.exec(page)?.[1])).toEqual(['Third', 'First', 'Second']);
    // A process prints for one request at a time; the others wait.
    const jobs = await Promise.all([1, 2, 3].map(async () => readJob(await sandbox.merchant.get(path, ZPL))));
    expect(jobs.map((formats) => formats.length)).toEqual([3, 3, 3]);
    const text = await (await sandbox.merchant.get(path)).text();
    expect(text.match(/<article class="label[ "]/g)).toHaveLength(3);
  });

  it('opens in the browser of a signed-in person of the company only', async () => {
    const { shipmentId } = await newShipment();
    const cookieOf = async (company = sandbox.company) =>
      `__Host-session=${await addSession(environment, await addPerson(environment, company, 'MEMBER'))}`;
    const path = `${BATCH}?shipmentIds=${shipmentId}`;
    const own = await environment.fetch(path, { headers: { cookie: await cookieOf(), ...PDF } });
    expect(await readPdf(own)).toHaveLength(1);
    const foreign = await environment.fetch(path, { headers: { cookie: await cookieOf(stranger.company), ...PDF } });
    await expectProblem(foreign, { status: 403, code: 'ACCESS_DENIED' });
  });

  it('prints nothing if one shipment is another company’s, or unknown', async () => {
    const [own, foreign] = [await newShipment(), await stranger.create()];
    for (const other of [foreign.shipmentId, crypto.randomUUID()]) {
      const response = await sandbox.merchant.get(`${BATCH}?shipmentIds=${own.shipmentId},${other}`, PDF);
      await expectProblem(response, { status: 403, code: 'ACCESS_DENIED' });
    }
  });

  it('prints 100 labels and refuses 101', { timeout: SLOW_MS }, async () => {
    const { shipmentId } = await newShipment();
    expect(await countPages(await sandbox.merchant.get(pathOf(shipmentId, 100), PDF))).toBe(100);
    await expectProblem(await sandbox.merchant.get(pathOf(shipmentId, 101), PDF), {
      status: 400,
      code: 'INVALID_QUERY_PARAMETER',
      violations: ['shipmentIds PATTERN_MISMATCH'],
    });
  });

  it('prints 99 labels of items and refuses 102', { timeout: SLOW_MS }, async () => {
    const { shipmentId } = await newShipment({ items: ITEMS });
    const response = await sandbox.merchant.get(`${pathOf(shipmentId, 33)}&labels=item`, ZPL);
    expect(await readJob(response)).toHaveLength(99);
    await expectProblem(await sandbox.merchant.get(`${pathOf(shipmentId, 34)}&labels=item`, ZPL), {
      status: 400,
      code: 'INVALID_QUERY_PARAMETER',
      violations: ['labels TOO_MANY_ITEMS'],
    });
  });

  it.each([
    ['', 'shipmentIds REQUIRED'],
    ['?shipmentIds=', 'shipmentIds PATTERN_MISMATCH'],
    ['?shipmentIds=x', 'shipmentIds PATTERN_MISMATCH'],
    ['?shipmentIds=01890a5d-ac96-774b-bcce-b302099a8057,', 'shipmentIds PATTERN_MISMATCH'],
  ])('refuses %s', async (query, violation) => {
    const response = await sandbox.merchant.get(`${BATCH}${query}`, PDF);
    await expectProblem(response, { status: 400, code: 'INVALID_QUERY_PARAMETER', violations: [violation] });
  });
});
