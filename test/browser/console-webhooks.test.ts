import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { openConsole, signedIn } from '../../scripts/shared/console.ts';
import { codesTo, type TestPerson } from '../../scripts/shared/people.ts';
import { answering, startReceiver, verified } from '../../scripts/shared/receiver.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { webhooksOf } from '../../scripts/shared/webhooks.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');
const receiver = await startReceiver();
afterAll(() => receiver.close());

/** Creates an endpoint through its form, proves the second factor on the way, and returns the secret. */
async function addEndpoint(page: Page, { mobile }: TestPerson): Promise<string> {
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByLabel('All event types').uncheck();
  await page.getByLabel('shipment.created').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByLabel('Six-digit code').waitFor();
  const [code = ''] = await codesTo(site, mobile);
  await page.getByLabel('Six-digit code').fill(code);
  const secret = await page.getByRole('region', { name: 'Signing secret' }).locator('code').innerText();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('heading', { name: 'Test event' }).waitFor();
  return secret;
}

/** Everything that a page stores: its address and the browser's storage. */
function tracesOf(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }]));
}

describe('webhooks in the console', () => {
  test('shows a failed delivery and replays it after the receiver is fixed', async () => {
    const sandbox = await newSandbox(site);
    const { person, storageState } = await signedIn(site, sandbox.company);
    const { page, faults, close } = await openConsole(browser, site, { path: '/webhooks/new', storageState });
    const secret = await addEndpoint(page, person);
    expect(secret).toMatch(/^whsec_/);
    expect(await tracesOf(page)).not.toContain(secret);
    expect(await page.getByText(secret).count()).toBe(0);
    expect(site.service.logs().join('\n')).not.toContain(secret);

    receiver.respond = answering(500);
    const from = receiver.received.length;
    const { externalReference } = await sandbox.create();
    const [failed] = (await receiver.waitFor(from + 1)).slice(from);
    await page.goto(page.url().replace(/webhooks\/.*/, 'webhooks'));
    await page.getByText(/^Failing: (?:1 failed attempt|\d+ failed attempts in a row)$/).waitFor();
    await page.goto(`${page.url()}/deliveries?eventType=shipment.created`);
    await page.getByRole('link', { name: externalReference ?? '-' }).waitFor();
    const sought = page.getByLabel('Shipment: number, your reference or id');
    await sought.fill('NONE-1');
    await sought.press('Enter');
    await page.getByText('No shipment, or more than one, has this number or reference.').waitFor();
    await sought.fill((externalReference ?? '-').toLowerCase());
    await sought.press('Enter');
    await page.waitForURL(/eventType=shipment.created&shipmentId=[\da-f-]{36}$/);
    await page.getByRole('link', { name: 'shipment.created' }).click();
    await page.getByRole('link', { name: externalReference ?? '-' }).waitFor();
    await page.getByRole('link', { name: receiver.url }).waitFor();
    await page.getByText('HTTP 500').first().waitFor();
    await page.getByRole('button', { name: 'Show attempt 1' }).press('Enter');
    await page.getByRole('heading', { name: 'Attempt 1' }).waitFor();
    await page.getByText('The receiver failed with an error of its own.').waitFor();
    expect(await page.getByLabel('Body of the response', { exact: true }).innerText()).toBe('thank you');
    const body = await page.getByLabel('Sent body', { exact: true }).innerText();
    expect(JSON.parse(body)).toEqual(JSON.parse(failed?.text ?? ''));
    expect(body).toMatch(/^\{\n {2}"id": /);

    receiver.respond = answering(200);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy: as curl' }).click();
    await page.getByText('Copied.').waitFor();
    const curl = await page.evaluate(() => navigator.clipboard.readText());
    expect((await promisify(execFile)('sh', ['-c', curl])).stdout).toContain('thank you');
    const copied = receiver.received.findLast(({ headers }) => headers['user-agent'] === failed?.headers['user-agent']);
    expect(verified(secret, copied ?? expect.fail('Nothing came')).id).toBe(failed?.headers['webhook-id']);

    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Replay of').waitFor();
    await page.getByText('Delivered', { exact: true }).waitFor();
    const replayed = receiver.received.at(-1);
    expect(replayed?.headers['webhook-id']).toBe(failed?.headers['webhook-id']);
    expect(verified(secret, replayed ?? expect.fail('Nothing came')).type).toBe('shipment.created');

    const { companyId, shard } = sandbox.company;
    const [endpoint] = await site.sql(shard, 'select id from webhook_endpoints where company_id = ?', [companyId]);
    const webhooks = await webhooksOf(site, sandbox.merchant);
    await webhooks.patch(String(endpoint?.['id']), { enabled: false });
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Enable the endpoint first.').waitFor();
    await page.goto(page.url().replace(/webhooks\/.*/, 'webhooks/zz'));
    await page.getByRole('heading', { name: 'There is no such webhook endpoint in your company' }).waitFor();
    // The browser logs the 403 that asks for the second factor, and the refusals.
    expect(faults.filter((fault) => !/40[0349]/.test(fault))).toEqual([]);
    await close();
  });

  test('a test event shows what was sent and answered, and replays of missed events and of a range complete', async () => {
    const sandbox = await newSandbox(site);
    receiver.respond = answering(204);
    const webhooks = await webhooksOf(site, sandbox.merchant);
    const { endpointId } = await webhooks.add(receiver.url, { enabled: false });
    const sql = (statement: string) => site.sql(sandbox.company.shard, statement, [endpointId]);
    const { shipmentId } = await sandbox.create();
    await webhooks.patch(endpointId, { enabled: true });
    // Missed well before the test event that succeeds.
    await expect
      .poll(() => sql("select count(*) as count from webhook_deliveries where endpoint_id = ? and status = 'SKIPPED'"))
      .not.toEqual([{ count: 0 }]);
    await sql('update webhook_deliveries set created_at = created_at - 7200000000 where endpoint_id = ?');
    const { storageState } = await signedIn(site, sandbox.company);
    const window = await openConsole(browser, site, { path: `/webhooks/${endpointId}`, storageState });
    const { page } = window;
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Accepted. HTTP 204').waitFor();
    // The shipment's own events may arrive in between.
    const shown = (await page.locator('main').textContent()) ?? '';
    expect(receiver.received.filter(({ headers }) => shown.includes(headers['webhook-signature'] ?? '-'))).toHaveLength(
      1,
    );

    const from = receiver.received.length;
    await page.getByRole('button', { name: 'Recover all failed' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^Deliveries to send: [1-9]/)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByText('Replay complete').waitFor();
    const recovered = receiver.received.slice(from).map(({ text }) => text);
    expect(recovered.filter((text) => text.includes(shipmentId)).join()).toContain('"type":"shipment.created"');
    const first = page.url();
    await page.getByRole('button', { name: 'Recover all failed' }).click();
    await page.getByText('Nothing that failed in the last 7 days is still missing.').waitFor();
    const missing = page.getByRole('dialog').getByRole('button', { name: 'Replay' });
    expect(await missing.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('dialog').getByLabel('Failed since').fill('2026-01-01T00:00');
    await page.getByText('Enter a time of the last 7 days.').waitFor();
    expect(await missing.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.route('**/trpc/webhookEndpoints.recovery?*', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace(/"matched":\d+/, '"matched":10001');
      await route.fulfill({ response: answer, body });
    });
    await page.getByRole('button', { name: 'Recover all failed' }).click();
    await page.getByText('One replay sends at most 10,000.').waitFor();
    expect(await missing.getAttribute('aria-disabled')).toBe('true');
    await page.unroute('**/trpc/webhookEndpoints.recovery?*');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

    await sandbox.create();
    await page.getByRole('link', { name: 'shipment.offered' }).first().waitFor();
    await page.getByText('Delivered', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Choose a time range' }).click();
    await page.getByRole('dialog').getByLabel('Delivered').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.waitForURL((url) => url.href.includes('?replay=') && url.href !== first);
    await page.getByText('Replay complete').waitFor();
    // The browser logs the 422 of the time that is too early.
    expect(window.faults.filter((fault) => !fault.includes('422'))).toEqual([]);
    await window.close();
  });

  test('keeps what was typed when someone else changed the endpoint first', async () => {
    const sandbox = await newSandbox(site);
    const webhooks = await webhooksOf(site, sandbox.merchant);
    const { endpointId } = await webhooks.add(receiver.url, { description: 'orders' });
    const { storageState } = await signedIn(site, sandbox.company, { assurance: 'AAL2' });
    const window = await openConsole(browser, site, { path: `/webhooks/${endpointId}/edit`, storageState });
    const { page } = window;
    await page.getByLabel('Description').fill('mine');
    await webhooks.patch(endpointId, { description: 'theirs' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Someone else changed this').waitFor();
    await page.getByRole('button', { name: 'Load the current version' }).click();
    await page.getByText('The current value is: theirs').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Test event' }).waitFor();
    expect((await webhooks.get(endpointId)).description).toBe('mine');
    // The browser logs the 412.
    expect(window.faults.filter((fault) => !fault.includes('412'))).toEqual([]);
    await window.close();
  });

  test('a rotation shows the new secret once, and how long the old one stays valid', async () => {
    const sandbox = await newSandbox(site);
    const { endpointId, secretHint } = await (await webhooksOf(site, sandbox.merchant)).add(receiver.url);
    const { storageState } = await signedIn(site, sandbox.company, { assurance: 'AAL2' });
    const window = await openConsole(browser, site, { path: `/webhooks/${endpointId}`, storageState });
    const { page } = window;
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByLabel('Keep the old secret valid for').selectOption('one hour');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const secret = await page.getByRole('region', { name: 'New signing secret' }).locator('code').innerText();
    expect(secret.slice(-4)).not.toBe(secretHint);
    await page.getByRole('timer').waitFor();
    expect(await page.getByRole('timer').innerText()).toMatch(/^(?:1:00:00|59:\d\d)$/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    expect(await page.getByText(secret).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Rotate' }).count()).toBe(0);
    expect(window.faults).toEqual([]);
    await window.close();
  });

  test('shows the pause of a busy receiver, and tries a receiver in both languages', async () => {
    const sandbox = await newSandbox(site);
    const webhooks = await webhooksOf(site, sandbox.merchant);
    const { endpointId } = await webhooks.add(receiver.url, { eventTypes: ['shipment.created'] });
    receiver.respond = answering(503, { 'retry-after': '600' });
    await sandbox.create();
    const { storageState } = await signedIn(site, sandbox.company, { assurance: 'AAL2' });
    const window = await openConsole(browser, site, { path: `/webhooks/${endpointId}`, storageState });
    const { page } = window;
    await page.getByText(/Paused until .* by your receiver/).waitFor();
    // It accepts everything.
    receiver.respond = answering(200);
    await page.getByLabel('Also try my receiver').check();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Your receiver is not right yet.').waitFor();
    await page.getByText('It accepted a signature with an empty key: check that its secret is set.').waitFor();
    await page.getByText('It accepted the same event again.').waitFor();
    await page.goto(`${page.url()}?lang=ar`);
    await page.getByText(/متوقفة مؤقتًا حتى .* بطلب من نظامك المستقبِل/).waitFor();
    expect(window.faults).toEqual([]);
    await window.close();
  });

  test('offers a member no change of an endpoint', async () => {
    const sandbox = await newSandbox(site);
    const { endpointId } = await (await webhooksOf(site, sandbox.merchant)).add(receiver.url);
    const { storageState } = await signedIn(site, sandbox.company, { role: 'MEMBER' });
    const window = await openConsole(browser, site, { path: '/webhooks', storageState });
    const { page } = window;
    await page.getByText('Only an owner').waitFor();
    expect(await page.getByText('New endpoint').count()).toBe(0);
    await page.goto(`${page.url()}/${endpointId}`);
    await page.getByRole('button', { name: 'Send' }).waitFor();
    for (const name of ['Edit', 'Disable', 'Delete', 'Rotate']) {
      expect(await page.getByText(name, { exact: true }).count()).toBe(0);
    }
    expect(window.faults).toEqual([]);
    await window.close();
  });
});
