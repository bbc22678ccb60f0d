import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { createLink, linksOf, readLink, readLinkPage, revokeLink } from '../../scripts/shared/tracking.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment, 'shard-2');
await setApprovalPolicy(environment, company, 'MANUAL');
const merchant = await merchantOf(environment, company);
const UNKNOWN = '0190d0c8-7a6b-7c3d-8e4f-0123456789ab';

const newShipment = async () => (await merchant.create()).shipmentId;

describe('GET links', () => {
  it('lists them newest first, without their URLs', async () => {
    const shipmentId = await newShipment();
    const [first, second] = [await createLink(merchant, shipmentId), await createLink(merchant, shipmentId)];
    const response = await merchant.get(linksOf(shipmentId));
    const { data, page } = await readLinkPage(response);
    expect(data.map(({ linkId }) => linkId)).toEqual([second.linkId, first.linkId]);
    expect(data.every((link) => !('url' in link))).toBe(true);
    expect(page).toEqual({ nextCursor: null, hasMore: false });
  });

  it('is paged, with cursors bound to the shipment', async () => {
    const [shipmentId, other] = [await newShipment(), await newShipment()];
    const links = [];
    for (let index = 0; index < 3; index += 1) links.unshift((await createLink(merchant, shipmentId)).linkId);
    const first = await readLinkPage(await merchant.get(`${linksOf(shipmentId)}?limit=2`));
    const cursor = first.page.nextCursor ?? '';
    const second = await readLinkPage(await merchant.get(`${linksOf(shipmentId)}?limit=1&cursor=${cursor}`));
    expect([...first.data, ...second.data].map(({ linkId }) => linkId)).toEqual(links);
    expect([first.page.hasMore, second.page.hasMore]).toEqual([true, false]);
    await expectProblem(await merchant.get(`${linksOf(other)}?cursor=${cursor}`), {
      status: 400,
      code: 'INVALID_CURSOR',
    });
  });

  it('returns an empty list for a shipment without links', async () => {
    expect((await readLinkPage(await merchant.get(linksOf(await newShipment())))).data).toEqual([]);
  });

  it('returns one link with its entity tag', async () => {
    const shipmentId = await newShipment();
    const { url: _, token, ...link } = await createLink(merchant, shipmentId, { label: 'Front desk' });
    const response = await merchant.get(`${linksOf(shipmentId)}/${link.linkId}`);
    expect(response.headers.get('etag')).toBe('"0"');
    const text = await response.text();
    expect(JSON.parse(text)).toEqual(link);
    expect(text).not.toContain(token.slice(-32));
  });

  it('returns EXPIRED once a link has expired', async () => {
    const shipmentId = await newShipment();
    const { linkId } = await createLink(merchant, shipmentId);
    await environment.sql(company.shard, 'update tracking_links set expires_at = created_at + 1 where id = ?', [
      linkId,
    ]);
    expect((await readLink(await merchant.get(`${linksOf(shipmentId)}/${linkId}`))).state).toBe('EXPIRED');
  });

  it('is 304 only while it answers the same: not after a view or its end; the tag goes on matching for a change', async () => {
    const shipmentId = await newShipment();
    const { linkId } = await createLink(merchant, shipmentId);
    const path = `${linksOf(shipmentId)}/${linkId}`;
    const changes = ['view_count = 3, last_viewed_at = created_at + 1', 'expires_at = created_at + 1'];
    let etag = '"0"';
    for (const change of changes) {
      expect((await merchant.get(path, { 'if-none-match': etag })).status).toBe(304);
      await environment.sql(company.shard, `update tracking_links set ${change} where id = ?`, [linkId]);
      const response = await merchant.get(path, { 'if-none-match': etag });
      expect(response.status).toBe(200);
      etag = response.headers.get('etag') ?? '';
    }
    // The interface calls every tag a quoted decimal integer.
    expect(etag).toMatch(/^"[1-9][0-9]*"$/);
    expect((await merchant.get(path, { 'if-none-match': etag })).status).toBe(304);
    expect((await revokeLink(environment, merchant, path, etag)).status).toBe(204);
  });

  it('returns the address of an active link again, and of no other', async () => {
    const shipmentId = await newShipment();
    const [link, old] = [await createLink(merchant, shipmentId), await createLink(merchant, shipmentId)];
    const pathOf = (linkId: string) => `${linksOf(shipmentId)}/${linkId}`;
    const urlOf = (linkId: string, asked = merchant) => asked.get(`${pathOf(linkId)}/url`);
    expect(await (await urlOf(link.linkId)).json()).toEqual({ url: link.url });
    const stored = await environment.sql(company.shard, 'select * from tracking_links where id = ?', [link.linkId]);
    expect(JSON.stringify(stored)).not.toContain(link.token.slice(-32));

    await environment.sql(company.shard, 'update tracking_links set sealed_token = null where id = ?', [old.linkId]);
    await expectProblem(await urlOf(old.linkId), { status: 404, code: 'RESOURCE_NOT_FOUND' });
    await expectProblem(await urlOf(UNKNOWN), { status: 404, code: 'RESOURCE_NOT_FOUND' });
    const stranger = await merchantOf(environment, await addCompany(environment, 'shard-2'));
    await expectProblem(await urlOf(link.linkId, stranger), { status: 403, code: 'ACCESS_DENIED' });

    expect((await revokeLink(environment, merchant, pathOf(link.linkId), '*')).status).toBe(204);
    await expectProblem(await urlOf(link.linkId), { status: 409, code: 'TRACKING_LINK_NOT_ACTIVE' });
    const left = 'select sealed_token from tracking_links where id = ?';
    expect(await environment.sql(company.shard, left, [link.linkId])).toEqual([{ sealed_token: null }]);
    const expired = await createLink(merchant, shipmentId);
    await environment.sql(company.shard, 'update tracking_links set expires_at = created_at + 1 where id = ?', [
      expired.linkId,
    ]);
    await expectProblem(await urlOf(expired.linkId), { status: 409, code: 'TRACKING_LINK_NOT_ACTIVE' });
  });

  it('answers 404 for an unknown link and for a link of another shipment', async () => {
    const [shipmentId, other] = [await newShipment(), await newShipment()];
    const { linkId } = await createLink(merchant, other);
    for (const id of [UNKNOWN, linkId]) {
      const response = await merchant.get(`${linksOf(shipmentId)}/${id}`);
      await expectProblem(response, { status: 404, code: 'RESOURCE_NOT_FOUND' });
    }
    await expectProblem(await merchant.get(`${linksOf(shipmentId)}/x`), {
      status: 400,
      code: 'INVALID_PATH_PARAMETER',
      violations: ['linkId PATTERN_MISMATCH'],
    });
  });
});
