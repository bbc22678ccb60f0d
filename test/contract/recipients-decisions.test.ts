import { describe, expect, it } from 'vitest';
import { forceState } from '../../scripts/shared/force-state.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { expectProblem } from '../support/problem.ts';
import { FAR, recipientScene } from '../support/recipients.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { trpcClient } from '../support/trpc.ts';

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment);
const { merchant, company } = sandbox;

const { newRecipient, changeOf, amendmentsOf, eventsOf } = recipientScene(environment, sandbox);

describe('a change that costs more than the company allows', () => {
  it('waits for the company, and the rest is made', async () => {
    const recipient = await newRecipient();
    const body = { location: FAR, addressLine: 'Al-Arid, Street 7', instructions: 'Ring', confirmed: true };
    const made = await changeOf(await recipient.change(body));
    expect(made.applied).toEqual(['INSTRUCTIONS']);
    expect(made.awaitingMerchant).toMatchObject([{ changes: ['LOCATION', 'ADDRESS_LINE'] }]);
    expect(made.delivery).toMatchObject({
      // It is the new place that the recipient has confirmed.
      confirmedAt: null,
      destination: { addressLine: '4 King Fahd Road, Riyadh' },
      awaitingMerchant: [{ changes: ['LOCATION', 'ADDRESS_LINE'] }],
    });
    const [requested, ...others] = await eventsOf(recipient.shipmentId, 'shipment.amendment_requested');
    expect(others).toEqual([]);
    expect(requested?.data).toMatchObject({
      amendment: {
        by: 'RECIPIENT',
        changes: ['LOCATION', 'ADDRESS_LINE'],
        priceEffect: { lines: [{ code: 'AMENDMENT' }] },
        decideBy: expect.any(String),
      },
    });
    // A repeat finds the request that waits.
    const again = await changeOf(await recipient.change({ location: FAR, addressLine: body.addressLine }));
    expect(again.awaitingMerchant).toEqual(made.awaitingMerchant);
    expect(await eventsOf(recipient.shipmentId, 'shipment.amendment_requested')).toHaveLength(1);
  });

  async function waiting() {
    const recipient = await newRecipient();
    const { awaitingMerchant } = await changeOf(await recipient.change({ location: FAR }));
    const path = `${recipient.path}/amendments/${awaitingMerchant[0]?.amendmentId}/decisions`;
    const decide = (decision: string, tag = '"0"') => merchant.post(path, { decision }, { 'if-match': tag });
    return { ...recipient, decide, decisions: path };
  }

  it('is applied for what it said when the company accepts it, once', async () => {
    const { decide, path, shipmentId, read } = await waiting();
    const [asked] = await amendmentsOf(path);
    expect(asked).toMatchObject({ state: 'AWAITING_MERCHANT', shipmentVersion: null, version: 0, decidedAt: null });
    await expectProblem(await decide('ACCEPT', '"7"'), { status: 412, code: 'PRECONDITION_FAILED' });
    const accepted = await decide('ACCEPT');
    expect([accepted.status, accepted.headers.get('etag')]).toEqual([200, '"1"']);
    expect(await accepted.json()).toMatchObject({ state: 'APPLIED', by: 'RECIPIENT', version: 1 });
    expect((await sandbox.read(shipmentId)).destination).toMatchObject(FAR);
    const charges: unknown = await (await merchant.get(`${path}/charges`)).json();
    const { priceEffect } = Object(asked);
    expect(charges).toMatchObject({ lines: [{}, {}, {}, { code: 'AMENDMENT', amount: priceEffect.netAmount }] });
    expect((await decide('ACCEPT')).status).toBe(200);
    await expectProblem(await decide('REJECT', '"1"'), { status: 409, code: 'AMENDMENT_NOT_ALLOWED' });
    expect(await eventsOf(shipmentId, 'shipment.amended')).toHaveLength(1);
    const told = { by: 'RECIPIENT', state: 'APPLIED', priceEffect, changes: ['LOCATION'] };
    expect(await eventsOf(shipmentId, 'shipment.amendment_decided')).toMatchObject([
      { data: { amendment: told, shipment: { destination: FAR } } },
    ]);
    expect(await (await read()).json()).toMatchObject({ destination: FAR, awaitingMerchant: [] });
  });

  it('leaves the shipment as it is when the company rejects it', async () => {
    const { decide, path, shipmentId, read } = await waiting();
    const before = await sandbox.read(shipmentId);
    const rejected = await decide('REJECT');
    expect(await rejected.json()).toMatchObject({ state: 'REJECTED', version: 1, decidedAt: expect.any(String) });
    expect(await sandbox.read(shipmentId)).toEqual(before);
    await expectProblem(await decide('ACCEPT', '"1"'), { status: 409, code: 'AMENDMENT_NOT_ALLOWED' });
    expect(await amendmentsOf(path)).toMatchObject([{ state: 'REJECTED' }]);
    expect(await eventsOf(shipmentId, 'shipment.amendment_decided')).toMatchObject([
      { previousState: null, data: { amendment: { state: 'REJECTED' }, shipment: { version: before.version } } },
    ]);
    expect(await (await read()).json()).toMatchObject({ awaitingMerchant: [] });
  });

  it('is decided once if two people decide at the same time', async () => {
    const { decide, shipmentId, path } = await waiting();
    const answers = await Promise.all([decide('ACCEPT'), decide('REJECT'), decide('ACCEPT')]);
    const statuses = answers.map(({ status }) => status);
    const amended = await eventsOf(shipmentId, 'shipment.amended');
    const [decided] = await amendmentsOf(path);
    // Both that accept win, or the one that rejects.
    const isAccepted = decided?.state === 'APPLIED';
    expect(amended).toHaveLength(isAccepted ? 1 : 0);
    expect(await eventsOf(shipmentId, 'shipment.amendment_decided')).toHaveLength(1);
    expect(decided?.state).toBe(isAccepted ? 'APPLIED' : 'REJECTED');
    expect(statuses[1] === 200).toBe(!isAccepted);
    for (const status of statuses) expect([200, 409, 412]).toContain(status);
  });

  it('expires when the driver sets out, and when the pin moves otherwise', async () => {
    const one = await waiting();
    await forceState(environment, company, one.shipmentId, 'OUT_FOR_DELIVERY');
    expect(await amendmentsOf(one.path)).toMatchObject([{ state: 'EXPIRED' }]);
    await expectProblem(await one.decide('ACCEPT'), { status: 409, code: 'AMENDMENT_NOT_ALLOWED' });
    const two = await waiting();
    const body = { location: { latitude: 24.8, longitude: 46.63 } };
    expect((await merchant.post(`${two.path}/amendments`, body, { 'if-match': '*' })).status).toBe(200);
    expect(await amendmentsOf(two.path)).toMatchObject([{ state: 'EXPIRED' }, { by: 'MERCHANT', state: 'APPLIED' }]);
  });

  it('is made at once below the limit that the owner has set', async () => {
    const owner = trpcClient(
      environment,
      await addSession(environment, await addPerson(environment, company), { assurance: 'AAL2' }),
    );
    expect(await owner.recipients.getSettings.query({})).toEqual({ amendmentLimit: '0' });
    await owner.recipients.setSettings.mutate({ amendmentLimit: '30' });
    const recipient = await newRecipient();
    expect(await changeOf(await recipient.change({ location: FAR }))).toMatchObject({
      applied: ['LOCATION'],
      awaitingMerchant: [],
    });
    await owner.recipients.setSettings.mutate({ amendmentLimit: '0' });
  });

  it('is stored with the rest of its request, or not at all', async () => {
    const recipient = await newRecipient();
    for (let count = 0; count < 18; count += 1) {
      const body = { instructions: `Note ${count}` };
      const asked =
        count < 9 ? recipient.change(body) : merchant.post(`${recipient.path}/amendments`, body, { 'if-match': '*' });
      expect((await asked).status).toBe(200);
    }
    expect(
      (await merchant.post(`${recipient.path}/amendments`, { instructions: 'x' }, { 'if-match': '*' })).status,
    ).toBe(200);
    // One amendment is left, and this needs two.
    const refused = await recipient.change({ location: FAR, instructions: 'The last note' });
    await expectProblem(refused, { status: 409, code: 'AMENDMENT_NOT_ALLOWED' });
    expect(Object(await (await recipient.read()).json())).toMatchObject({ instructions: 'x', awaitingMerchant: [] });
    expect((await recipient.change({ location: FAR })).status).toBe(200);
  });

  it('is found again by a repeat with the same If-Match', async () => {
    const recipient = await newRecipient();
    const tag = (await recipient.read()).headers.get('etag') ?? '';
    const body = { location: FAR, instructions: 'Ring' };
    const [first, second] = [
      await changeOf(await recipient.change(body, tag)),
      await changeOf(await recipient.change(body, tag)),
    ];
    expect(second.awaitingMerchant).toEqual(first.awaitingMerchant);
    expect(second).toMatchObject({ applied: [], delivery: { version: first.delivery.version } });
    await expectProblem(await recipient.change({ instructions: 'Knock' }, tag), {
      status: 412,
      code: 'PRECONDITION_FAILED',
    });
  });

  it('changes the tag of the delivery when another one replaces it', async () => {
    const recipient = await newRecipient();
    const tagOf = async () => (await recipient.read()).headers.get('etag');
    await changeOf(await recipient.change({ location: FAR }));
    const before = await tagOf();
    await changeOf(await recipient.change({ location: { latitude: 24.86, longitude: 46.626111 } }));
    expect(await tagOf()).not.toBe(before);
    expect(await amendmentsOf(recipient.path)).toMatchObject([{ state: 'EXPIRED' }, { state: 'AWAITING_MERCHANT' }]);
  });

  it('is replaced by a newer address line of the merchant', async () => {
    const { decide, path } = await waiting();
    expect(
      (await merchant.post(`${path}/amendments`, { addressLine: 'A newer line' }, { 'if-match': '*' })).status,
    ).toBe(200);
    await expectProblem(await decide('ACCEPT', '*'), { status: 409, code: 'AMENDMENT_NOT_ALLOWED' });
  });

  it('is not decided by another company', async () => {
    const { decisions } = await waiting();
    const other = await newSandbox(environment);
    const denied = await other.merchant.post(decisions, { decision: 'ACCEPT' }, { 'if-match': '*' });
    await expectProblem(denied, { status: 403, code: 'ACCESS_DENIED' });
    const unknown = decisions.replace(/[^/]+\/decisions/, `${crypto.randomUUID()}/decisions`);
    const absent = await merchant.post(unknown, { decision: 'ACCEPT' }, { 'if-match': '*' });
    await expectProblem(absent, { status: 404, code: 'RESOURCE_NOT_FOUND' });
  });
});

describe('a delivery window', () => {
  it('is asked for by one of those offered, twice, and is agreed to by the driver', async () => {
    const recipient = await newRecipient();
    const read = async () => Object(await (await recipient.read()).json());
    const { windowsOffered } = await read();
    const [first, second, third] = windowsOffered;
    expect(first).toMatchObject({ start: expect.any(String), end: expect.any(String), part: expect.any(String) });
    const asked = await changeOf(await recipient.change({ windowStart: first.start }));
    expect(asked).toMatchObject({ applied: ['DELIVERY_WINDOW'], delivery: { window: { ...first, status: 'ASKED' } } });
    expect(await changeOf(await recipient.change({ windowStart: first.start }))).toMatchObject({ applied: [] });
    await expectProblem(await recipient.change({ windowStart: '2020-01-01T05:00:00Z' }), {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: ['windowStart WINDOW_NOT_OFFERED'],
    });
    await changeOf(await recipient.change({ windowStart: second.start }));
    await expectProblem(await recipient.change({ windowStart: third.start }), {
      status: 409,
      code: 'AMENDMENT_NOT_ALLOWED',
    });
    expect(await read()).toMatchObject({
      window: { ...second, status: 'ASKED' },
      windowsOffered: [],
      may: [{}, { change: 'WINDOW', allowed: false, code: 'LIMIT_REACHED' }, {}, {}],
    });
    // The merchant still may.
    const amended = { windowStart: third.start };
    expect((await merchant.post(`${recipient.path}/amendments`, amended, { 'if-match': '*' })).status).toBe(200);
    const driver = await sandbox.signIn();
    expect((await driver.act(recipient.shipmentId, { action: 'ACCEPT' })).status).toBe(200);
    expect(await read()).toMatchObject({ window: { ...third, status: 'AGREED' } });
  });

  it('is not offered to a link without the permission', async () => {
    const recipient = await newRecipient(['ADDRESS']);
    expect(Object(await (await recipient.read()).json()).windowsOffered).toEqual([]);
  });
});
