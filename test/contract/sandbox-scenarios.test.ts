import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addCompany } from '../../scripts/shared/companies.ts';
import { setAddressPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { advanceClock, newSandbox, RIYADH, SANDBOX } from '../../scripts/shared/sandbox.ts';
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
    ['COD_NOT_PAID', 'DELIVERY_FAILED', [...DELIVERY, 'delivery_failed DRIVER']],
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

  it('ADDRESS_MISMATCH holds a shipment back that needs its address, and delivers it with another one', async () => {
    const strict = await newSandbox(environment);
    await setAddressPolicy(environment, strict.company, 'REQUIRED');
    // At the door of RRRD2929.
    const { shipmentId } = await strict.create({ destination: { ...RIYADH, latitude: 24.7743, longitude: 46.6572 } });
    expect((await strict.play(shipmentId, 'ADDRESS_MISMATCH')).status).toBe(202);
    const path = `${SHIPMENTS}/${shipmentId}/national-address`;
    const address = await (await strict.merchant.get(path)).json();
    expect(address).toMatchObject({ shortAddress: 'JEDA1234', status: 'MISMATCH', blocksDispatch: true, version: 2 });
    await strict.untilState(shipmentId, 'READY_FOR_DISPATCH');
    expect((await strict.send('PUT', path, { shortAddress: 'RRRD2929' }, { 'if-match': '"2"' })).status).toBe(200);
    await strict.untilState(shipmentId, 'DELIVERED');
    expect(await strict.timeline(shipmentId)).toEqual([...DELIVERY, 'delivered DRIVER']);
  });

  it('ADDRESS_MISMATCH delivers under a policy that only asks', async () => {
    const { shipmentId } = await sandbox.create({ destination: RIYADH });
    await sandbox.play(shipmentId, 'ADDRESS_MISMATCH');
    await sandbox.untilState(shipmentId, 'DELIVERED');
    expect(await (await sandbox.merchant.get(`${SHIPMENTS}/${shipmentId}/national-address`)).json()).toMatchObject({
      status: 'MISMATCH',
      blocksDispatch: false,
    });
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

describe('WINDOW_MISSED', () => {
  it('delivers after the window that the driver has agreed to', async () => {
    const own = await newSandbox(environment);
    const hours = (count: number) => new Date(Date.now() + count * 3600_000).toISOString();
    const { shipmentId } = await own.create({ pickupWindowStart: hours(-1), pickupWindowEnd: hours(1) });
    const path = `${SHIPMENTS}/${shipmentId}`;
    expect((await own.play(shipmentId, 'WINDOW_MISSED')).status).toBe(202);
    await own.untilState(shipmentId, 'OUT_FOR_DELIVERY');
    const { window } = windows.parse(await (await own.merchant.get(`${path}/delivery-windows`)).json());
    expect(window?.status).toBe('AGREED');
    await advanceClock(own, { to: new Date(Date.parse(window?.end ?? '') + 60_000).toISOString() });
    await own.untilState(shipmentId, 'DELIVERED');
    const ended = windows.parse(await (await own.merchant.get(`${path}/delivery-windows`)).json());
    expect(ended.window).toEqual({ ...window, status: 'MISSED' });
    expect((await own.timeline(shipmentId)).includes('amended MERCHANT')).toBe(true);
  });

  it('does not start after the acceptance, which agrees to the window', async () => {
    const { shipmentId } = await sandbox.create();
    await sandbox.play(shipmentId, 'DECLINE_THEN_ACCEPT');
    await sandbox.untilState(shipmentId, 'ACCEPTED');
    await expectProblem(await sandbox.play(shipmentId, 'WINDOW_MISSED'), {
      status: 409,
      code: 'INVALID_STATE_TRANSITION',
    });
  });
});

describe('RECALLED', () => {
  const relations = z.looseObject({ followUps: z.array(z.looseObject({ shipmentId: z.string(), kind: z.string() })) });
  const followUpsOf = async (shipmentId: string) =>
    relations.parse(await (await sandbox.merchant.get(`${SHIPMENTS}/${shipmentId}/relations`)).json()).followUps;

  it('takes the parcel back on its way, and carries the return back', async () => {
    const { shipmentId } = await sandbox.create({ requirements: ['PROOF_PIN'] });
    expect((await sandbox.play(shipmentId, 'RECALLED')).status).toBe(202);
    await sandbox.untilState(shipmentId, 'DELIVERY_FAILED');
    expect(await sandbox.timeline(shipmentId)).toEqual([...DELIVERY, 'delivery_failed MERCHANT']);
    const [back, ...others] = await followUpsOf(shipmentId);
    expect([back?.kind, others]).toEqual(['RETURN', []]);
    await sandbox.untilState(back?.shipmentId ?? '', 'DELIVERED');
    expect(await sandbox.timeline(back?.shipmentId ?? '')).toEqual([
      'created MERCHANT',
      'out_for_delivery DRIVER',
      'delivered DRIVER',
    ]);
    expect(await (await sandbox.merchant.get(`${SHIPMENTS}/${shipmentId}/resolution`)).json()).toMatchObject({
      failure: { reasonCode: 'RECALLED' },
      goods: 'WITH_MERCHANT',
      state: 'CHOSEN',
    });
  });

  it('is refused for a return', async () => {
    const { shipmentId } = await sandbox.create();
    await sandbox.play(shipmentId, 'RECIPIENT_REFUSED');
    await sandbox.untilState(shipmentId, 'DELIVERY_FAILED');
    await sandbox.merchant.post(`${SHIPMENTS}/${shipmentId}/resolutions`, { kind: 'RETURN' });
    const [back] = await followUpsOf(shipmentId);
    const problem = await expectProblem(await sandbox.play(back?.shipmentId ?? '', 'RECALLED'), {
      status: 409,
      code: 'INVALID_STATE_TRANSITION',
    });
    expect(problem['currentState']).toBe('PICKED_UP');
  });
});

describe('a loss', () => {
  it('opens a complaint that the service owes an answer to', async () => {
    const { shipmentId } = await sandbox.create();
    await sandbox.play(shipmentId, 'LOST');
    await sandbox.untilState(shipmentId, 'DELIVERY_FAILED');
    const cases = await sandbox.merchant.get(`/v2/external/cases?shipmentId=${shipmentId}`);
    expect(await cases.json()).toMatchObject({ data: [{ kind: 'LOST', openedBy: 'SYSTEM', state: 'OPEN' }] });
  });
});

describe('proofs of scenarios', () => {
  const recordOf = async (name: string, requirements: string[] = []) => {
    const { shipmentId } = await sandbox.create({ requirements });
    expect((await sandbox.play(shipmentId, name)).status).toBe(202);
    await sandbox.untilState(shipmentId, name === 'HAPPY_PATH' ? 'DELIVERED' : 'DELIVERY_FAILED');
    return (await sandbox.merchant.get(`${SHIPMENTS}/${shipmentId}/proof`)).json();
  };

  it('are those of a good driver', async () => {
    expect(await recordOf('HAPPY_PATH', ['PROOF_PIN'])).toMatchObject({ evidence: 'COMPLETE', required: ['PIN'] });
    expect(await recordOf('RECIPIENT_UNREACHABLE')).toMatchObject({
      evidence: 'COMPLETE',
      place: { metersFromDestination: 0 },
    });
  });

  it('have no evidence of a door that the driver never saw, and tell of a wrong PIN', async () => {
    expect(await recordOf('ATTEMPT_WITHOUT_PROOF')).toMatchObject({
      evidence: 'NONE',
      reasonCode: 'RECIPIENT_UNREACHABLE',
      place: null,
    });
    expect(await recordOf('WRONG_PIN')).toMatchObject({ reasonCode: 'OTHER', required: ['PIN'], pin: null });
  });
});

const windows = z.object({
  window: z.nullable(z.object({ start: z.string(), end: z.string(), part: z.string(), status: z.string() })),
});
