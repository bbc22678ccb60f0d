import { describe, expect, it } from 'vitest';
import { forceState } from '../../scripts/shared/force-state.ts';
import { codesTo } from '../../scripts/shared/people.ts';
import {
  answerRecipientSignIn,
  recipientPath,
  signInRecipient,
  startRecipientSignIn,
} from '../../scripts/shared/recipients.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { readShipment, readTimelinePage } from '../../scripts/shared/shipments.ts';
import { createLink, linksOf, revokeLink } from '../../scripts/shared/tracking.ts';
import { expectProblem } from '../support/problem.ts';
import { delivery, FAR, recipientScene } from '../support/recipients.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment);
const { merchant, company } = sandbox;

let count = 20;
const { newParcel, newRecipient, changeOf, amendmentsOf, eventsOf } = recipientScene(environment, sandbox);

describe('the code', () => {
  it('goes to the phone of the shipment, and opens what the link allows', async () => {
    const { shipmentId, phone } = await newParcel();
    const made = await createLink(merchant, shipmentId, { permissions: ['ADDRESS', 'REFUSE'] });
    expect(made.permissions).toEqual(['ADDRESS', 'REFUSE']);
    const { challengeId, maskedDestination, attemptsRemaining } = await startRecipientSignIn(environment, made.token);
    expect([maskedDestination, attemptsRemaining]).toEqual([`********${phone.slice(-4)}`, 5]);
    const [otp = ''] = await codesTo(environment, phone);
    const wrong = await answerRecipientSignIn(
      environment,
      made.token,
      challengeId,
      otp === '000000' ? '000001' : '000000',
    );
    await expectProblem(wrong, { status: 422, code: 'OTP_INVALID' });
    const right = await answerRecipientSignIn(environment, made.token, challengeId, otp);
    expect(right.status).toBe(200);
    expect(right.headers.get('set-cookie')).toMatch(
      /^__Host-recipient=rcp_\d{13}_[\w-]{43}; Path=\/; Max-Age=1800; HttpOnly; Secure; SameSite=Lax$/,
    );
    const again = await answerRecipientSignIn(environment, made.token, challengeId, otp);
    await expectProblem(again, { status: 422, code: 'OTP_EXPIRED' });
    const cookie = String(right.headers.get('set-cookie')).split(';')[0] ?? '';
    const read = (headers: Record<string, string>) =>
      environment.fetch(recipientPath(made.token, 'delivery'), { headers: { cookie, ...headers } });
    expect(await (await read({})).json()).toMatchObject({
      destination: { addressLine: '4 King Fahd Road, Riyadh' },
      nationalAddress: { shortAddress: null, status: 'MISSING' },
      place: null,
      confirmedAt: null,
      refusal: null,
      may: [
        { change: 'ADDRESS', allowed: true, until: 'DEPARTURE', code: null },
        { change: 'REFUSE', allowed: true, until: 'END', code: null },
      ],
    });
    const foreign = await environment.fetch(recipientPath(made.token, 'delivery'), {
      method: 'PATCH',
      headers: { cookie, origin: 'https://evil.example', 'content-type': 'application/json', 'if-match': '*' },
      body: JSON.stringify({ confirmed: true }),
    });
    await expectProblem(foreign, { status: 403, code: 'ACCESS_DENIED' });
  });

  it('is not sent for a link that only tracks, or for a shipment that ended more than 30 days ago', async () => {
    const { shipmentId } = await newParcel();
    const start = (token: string) =>
      environment.fetch(recipientPath(token, 'sign-ins'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
    const { token } = await createLink(merchant, shipmentId);
    await expectProblem(await start(token), { status: 403, code: 'ACCESS_DENIED' });
    const { token: able } = await createLink(merchant, shipmentId, { permissions: ['ADDRESS'] });
    await forceState(environment, company, shipmentId, 'DELIVERED');
    // Whoever got it may still complain.
    expect((await start(able)).status).toBe(202);
    await environment.sql(company.shard, 'update shipments set ended_at = 1 where id = ?', [shipmentId]);
    await expectProblem(await start(able), { status: 409, code: 'SHIPMENT_TERMINAL' });
    await expectProblem(await start(`shard-1_${'0'.repeat(32)}`), { status: 404, code: 'TRACKING_LINK_UNAVAILABLE' });
  });

  it('is not sent twice within a minute', async () => {
    const { shipmentId } = await newParcel();
    const { token } = await createLink(merchant, shipmentId, { permissions: ['ADDRESS'] });
    const { token: other } = await createLink(merchant, shipmentId, { permissions: ['REFUSE'] });
    await startRecipientSignIn(environment, token);
    const again = await environment.fetch(recipientPath(other, 'sign-ins'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    await expectProblem(again, { status: 429, code: 'OTP_RATE_LIMITED' });
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(50);
  });

  it.each(['', 'Bearer rcp_1895930647000_x', `Bearer rcp_1895930647000_${'A'.repeat(43)}`, 'Basic eDp5'])(
    'is needed to see anything: %j',
    async (authorization) => {
      const { shipmentId } = await newParcel();
      const { token } = await createLink(merchant, shipmentId, { permissions: ['ADDRESS'] });
      const headers: Record<string, string> = authorization === '' ? {} : { authorization };
      const refused = await environment.fetch(recipientPath(token, 'delivery'), { headers });
      expect(await refused.clone().text()).not.toMatch(/king fahd|huda/i);
      await expectProblem(refused, { status: 401, code: 'AUTHENTICATION_REQUIRED' });
    },
  );
});

describe('a session ends', () => {
  it('with its link', async () => {
    const { shipmentId, phone } = await newParcel();
    const { token, linkId } = await createLink(merchant, shipmentId, { permissions: ['ADDRESS'] });
    const recipient = await signInRecipient(environment, token, phone);
    expect((await recipient.read()).status).toBe(200);
    await revokeLink(environment, merchant, `${linksOf(shipmentId)}/${linkId}`, '*');
    await expectProblem(await recipient.read(), { status: 404, code: 'TRACKING_LINK_UNAVAILABLE' });
  });

  it('when the shipment gets another phone', async () => {
    const recipient = await newRecipient();
    const body = { recipient: { phone: '0511111111' } };
    expect((await merchant.post(`${recipient.path}/amendments`, body, { 'if-match': '*' })).status).toBe(200);
    await expectProblem(await recipient.read(), { status: 401, code: 'AUTHENTICATION_REQUIRED' });
  });

  it('and a code that was sent to the old phone opens nothing', async () => {
    const { shipmentId, phone, path } = await newParcel();
    const { token } = await createLink(merchant, shipmentId, { permissions: ['ADDRESS'] });
    const { challengeId } = await startRecipientSignIn(environment, token);
    const [otp = ''] = await codesTo(environment, phone);
    const body = { recipient: { phone: '0511111112' }, addressLine: 'Secret Street 1' };
    expect((await merchant.post(`${path}/amendments`, body, { 'if-match': '*' })).status).toBe(200);
    const answer = await answerRecipientSignIn(environment, token, challengeId, otp);
    await expectProblem(answer, { status: 422, code: 'OTP_EXPIRED' });
  });

  it('and what the former recipient said is not said by the new one', async () => {
    const recipient = await newRecipient();
    await changeOf(await recipient.change({ confirmed: true }));
    await changeOf(await recipient.change({ location: FAR }));
    expect((await recipient.refuse()).status).toBe(201);
    count += 1;
    const phone = `+9665${String(Date.now()).slice(-6)}${count}`;
    const body = { recipient: { phone } };
    expect((await merchant.post(`${recipient.path}/amendments`, body, { 'if-match': '*' })).status).toBe(200);
    const { token } = await createLink(merchant, recipient.shipmentId, { permissions: ['ADDRESS', 'REFUSE'] });
    // The minute between two codes of a shipment is over.
    await environment.sql('directory', 'update security_uses set used_at = used_at - 120 * 1000000', []);
    const other = await signInRecipient(environment, token, phone);
    expect(await (await other.read()).json()).toMatchObject({ confirmedAt: null, refusal: null, awaitingMerchant: [] });
    expect(await (await merchant.get(`${recipient.path}/recipient-reply`)).json()).toEqual({
      confirmedAt: null,
      refusal: null,
      returnRequest: null,
    });
  });

  it('and is not valid for another link', async () => {
    const [one, two] = [await newRecipient(), await newRecipient()];
    const crossed = await environment.fetch(recipientPath(two.token, 'delivery'), {
      headers: { authorization: `Bearer ${one.recipientToken}` },
    });
    await expectProblem(crossed, { status: 401, code: 'AUTHENTICATION_REQUIRED' });
  });
});

describe('a change', () => {
  it('of place and instructions is made at once, and the merchant sees who made it', async () => {
    const recipient = await newRecipient();
    const before = delivery.parse(await (await recipient.read()).json());
    const made = await changeOf(
      await recipient.change(
        { place: { kind: 'NEIGHBOUR', note: 'شقة ٨' }, instructions: 'الجرس لا يعمل', confirmed: true },
        `"${before.version}"`,
      ),
    );
    expect(made).toMatchObject({ applied: ['PLACE', 'INSTRUCTIONS'], awaitingMerchant: [] });
    expect(made.delivery).toMatchObject({
      version: before.version + 1,
      place: { kind: 'NEIGHBOUR', note: 'شقة ٨' },
      instructions: 'الجرس لا يعمل',
      confirmedAt: expect.any(String),
    });
    expect(await amendmentsOf(recipient.path)).toMatchObject([{ by: 'RECIPIENT', state: 'APPLIED' }]);
    const { data: timeline } = await readTimelinePage(await merchant.get(`${recipient.path}/timeline`));
    expect(timeline.at(-1)).toMatchObject({
      type: 'shipment.amended',
      actor: 'RECIPIENT',
      note: 'PLACE, INSTRUCTIONS',
    });
    expect(await (await merchant.get(`${recipient.path}/recipient-reply`)).json()).toEqual({
      confirmedAt: made.delivery.confirmedAt,
      refusal: null,
      returnRequest: null,
    });
    const stale = await recipient.change({ instructions: 'Ring' }, `"${before.version}"`);
    await expectProblem(stale, { status: 412, code: 'PRECONDITION_FAILED' });
    const same = await changeOf(await recipient.change({ instructions: 'الجرس لا يعمل' }, `"${before.version}"`));
    expect(same).toMatchObject({ applied: [], delivery: { version: before.version + 1 } });
  });

  it('needs the permission of the link for every part', async () => {
    const recipient = await newRecipient(['INSTRUCTIONS']);
    const denied = await recipient.change({ instructions: 'Ring', location: FAR });
    await expectProblem(denied, { status: 409, code: 'AMENDMENT_NOT_ALLOWED' });
    await expectProblem(await recipient.change({ confirmed: true }), { status: 403, code: 'ACCESS_DENIED' });
    await expectProblem(await recipient.refuse(), { status: 403, code: 'ACCESS_DENIED' });
    expect(delivery.parse(await (await recipient.read()).json())).toMatchObject({ instructions: null });
  });

  it('never has a price, also when it is refused', async () => {
    const recipient = await newRecipient();
    const texts = [
      await (await recipient.read()).text(),
      await (await recipient.change({ location: FAR })).text(),
      await (await recipient.change({ location: { latitude: 21.54, longitude: 39.17 } })).text(),
    ];
    for (const text of texts) expect(text).not.toMatch(/amount|price|SAR|vat/i);
  });

  it.each([
    [{ recipient: { name: 'Noura' } }, 'recipient UNKNOWN_PROPERTY'],
    [{ codAmount: 0 }, 'codAmount UNKNOWN_PROPERTY'],
    [{ location: { ...FAR, cityCode: 'JED' } }, 'location.cityCode UNKNOWN_PROPERTY'],
    [{ confirmed: false }, 'confirmed TYPE_MISMATCH'],
    [{ instructions: 'x'.repeat(281) }, 'instructions TOO_LONG'],
  ])('of what only the merchant changes, or out of bounds, is 422: %j', async (body, violation) => {
    const recipient = await newRecipient();
    const refused = await recipient.change(body);
    const problem = await refused.json();
    expect(refused.status).toBe(422);
    expect(
      Object(problem).violations.map((one: { field: string; code: string }) => `${one.field} ${one.code}`),
    ).toEqual([violation]);
  });

  it('outside of the city is refused', async () => {
    const recipient = await newRecipient();
    const refused = await recipient.change({ location: { latitude: 21.54, longitude: 39.17 } });
    await expectProblem(refused, { status: 409, code: 'AMENDMENT_NOT_ALLOWED' });
  });
});

describe('a refusal', () => {
  it('is taken once, tells the merchant, and leaves the shipment as it is', async () => {
    const recipient = await newRecipient();
    const before = await readShipment(await merchant.get(recipient.path));
    const refused = await recipient.refuse({ reasonCode: 'ORDERED_TWICE', comment: 'طلبته مرتين' });
    const { refusedAt } = Object(await refused.json());
    expect([refused.status, refusedAt]).toEqual([201, expect.any(String)]);
    const second = await recipient.refuse();
    await expectProblem(second, { status: 409, code: 'AMENDMENT_NOT_ALLOWED' });
    expect(await readShipment(await merchant.get(recipient.path))).toEqual(before);
    const refusal = { refusedAt, reasonCode: 'ORDERED_TWICE', comment: 'طلبته مرتين' };
    const events = await eventsOf(recipient.shipmentId, 'recipient.refused');
    expect(events.map(({ data }) => data)).toMatchObject([{ refusal }]);
    expect(await (await merchant.get(`${recipient.path}/recipient-reply`)).json()).toEqual({
      confirmedAt: null,
      refusal,
      returnRequest: null,
    });
    expect(await (await recipient.read()).json()).toMatchObject({
      refusal,
      may: [{}, {}, {}, { change: 'REFUSE', allowed: false, code: 'LIMIT_REACHED' }],
    });
  });

  it('of two at once is taken once', async () => {
    const recipient = await newRecipient();
    const answers = await Promise.all([recipient.refuse(), recipient.refuse()]);
    expect(answers.map(({ status }) => status).toSorted((first, second) => first - second)).toEqual([201, 409]);
  });
});

it('a shipment that has ended is not confirmed', async () => {
  const recipient = await newRecipient();
  await forceState(environment, company, recipient.shipmentId, 'DELIVERED');
  await expectProblem(await recipient.change({ confirmed: true }), { status: 409, code: 'AMENDMENT_NOT_ALLOWED' });
});

it('a confirmation ends when the merchant moves the pin', async () => {
  const recipient = await newRecipient();
  await changeOf(await recipient.change({ confirmed: true }));
  expect(await (await recipient.read()).json()).toMatchObject({ confirmedAt: expect.any(String) });
  const body = { addressLine: 'Another street 9' };
  expect((await merchant.post(`${recipient.path}/amendments`, body, { 'if-match': '*' })).status).toBe(200);
  expect(await (await recipient.read()).json()).toMatchObject({ confirmedAt: null });
  await changeOf(await recipient.change({ confirmed: true }));
  const authorization = `Bearer ${await environment.token(company)}`;
  const replaced = await environment.fetch(`${recipient.path}/national-address`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/json', 'if-match': '*' },
    body: JSON.stringify({ shortAddress: 'RRRD2929' }),
  });
  expect(replaced.status).toBe(200);
  expect(await (await recipient.read()).json()).toMatchObject({ confirmedAt: null });
});

it('a short code is set by the recipient, and is checked', async () => {
  const recipient = await newRecipient(['ADDRESS']);
  const made = await changeOf(await recipient.change({ shortAddress: 'rrrd ٢٩٢٩' }));
  expect(made.applied).toEqual(['SHORT_ADDRESS']);
  const record = async () => Object(await (await merchant.get(`${recipient.path}/national-address`)).json());
  expect(await record()).toMatchObject({ shortAddress: 'RRRD2929', source: 'RECIPIENT' });
  await expect.poll(async () => (await record()).status).not.toBe('UNVERIFIED');
  const refused = await recipient.change({ shortAddress: 'RRRD29' });
  await expectProblem(refused, {
    status: 422,
    code: 'VALIDATION_FAILED',
    violations: ['shortAddress PATTERN_MISMATCH'],
  });
});

describe('the driver', () => {
  it('sees that the recipient does not want the parcel', async () => {
    const recipient = await newRecipient();
    const driver = await sandbox.signIn();
    expect((await driver.act(recipient.shipmentId, { action: 'ACCEPT' })).status).toBe(200);
    const { refusedAt } = Object(await (await recipient.refuse()).json());
    const seen = Object(await (await driver.act(recipient.shipmentId, { action: 'ARRIVE' })).json());
    expect(seen).toMatchObject({ state: 'ACCEPTED', refusedAt });
  });
});
