import { describe, expect, it } from 'vitest';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { readBarcode, readQr } from '../support/code-readers.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment, 'shard-1');
const cookieOf = async (company = sandbox.company) =>
  `__Host-session=${await addSession(environment, await addPerson(environment, company, 'MEMBER'))}`;
const textOf = async (path: string, headers = {}) => {
  const response = await sandbox.merchant.get(path, headers);
  expect(response.status).toBe(200);
  return response.text();
};
const shown = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

async function newWaybill(changes = {}) {
  const shipment = await sandbox.create(changes);
  return { ...shipment, path: `${SHIPMENTS}/${shipment.shipmentId}/waybill` };
}

describe('GET /v2/external/shipments/{shipmentId}/waybill', () => {
  it('is a printable page with the content of a label and only masked personal data', async () => {
    const { path, shipmentNumber } = await newWaybill({
      codAmount: 1234.5,
      paymentMethod: 'COD',
      recipient: { name: 'Zaynab Al-Harbi', phone: '0598765431' },
      items: [
        { description: 'Coffee', quantity: 2, weightKilograms: 1.25 },
        { description: 'Cups', quantity: 3, weightKilograms: 0.1 },
      ],
    });
    const response = await sandbox.merchant.get(path);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/);
    const text = await response.text();
    expect(text).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/);
    expect(text).not.toMatch(/<script|<style| style=| on[a-z]+=|undefined|\[object/);
    for (const said of [
      shipmentNumber,
      sandbox.company.name,
      'Zaynab Al-Harbi',
      '********5431',
      '4 King Fahd Road, Riyadh',
      '1,234.50 Saudi riyals',
      'Pieces 5',
      'Weight 2.8 kg',
    ])
      expect(shown(text)).toContain(said);
    expect(text).not.toContain('598765431');
  });

  it('has a readable barcode and QR code', async () => {
    const { path, shipmentNumber, shipmentId } = await newWaybill();
    const text = await textOf(path);
    const [, bars = ''] = /<svg class="barcode"[^>]*><path d="([^"]+)"/.exec(text) ?? [];
    expect(readBarcode(bars)).toBe(shipmentNumber);
    const [, width = '', squares = ''] =
      /<svg class="qr" viewBox="0 0 (\d+) \1"[^>]*><path d="([^"]+)"/.exec(text) ?? [];
    expect(readQr(squares, Number(width), 4)).toBe(`${environment.baseUrl}/console/shipments/${shipmentId}`);
  });

  it('shows that a prepaid shipment collects nothing', async () => {
    const { path } = await newWaybill({ codAmount: 0, paymentMethod: 'PREPAID' });
    expect(shown(await textOf(path))).toContain('Nothing (prepaid)');
  });

  it('uses the reader’s language, or the one in the query', async () => {
    const { path } = await newWaybill();
    expect(await textOf(path, { 'accept-language': 'ar' })).toContain('<html lang="ar" dir="rtl">');
    const asked = await sandbox.merchant.get(`${path}?lang=ar`, { 'accept-language': 'en' });
    expect(asked.headers.get('content-language')).toBe('ar');
    expect(shown(await asked.text())).toContain('بوليصة الشحن');
    await expectProblem(await sandbox.merchant.get(`${path}?lang=fr`), {
      status: 400,
      code: 'INVALID_QUERY_PARAMETER',
      violations: ['lang NOT_IN_ENUM'],
    });
  });

  it('opens in the browser of a signed-in person of the company only', async () => {
    const { path } = await newWaybill();
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const own = await environment.fetch(path, { headers: { cookie: await cookieOf(), accept } });
    expect(own.status).toBe(200);
    const [stranger] = environment.companies;
    const foreign = await environment.fetch(path, { headers: { cookie: await cookieOf(stranger), accept } });
    await expectProblem(foreign, { status: 403, code: 'ACCESS_DENIED' });
    const nobody = await environment.fetch(path, { headers: { accept } });
    await expectProblem(nobody, { status: 401, code: 'AUTHENTICATION_REQUIRED' });
  });

  it('is 406 if only JSON is accepted', async () => {
    const { path } = await newWaybill();
    const response = await sandbox.merchant.get(path, { accept: 'application/json' });
    await expectProblem(response, { status: 406, code: 'NOT_ACCEPTABLE' });
  });
});
