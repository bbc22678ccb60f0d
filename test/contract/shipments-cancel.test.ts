import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { forceState, setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { readShipment, readTimelinePage } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
await setApprovalPolicy(environment, company, 'MANUAL');
const merchant = await merchantOf(environment, company);

/** A shipment in the given state, and its version. */
async function shipmentIn(state: 'PENDING_APPROVAL' | Parameters<typeof forceState>[3]) {
  const { shipmentId } = await merchant.create();
  const version = state === 'PENDING_APPROVAL' ? 0 : await forceState(environment, company, shipmentId, state);
  return { shipmentId, version };
}
const pathOf = (shipmentId: string) => `${SHIPMENTS}/${shipmentId}/cancellations`;
const readById = async (shipmentId: string) => readShipment(await merchant.get(`${SHIPMENTS}/${shipmentId}`));
const timelineOf = async (shipmentId: string) =>
  (await readTimelinePage(await merchant.get(`${SHIPMENTS}/${shipmentId}/timeline`))).data;

async function expectUntouched(shipmentId: string, version: number): Promise<void> {
  expect((await readById(shipmentId)).version).toBe(version);
  expect(await timelineOf(shipmentId)).toHaveLength(version + 1);
}

describe('POST a cancellation', () => {
  it.each(['PENDING_APPROVAL', 'READY_FOR_DISPATCH', 'OFFERED', 'ACCEPTED', 'DISPATCH_UNRESOLVED'] as const)(
    'cancels a shipment that is %s: one version, one event',
    async (state) => {
      const { shipmentId, version } = await shipmentIn(state);
      const response = await merchant.cancel(shipmentId, `"${version}"`);
      expect(response.status).toBe(200);
      expect(response.headers.get('etag')).toBe(`"${version + 1}"`);
      const shipment = await readShipment(response);
      expect(shipment).toMatchObject({ shipmentId, state: 'CANCELLED', version: version + 1 });
      expect(await readById(shipmentId)).toEqual(shipment);
      const timeline = await timelineOf(shipmentId);
      expect(timeline).toHaveLength(version + 2);
      expect(timeline.at(-1)).toMatchObject({ sequence: version + 2, type: 'shipment.cancelled', actor: 'MERCHANT' });
    },
  );

  it.each(['PICKED_UP', 'OUT_FOR_DELIVERY', 'DELIVERED', 'DELIVERY_FAILED'] as const)(
    'refuses a shipment that is %s',
    async (state) => {
      const { shipmentId, version } = await shipmentIn(state);
      const problem = await expectProblem(await merchant.cancel(shipmentId, `"${version}"`), {
        status: 409,
        code: 'SHIPMENT_NOT_CANCELLABLE',
      });
      expect(problem['currentState']).toBe(state);
      await expectUntouched(shipmentId, version);
    },
  );

  it('answers an already cancelled shipment unchanged', async () => {
    const { shipmentId } = await shipmentIn('PENDING_APPROVAL');
    const first = await (await merchant.cancel(shipmentId)).text();
    for (const tag of ['*', '"1"']) {
      const again = await merchant.post(
        pathOf(shipmentId),
        { reasonCode: 'PRICE', comment: 'again' },
        { 'if-match': tag },
      );
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([200, '"1"', first]);
    }
    await expectUntouched(shipmentId, 1);
  });

  it('leaves no work due for the shipment', async () => {
    const automatic = await merchantOf(environment, await addCompany(environment));
    const { shipmentId } = await automatic.create();
    expect((await automatic.cancel(shipmentId)).status).toBe(200);
    const select = 'select due_at, state from shipments where id = ?';
    expect(await environment.sql('shard-1', select, [shipmentId])).toEqual([{ due_at: null, state: 'CANCELLED' }]);
  });
});

describe('the reason', () => {
  it.each([
    'CUSTOMER_REQUEST',
    'DUPLICATE',
    'WRONG_ADDRESS',
    'OUT_OF_STOCK',
    'PACKAGE_NOT_READY',
    'PRICE',
    'TOO_LATE',
    'OTHER',
  ])('may be %s, and appears in the timeline', async (reasonCode) => {
    const { shipmentId } = await shipmentIn('PENDING_APPROVAL');
    const response = await merchant.post(pathOf(shipmentId), { reasonCode }, { 'if-match': '"0"' });
    expect(response.status).toBe(200);
    expect((await timelineOf(shipmentId)).at(-1)?.note).toBe(reasonCode);
  });

  it('may have a comment of 240 code points, which appears in the timeline', async () => {
    const { shipmentId } = await shipmentIn('PENDING_APPROVAL');
    const comment = '📦'.repeat(240);
    const response = await merchant.post(pathOf(shipmentId), { reasonCode: 'OTHER', comment }, { 'if-match': '*' });
    expect(response.status).toBe(200);
    expect((await timelineOf(shipmentId)).at(-1)?.note).toContain(comment);
  });

  it('may have null as comment', async () => {
    const { shipmentId } = await shipmentIn('PENDING_APPROVAL');
    const body = { reasonCode: 'PRICE', comment: null };
    expect((await merchant.post(pathOf(shipmentId), body, { 'if-match': '*' })).status).toBe(200);
    expect((await timelineOf(shipmentId)).at(-1)?.note).toBe('PRICE');
  });

  it.each([
    [{}, ['reasonCode REQUIRED']],
    [{ reasonCode: null }, ['reasonCode NULL_NOT_ALLOWED']],
    [{ reasonCode: 'other' }, ['reasonCode NOT_IN_ENUM']],
    [{ reasonCode: 8 }, ['reasonCode TYPE_MISMATCH']],
    [{ reasonCode: 'OTHER', comment: 'x'.repeat(241) }, ['comment TOO_LONG']],
    [{ reasonCode: 'OTHER', comment: 5 }, ['comment TYPE_MISMATCH']],
    [{ reasonCode: 'OTHER', note: 'x' }, ['note UNKNOWN_PROPERTY']],
    [{ reasonCode: 'OTHER', ifMatch: '*' }, ['ifMatch UNKNOWN_PROPERTY']],
    [{ reasonCode: 'OTHER', shipmentId: 'x' }, ['shipmentId UNKNOWN_PROPERTY']],
    [{ comment: [], other: 1 }, ['comment TYPE_MISMATCH', 'other UNKNOWN_PROPERTY', 'reasonCode REQUIRED']],
    [[], ['body TYPE_MISMATCH']],
  ])('is refused as %j', async (body, violations) => {
    const { shipmentId } = await shipmentIn('PENDING_APPROVAL');
    const response = await merchant.post(pathOf(shipmentId), body, { 'if-match': '*' });
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations });
    await expectUntouched(shipmentId, 0);
  });

  it('is required, as JSON', async () => {
    const { shipmentId } = await shipmentIn('PENDING_APPROVAL');
    const response = await merchant.post(pathOf(shipmentId), '', { 'if-match': '*' });
    await expectProblem(response, { status: 400, code: 'MALFORMED_JSON' });
    const plain = await merchant.post(pathOf(shipmentId), 'reasonCode=OTHER', {
      'if-match': '*',
      'content-type': 'application/x-www-form-urlencoded',
    });
    await expectProblem(plain, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });
});

describe('If-Match', () => {
  it('is required', async () => {
    const { shipmentId } = await shipmentIn('PENDING_APPROVAL');
    const response = await merchant.post(pathOf(shipmentId), { reasonCode: 'OTHER' });
    await expectProblem(response, { status: 428, code: 'PRECONDITION_REQUIRED', violations: ['If-Match REQUIRED'] });
    await expectUntouched(shipmentId, 0);
  });

  it.each(['0', 'abc', '"0', 'W/0', "'0'", '"0" "1"', 'w/"0"', '""0""'])(
    '%s is not an entity tag: 400',
    async (tag) => {
      const { shipmentId } = await shipmentIn('PENDING_APPROVAL');
      const response = await merchant.cancel(shipmentId, tag);
      await expectProblem(response, { status: 400, code: 'INVALID_HEADER', violations: ['If-Match PATTERN_MISMATCH'] });
      await expectUntouched(shipmentId, 0);
    },
  );

  it.each(['"0"', '"2"', '"01"', '"1.0"', '"abc"', '""', 'W/"1"', '"9223372036854775807"', '"-1"'])(
    '%s is not the current version 1: 412 with currentVersion',
    async (tag) => {
      const { shipmentId } = await shipmentIn('READY_FOR_DISPATCH');
      const problem = await expectProblem(await merchant.cancel(shipmentId, tag), {
        status: 412,
        code: 'PRECONDITION_FAILED',
      });
      expect(problem['currentVersion']).toBe(1);
      await expectUntouched(shipmentId, 1);
    },
  );

  it.each(['"7", "1"', '"1","7"', '"7",, "1" ,', 'W/"1", "1"', '"a,b", "1"'])(
    'may be a list of tags: %s',
    async (tags) => {
      const { shipmentId } = await shipmentIn('READY_FOR_DISPATCH');
      expect(await readShipment(await merchant.cancel(shipmentId, tags))).toMatchObject({
        state: 'CANCELLED',
        version: 2,
      });
    },
  );

  it.each([
    ['"7", "8"', 412, 'PRECONDITION_FAILED', undefined],
    ['W/"1", "0"', 412, 'PRECONDITION_FAILED', undefined],
    ['"1", x', 400, 'INVALID_HEADER', ['If-Match PATTERN_MISMATCH']],
    ['"1", *', 400, 'INVALID_HEADER', ['If-Match PATTERN_MISMATCH']],
    [',', 400, 'INVALID_HEADER', ['If-Match PATTERN_MISMATCH']],
  ])('is refused as list %s', async (tags, status, code, violations) => {
    const { shipmentId } = await shipmentIn('READY_FOR_DISPATCH');
    const problem = { status, code, ...(violations === undefined ? {} : { violations }) };
    await expectProblem(await merchant.cancel(shipmentId, tags), problem);
    await expectUntouched(shipmentId, 1);
  });

  it('is compared with the version in the database', async () => {
    const { shipmentId } = await shipmentIn('PENDING_APPROVAL');
    await expectProblem(await merchant.cancel(shipmentId, '"5"'), { status: 412, code: 'PRECONDITION_FAILED' });
    const version = await forceState(environment, company, shipmentId, 'READY_FOR_DISPATCH');
    await expectProblem(await merchant.cancel(shipmentId, '"0"'), { status: 412, code: 'PRECONDITION_FAILED' });
    expect((await merchant.cancel(shipmentId, `"${version}"`)).status).toBe(200);
  });
});
