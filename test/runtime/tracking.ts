import { expect, it } from 'vitest';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { createLink, follow } from '../../scripts/shared/tracking.ts';
import { watch } from '../support/change-sockets.ts';
import { readBarcode } from '../support/code-readers.ts';
import type { Started } from './service.ts';

/** Pages that are rendered for each request: a tracking page and a label. */
export function describeTracking(started: Started): void {
  it('shows a shipment to the holder of its link, in their language, and logs no link', async () => {
    const environment = started();
    const merchant = await merchantOf(environment, environment.companies[0]);
    const { shipmentId, shipmentNumber } = await merchant.create({ codAmount: 94.5, paymentMethod: 'COD' });
    const { token } = await createLink(merchant, shipmentId);
    const open = () => environment.fetch(`/t/${token}?lang=ar`);
    // The streets may come with a later view.
    await expect.poll(async () => (await open()).text()).toContain('المساهمون في OpenStreetMap');
    const page = await open();
    expect([page.status, page.headers.get('content-language')]).toEqual([200, 'ar']);
    const text = await page.text();
    // Both runtimes format Arabic with Latin digits, the Gregorian calendar and Riyadh's time.
    for (const said of [
      'data-map="/map/streets.pmtiles"',
      shipmentNumber,
      '94.50 ريال سعودي',
      'فبراير',
      '<svg class="drawing"',
      '<svg class="streets"',
    ])
      expect(text).toContain(said);
    const headers = { 'if-none-match': page.headers.get('etag') ?? '' };
    expect((await environment.fetch(`/t/${token}?lang=ar`, { headers })).status).toBe(304);
    expect((await environment.fetch('/t/nothing')).status).toBe(404);
    (await watch(environment, token)).close();
    const log = () => environment.service.logs().join('\n');
    // A service writes a line after it has answered.
    for (const route of ['/t/{token}', '/t/{token}/changes']) await expect.poll(log).toContain(`"route":"${route}"`);
    expect(log()).not.toContain(token);
  });

  it('shows the rounded position on the way of the shipment that departed last only', async () => {
    const environment = started();
    const sandbox = await newSandbox(environment);
    const driver = await sandbox.signIn();
    const position = { latitude: 24.7311, longitude: 46.6702 };
    const tokens: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { shipmentId } = await sandbox.create();
      await sandbox.untilState(shipmentId, 'OFFERED');
      for (const action of ['ACCEPT', 'PICK_UP', 'DEPART']) await driver.act(shipmentId, { action, position });
      tokens.push((await createLink(sandbox.merchant, shipmentId)).token);
    }
    const positions = tokens.map(async (token) => {
      const response = await follow(environment, token);
      return ((await response.json()) as Record<string, unknown>)['livePosition'];
    });
    expect(await Promise.all(positions)).toEqual([
      null,
      expect.objectContaining({ latitude: 24.732, longitude: 46.67 }),
    ]);
  });

  it('prints a label with a readable barcode', async () => {
    const environment = started();
    const merchant = await merchantOf(environment, environment.companies[0]);
    const { shipmentId, shipmentNumber } = await merchant.create();
    const text = await (await merchant.get(`${SHIPMENTS}/${shipmentId}/waybill?lang=ar`)).text();
    expect(readBarcode(/<svg class="barcode"[^>]*><path d="([^"]+)"/.exec(text)?.[1] ?? '')).toBe(shipmentNumber);
  });
}
