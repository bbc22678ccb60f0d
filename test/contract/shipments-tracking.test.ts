import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { createLink, follow, SECRET, secrets } from '../../scripts/shared/tracking.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment, 'shard-2');
const driver = await sandbox.signIn();

describe('GET /v2/external/shipments/{shipmentId}/tracking', () => {
  it('returns the same to the merchant, plus the state of dispatch, without the driver’s phone', async () => {
    const shipmentId = (await sandbox.create(secrets())).shipmentId;
    await sandbox.untilState(shipmentId, 'OFFERED');
    expect((await driver.act(shipmentId, { action: 'ACCEPT' })).status).toBe(200);
    const { token } = await createLink(sandbox.merchant, shipmentId, { locale: 'en' });
    const path = `/v2/external/shipments/${shipmentId}/tracking`;
    const response = await sandbox.merchant.get(path);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).not.toMatch(SECRET);
    expect(text).not.toContain(sandbox.phone.slice(1));
    const { dispatch, goods, ...tracking } = JSON.parse(text) as Record<string, unknown>;
    expect(tracking).toEqual(await (await follow(environment, token)).json());
    expect(goods).toBe('AT_PICKUP');
    expect(dispatch).toEqual({ phase: 'ASSIGNED', offersMade: 1 });
    const etag = response.headers.get('etag') ?? '';
    expect((await sandbox.merchant.get(path, { 'if-none-match': etag })).status).toBe(304);
    const arabic = await sandbox.merchant.get(path, { 'accept-language': 'ar' });
    expect(await arabic.json()).toMatchObject({ locale: 'ar' });
  });

  it('needs no tracking link', async () => {
    const merchant = await merchantOf(environment, await addCompany(environment, 'shard-1'));
    const { shipmentId } = await merchant.createApproved();
    const response = await merchant.get(`/v2/external/shipments/${shipmentId}/tracking`);
    expect(await response.json()).toMatchObject({
      merchantName: merchant.company.name,
      state: 'READY_FOR_DISPATCH',
      goods: 'AT_PICKUP',
      dispatch: { phase: 'SEARCHING', offersMade: 0 },
    });
  });
});
