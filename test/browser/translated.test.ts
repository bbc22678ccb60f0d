import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openWindow } from '../../scripts/shared/browser.ts';
import { newDesk } from '../../scripts/shared/console.ts';
import { createLink } from '../../scripts/shared/tracking.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');

/**
 * Translates the page as a browser does: at once, and whatever appears or changes later. `font`: each text node is replaced by
 * `<font>` elements, as in Chrome and Edge. `text`: it is replaced by another text node.
 */
function translate(page: Page, kind: 'font' | 'text'): Promise<void> {
  return page.evaluate((by) => {
    const isOpen = (node: Node) => node.parentElement?.closest('script, style, font, [translate="no"]') === null;
    const done = new WeakSet<Node>();
    const translateAll = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const nodes: Text[] = [];
      while (walker.nextNode()) nodes.push(walker.currentNode as Text);
      for (const node of nodes) {
        if (node.data.trim() === '' || done.has(node) || !isOpen(node)) continue;
        const text = document.createTextNode(`«${node.data}»`);
        done.add(text);
        if (by === 'text') {
          node.replaceWith(text);
          continue;
        }
        const [outer, inner] = [document.createElement('font'), document.createElement('font')];
        inner.append(text);
        outer.append(inner);
        node.replaceWith(outer);
      }
    };
    translateAll();
    new MutationObserver(translateAll).observe(document.body, { childList: true, characterData: true, subtree: true });
  }, kind);
}

test('pages that the browser translates show each state of a parcel', async () => {
  const desk = await newDesk(browser, site);
  const { sandbox } = desk;
  const { companyId, shard } = sandbox.company;
  await site.sql(shard, 'update drivers set on_duty = 0 where company_id = ?', [companyId]);
  const phone = await openWindow(browser, `${site.address}/driver?lang=en`, { viewport: { width: 390, height: 844 } });
  const press = (name: string | RegExp) => phone.page.getByRole('button', { name }).click();
  await phone.page.getByLabel('Your mobile').fill(sandbox.phone);
  await press('Send the code');
  await press(/^\d{6}$/);
  await press('Go on duty');
  await phone.page.getByText('On duty', { exact: true }).waitFor();
  await translate(phone.page, 'font');
  const { shipmentId, shipmentNumber } = await sandbox.create();
  const { token } = await createLink(sandbox.merchant, shipmentId);
  const [console, other] = await Promise.all([
    desk.open(`/shipments/${shipmentId}?lang=en`),
    desk.open(`/shipments/${shipmentId}?lang=en`),
  ]);
  const tracking = await openWindow(browser, `${site.address}/t/${token}?lang=en`);
  for (const { page } of [console, other]) await page.getByText(shipmentNumber).first().waitFor();
  for (const { page } of [console, tracking]) await translate(page, 'font');
  await translate(other.page, 'text');
  for (const [button, heading, state, answer] of [
    ['Accept', 'Go to the pickup location', 'Driver on the way to pick up', 'The driver is on the way to collect it'],
    ['I have arrived', 'Collect the parcel', undefined, undefined],
    ['I have the parcel', 'The parcel is with you', undefined, 'The driver has collected it'],
    ['Start the delivery', 'Go to the recipient', undefined, 'Out for delivery'],
    ['I have arrived', 'Hand over the parcel', undefined, undefined],
    ['Delivered', 'No parcel now', 'Delivered', 'Delivered'],
  ] as const) {
    await press(`«${button}»`);
    for (const [page, text] of [
      [phone.page, heading],
      [console.page, state],
      [other.page, state],
      [tracking.page, answer],
    ] as const)
      if (text !== undefined)
        await expect.poll(() => page.locator('h1').allInnerTexts(), { message: text }).toEqual([`«${text}»`]);
  }
  // Other texts change with their translation, and codes are not translated.
  expect(await phone.page.locator('.duty p').first().innerText()).toMatch(/«On duty»\s+«Parcels: 0»$/);
  expect(await console.page.locator('h1 + p bdi').first().innerText()).toBe(shipmentNumber);
  for (const { faults, close } of [phone, console, other, tracking]) {
    expect(faults).toEqual([]);
    await close();
  }
});
