import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newId, requireInstant } from '../../../../scripts/shared/seed-values.ts';
import type { ShipmentRequest } from '../../../../src/contract/shipment.ts';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { addMicros, addSeconds, type Instant } from '../../../../src/core/instant.ts';
import { realClock } from '../../../../src/domain/clocks/company-clock.ts';
import { deletePast } from '../../../../src/domain/delete-past.ts';
import { expiredKeys, keyClaimOf } from '../../../../src/domain/idempotency/store.ts';
import { CREATE_OPERATION } from '../../../../src/domain/shipments/creation.ts';
import { referenceClaim, takenClaims } from '../../../../src/domain/shipments/store.ts';
import { createdOf, ONE, openCreator } from '../../../support/dispatch/creator.ts';
import { scopeOf } from '../../../support/dispatch/test-shard.ts';

/* The guarantees of idempotency keys, on real SQL. */

let creator: ReturnType<typeof openCreator>;
beforeEach(() => {
  creator = openCreator();
});
afterEach(() => creator.shard.close());

const REUSED = { ok: false, code: 'IDEMPOTENCY_KEY_REUSED' };

describe('an idempotency key', () => {
  test('is bound in the unit that creates the shipment, with the whole first response', async () => {
    const { shard, create, key, request, stored } = creator;
    const { isReplay, shipment, etag, location } = await createdOf(create());
    expect(isReplay).toBe(false);
    expect([etag, location]).toEqual(['"0"', `/v2/external/shipments/${shipment.shipmentId}`]);
    expect(shipment).toMatchObject({
      state: 'PENDING_APPROVAL',
      version: 0,
      externalReference: request.externalReference,
    });
    expect(await stored()).toEqual(ONE);
    const [record = []] = await shard.rows(
      'SELECT company_id, client_id, operation, key, status, response, etag, location FROM idempotency_records',
    );
    const { companyId, clientId } = shard.scope;
    const answer = [201, JSON.stringify(shipment), etag, location];
    expect(record).toEqual([companyId, clientId, 'shipments.create', key, ...answer]);
  });

  test('replays the first response, even after the shipment changed', async () => {
    const { shard, create, stored } = creator;
    const first = await createdOf(create());
    await shard.rows("UPDATE shipments SET state = 'CANCELLED', version = 3");
    expect(await createdOf(create())).toEqual({ ...first, isReplay: true });
    expect(await createdOf(create({}, { by: shard.process() }))).toEqual({ ...first, isReplay: true });
    expect(await stored()).toEqual(ONE);
  });

  const CHANGES: Partial<ShipmentRequest>[] = [
    { externalReference: 'another' },
    { branchCode: 'ANOTHER' },
    { pickupLocationCode: 'ANOTHER' },
    { recipient: { name: 'Sara', phone: '0500000008' } },
    { declaredValue: literalDecimal('100.01') },
    { codAmount: literalDecimal('0.01') },
    { currency: 'KWD' },
    { paymentMethod: 'COD' },
    { requirements: ['FRAGILE'] },
    { items: [{ description: 'Coffee', quantity: 2, weightKilograms: literalDecimal('1') }] },
  ];
  test.each(CHANGES)('is refused for a request with %j, and nothing is stored', async (change) => {
    const { create, stored } = creator;
    await createdOf(create());
    expect(await create(change)).toEqual(REUSED);
    expect(await stored()).toEqual(ONE);
  });

  test('is refused for another destination or a window that differs by a microsecond', async () => {
    const { create, request } = creator;
    await createdOf(create());
    const { destination, pickupWindowStart, pickupWindowEnd } = request;
    expect(await create({ destination: { ...destination, latitude: literalDecimal('24.750000001') } })).toEqual(REUSED);
    expect(await create({ pickupWindowStart: addMicros(pickupWindowStart, 1) })).toEqual(REUSED);
    expect(await create({ pickupWindowEnd: addMicros(pickupWindowEnd, 1) })).toEqual(REUSED);
    expect(await create({ pickupWindowStart: addMicros(pickupWindowStart, 0) })).toMatchObject({ ok: true });
  });

  test("distinguishes ['A', 'B'] from ['A,B'] and from another order", async () => {
    const { create } = creator;
    await createdOf(create({ requirements: ['A', 'B'] }));
    expect(await create({ requirements: ['A,B'] })).toEqual(REUSED);
    expect(await create({ requirements: ['B', 'A'] })).toEqual(REUSED);
    expect(await create({ requirements: ['A', 'B'] })).toMatchObject({ ok: true, value: { isReplay: true } });
  });

  test('belongs to one client of one company', async () => {
    const { shard, create } = creator;
    const { companyId } = shard.scope;
    const first = await createdOf(create());
    const sibling = scopeOf(companyId, 'mcl_sibling');
    const second = await createdOf(create({ externalReference: 'second' }, { scope: sibling }));
    expect(second.shipment.shipmentId).not.toBe(first.shipment.shipmentId);
    expect(await createdOf(create({}))).toEqual({ ...first, isReplay: true });
    const again = await createdOf(create({ externalReference: 'second' }, { scope: sibling }));
    expect(again).toEqual({ ...second, isReplay: true });
  });

  test('that is new creates another shipment, unless the reference is taken', async () => {
    const { create, stored } = creator;
    const { shipment } = await createdOf(create());
    const other = { idempotencyKey: newId() };
    const { shipmentId, shipmentNumber } = shipment;
    expect(await create({}, other)).toEqual({
      ok: false,
      code: 'EXTERNAL_REFERENCE_CONFLICT',
      members: { existing: { shipmentId, shipmentNumber, href: `/v2/external/shipments/${shipmentId}` } },
    });
    expect(await stored()).toEqual(ONE);
    expect(await create({ externalReference: 'another' }, other)).toMatchObject({
      ok: true,
      value: { isReplay: false },
    });
    expect(await stored()).toEqual([2, 2, 2, 2]);
  });
});

describe('an expired idempotency key', () => {
  const expiryOf = async (key: string) => {
    const [row = []] = await creator.shard.rows('SELECT expires_at FROM idempotency_records WHERE key = ?', [key]);
    return BigInt(Number(row[0])) as Instant;
  };
  const expireAt = (at: Instant) =>
    creator.shard.rows(`UPDATE idempotency_records SET expires_at = ${at} WHERE key = ?`, [creator.key]);

  test('expires seven days after the creation', async () => {
    const { create, key } = creator;
    const { shipment } = await createdOf(create());
    expect(await expiryOf(key)).toBe(addSeconds(requireInstant(shipment.createdAt), 7 * 24 * 3600));
  });

  test('is bound until its last second and free afterwards', async () => {
    const { shard, create, key } = creator;
    const first = await createdOf(create());
    await expireAt(addMicros(shard.clock.now(), 1_000_000));
    expect(await create({ externalReference: 'second' })).toEqual(REUSED);
    expect(await createdOf(create())).toEqual({ ...first, isReplay: true });
    shard.clock.advance(1);
    const second = await createdOf(create({ externalReference: 'second' }));
    expect(second.isReplay).toBe(false);
    expect(second.shipment.shipmentId).not.toBe(first.shipment.shipmentId);
    expect(await shard.rows('SELECT location FROM idempotency_records')).toEqual([[second.location]]);
    expect(await expiryOf(key)).toBeGreaterThan(shard.clock.now());
    expect(await create()).toEqual(REUSED);
  });

  test('is free at the very instant of its expiry, for the check as for the write', async () => {
    const { shard, create } = creator;
    await createdOf(create());
    const now = shard.clock.now();
    await expireAt(now);
    const clock = realClock({ now: () => now });
    const by = { ...shard.process(), clock };
    expect(await create({ externalReference: 'second' }, { by })).toMatchObject({ ok: true });
  });

  test('does not free the external reference', async () => {
    const { shard, create, stored } = creator;
    const { shipment } = await createdOf(create());
    await expireAt(shard.clock.now());
    expect(await create()).toMatchObject({
      code: 'EXTERNAL_REFERENCE_CONFLICT',
      members: { existing: { shipmentId: shipment.shipmentId } },
    });
    expect(await stored()).toEqual(ONE);
  });

  test('of another client or another key is not touched', async () => {
    const { shard, create } = creator;
    const { companyId } = shard.scope;
    await createdOf(create());
    const sibling = scopeOf(companyId, 'mcl_sibling');
    await createdOf(create({ externalReference: 'second' }, { scope: sibling }));
    await createdOf(create({ externalReference: 'third' }, { idempotencyKey: newId() }));
    await shard.rows(`UPDATE idempotency_records SET expires_at = ${shard.clock.now()}`);
    await createdOf(create({ externalReference: 'fourth' }));
    // Only the reused key was bound again.
    expect(
      await shard.rows(`SELECT count(*) FROM idempotency_records WHERE expires_at <= ${shard.clock.now()}`),
    ).toEqual([[2]]);
  });

  test('is deleted by the sweep, and no other key is', async () => {
    const { shard, process, create, key } = creator;
    await createdOf(create());
    await createdOf(create({ externalReference: 'second' }, { idempotencyKey: newId() }));
    const now = shard.clock.now();
    await expireAt(now);
    const sweep = (at: Instant) => process.writer.commit({ statements: expiredKeys(at).deletion([]) });
    const keys = async () => (await shard.rows('SELECT key FROM idempotency_records')).flat();
    await sweep(now);
    expect(await keys()).toHaveLength(2);
    await sweep(addMicros(now, 1));
    expect(await keys()).toHaveLength(1);
    expect(await keys()).not.toContain(key);
  });

  test('is deleted with others in batches of 500, 40,000 in one sweep', async () => {
    const { shard, process, create } = creator;
    await createdOf(create());
    await shard.rows(`WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 40000)
      INSERT INTO idempotency_records SELECT company_id, client_id, operation, 'old-' || n, fingerprint, status, response, etag, location, 1
      FROM idempotency_records, many`);
    const left = async () => (await shard.rows('SELECT count(*) FROM idempotency_records')).flat();
    await process.writer.commit({ statements: expiredKeys(shard.clock.now()).deletion([]) });
    expect(await left()).toEqual([39_501]);
    await deletePast(process, [expiredKeys(shard.clock.now())]);
    expect(await left()).toEqual([1]);
  });
});

test('the writer learns which keys and references are taken, by the index of each', async () => {
  const { shard, process, create, key, request } = creator;
  await createdOf(create());
  const stranger = { ...shard.scope, companyId: newId() };
  const claimsOf = (scope: typeof stranger) => [
    keyClaimOf(scope, CREATE_OPERATION, key),
    referenceClaim(scope, request.externalReference),
  ];
  const others = [keyClaimOf(shard.scope, 'shipments.cancel', key), referenceClaim(shard.scope, newId())];
  const statement = takenClaims([...claimsOf(stranger), ...claimsOf(shard.scope), ...others]);
  const answer = await process.database.read(statement);
  expect(answer).toEqual({ ok: true, rows: claimsOf(shard.scope).map((claim) => ({ claim })) });
  const plan = await shard.rows(`EXPLAIN QUERY PLAN ${statement.sql}`, statement.args.map(String));
  const steps = plan
    .map((row) => String(row[3]))
    .filter((step) => step.startsWith('SEARCH') || step.startsWith('SCAN'));
  expect(steps).toEqual([
    expect.stringContaining('SCAN claim'),
    expect.stringMatching(/^SEARCH shipments .*shipments_external_reference/),
    expect.stringMatching(/^SEARCH shipment_terms .*shipment_terms_lock/),
    expect.stringMatching(/^SEARCH idempotency_records .*company_id=\? AND client_id=\? AND operation=\? AND key=\?/),
  ]);
});
