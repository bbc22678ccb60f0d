import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addClient, addCompany } from '../../scripts/shared/companies.ts';
import { forceState } from '../../scripts/shared/force-state.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { recipientPath } from '../../scripts/shared/recipients.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import type { JsonObject } from '../../scripts/shared/shipments.ts';
import { linksOf, revokeLink } from '../../scripts/shared/tracking.ts';
import { expectProblem } from '../support/problem.ts';
import { recipientScene } from '../support/recipients.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/* Returns that recipients ask for after the delivery. */

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment);
const { merchant, company } = sandbox;
const { newRecipient, eventsOf } = recipientScene(environment, sandbox);
const json = async (response: Response): Promise<JsonObject> => (await response.json()) as JsonObject;

const WISH = { reasonCode: 'WRONG_ITEM', partOfDay: 'EVENING' };
const DAY = 86_400_000_000;

async function delivered(permissions = ['RETURN']) {
  const recipient = await newRecipient(permissions);
  await forceState(environment, company, recipient.shipmentId, 'DELIVERED');
  await environment.sql(company.shard, 'update shipments set ended_at = ? where id = ?', [
    Date.now() * 1000,
    recipient.shipmentId,
  ]);
  const seen = async () => json(await recipient.read());
  const asked = async () => json(await recipient.askReturn(WISH));
  const reply = async () => (await json(await merchant.get(`${recipient.path}/recipient-reply`)))['returnRequest'];
  const reject = () => merchant.post(`${recipient.path}/return-request/rejections`, {});
  const giveBack = async () =>
    merchant.post(`${recipient.path}/returns`, {
      ...{ externalReference: `BACK-${randomUUID()}`, reasonCode: 'WRONG_ITEM', items: [{ index: 0, quantity: 2 }] },
      ...{ pickupWindowStart: '2031-01-31T09:00:00Z', pickupWindowEnd: '2031-01-31T15:00:00Z' },
    });
  const later = (days: number) =>
    environment.sql(
      company.shard,
      'update recipient_replies set return_asked_at = return_asked_at - ?, return_decide_by = return_decide_by - ? where shipment_id = ?',
      [days * DAY, days * DAY, recipient.shipmentId],
    );
  return { ...recipient, seen, asked, reply, reject, giveBack, later };
}

describe('a return that the recipient asks for', () => {
  it('waits for the merchant, who has seven days and gets an event', async () => {
    const recipient = await delivered();
    const before = await json(await merchant.get(recipient.path));
    expect(await recipient.seen()).toMatchObject({
      returnRequest: null,
      returnable: [{ index: 0, description: expect.any(String), quantity: 2 }],
      may: [{ change: 'RETURN', allowed: true, until: 'RETURN_DAYS', code: null }],
    });
    const answer = await recipient.askReturn({ ...WISH, comment: 'ليس ما طلبته' });
    expect(answer.status).toBe(201);
    const request = await json(answer);
    expect(request).toEqual({
      ...{ state: 'AWAITING_MERCHANT', ...WISH, comment: 'ليس ما طلبته', items: [{ index: 0, quantity: 2 }] },
      ...{ askedAt: expect.any(String), decideBy: expect.any(String) },
    });
    const [askedAt, decideBy] = [Date.parse(String(request['askedAt'])), Date.parse(String(request['decideBy']))];
    expect(decideBy - askedAt).toBe(7 * 86_400_000);
    expect(await recipient.reply()).toEqual(request);
    const events = await eventsOf(recipient.shipmentId, 'return.requested');
    expect(events.map(({ data }) => data)).toMatchObject([
      { shipment: { state: 'DELIVERED' }, returnRequest: request },
    ]);
    expect(await recipient.seen()).toMatchObject({
      returnRequest: request,
      returnable: [],
      may: [{ change: 'RETURN', allowed: false, code: 'LIMIT_REACHED' }],
    });
    expect(await json(await merchant.get(recipient.path))).toEqual(before);
    expect(JSON.stringify(await recipient.seen())).not.toMatch(/price|amount/i);
  });

  it('is asked for on the page with Arabic digits, and not with text that is no quantity', async () => {
    const recipient = await delivered();
    const send = async (quantity: string) => {
      const wish = { ...WISH, do: 'return', 'item-0': quantity };
      const answer = await environment.fetch(`/t/${recipient.token}/delivery?lang=en`, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          authorization: `Bearer ${recipient.recipientToken}`,
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
        },
        body: String(new URLSearchParams(wish)),
      });
      return [answer.status, (await answer.text()).includes('Please check what you have entered.')];
    };
    for (const text of ['اثنان', '1.5', '-1', '0x2', ''])
      expect([text, ...(await send(text))]).toEqual([text, 200, true]);
    expect(await recipient.reply()).toBeNull();
    expect(await send(' ٢ ')).toEqual([303, false]);
    expect(await recipient.reply()).toMatchObject({ items: [{ index: 0, quantity: 2 }] });
  });

  it('is accepted by the return that the merchant makes, until that is cancelled', async () => {
    const recipient = await delivered();
    await recipient.asked();
    const made = await recipient.giveBack();
    expect(made.status).toBe(201);
    expect(await recipient.reply()).toMatchObject({ state: 'ACCEPTED' });
    expect(await recipient.seen()).toMatchObject({ returnRequest: { state: 'ACCEPTED' }, returnable: [] });
    await expectProblem(await recipient.reject(), { status: 409, code: 'AMENDMENT_NOT_ALLOWED' });
    const back = `${SHIPMENTS}/${String((await json(made))['shipmentId'])}`;
    await merchant.post(`${back}/cancellations`, { reasonCode: 'OTHER' }, { 'if-match': '*' });
    expect(await recipient.reply()).toMatchObject({ state: 'AWAITING_MERCHANT' });
  });

  it('is not accepted by a return that was made before it', async () => {
    const recipient = await delivered();
    expect((await recipient.giveBack()).status).toBe(201);
    expect(await recipient.seen()).toMatchObject({ returnRequest: null, returnable: [] });
    await expectProblem(await recipient.askReturn(WISH), { status: 409, code: 'AMENDMENT_NOT_ALLOWED' });
    expect(await recipient.reply()).toBeNull();
  });

  it('can be declined once and for all', async () => {
    const recipient = await delivered();
    await expectProblem(await recipient.reject(), { status: 404, code: 'RESOURCE_NOT_FOUND' });
    await recipient.asked();
    expect(await json(await recipient.reject())).toMatchObject({ state: 'REJECTED' });
    expect((await recipient.reject()).status).toBe(200);
    expect(await recipient.seen()).toMatchObject({ returnRequest: { state: 'REJECTED' }, returnable: [] });
    await expectProblem(await recipient.askReturn(WISH), { status: 409, code: 'AMENDMENT_NOT_ALLOWED' });
  });

  it('lapses after seven days, and can be asked for again', async () => {
    const recipient = await delivered();
    await recipient.asked();
    await recipient.later(7);
    expect(await recipient.reply()).toMatchObject({ state: 'EXPIRED' });
    await expectProblem(await recipient.reject(), { status: 409, code: 'AMENDMENT_NOT_ALLOWED' });
    const page = await environment.fetch(`/t/${recipient.token}/delivery?lang=en`, {
      headers: { authorization: `Bearer ${recipient.recipientToken}` },
    });
    const text = await page.text();
    expect(text).toContain('did not answer in time. You can ask again.');
    expect(text).toContain('>Return something</summary>');
    expect((await recipient.askReturn(WISH)).status).toBe(201);
    expect(await recipient.reply()).toMatchObject({ state: 'AWAITING_MERCHANT' });
  });

  it('is not decided later than returns are possible', async () => {
    const recipient = await delivered();
    await environment.sql(company.shard, 'update shipments set ended_at = ended_at - ? where id = ?', [
      27 * DAY,
      recipient.shipmentId,
    ]);
    const { askedAt, decideBy } = await recipient.asked();
    const days = (Date.parse(String(decideBy)) - Date.parse(String(askedAt))) / 86_400_000;
    expect([days > 2.9, days < 3.1]).toEqual([true, true]);
  });

  it('is the same for two of the same wish at once', async () => {
    const recipient = await delivered();
    const answers = await Promise.all([recipient.askReturn(WISH), recipient.askReturn(WISH)]);
    expect(answers.map(({ status }) => status).toSorted((first, second) => first - second)).toEqual([200, 201]);
    expect(await eventsOf(recipient.shipmentId, 'return.requested')).toHaveLength(1);
  });

  it('needs the permission, a delivered shipment, and items that are there', async () => {
    const other = await delivered(['REFUSE']);
    await expectProblem(await other.askReturn(WISH), { status: 403, code: 'ACCESS_DENIED' });
    const early = await newRecipient(['RETURN']);
    expect(await json(await early.read())).toMatchObject({ may: [{ allowed: false, code: 'NOT_DELIVERED' }] });
    expect(await json(await early.askReturn(WISH))).toMatchObject({
      ...{ code: 'AMENDMENT_NOT_ALLOWED', change: 'RETURN', reason: 'NOT_DELIVERED' },
    });
    const recipient = await delivered();
    const of = (index: number, quantity: number) => ({ ...WISH, items: [{ index, quantity }] });
    await expectProblem(await recipient.askReturn(of(7, 1)), {
      ...{ status: 422, code: 'VALIDATION_FAILED', violations: ['items[0].index OUT_OF_RANGE'] },
    });
    expect(await json(await recipient.askReturn(of(0, 3)))).toMatchObject({
      ...{ code: 'RETURN_QUANTITY_EXCEEDED', remaining: [{ index: 0, quantity: 2 }] },
    });
    expect(await recipient.reply()).toBeNull();
  });

  it('is asked for by the recipient of this shipment only, and not with a revoked link', async () => {
    const [recipient, other] = [await delivered(), await delivered()];
    const ask = (token: string) =>
      environment.fetch(recipientPath(token, 'return-requests'), {
        method: 'POST',
        headers: { authorization: `Bearer ${recipient.recipientToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(WISH),
      });
    await expectProblem(await ask(other.token), { status: 401, code: 'AUTHENTICATION_REQUIRED' });
    const { data } = await json(await merchant.get(linksOf(recipient.shipmentId)));
    const [link] = data as JsonObject[];
    await revokeLink(environment, merchant, `${linksOf(recipient.shipmentId)}/${String(link?.['linkId'])}`, '*');
    await expectProblem(await ask(recipient.token), { status: 404, code: 'TRACKING_LINK_UNAVAILABLE' });
    expect([await recipient.reply(), await other.reply()]).toEqual([null, null]);
  });

  it('is not seen or declined by another company', async () => {
    const recipient = await delivered();
    await recipient.asked();
    const stranger = await addClient(environment, {
      companyId: (await addCompany(environment)).companyId,
      scopes: 'shipments:read shipments:write',
    });
    const authorization = `Bearer ${await environment.token(stranger)}`;
    const declined = await environment.fetch(`${recipient.path}/return-request/rejections`, {
      ...{ method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body: '{}' },
    });
    await expectProblem(declined, { status: 403, code: 'ACCESS_DENIED' });
    expect(await recipient.reply()).toMatchObject({ state: 'AWAITING_MERCHANT' });
  });
});
