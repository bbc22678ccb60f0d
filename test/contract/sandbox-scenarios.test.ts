import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { newSandbox, SANDBOX } from '../../scripts/shared/sandbox.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment);
const BEGINNING = ['created MERCHANT', 'approved SYSTEM', 'offered SYSTEM'];
const DELIVERY = [...BEGINNING, 'accepted DRIVER', 'picked_up DRIVER', 'out_for_delivery DRIVER'];

describe('POST scenarios', () => {
  it.each([
    ['HAPPY_PATH', 'DELIVERED', [...DELIVERY, 'delivered DRIVER']],
    ['NO_DRIVER', 'DISPATCH_UNRESOLVED', ['created MERCHANT', 'approved SYSTEM', 'dispatch_unresolved SYSTEM']],
    ['DECLINE_THEN_ACCEPT', 'ACCEPTED', [...BEGINNING, 'offer_declined DRIVER', 'offered SYSTEM', 'accepted DRIVER']],
    ['RECIPIENT_UNREACHABLE', 'DELIVERY_FAILED', [...DELIVERY, 'delivery_failed DRIVER']],
    ['RECIPIENT_REFUSED', 'DELIVERY_FAILED', [...DELIVERY, 'delivery_failed DRIVER']],
    ['LOST', 'DELIVERY_FAILED', [...BEGINNING, 'accepted DRIVER', 'picked_up DRIVER', 'delivery_failed DRIVER']],
  ])('%s ends in %s', async (name, state, timeline) => {
    const { shipmentId } = await sandbox.create();
    const response = await sandbox.play(shipmentId, name);
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 202,
      body: { shipmentId, name, stepSeconds: 0 },
    });
    const shipment = await sandbox.untilState(shipmentId, state);
    expect(shipment.version).toBe(timeline.length - 1);
    expect(await sandbox.timeline(shipmentId)).toEqual(timeline);
  });

  it('DRIVER_RELEASES ends with the release, and another scenario continues from there', async () => {
    const { shipmentId } = await sandbox.create();
    await sandbox.untilState(shipmentId, 'OFFERED');
    await sandbox.play(shipmentId, 'DRIVER_RELEASES');
    await sandbox.untilState(shipmentId, 'READY_FOR_DISPATCH');
    const released = [...BEGINNING, 'accepted DRIVER', 'driver_released DRIVER'];
    expect(await sandbox.timeline(shipmentId)).toEqual(released);
    await sandbox.play(shipmentId, 'HAPPY_PATH');
    await sandbox.untilState(shipmentId, 'DELIVERED');
    expect(await sandbox.timeline(shipmentId)).toEqual([
      ...released,
      'offered SYSTEM',
      ...DELIVERY.slice(3),
      'delivered DRIVER',
    ]);
  });

  it('takes a shipment from creation to DELIVERED within three seconds', async () => {
    const { shipmentId, createdAt } = await sandbox.create();
    await sandbox.play(shipmentId, 'HAPPY_PATH');
    await sandbox.untilState(shipmentId, 'DELIVERED');
    const [row] = await environment.sql(
      sandbox.company.shard,
      'select max(occurred_at) - min(occurred_at) as micros from shipment_events where shipment_id = ?',
      [shipmentId],
    );
    expect({ createdAt, isFast: Number(row?.['micros']) < 3_000_000 }).toEqual({ createdAt, isFast: true });
  });

  it('waits at least stepSeconds between two steps', async () => {
    const { shipmentId } = await sandbox.create();
    await sandbox.play(shipmentId, 'LOST', 1);
    await sandbox.untilState(shipmentId, 'DELIVERY_FAILED');
    const rows = await environment.sql(
      sandbox.company.shard,
      'select occurred_at as at from shipment_events where shipment_id = ? order by sequence',
      [shipmentId],
    );
    const seconds = rows
      .slice(2)
      .map((row, index, all) => (Number(row['at']) - Number(all[index - 1]?.['at'] ?? row['at'])) / 1e6);
    expect(seconds.slice(1).every((pause) => pause >= 1)).toBe(true);
  });

  it('waits until a held shipment is released', async () => {
    await sandbox.send('PUT', `${SANDBOX}/dispatch-hold`, { held: true });
    const { shipmentId } = await sandbox.create();
    await sandbox.play(shipmentId, 'HAPPY_PATH');
    await sandbox.untilState(shipmentId, 'READY_FOR_DISPATCH');
    expect((await sandbox.merchant.post(`${SANDBOX}/shipments/${shipmentId}/dispatch-releases`)).status).toBe(200);
    await sandbox.untilState(shipmentId, 'DELIVERED');
  });

  it('stops at a cancellation', async () => {
    const { shipmentId } = await sandbox.create();
    await sandbox.play(shipmentId, 'HAPPY_PATH', 60);
    await sandbox.untilState(shipmentId, 'OFFERED');
    expect((await sandbox.merchant.cancel(shipmentId)).status).toBe(200);
    expect((await sandbox.read(shipmentId)).state).toBe('CANCELLED');
  });
});

describe('POST scenarios refuses', () => {
  it('a terminal shipment', async () => {
    const { shipmentId } = await sandbox.create();
    await sandbox.merchant.cancel(shipmentId);
    const problem = await expectProblem(await sandbox.play(shipmentId, 'HAPPY_PATH'), {
      status: 409,
      code: 'SHIPMENT_TERMINAL',
    });
    expect(problem['currentState']).toBe('CANCELLED');
  });

  it('a scenario whose first step the shipment has passed', async () => {
    const { shipmentId } = await sandbox.create();
    await sandbox.play(shipmentId, 'DECLINE_THEN_ACCEPT');
    await sandbox.untilState(shipmentId, 'ACCEPTED');
    const problem = await expectProblem(await sandbox.play(shipmentId, 'DECLINE_THEN_ACCEPT'), {
      status: 409,
      code: 'INVALID_STATE_TRANSITION',
    });
    expect(problem['currentState']).toBe('ACCEPTED');
  });

  it.each([
    [{ name: 'NOWHERE', stepSeconds: 0 }, 'name NOT_IN_ENUM'],
    [{ name: 'LOST', stepSeconds: 61 }, 'stepSeconds OUT_OF_RANGE'],
    [{ name: 'LOST', stepSeconds: -1 }, 'stepSeconds OUT_OF_RANGE'],
    [{ name: 'LOST' }, 'stepSeconds REQUIRED'],
    [{ name: 'LOST', stepSeconds: 0, until: 1 }, 'until UNKNOWN_PROPERTY'],
  ])('a wrong body: %j', async (body, violation) => {
    const { shipmentId } = await sandbox.create();
    const response = await sandbox.merchant.post(`${SANDBOX}/shipments/${shipmentId}/scenarios`, body);
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations: [violation] });
  });

  it('a company without a sandbox', async () => {
    const merchant = await merchantOf(environment, await addCompany(environment));
    const { shipmentId } = await merchant.create();
    const response = await merchant.post(`${SANDBOX}/shipments/${shipmentId}/scenarios`, {
      name: 'LOST',
      stepSeconds: 0,
    });
    await expectProblem(response, { status: 409, code: 'SANDBOX_NOT_READY' });
  });
});
