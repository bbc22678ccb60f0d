import { describe, expect, it } from 'vitest';
import { addClient, addCompany } from '../../scripts/shared/companies.ts';
import { setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { exactly, newKey, newReference, readShipment, shipmentBody } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { NOTHING, storedOf } from '../support/rows.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
const merchant = await merchantOf(environment, company);

describe('the header Idempotency-Key', () => {
  it('is required', async () => {
    const response = await merchant.post(SHIPMENTS, shipmentBody(company));
    const violations = ['Idempotency-Key REQUIRED'];
    await expectProblem(response, { status: 400, code: 'IDEMPOTENCY_KEY_REQUIRED', violations });
  });

  it.each([
    ['15 characters', 'k'.repeat(15)],
    ['129 characters', 'k'.repeat(129)],
    ['14 characters between quotes', `"${'k'.repeat(14)}"`],
    ['129 characters between quotes', `"${'k'.repeat(129)}"`],
    ['an unclosed quote', `"${'k'.repeat(20)}`],
    ['a quote closed twice', `"${'k'.repeat(20)}""`],
    ['a tab', `${'k'.repeat(20)}\tk`],
    ['a character outside ASCII', `${'k'.repeat(20)}\u00e9`],
  ])('is refused with %s', async (_case, key) => {
    const response = await merchant.postShipment(shipmentBody(company), { 'idempotency-key': key });
    await expectProblem(response, {
      status: 400,
      code: 'INVALID_IDEMPOTENCY_KEY',
      violations: [expect.stringContaining('Idempotency-Key ')],
    });
  });

  it.each([
    ['16 characters', 'a'.repeat(16)],
    ['128 characters', 'b'.repeat(128)],
    ['16 characters between quotes', `"${'c'.repeat(16)}"`],
    ['128 characters between quotes', `"${'d'.repeat(128)}"`],
    ['punctuation and spaces', 'order 12/7: "a" (b), #3; é'.replace('é', '!')],
  ])('may have %s', async (_case, key) => {
    const response = await merchant.postShipment(shipmentBody(company), { 'idempotency-key': key });
    expect(response.status).toBe(201);
  });

  it('stores nothing for a refused key', async () => {
    const fresh = await addCompany(environment);
    const sender = await merchantOf(environment, fresh);
    await sender.post(SHIPMENTS, shipmentBody(fresh));
    await sender.postShipment(shipmentBody(fresh), { 'idempotency-key': 'short' });
    expect(await storedOf(environment, fresh)).toEqual(NOTHING);
  });
});

describe('the same request with the same key', () => {
  it('is 200 with the first response, even after the shipment was cancelled', async () => {
    const body = shipmentBody(company);
    const key = { 'idempotency-key': newKey() };
    const first = await merchant.postShipment(body, key);
    const text = await first.text();
    const shipmentId = first.headers.get('location')?.split('/').at(-1) ?? '';
    expect((await merchant.cancel(shipmentId)).status).toBe(200);
    const before = await storedOf(environment, company);
    const replay = await merchant.postShipment(body, key);
    expect(await replay.text()).toBe(text);
    expect(replay.status).toBe(200);
    const { etag, location, 'idempotency-replayed': replayed } = Object.fromEntries(replay.headers);
    expect({ etag, location, replayed }).toEqual({
      etag: '"0"',
      location: `${SHIPMENTS}/${shipmentId}`,
      replayed: 'true',
    });
    expect(await storedOf(environment, company)).toMatchObject({ shipments: before.shipments, keys: before.keys });
  });

  it('is 200 even after its branch became inactive', async () => {
    const closing = await addCompany(environment);
    const sender = await merchantOf(environment, closing);
    const body = shipmentBody(closing);
    const key = { 'idempotency-key': newKey() };
    const text = await (await sender.postShipment(body, key)).text();
    await environment.sql(closing.shard, "update branches set status = 'INACTIVE' where company_id = ?", [
      closing.companyId,
    ]);
    expect((await sender.postShipment(shipmentBody(closing))).status).toBe(409);
    const replay = await sender.postShipment(body, key);
    expect([replay.status, await replay.text()]).toEqual([200, text]);
  });

  it('may differ in member order, white space, and the spelling of numbers, instants and quotes', async () => {
    const body = shipmentBody(company, { declaredValue: exactly('1.5') });
    const key = newKey();
    const text = await (await merchant.postShipment(body, { 'idempotency-key': key })).text();
    const turned = Object.fromEntries(Object.entries(body).reverse());
    const spellings = [
      JSON.stringify(turned),
      JSON.stringify(body, undefined, 4),
      JSON.stringify({ ...body, declaredValue: exactly('1.50') }),
      JSON.stringify({ ...body, declaredValue: exactly('15e-1') }),
      JSON.stringify({ ...body, pickupWindowStart: '2030-01-31T09:00:00.000+00:00' }),
      JSON.stringify(body).replace('order-', '\\u006frder-'),
    ];
    for (const spelling of spellings) {
      const replay = await merchant.postShipment(spelling, { 'idempotency-key': `"${key}"` });
      expect([replay.status, await replay.text()]).toEqual([200, text]);
    }
  });

  it.each([
    ['another amount', { declaredValue: 250.01 }],
    ['another reference', { externalReference: newReference() }],
    ['another order of requirements', { requirements: ['BB', 'AA'] }],
    ['a body that would be refused', { branchCode: 'NOWHERE' }],
  ])('is 422 with %s, and changes nothing', async (_case, changes) => {
    const body = shipmentBody(company, { requirements: ['AA', 'BB'] });
    const key = { 'idempotency-key': newKey() };
    const { shipmentId } = await readShipment(await merchant.postShipment(body, key));
    const before = await storedOf(environment, company);
    const response = await merchant.postShipment({ ...body, ...changes }, key);
    await expectProblem(response, { status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
    const { shipments, keys } = await storedOf(environment, company);
    expect({ shipments, keys }).toEqual({ shipments: before.shipments, keys: before.keys });
    expect((await readShipment(await merchant.postShipment(body, key))).shipmentId).toBe(shipmentId);
  });
});

describe('an idempotency key is bound', () => {
  it.each([
    ['a body that breaks the schema', { currency: 'sar' }, 422],
    ['a body that breaks a business rule', { branchCode: 'NOWHERE' }, 422],
  ])('only by a created shipment, not by %s', async (_case, changes, status) => {
    const key = { 'idempotency-key': newKey() };
    expect((await merchant.postShipment(shipmentBody(company, changes), key)).status).toBe(status);
    expect((await merchant.postShipment(shipmentBody(company), key)).status).toBe(201);
  });

  it('only by a created shipment, not by a conflict', async () => {
    const { externalReference } = await merchant.create();
    const key = { 'idempotency-key': newKey() };
    expect((await merchant.postShipment(shipmentBody(company, { externalReference }), key)).status).toBe(409);
    expect((await merchant.postShipment(shipmentBody(company), key)).status).toBe(201);
  });

  it('to one client of one company', async () => {
    const key = { 'idempotency-key': newKey() };
    const sibling = await addClient(environment, { companyId: company.companyId });
    const stranger = await addCompany(environment, company.shard);
    for (const sender of [company, { ...company, ...sibling }, stranger]) {
      const response = await (await merchantOf(environment, sender)).postShipment(shipmentBody(sender), key);
      expect(response.status).toBe(201);
    }
  });

  it('to the client, across all of its tokens', async () => {
    const body = shipmentBody(company);
    const key = { 'idempotency-key': newKey() };
    const writer = await merchantOf(environment, company, 'shipments:write');
    expect((await merchant.postShipment(body, key)).status).toBe(201);
    expect((await writer.postShipment(body, key)).status).toBe(200);
  });

  it('for seven days, after which it is free while the external reference stays taken', async () => {
    // Nothing falls due for this company, so no sweep deletes the key before the next request.
    const owner = await addCompany(environment, 'shard-2');
    await setApprovalPolicy(environment, owner, 'MANUAL');
    const sender = await merchantOf(environment, owner);
    const key = newKey();
    const body = shipmentBody(owner);
    const post = (changes = {}) => sender.postShipment({ ...body, ...changes }, { 'idempotency-key': key });
    const { shipmentId, shipmentNumber } = await readShipment(await post());
    const endIn = (micros: number) =>
      environment.sql('shard-2', 'update idempotency_records set expires_at = ? where key = ?', [
        Date.now() * 1000 + micros,
        key,
      ]);

    await endIn(3600 * 1_000_000);
    expect((await post()).status).toBe(200);
    await endIn(-1);
    const problem = await expectProblem(await post(), { status: 409, code: 'EXTERNAL_REFERENCE_CONFLICT' });
    expect(problem['existing']).toEqual({ shipmentId, shipmentNumber, href: `${SHIPMENTS}/${shipmentId}` });
    expect((await post({ externalReference: newReference() })).status).toBe(201);
    const count = 'select count(*) as total from idempotency_records where key = ?';
    expect(await environment.sql('shard-2', count, [key])).toEqual([{ total: 1 }]);
  });
});
