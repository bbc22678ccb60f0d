import { afterAll, describe, expect, it } from 'vitest';
import { EVENTS, readEventPage } from '../../scripts/shared/events.ts';
import { forceState, setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { verified } from '../../scripts/shared/receiver.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { createLink, linksOf, revokeLink } from '../../scripts/shared/tracking.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { receivers, subscribe } from '../support/subscription.ts';

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment, 'shard-2');
// Nothing but the tests changes shipments.
await setApprovalPolicy(environment, sandbox.company, 'MANUAL');
const { start, close } = receivers();
afterAll(close);

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', origin: 'null' };
const rate = (token: string, body = 'stars=4', headers: Readonly<Record<string, string>> = FORM) =>
  environment.fetch(`/t/${token}`, { method: 'POST', headers, body, redirect: 'manual' });
const pageOf = async (token: string) => (await environment.fetch(`/t/${token}`)).text();

/** A delivered shipment with a link. */
async function newDelivery(of: Pick<typeof sandbox, 'create' | 'merchant' | 'company'> = sandbox) {
  const { shipmentId } = await of.create();
  const { linkId, token } = await createLink(of.merchant, shipmentId, { locale: 'en' });
  await forceState(environment, of.company, shipmentId, 'DELIVERED');
  const tracking = async () =>
    (await (await of.merchant.get(`${SHIPMENTS}/${shipmentId}/tracking`)).json()) as Record<string, unknown>;
  const ratings = async () =>
    (await readEventPage(await of.merchant.get(`${EVENTS}?shipmentId=${shipmentId}&type=shipment.rated`))).data;
  return { shipmentId, linkId, token, tracking, ratings };
}

describe('a rating', () => {
  it('is taken from the page once the shipment is delivered, and is an event that leaves the shipment as it is', async () => {
    const one = await subscribe(environment, await start(), { eventTypes: ['shipment.rated'] });
    await setApprovalPolicy(environment, one.company, 'MANUAL');
    const { shipmentId, token, tracking, ratings } = await newDelivery(one);
    const path = `${SHIPMENTS}/${shipmentId}`;
    const before = await one.merchant.get(path);
    const [tag, body] = [before.headers.get('etag'), await before.text()];
    expect(await pageOf(token)).toMatch(/<form method="post"><fieldset[\s\S]*name="stars" value="5"/);
    expect(await tracking()).not.toHaveProperty('rating');

    const answer = await rate(`${token}?lang=en`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/t/${token}?lang=en#rating`]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const text = await pageOf(token);
    expect(text).toContain('Rated with 4 stars.');
    expect(text).not.toContain('<form');

    const [event, ...others] = await ratings();
    expect(others).toEqual([]);
    const rating = { stars: 4, ratedAt: event?.timestamp };
    expect(event).toMatchObject({
      type: 'shipment.rated',
      shipmentId,
      previousState: null,
      data: { shipment: { shipmentId, state: 'DELIVERED' }, rating },
    });
    expect((await tracking())['rating']).toEqual(rating);
    const after = await one.merchant.get(path);
    expect([after.headers.get('etag'), await after.text()]).toEqual([tag, body]);
    expect(event?.data.shipment).toEqual(JSON.parse(body));
    const [sent] = await one.receiver.waitFor(1);
    if (sent === undefined) throw new Error('Nothing was sent');
    expect(verified(one.endpoint.signingSecret, sent)).toEqual(event);
  });

  it('is stored once, even if several people have a link and send it repeatedly', async () => {
    const { shipmentId, token, tracking, ratings } = await newDelivery();
    const answers = await Promise.all([1, 2, 3, 4, 5, 5, 4, 3].map((stars) => rate(token, `stars=${stars}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    const [event, ...others] = await ratings();
    expect(others).toEqual([]);
    const rating = (await tracking())['rating'];
    expect(event?.data).toMatchObject({ rating });
    await rate(token, 'stars=1');
    expect((await tracking())['rating']).toEqual(rating);
    const select =
      'select event_count, (select count(body) from events where shipment_id = shipments.id) as told from shipments where id = ?';
    const [row] = await environment.sql('shard-2', select, [shipmentId]);
    expect(Number(row?.['told'])).toBe(Number(row?.['event_count']));
  });

  it('is not stored before the delivery, nor for another end', async () => {
    const { shipmentId } = await sandbox.create();
    const { token } = await createLink(sandbox.merchant, shipmentId, { locale: 'en' });
    for (const state of ['OUT_FOR_DELIVERY', 'DELIVERY_FAILED'] as const) {
      await forceState(environment, sandbox.company, shipmentId, state);
      expect(await pageOf(token)).not.toContain('<form');
      expect((await rate(token)).status).toBe(303);
    }
    const events = await sandbox.merchant.get(`${EVENTS}?shipmentId=${shipmentId}&type=shipment.rated`);
    expect((await readEventPage(events)).data).toEqual([]);
  });

  it('needs an active link', async () => {
    const { shipmentId, linkId, token, ratings } = await newDelivery();
    const other = await newDelivery();
    await revokeLink(environment, sandbox, `${linksOf(shipmentId)}/${linkId}`, '*');
    await environment.sql('shard-2', 'update tracking_links set expires_at = 1 where id = ?', [other.linkId]);
    const answers = await Promise.all([token, other.token, `shard-2_${'0'.repeat(32)}`, 'x'].map((one) => rate(one)));
    const texts = await Promise.all(answers.map(async (answer) => `${answer.status} ${await answer.text()}`));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toMatch(/^404 [\s\S]*This link does not work/);
    expect([...(await ratings()), ...(await other.ratings())]).toEqual([]);
  });

  it.each([
    ['another site', 403, 'stars=4', { ...FORM, 'sec-fetch-site': 'cross-site' }],
    ['a sister site', 403, 'stars=4', { ...FORM, 'sec-fetch-site': 'same-site' }],
    [
      'another site in an old browser',
      403,
      'stars=4',
      { 'content-type': FORM['content-type'], origin: 'https://other.example' },
    ],
    ['a program that sends JSON', 415, '{"stars":4}', { ...FORM, 'content-type': 'application/json' }],
    ['a program that sends another encoding', 400, 'stars=4&x=caf%E9', FORM],
    ['a program that compresses', 415, 'stars=4', { ...FORM, 'content-encoding': 'gzip' }],
    ['somebody who sends much', 413, `stars=4&x=${'x'.repeat(1024)}`, FORM],
    ['somebody who chose nothing', 303, '', FORM],
    ['somebody who sends six stars', 303, 'stars=6', FORM],
  ] as const)('is not taken from %s: %i', async (_name, status, body, headers) => {
    const { token, ratings } = await newDelivery();
    expect((await rate(token, body, headers)).status).toBe(status);
    expect(await ratings()).toEqual([]);
    // The same link takes the form of its page, also of an old browser, which does not name its site.
    const { 'sec-fetch-site': _site, ...old } = FORM;
    expect((await rate(token, 'stars=4', old)).status).toBe(303);
    expect(await ratings()).toHaveLength(1);
  });
});
