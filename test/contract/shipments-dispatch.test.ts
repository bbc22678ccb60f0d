import { describe, expect, it } from 'vitest';
import { type Merchant, merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newSandbox, SANDBOX } from '../../scripts/shared/sandbox.ts';
import { ITEM, type JsonObject } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { addCompanyIn, addDriver, addSignedInDriver, letFallDue, newCity } from '../support/fleet.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/* Why a shipment has no driver. Every sample level delivers to Jeddah; the largest takes 1,000 kg and 400 cm. */

const environment = sharedEnvironment();

async function dispatchOf(merchant: Merchant, shipmentId: string, headers = {}): Promise<JsonObject> {
  const response = await merchant.get(`${SHIPMENTS}/${shipmentId}/dispatch`, headers);
  expect(response.status).toBe(200);
  return (await response.json()) as JsonObject;
}
const untilPhase = (merchant: Merchant, shipmentId: string, phase: string) =>
  until(`${shipmentId} is ${phase}`, async () => {
    const standing = await dispatchOf(merchant, shipmentId);
    return standing['phase'] === phase ? standing : undefined;
  });
const codesOf = async (merchant: Merchant, shipmentId: string) =>
  ((await dispatchOf(merchant, shipmentId))['reasons'] as { code: string }[]).map(({ code }) => code);
async function merchantIn(city: string) {
  return merchantOf(environment, await addCompanyIn(environment, city));
}

describe('GET /v2/external/shipments/{shipmentId}/dispatch', () => {
  it.each([
    [
      { requirements: ['FRAGILE', 'GOLD_LEAF'] },
      'CAPABILITY_NOT_OFFERED',
      'No service level to Jeddah offers GOLD_LEAF.',
      'لا يوجد مستوى خدمة إلى جدة يوفر GOLD_LEAF.',
    ],
    [
      { items: [{ ...ITEM, quantity: 1, weightKilograms: 1000.5 }] },
      'NO_SERVICE_LEVEL_WEIGHT',
      'The shipment weighs 1000.5 kg, and the limit is 1000 kg.',
      'تزن الشحنة 1000.5 كجم، والحد الأقصى 1000 كجم.',
    ],
    [
      { items: [{ ...ITEM, lengthCentimetres: 401 }] },
      'NO_SERVICE_LEVEL_LENGTH',
      'An item is 401 cm long, and the limit is 400 cm.',
      'طول أحد الأصناف 401 سم، والحد الأقصى 400 سم.',
    ],
  ])('says why no service level fits %j, and that a retry does not help', async (changes, code, english, arabic) => {
    const merchant = await merchantIn(newCity());
    const { shipmentId } = await merchant.create(changes);
    const told = {
      phase: 'UNRESOLVED',
      since: expect.any(String),
      serviceLevel: null,
      reasons: [{ code, detail: english }],
      offersMade: 0,
      declines: 0,
      nextLookAt: null,
      givesUpAt: null,
      retryHelps: false,
    };
    expect(await untilPhase(merchant, shipmentId, 'UNRESOLVED')).toEqual(told);
    const inArabic = await dispatchOf(merchant, shipmentId, { 'accept-language': 'ar' });
    expect(inArabic['reasons']).toEqual([{ code, detail: arabic }]);
    // It is true: a retry alone ends the same way.
    const headers = { 'if-match': '*' };
    expect((await merchant.post(`${SHIPMENTS}/${shipmentId}/dispatch-retries`, undefined, headers)).status).toBe(200);
    expect(await untilPhase(merchant, shipmentId, 'UNRESOLVED')).toMatchObject({ retryHelps: false });
  });

  it('counts drivers: none on duty, then one who is busy, then one who declined', async () => {
    const city = newCity();
    const merchant = await merchantIn(city);
    const { shipmentId } = await merchant.createApproved();
    const alone = await untilPhase(merchant, shipmentId, 'SEARCHING');
    expect(alone).toMatchObject({
      serviceLevel: 'STANDARD',
      reasons: [{ code: 'NO_DRIVER_ON_DUTY', detail: `No driver on duty in ${city} can carry the shipment.` }],
      retryHelps: false,
    });
    // 15 minutes from when it became ready.
    const [since, givesUpAt] = [alone['since'], alone['givesUpAt']].map((text) => Date.parse(String(text)));
    expect((givesUpAt ?? 0) - (since ?? 0)).toBe(15 * 60_000);
    expect(Date.parse(String(alone['nextLookAt']))).toBeGreaterThan(since ?? 0);

    await addDriver(environment, city, { capabilities: [], weightKilogramsMax: '0.1' });
    expect(await codesOf(merchant, shipmentId)).toEqual(['NO_DRIVER_ON_DUTY']);
    const driver = await addSignedInDriver(environment, city, { activeMax: 1 });
    await letFallDue(environment, merchant, shipmentId);
    const offered = await untilPhase(merchant, shipmentId, 'OFFERED');
    // The search goes on when the offer ends.
    const [looksAt, endsAt] = [offered['nextLookAt'], offered['givesUpAt']].map((text) => Date.parse(String(text)));
    expect(looksAt).toBeGreaterThan(Date.parse(String(offered['since'])));
    expect(endsAt).toBeGreaterThan(looksAt ?? 0);
    expect(await codesOf(merchant, shipmentId)).toEqual([]);
    const second = await merchant.createApproved();
    expect(await dispatchOf(merchant, second.shipmentId)).toMatchObject({
      reasons: [{ code: 'ALL_DRIVERS_BUSY', detail: 'Every driver who can carry the shipment is busy (1).' }],
    });
    expect((await driver.act(shipmentId, { action: 'DECLINE' })).status).toBe(200);
    await letFallDue(environment, merchant, second.shipmentId);
    await until('the second is offered', async () =>
      (await dispatchOf(merchant, second.shipmentId))['phase'] === 'OFFERED' ? true : undefined,
    );
    // The driver is busy now. Without the second shipment only the decline is in the way.
    expect((await merchant.cancel(second.shipmentId)).status).toBe(200);
    expect(await untilPhase(merchant, shipmentId, 'SEARCHING')).toMatchObject({
      reasons: [{ code: 'ALL_DECLINED', detail: 'One driver was asked and did not take the shipment.' }],
      offersMade: 1,
      declines: 1,
    });
  });

  it('names the sandbox’s hold, and nothing once a driver has the shipment or it has ended', async () => {
    const sandbox = await newSandbox(environment, 'shard-2');
    expect((await sandbox.send('PUT', `${SANDBOX}/dispatch-hold`, { held: true })).status).toBe(200);
    const { shipmentId } = await sandbox.create();
    const held = await untilPhase(sandbox.merchant, shipmentId, 'HELD');
    expect(held).toMatchObject({
      reasons: [{ code: 'HELD', detail: 'The sandbox holds the shipment until you release it.' }],
      nextLookAt: null,
      givesUpAt: null,
    });
    const ended = await sandbox.create();
    await sandbox.untilState(ended.shipmentId, 'OFFERED');
    const driver = await sandbox.signIn();
    expect((await driver.act(ended.shipmentId, { action: 'ACCEPT' })).status).toBe(200);
    expect(await dispatchOf(sandbox.merchant, ended.shipmentId)).toMatchObject({ phase: 'ASSIGNED', reasons: [] });
    expect((await sandbox.merchant.cancel(ended.shipmentId)).status).toBe(200);
    expect(await dispatchOf(sandbox.merchant, ended.shipmentId)).toMatchObject({ phase: 'ENDED', reasons: [] });
  });

  it('says after the scenario NO_DRIVER that a retry helps, and a retry does', async () => {
    const sandbox = await newSandbox(environment, 'shard-2');
    const { shipmentId } = await sandbox.create();
    expect((await sandbox.play(shipmentId, 'NO_DRIVER')).status).toBe(202);
    await until('the scenario has ended', async () => {
      const { phase, retryHelps } = await dispatchOf(sandbox.merchant, shipmentId);
      return phase === 'UNRESOLVED' && retryHelps === true ? true : undefined;
    });
    const headers = { 'if-match': '*' };
    const retried = await sandbox.merchant.post(`${SHIPMENTS}/${shipmentId}/dispatch-retries`, undefined, headers);
    expect(retried.status).toBe(200);
    await untilPhase(sandbox.merchant, shipmentId, 'OFFERED');
  });

  it('is 403 for a shipment of another company', async () => {
    const { shipmentId } = await (await merchantIn(newCity())).create();
    const response = await (await merchantIn(newCity())).get(`${SHIPMENTS}/${shipmentId}/dispatch`);
    await expectProblem(response, { status: 403, code: 'ACCESS_DENIED' });
  });
});
