import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { forceState, setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { readShipment } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
const merchant = await merchantOf(environment, company);
const patient = await addCompany(environment);
await setApprovalPolicy(environment, patient, 'MANUAL');
/** Nothing is approved by itself, so its shipments do not change. */
const patientMerchant = await merchantOf(environment, patient);

describe('GET a shipment', () => {
  it('returns the same as its creation, with the entity tag', async () => {
    const created = await merchant.createApproved();
    const response = await merchant.get(`${SHIPMENTS}/${created.shipmentId}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).toBe('"1"');
    expect(await readShipment(response)).toEqual(created);
  });

  it('returns the approved shipment with the instant of its approval and the next version', async () => {
    const approved = await merchant.createApproved();
    expect(approved).toMatchObject({ state: 'READY_FOR_DISPATCH', version: 1 });
    expect(approved.approvedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(Number(approved.approvedAt && approved.approvedAt > approved.createdAt)).toBe(1);
  });

  it.each([
    'OFFERED',
    'ACCEPTED',
    'DISPATCH_UNRESOLVED',
    'PICKED_UP',
    'OUT_FOR_DELIVERY',
    'DELIVERED',
    'DELIVERY_FAILED',
  ] as const)('returns its state: %s', async (state) => {
    const { shipmentId } = await patientMerchant.create();
    const version = await forceState(environment, patient, shipmentId, state);
    const response = await patientMerchant.get(`${SHIPMENTS}/${shipmentId}`);
    expect(response.headers.get('etag')).toBe(`"${version}"`);
    expect(await readShipment(response)).toMatchObject({ state, version });
  });

  it('never shows more of a phone than four digits', async () => {
    const { shipmentId } = await merchant.create({ recipient: { name: 'Ali', phone: '0587654321' } });
    const text = await (await merchant.get(`${SHIPMENTS}/${shipmentId}`)).text();
    expect(text).toContain('"maskedRecipientPhone":"********4321"');
    expect(text).not.toContain('54321');
  });
});

describe('an id', () => {
  it.each([
    ['of version 4', '3f2b8c1e-9d4a-4c6b-8a7f-0123456789ab'],
    ['of version 7', '0190d0c8-7a6b-7c3d-8e4f-0123456789ab'],
    ['of zeros', '00000000-0000-0000-0000-000000000000'],
    ['of ones', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ])('%s that does not exist is 403', async (_case, id) => {
    await expectProblem(await merchant.get(`${SHIPMENTS}/${id}`), { status: 403, code: 'ACCESS_DENIED' });
  });

  it.each([
    ['a word', 'mine'],
    ['a digit too few', '0190d0c8-7a6b-7c3d-8e4f-0123456789a'],
    ['a digit too many', '0190d0c8-7a6b-7c3d-8e4f-0123456789abc'],
    ['no hyphens', '0190d0c87a6b7c3d8e4f0123456789ab'],
    ['braces', '%7B0190d0c8-7a6b-7c3d-8e4f-0123456789ab%7D'],
    ['a URN', 'urn:uuid:0190d0c8-7a6b-7c3d-8e4f-0123456789ab'],
    ['a letter that is not hexadecimal', '0190d0c8-7a6b-7c3d-8e4f-0123456789ag'],
    ['a line break', '0190d0c8-7a6b-7c3d-8e4f-0123456789ab%0A'],
    ['SQL', "'%20or%201=1%20--"],
    ['an escaped slash', '..%2F..%2Fready'],
    ['bytes that are not UTF-8', '%ff'],
    ['an invalid escape', '%zz'],
  ])('with %s is 400', async (_case, id) => {
    await expectProblem(await merchant.get(`${SHIPMENTS}/${id}`), {
      status: 400,
      code: 'INVALID_PATH_PARAMETER',
      ...(/%ff|%zz/.test(id) ? {} : { violations: ['shipmentId PATTERN_MISMATCH'] }),
    });
  });
});

describe('the query', () => {
  it('has no parameters', async () => {
    const { shipmentId } = await merchant.create();
    const response = await merchant.get(`${SHIPMENTS}/${shipmentId}?expand=items`);
    const problem = { status: 400, code: 'UNKNOWN_QUERY_PARAMETER', violations: ['expand UNKNOWN_PROPERTY'] };
    await expectProblem(response, problem);
  });

  it('is checked after authentication and before the shipment', async () => {
    const unknown = `${SHIPMENTS}/0190d0c8-7a6b-7c3d-8e4f-0123456789ab?shipmentId=1`;
    await expectProblem(await environment.fetch(unknown), { status: 401, code: 'AUTHENTICATION_REQUIRED' });
    const problem = { status: 400, code: 'UNKNOWN_QUERY_PARAMETER', violations: ['shipmentId UNKNOWN_PROPERTY'] };
    await expectProblem(await merchant.get(unknown), problem);
  });
});
