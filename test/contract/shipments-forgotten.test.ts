import { describe, expect, it } from 'vitest';
import { addCompany, nowMicros } from '../../scripts/shared/companies.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { requireUuid } from '../../scripts/shared/seed-values.ts';
import { createLink, follow, secrets } from '../../scripts/shared/tracking.ts';
import { addMicros, instantFromMillis } from '../../src/core/instant.ts';
import { recipientsForgotten } from '../../src/domain/shipments/forget-store.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/* A shipment whose recipient was forgotten can still be read everywhere. */

const environment = sharedEnvironment();
const company = await addCompany(environment);
const merchant = await merchantOf(environment, company);

/** A cancelled shipment with a tracking link, before the deletion of personal data. */
async function endedShipment() {
  const { shipmentId, externalReference } = await merchant.createApproved(secrets());
  const { token } = await createLink(merchant, shipmentId);
  expect((await merchant.cancel(shipmentId)).status).toBe(200);
  const path = `${SHIPMENTS}/${shipmentId}`;
  const before = await merchant.get(path);
  return {
    shipmentId,
    externalReference,
    token,
    path,
    etag: before.headers.get('etag') ?? '',
    body: await before.json(),
  };
}

async function forget(shipmentId: string): Promise<void> {
  const now = addMicros(instantFromMillis(0), nowMicros());
  for (const { sql, args } of recipientsForgotten([requireUuid(shipmentId)], now))
    await environment.sql(company.shard, sql, args.map(String));
}

describe('a forgotten shipment', () => {
  it('keeps its shape, version and tag without the recipient', async () => {
    const { shipmentId, path, etag, body } = await endedShipment();
    const sent = { headers: { authorization: `Bearer ${await environment.token(company)}`, 'if-match': '*' } };
    const json = { 'content-type': 'application/json' };
    const put = () =>
      environment.fetch(`${path}/metadata`, {
        method: 'PUT',
        headers: { ...sent.headers, ...json },
        body: '{"metadata":{"gift":"for Sara"}}',
      });
    expect((await put()).status).toBe(200);
    await forget(shipmentId);
    const metadata = await merchant.get(`${path}/metadata`, { 'if-none-match': '"1"' });
    expect(await metadata.json()).toEqual({ metadata: {}, version: 1 });
    await expectProblem(await put(), { status: 409, code: 'SHIPMENT_TERMINAL' });
    const after = await merchant.get(path);
    expect(after.headers.get('etag')).toBe(etag);
    expect(await after.json()).toEqual({
      ...body,
      recipientName: '-',
      maskedRecipientPhone: '********0000',
      destination: { addressLine: '-', cityCode: 'RUH', latitude: 24.79, longitude: 46.63 },
    });
  });

  it('is answered whole to a client that has its tag, which is 304 before', async () => {
    const { shipmentId, path, etag } = await endedShipment();
    expect((await merchant.get(path, { 'if-none-match': etag })).status).toBe(304);
    await forget(shipmentId);
    for (const tag of [etag, '*']) expect((await merchant.get(path, { 'if-none-match': tag })).status).toBe(200);
  });

  it('shows nothing of the recipient in its list, label, tracking, charges, timeline and a repeated cancellation', async () => {
    const { shipmentId, externalReference, token, path } = await endedShipment();
    await forget(shipmentId);
    const paths = [
      path,
      `${SHIPMENTS}?externalReference=${externalReference}`,
      `${path}/waybill`,
      `${path}/tracking`,
      `${path}/charges`,
      `${path}/timeline`,
    ];
    const answers = [
      ...(await Promise.all(paths.map((each) => merchant.get(each)))),
      await merchant.cancel(shipmentId),
      await follow(environment, token),
      await environment.fetch(`/t/${token}`),
    ];
    for (const answer of answers) {
      expect([answer.url, answer.status]).toEqual([answer.url, 200]);
      // The merchant's own texts stay: the reference and what was in the parcel.
      const text = (await answer.text())
        .replaceAll(/Marker-(?:Delta|Epsilon)/g, '')
        .replaceAll(/"(?:recipientName|maskedRecipientPhone|addressLine)"/g, '');
      expect(text).not.toMatch(/zaynab|Marker|59876543|24\.794722|46\.626111/i);
    }
  });
});
