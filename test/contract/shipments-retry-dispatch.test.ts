import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { forceState, setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { readShipment, readTimelinePage } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment, 'shard-2');
await setApprovalPolicy(environment, company, 'MANUAL');
const merchant = await merchantOf(environment, company);

const retry = (shipmentId: string, headers: Record<string, string>) =>
  merchant.post(`${SHIPMENTS}/${shipmentId}/dispatch-retries`, undefined, headers);
const timelineOf = async (shipmentId: string) =>
  (await readTimelinePage(await merchant.get(`${SHIPMENTS}/${shipmentId}/timeline`))).data;

/** Held, so that dispatch does not change the shipment after the merchant's retry. */
async function unresolved() {
  const { shipmentId } = await merchant.create();
  await environment.sql(company.shard, 'update shipments set held = 1 where id = ?', [shipmentId]);
  await forceState(environment, company, shipmentId, 'READY_FOR_DISPATCH');
  return { shipmentId, version: await forceState(environment, company, shipmentId, 'DISPATCH_UNRESOLVED') };
}

async function expectUntouched(shipmentId: string, version: number): Promise<void> {
  expect((await readShipment(await merchant.get(`${SHIPMENTS}/${shipmentId}`))).version).toBe(version);
  expect(await timelineOf(shipmentId)).toHaveLength(version + 1);
}

describe('POST a dispatch retry', () => {
  it('makes a shipment without a driver ready for dispatch: one version, one event', async () => {
    const { shipmentId, version } = await unresolved();
    const response = await retry(shipmentId, { 'if-match': `"${version}"` });
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).toBe('"3"');
    const shipment = await readShipment(response);
    expect(shipment).toMatchObject({ shipmentId, state: 'READY_FOR_DISPATCH', version: 3 });
    expect(shipment.approvedAt).not.toBeNull();
    const event = {
      type: 'shipment.dispatch_retried',
      state: 'READY_FOR_DISPATCH',
      actor: 'MERCHANT',
      sequence: 4,
      note: null,
    };
    expect((await timelineOf(shipmentId)).at(-1)).toMatchObject(event);
  });

  it.each([
    'READY_FOR_DISPATCH',
    'OFFERED',
    'ACCEPTED',
    'PICKED_UP',
    'OUT_FOR_DELIVERY',
    'DELIVERED',
    'DELIVERY_FAILED',
    'CANCELLED',
  ] as const)('refuses a shipment that is %s', async (state) => {
    const { shipmentId } = await merchant.create();
    const version = await forceState(environment, company, shipmentId, state);
    await expectProblem(await retry(shipmentId, { 'if-match': '*' }), {
      status: 409,
      code: 'INVALID_STATE_TRANSITION',
    });
    await expectUntouched(shipmentId, version);
  });

  it('refuses a shipment that is not approved yet', async () => {
    const { shipmentId } = await merchant.create();
    await expectProblem(await retry(shipmentId, { 'if-match': '"0"' }), {
      status: 409,
      code: 'INVALID_STATE_TRANSITION',
    });
    await expectUntouched(shipmentId, 0);
  });

  it('is 412 when the same request is sent again', async () => {
    const { shipmentId, version } = await unresolved();
    expect((await retry(shipmentId, { 'if-match': `"${version}"` })).status).toBe(200);
    const again = await retry(shipmentId, { 'if-match': `"${version}"` });
    const problem = await expectProblem(again, { status: 412, code: 'PRECONDITION_FAILED' });
    expect(problem['currentVersion']).toBe(3);
    await expectUntouched(shipmentId, 3);
  });

  it('may be followed by a cancellation', async () => {
    const { shipmentId } = await unresolved();
    expect((await retry(shipmentId, { 'if-match': '*' })).status).toBe(200);
    expect(await readShipment(await merchant.cancel(shipmentId, '"3"'))).toMatchObject({
      state: 'CANCELLED',
      version: 4,
    });
  });
});

describe('If-Match', () => {
  it('is required', async () => {
    const { shipmentId, version } = await unresolved();
    const problem = { status: 428, code: 'PRECONDITION_REQUIRED', violations: ['If-Match REQUIRED'] };
    await expectProblem(await retry(shipmentId, {}), problem);
    await expectUntouched(shipmentId, version);
  });

  it.each(['2', 'x', '"2'])('%s is not an entity tag: 400', async (tag) => {
    const { shipmentId, version } = await unresolved();
    const problem = { status: 400, code: 'INVALID_HEADER', violations: ['If-Match PATTERN_MISMATCH'] };
    await expectProblem(await retry(shipmentId, { 'if-match': tag }), problem);
    await expectUntouched(shipmentId, version);
  });

  it.each(['"1"', '"3"', 'W/"2"', '"x"'])('%s is not the current version 2: 412', async (tag) => {
    const { shipmentId, version } = await unresolved();
    const problem = await expectProblem(await retry(shipmentId, { 'if-match': tag }), {
      status: 412,
      code: 'PRECONDITION_FAILED',
    });
    expect(problem['currentVersion']).toBe(version);
    await expectUntouched(shipmentId, version);
  });
});
