import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { forceState, setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import {
  newKey,
  newReference,
  readShipment,
  readShipmentPage,
  readTimelinePage,
  shipmentBody,
} from '../../scripts/shared/shipments.ts';
import { createLink, follow, linksOf, readLink, revokeLink } from '../../scripts/shared/tracking.ts';
import { until } from '../../scripts/shared/until.ts';
import { PDF } from '../support/files.ts';
import { expectProblem } from '../support/problem.ts';
import { cutUpload, draftOf, upload } from '../support/registrations.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';
import type { Started } from './service.ts';

/** One shipment from creation to end, over REST and tRPC. */
export function describeLife(started: Started): void {
  it('answers /health and /ready', async () => {
    const { fetch } = started();
    expect(await (await fetch('/health')).json()).toMatchObject({ status: 'ok' });
    const ready = await fetch('/ready');
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ status: 'ready', deployment: 'local' });
  });

  it('creates, approves and cancels a shipment', async () => {
    const environment = started();
    const merchant = await merchantOf(environment, environment.companies[0]);
    const created = await merchant.create();
    expect(created).toMatchObject({ state: 'PENDING_APPROVAL', version: 0, approvedAt: null });

    const path = `${SHIPMENTS}/${created.shipmentId}`;
    const approved = await merchant.createApproved();
    expect(approved.version).toBe(1);
    expect(microsBetween(approved.createdAt, approved.approvedAt)).toBeLessThanOrEqual(2_000_000);
    const page = await readShipmentPage(await merchant.get(`${SHIPMENTS}?limit=2`));
    expect(page.data.map(({ shipmentId }) => shipmentId)).toEqual([approved.shipmentId, created.shipmentId]);

    const cancelled = await merchant.cancel(created.shipmentId);
    expect(cancelled.status).toBe(200);
    const last = await readShipment(cancelled);
    expect(last).toMatchObject({ state: 'CANCELLED' });
    expect(cancelled.headers.get('etag')).toBe(`"${last.version}"`);
    expect(await readShipment(await merchant.get(path))).toEqual(last);
    const timeline = await readTimelinePage(await merchant.get(`${path}/timeline`));
    expect(timeline.data.at(0)).toMatchObject({ sequence: 1, type: 'shipment.created', actor: 'MERCHANT', note: null });
    expect(timeline.data.at(-1)).toMatchObject({
      sequence: last.version + 1,
      type: 'shipment.cancelled',
      note: 'OTHER',
    });
  });

  it('answers a replay with the bytes, tag and location of the first answer', async () => {
    const environment = started();
    const merchant = await merchantOf(environment, environment.companies[1]);
    const body = shipmentBody(merchant.company);
    const key = { 'idempotency-key': newKey() };
    const first = await merchant.postShipment(body, key);
    const firstText = await first.text();
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null]);
    const replay = await merchant.postShipment(body, key);
    expect(await replay.text()).toBe(firstText);
    expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    for (const name of ['etag', 'location']) expect(replay.headers.get(name)).toBe(first.headers.get(name));
  });

  it('replays a driver’s repeated action, even if the driver no longer has the shipment', async () => {
    const sandbox = await newSandbox(started());
    const [{ shipmentId }, driver] = [await sandbox.create(), await sandbox.signIn()];
    await sandbox.untilState(shipmentId, 'OFFERED');
    const position = { latitude: 24.7, longitude: 46.7, recordedAt: new Date(Date.now() - 60_000).toISOString() };
    for (const action of ['ACCEPT', 'RELEASE']) {
      const order = { action, actionId: randomUUID(), position };
      const first = await driver.act(shipmentId, order);
      const text = await first.text();
      expect([action, first.status, first.headers.get('idempotency-replayed')]).toEqual([action, 200, null]);
      const [again, together] = await Promise.all([driver.act(shipmentId, order), driver.act(shipmentId, order)]);
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
      expect([await again.text(), await together.text()]).toEqual([text, text]);
      const other = await driver.act(shipmentId, { ...order, position: { ...position, latitude: 24.8 } });
      await expectProblem(other, { status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
    }
    const actions = (await sandbox.timeline(shipmentId)).filter((step) => step.endsWith('DRIVER'));
    expect(actions).toEqual(['accepted DRIVER', 'driver_released DRIVER']);
  });

  it('plays a scenario without pauses from creation to delivery', async () => {
    const sandbox = await newSandbox(started());
    const { shipmentId, createdAt } = await sandbox.create();
    await sandbox.play(shipmentId, 'HAPPY_PATH', 0);
    expect(await sandbox.untilState(shipmentId, 'DELIVERED')).toMatchObject({ version: 6 });
    const path = `${SHIPMENTS}/${shipmentId}/timeline`;
    const { data } = await readTimelinePage(await sandbox.merchant.get(path));
    expect(data.map(({ sequence, type, actor }) => `${sequence} ${type} ${actor}`)).toEqual([
      '1 shipment.created MERCHANT',
      '2 shipment.approved SYSTEM',
      '3 shipment.offered SYSTEM',
      '4 shipment.accepted DRIVER',
      '5 shipment.picked_up DRIVER',
      '6 shipment.out_for_delivery DRIVER',
      '7 shipment.delivered DRIVER',
    ]);
    console.info(`from 201 to DELIVERED: ${microsBetween(createdAt, data.at(-1)?.occurredAt ?? null) / 1000} ms`);
  });

  it('ends a driver’s token by a new sign-in and by signing out', async () => {
    const environment = started();
    const sandbox = await newSandbox(environment);
    const [first, second] = [await sandbox.signIn(), await sandbox.signIn()];
    expect([(await first.get('/offers')).status, (await second.get('/offers')).status]).toEqual([401, 200]);
    const signedOut = await environment.fetch('/v2/driver/sessions/current', {
      method: 'DELETE',
      headers: { authorization: `Bearer ${second.token}` },
    });
    expect([signedOut.status, (await second.get('/offers')).status]).toEqual([204, 401]);
  });

  it('retries dispatch', async () => {
    const environment = started();
    const merchant = await merchantOf(environment, environment.companies[0]);
    const { shipmentId } = await merchant.createApproved();
    const version = await forceState(environment, merchant.company, shipmentId, 'DISPATCH_UNRESOLVED');
    const response = await merchant.post(`${SHIPMENTS}/${shipmentId}/dispatch-retries`, undefined, {
      'if-match': `"${version}"`,
    });
    expect(response.status).toBe(200);
    expect(await readShipment(response)).toMatchObject({ state: 'READY_FOR_DISPATCH', version: version + 1 });
  });

  it('opens a tracking link until it is revoked, and counts the views', async () => {
    const environment = started();
    const merchant = await merchantOf(environment, environment.companies[1]);
    const { shipmentId } = await merchant.create();
    const { linkId, token } = await createLink(merchant, shipmentId, { locale: 'ar' });
    const path = `${linksOf(shipmentId)}/${linkId}`;
    const first = await follow(environment, token);
    expect(await first.json()).toMatchObject({ merchantName: merchant.company.name, locale: 'ar' });
    await follow(environment, token);
    const link = await until('both looks are counted', async () => {
      const read = await readLink(await merchant.get(path));
      return read.viewCount === 2 ? read : undefined;
    });
    expect((await revokeLink(environment, merchant, path, `"${link.version}"`)).status).toBe(204);
    await expectProblem(await follow(environment, token), { status: 404, code: 'TRACKING_LINK_UNAVAILABLE' });
    expect(environment.service.logs().join('\n')).not.toContain(token.slice(-32));
  });

  describe('over tRPC', () => {
    it('creates, reads and cancels with decimals as strings', async () => {
      const environment = started();
      const [company] = environment.companies;
      const client = trpcClient(environment, await environment.token(company));
      const input = {
        externalReference: newReference(),
        branchCode: company.branchCode,
        pickupLocationCode: company.pickupLocationCode,
        recipient: { name: 'Noura Al-Harbi', phone: '0512345678' },
        destination: { addressLine: 'Jeddah', cityCode: 'JED', latitude: '21.50', longitude: '39.250' },
        declaredValue: '12345678901234567.89',
        codAmount: '0',
        currency: 'SAR',
        paymentMethod: 'PREPAID',
        pickupWindowStart: '2030-01-31T09:00:00Z',
        pickupWindowEnd: '2030-01-31T12:00:00Z',
        items: [{ description: 'Beans', quantity: 3, weightKilograms: '0.1' }],
        requirements: [],
      } as const;
      const created = await client.shipments.create.mutate({
        ...input,
        requirements: [],
        items: [...input.items],
        idempotencyKey: newKey(),
      });
      expect(created).toMatchObject({ declaredValue: '12345678901234567.89', totalWeightKilograms: '0.3', version: 0 });
      const { shipmentId } = created;
      expect(await client.shipments.get.query({ shipmentId })).toMatchObject({
        destination: { latitude: '21.5', longitude: '39.25' },
      });
      const cancelled = await client.shipments.cancel.mutate({ shipmentId, ifMatch: '*', reasonCode: 'DUPLICATE' });
      expect(cancelled.state).toBe('CANCELLED');
    });

    it('lets only an operator approve for a company whose policy is MANUAL', async () => {
      const environment = started();
      const company = await addCompany(environment, 'shard-2');
      const { companyId } = company;
      const operator = trpcClient(environment, await environment.token(environment.operator));
      await operator.operations.companies.setApprovalPolicy.mutate({ companyId, approvalPolicy: 'MANUAL' });
      const merchant = await merchantOf(environment, company);
      const { shipmentId } = await merchant.create();
      const stranger = trpcClient(environment, await environment.token(company));
      const refused = stranger.operations.shipments.approve.mutate({ companyId, shipmentId });
      expect(await problemOfCall(refused)).toMatchObject({ status: 403, code: 'ACCESS_DENIED' });

      const approved = await operator.operations.shipments.approve.mutate({ companyId, shipmentId });
      expect(approved).toMatchObject({ state: 'READY_FOR_DISPATCH', version: 1 });
      const again = operator.operations.shipments.approve.mutate({ companyId, shipmentId });
      expect(await problemOfCall(again)).toMatchObject({ status: 409, code: 'INVALID_STATE_TRANSITION' });
      const timeline = await readTimelinePage(await merchant.get(`${SHIPMENTS}/${shipmentId}/timeline`));
      expect(timeline.data.map(({ type, actor }) => [type, actor])).toEqual([
        ['shipment.created', 'MERCHANT'],
        ['shipment.approved', 'OPERATOR'],
      ]);
    });

    it('does not approve for a company whose policy is MANUAL', async () => {
      const environment = started();
      const company = await addCompany(environment, 'shard-1');
      await setApprovalPolicy(environment, company, 'MANUAL');
      const merchant = await merchantOf(environment, company);
      const { shipmentId } = await merchant.create();
      // Another company's later shipment is approved by now, so this one would be approved too.
      await (await merchantOf(environment, environment.companies[0])).createApproved();
      const response = await merchant.get(`${SHIPMENTS}/${shipmentId}`);
      expect(await readShipment(response)).toMatchObject({ state: 'PENDING_APPROVAL', version: 0 });
    });
  });

  it('does not list a document whose connection was cut', async () => {
    const environment = started();
    const { body } = await draftOf(environment);
    await cutUpload(environment.address, body, PDF);
    const isRefused = (line: string) => line.includes('/documents/{documentType}') && line.includes('"status":400');
    await until('the upload is refused', () => (environment.service.logs().some(isRefused) ? true : undefined));
    const select = 'select 1 from registration_documents where registration_id = ?';
    expect(await environment.sql('directory', select, [body.registrationId])).toEqual([]);
    expect((await upload(environment, body, { type: 'NATIONAL_ADDRESS', bytes: PDF })).status).toBe(200);
  });

  it('refuses a foreign shipment', async () => {
    const environment = started();
    const [owner, stranger] = environment.companies;
    const { shipmentId } = await (await merchantOf(environment, owner)).create();
    const response = await (await merchantOf(environment, stranger)).get(`${SHIPMENTS}/${shipmentId}`);
    await expectProblem(response, { status: 403, code: 'ACCESS_DENIED' });
  });
}

/** Microseconds from one instant of an answer to another. */
function microsBetween(from: string, to: string | null): number {
  return microsOf(to ?? '') - microsOf(from);
}

function microsOf(instant: string): number {
  return Date.parse(`${instant.slice(0, 23)}Z`) * 1000 + Number(instant.slice(23, 26));
}
