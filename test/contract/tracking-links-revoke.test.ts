import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { EVENTS, readEventPage } from '../../scripts/shared/events.ts';
import { forceState, setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { createLink, linksOf, readLink, revokeLink } from '../../scripts/shared/tracking.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment, 'shard-2');
await setApprovalPolicy(environment, company, 'MANUAL');
const merchant = await merchantOf(environment, company);
const UNKNOWN = '0190d0c8-7a6b-7c3d-8e4f-0123456789ab';

/** A link at version 0 of a shipment at version 3. */
async function newLink() {
  const { shipmentId } = await merchant.create();
  for (const state of ['READY_FOR_DISPATCH', 'OFFERED', 'ACCEPTED'] as const)
    await forceState(environment, company, shipmentId, state);
  const { linkId } = await createLink(merchant, shipmentId);
  return { shipmentId, linkId, path: `${linksOf(shipmentId)}/${linkId}` };
}
const revoke = (path: string, ifMatch?: string) => revokeLink(environment, merchant, path, ifMatch);
const readAt = async (path: string) => readLink(await merchant.get(path));
const kindsOf = async (shipmentId: string) =>
  (await readEventPage(await merchant.get(`${EVENTS}?shipmentId=${shipmentId}`))).data.map(({ type }) => type);

describe('DELETE a tracking link', () => {
  it.each([
    ['the link’s version', '"0"'],
    ['the shipment’s version', '"3"'],
    ['an asterisk', '*'],
    ['one of several', '"9", "3"'],
  ])('accepts %s as If-Match', async (_what, tag) => {
    const { shipmentId, path } = await newLink();
    const response = await revoke(path, tag);
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(response.headers.get('content-type')).toBeNull();
    const link = await readAt(path);
    expect(link).toMatchObject({ state: 'REVOKED', version: 1 });
    expect(Date.parse(link.revokedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(link.createdAt));
    expect(await kindsOf(shipmentId)).toEqual(['shipment.created', 'tracking_link.created', 'tracking_link.revoked']);
  });

  it('emits an event with the revoked link, and leaves the shipment’s version unchanged', async () => {
    const { shipmentId, path } = await newLink();
    await revoke(path, '*');
    const link = await readAt(path);
    const { data } = await readEventPage(await merchant.get(`${EVENTS}?shipmentId=${shipmentId}`));
    expect(data[2]).toMatchObject({
      type: 'tracking_link.revoked',
      sequence: 3,
      timestamp: link.revokedAt,
      previousState: null,
      data: { shipment: { state: 'ACCEPTED', version: 3 }, trackingLink: link },
    });
  });

  it.each(['*', '"0"', '"1"', '"3"', '"9"'])(
    'is 204 and changes nothing when the link is already revoked: %s',
    async (tag) => {
      const { shipmentId, path } = await newLink();
      await revoke(path, '"0"');
      const before = await readAt(path);
      expect((await revoke(path, tag)).status).toBe(204);
      expect(await readAt(path)).toEqual(before);
      expect(await kindsOf(shipmentId)).toHaveLength(3);
    },
  );

  it('changes the link once and emits one event for twenty concurrent requests', async () => {
    const { shipmentId, path } = await newLink();
    const responses = await Promise.all(Array.from({ length: 20 }, () => revoke(path, '*')));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 204));
    expect((await readAt(path)).version).toBe(1);
    expect(await kindsOf(shipmentId)).toHaveLength(3);
  });

  it('revokes an expired link, even of a terminal shipment', async () => {
    const { shipmentId, linkId, path } = await newLink();
    await environment.sql(company.shard, 'update tracking_links set expires_at = created_at + 1 where id = ?', [
      linkId,
    ]);
    await forceState(environment, company, shipmentId, 'CANCELLED');
    expect((await revoke(path, '"4"')).status).toBe(204);
    expect((await readAt(path)).state).toBe('REVOKED');
  });
});

describe('If-Match', () => {
  it.each(['"1"', '"2"', '"4"', 'W/"0"', 'W/"3"', '"00"', '"abc"', '""'])(
    '%s is neither version: 412 with the link’s version',
    async (tag) => {
      const { shipmentId, path } = await newLink();
      const problem = await expectProblem(await revoke(path, tag), { status: 412, code: 'PRECONDITION_FAILED' });
      expect(problem['currentVersion']).toBe(0);
      expect((await readAt(path)).state).toBe('ACTIVE');
      expect(await kindsOf(shipmentId)).toHaveLength(2);
    },
  );

  it('must not be an earlier version of the shipment', async () => {
    const { shipmentId, path } = await newLink();
    await forceState(environment, company, shipmentId, 'PICKED_UP');
    await expectProblem(await revoke(path, '"3"'), { status: 412, code: 'PRECONDITION_FAILED' });
    expect((await revoke(path, '"4"')).status).toBe(204);
  });

  it('is required', async () => {
    const { path } = await newLink();
    const problem = { status: 428, code: 'PRECONDITION_REQUIRED', violations: ['If-Match REQUIRED'] };
    await expectProblem(await revoke(path), problem);
    expect((await readAt(path)).state).toBe('ACTIVE');
  });

  it.each(['0', 'abc', '"0', '"0" "1"', "'0'"])('%s is not an entity tag: 400', async (tag) => {
    const { path } = await newLink();
    const problem = { status: 400, code: 'INVALID_HEADER', violations: ['If-Match PATTERN_MISMATCH'] };
    await expectProblem(await revoke(path, tag), problem);
  });
});

describe('an unknown link', () => {
  it('is 404 whatever the entity tag, also when it belongs to another shipment of the company', async () => {
    const [one, other] = [await newLink(), await newLink()];
    for (const id of [UNKNOWN, other.linkId]) {
      const response = await revoke(`${linksOf(one.shipmentId)}/${id}`, '"9"');
      await expectProblem(response, { status: 404, code: 'RESOURCE_NOT_FOUND' });
    }
    expect((await readAt(other.path)).state).toBe('ACTIVE');
  });
});
