import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { EVENTS, readEventPage } from '../../scripts/shared/events.ts';
import { forceState, setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { type JsonObject, readShipment, readTimelinePage } from '../../scripts/shared/shipments.ts';
import { createLink, linksOf, readLink, readLinkPage } from '../../scripts/shared/tracking.ts';
import { eventFaultsOf } from '../support/openapi.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment, 'shard-2');
await setApprovalPolicy(environment, company, 'MANUAL');
const merchant = await merchantOf(environment, company);
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

const newShipment = async () => (await merchant.create()).shipmentId;
const secondsOf = ({ createdAt, expiresAt }: { createdAt: string; expiresAt: string }) =>
  (Date.parse(expiresAt) - Date.parse(createdAt)) / 1000;
const eventsOf = async (shipmentId: string) =>
  (await readEventPage(await merchant.get(`${EVENTS}?shipmentId=${shipmentId}`))).data;

describe('POST a tracking link', () => {
  it('returns the link with its URL, entity tag and location', async () => {
    const shipmentId = await newShipment();
    const body = { expiresInSeconds: 3600, locale: 'ar', label: 'رسالة نصية 📦' };
    const response = await merchant.post(linksOf(shipmentId), body);
    expect(response.status).toBe(201);
    expect(response.headers.get('etag')).toBe('"0"');
    const link = await readLink(response);
    expect(response.headers.get('location')).toBe(`${linksOf(shipmentId)}/${link.linkId}`);
    expect(link).toEqual({
      linkId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: expect.stringMatching(/^https:\/\/api\.mirsal\.test\/t\/shard-2_[0-9a-hjkmnp-tv-z]{32}$/),
      state: 'ACTIVE',
      locale: 'ar',
      label: 'رسالة نصية 📦',
      permissions: [],
      createdAt: expect.stringMatching(INSTANT),
      expiresAt: expect.stringMatching(INSTANT),
      revokedAt: null,
      viewCount: 0,
      lastViewedAt: null,
      version: 0,
    });
    expect(secondsOf(link)).toBe(3600);
  });

  it('defaults to 30 days, no language and no label', async () => {
    const link = await createLink(merchant, await newShipment());
    expect(link).toMatchObject({ locale: null, label: null });
    expect(secondsOf(link)).toBe(2_592_000);
  });

  it('stores only the hash of the token', async () => {
    const shipmentId = await newShipment();
    const { token } = await createLink(merchant, shipmentId);
    const rows = await environment.sql(company.shard, 'select * from tracking_links where shipment_id = ?', [
      shipmentId,
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.['token_hash']).toBe(createHash('sha256').update(token).digest('base64url'));
    expect(JSON.stringify(rows)).not.toContain(token.slice(-32));
  });

  it('emits an event, but leaves the shipment’s version, entity tag and timeline unchanged', async () => {
    const shipmentId = await newShipment();
    const [first, second] = [await createLink(merchant, shipmentId), await createLink(merchant, shipmentId)];
    const response = await merchant.get(`${SHIPMENTS}/${shipmentId}`);
    expect(response.headers.get('etag')).toBe('"0"');
    const shipment = await readShipment(response);
    expect((await merchant.cancel(shipmentId, '"0"')).status).toBe(200);
    const events = await eventsOf(shipmentId);
    expect(events.map(({ sequence, type, previousState }) => [sequence, type, previousState])).toEqual([
      [1, 'shipment.created', null],
      [2, 'tracking_link.created', null],
      [3, 'tracking_link.created', null],
      [4, 'shipment.cancelled', 'PENDING_APPROVAL'],
    ]);
    expect(events.flatMap(eventFaultsOf)).toEqual([]);
    const { url: _, token, ...link } = second;
    expect(events[2]).toMatchObject({ timestamp: second.createdAt, data: { shipment, trackingLink: link } });
    expect(JSON.stringify(events)).not.toContain(token.slice(-32));
    expect(JSON.stringify(events)).not.toContain(first.token.slice(-32));
    const timeline = await readTimelinePage(await merchant.get(`${SHIPMENTS}/${shipmentId}/timeline`));
    expect(timeline.data.map(({ sequence, type }) => [sequence, type])).toEqual([
      [1, 'shipment.created'],
      [2, 'shipment.cancelled'],
    ]);
  });

  it.each([
    'READY_FOR_DISPATCH',
    'OFFERED',
    'ACCEPTED',
    'DISPATCH_UNRESOLVED',
    'PICKED_UP',
    'OUT_FOR_DELIVERY',
  ] as const)('is allowed for a shipment that is %s', async (state) => {
    const shipmentId = await newShipment();
    await forceState(environment, company, shipmentId, state);
    expect((await createLink(merchant, shipmentId)).state).toBe('ACTIVE');
  });

  it.each(['DELIVERED', 'DELIVERY_FAILED', 'CANCELLED'] as const)(
    'is refused for a shipment that is %s',
    async (state) => {
      const shipmentId = await newShipment();
      await forceState(environment, company, shipmentId, state);
      const problem = await expectProblem(await merchant.post(linksOf(shipmentId), {}), {
        status: 409,
        code: 'SHIPMENT_TERMINAL',
      });
      expect(problem['currentState']).toBe(state);
      expect(await eventsOf(shipmentId)).toHaveLength(1);
    },
  );
});

describe('the body', () => {
  it.each([300, 2_592_000])('may ask for %i seconds', async (expiresInSeconds) => {
    expect(secondsOf(await createLink(merchant, await newShipment(), { expiresInSeconds }))).toBe(expiresInSeconds);
  });

  it.each([
    [{ expiresInSeconds: 299 }, ['expiresInSeconds OUT_OF_RANGE']],
    [{ expiresInSeconds: 2_592_001 }, ['expiresInSeconds OUT_OF_RANGE']],
    [{ expiresInSeconds: 300.5 }, ['expiresInSeconds TYPE_MISMATCH']],
    [{ expiresInSeconds: '3600' }, ['expiresInSeconds TYPE_MISMATCH']],
    [{ expiresInSeconds: null }, ['expiresInSeconds NULL_NOT_ALLOWED']],
    [{ locale: 'fr' }, ['locale NOT_IN_ENUM']],
    [{ locale: 'AR' }, ['locale NOT_IN_ENUM']],
    [{ locale: 5 }, ['locale TYPE_MISMATCH']],
    [{ label: '' }, ['label TOO_SHORT']],
    [{ label: 'x'.repeat(121) }, ['label TOO_LONG']],
    [{ label: 7, other: 1 }, ['label TYPE_MISMATCH', 'other UNKNOWN_PROPERTY']],
    [{ shipmentId: 'x' }, ['shipmentId UNKNOWN_PROPERTY']],
    [[], ['body TYPE_MISMATCH']],
  ] as [JsonObject | [], string[]][])('is refused: %j', async (body, violations) => {
    const shipmentId = await newShipment();
    const response = await merchant.post(linksOf(shipmentId), body);
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations });
    expect(await eventsOf(shipmentId)).toHaveLength(1);
  });
});

describe('the limit of 10 active links', () => {
  it('holds for 20 concurrent creations', async () => {
    const shipmentId = await newShipment();
    const responses = await Promise.all(Array.from({ length: 20 }, () => merchant.post(linksOf(shipmentId), {})));
    const refused = responses.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(10);
    for (const response of refused) {
      await expectProblem(response, { status: 409, code: 'TRACKING_LINK_LIMIT_REACHED' });
    }
    const { data } = await readLinkPage(await merchant.get(linksOf(shipmentId)));
    expect(data).toHaveLength(10);
    expect((await eventsOf(shipmentId)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('does not count revoked or expired links', async () => {
    const shipmentId = await newShipment();
    const links = [];
    for (let index = 0; index < 10; index += 1) links.push(await createLink(merchant, shipmentId));
    expect((await merchant.post(linksOf(shipmentId), {})).status).toBe(409);
    const [revoked, expired] = links;
    const update = (column: string) => `update tracking_links set ${column} = created_at + 1 where id = ?`;
    await environment.sql(company.shard, update('revoked_at'), [revoked?.linkId ?? '']);
    await environment.sql(company.shard, update('expires_at'), [expired?.linkId ?? '']);
    const statuses = [];
    for (let index = 0; index < 3; index += 1) statuses.push((await merchant.post(linksOf(shipmentId), {})).status);
    expect(statuses).toEqual([201, 201, 409]);
  });

  it('keeps events in order when the shipment is cancelled at the same time', async () => {
    const shipmentId = await newShipment();
    const [, ...links] = await Promise.all([
      merchant.cancel(shipmentId),
      ...Array.from({ length: 5 }, () => merchant.post(linksOf(shipmentId), {})),
    ]);
    const made = links.filter(({ status }) => status === 201).length;
    expect(links.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const events = await eventsOf(shipmentId);
    expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: made + 2 }, (_, index) => index + 1));
    // Each event has the state at its time, so no link was created after the cancellation.
    expect(events.at(-1)?.type).toBe('shipment.cancelled');
    expect(events.slice(0, -1).every(({ data }) => data.shipment.state === 'PENDING_APPROVAL')).toBe(true);
  });
});
