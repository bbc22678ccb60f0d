import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { addMicros, addSeconds } from '../../../../src/core/instant.ts';
import type { Random } from '../../../../src/ports/random.ts';
import type { Routing } from '../../../../src/ports/routing.ts';
import { AWAY, broken, CORRELATION, createdOf, NOTHING, ONE, openCreator } from '../../../support/dispatch/creator.ts';
import { scopeOf } from '../../../support/dispatch/test-shard.ts';

/* What a creation writes, why it is refused, and which conflicts it resolves by itself. */

let creator: ReturnType<typeof openCreator>;
beforeEach(() => {
  creator = openCreator();
});
afterEach(() => creator.shard.close());

type Fault = [field: string, code: string];
const refusedFor = (...violations: readonly Fault[]) => ({
  ok: false,
  code: 'VALIDATION_FAILED',
  violations: violations.map(([field, code]) => ({ field, code })),
});

/** Routing that is unavailable or finds no route. */
function routingThat(reason: 'unavailable' | 'no_route'): Routing {
  return { engine: 'osrm', findRoute: () => Promise.resolve({ ok: false, reason }) };
}

describe('a creation', () => {
  test('writes the shipment, its timeline event and its feed event', async () => {
    const { shard, create, request } = creator;
    const { shipment } = await createdOf(create());
    const { companyId } = shard.scope;
    const { shipmentId } = shipment;
    expect(
      await shard.rows(`SELECT shipment_id, sequence, company_id, type, previous_state, state, actor, reason_code, note,
        correlation_id FROM shipment_events`),
    ).toEqual([
      [shipmentId, 1, companyId, 'shipment.created', null, 'PENDING_APPROVAL', 'MERCHANT', null, null, CORRELATION],
    ]);
    const [[type, body] = []] = await shard.rows('SELECT type, body FROM events');
    expect(type).toBe('shipment.created');
    expect(JSON.parse(String(body))).toMatchObject({
      type: 'shipment.created',
      shipmentId,
      companyId,
      sequence: 1,
      previousState: null,
      correlationId: CORRELATION,
      timestamp: shipment.createdAt,
      data: { shipment: { shipmentId, externalReference: request.externalReference, declaredValue: 100 } },
    });
    expect(await shard.rows('SELECT shipment_id, tariff_version FROM shipment_terms')).toEqual([[shipmentId, 1]]);
    expect(await shard.rows('SELECT id, service_level_code FROM shipments')).toEqual([[shipmentId, 'STANDARD']]);
  });

  test('passes its due time to the writer', async () => {
    const { shard, process, create } = creator;
    const told: unknown[] = [];
    const commit: typeof process.writer.commit = (request) => {
      told.push(request.dueAt);
      return process.writer.commit(request);
    };
    await createdOf(create({}, { by: { ...process, writer: { commit } } }));
    const [[dueAt] = []] = await shard.rows('SELECT due_at FROM shipments');
    expect(told).toEqual([BigInt(Number(dueAt))]);
  });
});

describe('a creation is refused', () => {
  test('with all violations of business rules, before a route is requested', async () => {
    const { process, create, stored } = creator;
    const changes = { currency: 'XXX', codAmount: literalDecimal('1'), branchCode: 'NOWHERE' };
    const refusal = refusedFor(
      ['currency', 'CURRENCY_NOT_SUPPORTED'],
      ['paymentMethod', 'COD_METHOD_REQUIRED'],
      ['branchCode', 'BRANCH_UNKNOWN'],
    );
    expect(await create(changes)).toEqual(refusal);
    const findRoute = () => Promise.reject(new Error('Somebody asked'));
    expect(await create(changes, { by: { ...process, routing: { engine: 'osrm', findRoute } } })).toEqual(refusal);
    expect(await stored()).toEqual(NOTHING);
  });

  test('alike for unknown places and those of another company', async () => {
    const { create, stored } = creator;
    const branch: Fault = ['branchCode', 'BRANCH_UNKNOWN'];
    const location: Fault = ['pickupLocationCode', 'PICKUP_LOCATION_UNKNOWN'];
    expect(await create({ branchCode: 'NOWHERE' })).toEqual(refusedFor(branch));
    expect(await create({ pickupLocationCode: 'NOWHERE' })).toEqual(refusedFor(location));
    expect(await create({ branchCode: 'NOWHERE', pickupLocationCode: 'NOWHERE' })).toEqual(
      refusedFor(branch, location),
    );
    expect(await create({}, { scope: scopeOf(newId()) })).toEqual(refusedFor(branch, location));
    expect(await stored()).toEqual(NOTHING);
  });

  test('for a pickup location of another branch', async () => {
    const { shard, create, stored } = creator;
    const { companyId } = shard.scope;
    await shard.rows(
      "INSERT INTO branches SELECT company_id, 'SECOND', name, name_ar, city_code, status, created_at, updated_at, 0 FROM branches WHERE company_id = ?",
      [companyId],
    );
    const refusal = refusedFor(['pickupLocationCode', 'PICKUP_LOCATION_NOT_IN_BRANCH']);
    expect(await create({ branchCode: 'SECOND' })).toEqual(refusal);
    // Not even if the pickup location is cached.
    expect(await create()).toMatchObject({ ok: true });
    expect(await create({ branchCode: 'SECOND' }, { idempotencyKey: newId() })).toEqual(refusal);
    expect(await stored()).toEqual(ONE);
  });

  test.each(['branches', 'pickup_locations'])(
    'while its place in %s is inactive, and succeeds once it is active again',
    async (table) => {
      const { shard, create, stored } = creator;
      const inactive = { ok: false, code: 'BRANCH_INACTIVE' };
      await shard.rows(`UPDATE ${table} SET status = 'INACTIVE', version = version + 1`);
      expect(await create()).toEqual(inactive);
      expect(await create({ branchCode: 'NOWHERE' })).toMatchObject({ code: 'VALIDATION_FAILED' });
      await shard.rows(`UPDATE ${table} SET status = 'ACTIVE', version = version + 1`);
      expect(await create()).toMatchObject({ ok: true });
      // The place is cached as active, but the SQL checks it again.
      await shard.rows(`UPDATE ${table} SET status = 'INACTIVE', version = version + 1`);
      expect(await create({ externalReference: 'second' }, { idempotencyKey: newId() })).toEqual(inactive);
      expect(await stored()).toEqual(ONE);
    },
  );

  test('for a taken reference, before an inactive branch and after violations', async () => {
    const { shard, create } = creator;
    await createdOf(create());
    await shard.rows("UPDATE branches SET status = 'INACTIVE'");
    const other = { idempotencyKey: newId() };
    expect(await create({}, other)).toMatchObject({ code: 'EXTERNAL_REFERENCE_CONFLICT' });
    expect(await create({ currency: 'XXX' }, other)).toEqual(refusedFor(['currency', 'CURRENCY_NOT_SUPPORTED']));
  });

  test('for a city outside the tariff and a window in the past; a replay is answered first', async () => {
    const { shard, request, process, create, stored } = creator;
    const first = await createdOf(create());
    const other = { idempotencyKey: newId() };
    const changes = { externalReference: 'second', destination: { ...request.destination, cityCode: 'ABT' } };
    expect(await create(changes, other)).toEqual(refusedFor(['destination.cityCode', 'DESTINATION_NOT_SERVICEABLE']));
    const now = process.clock.now();
    const begun = {
      externalReference: 'begun',
      pickupWindowStart: addMicros(now, -1),
      pickupWindowEnd: addSeconds(now, 60),
    };
    expect(await create({ ...begun, pickupWindowEnd: now }, other)).toEqual(
      refusedFor(['pickupWindowEnd', 'WINDOW_IN_PAST']),
    );
    await createdOf(create(begun, other));
    shard.clock.advance(5 * 3600);
    expect(await createdOf(create())).toEqual({ ...first, isReplay: true });
    expect(await stored()).toEqual([2, 2, 2, 2]);
  });

  test('when there is no route to the destination', async () => {
    const { process, create, stored } = creator;
    const by = { ...process, routing: routingThat('no_route') };
    expect(await create({}, { by })).toEqual(refusedFor(['destination', 'DESTINATION_NOT_SERVICEABLE']));
    expect(await stored()).toEqual(NOTHING);
  });
});

describe('a creation is 503 and stores nothing', () => {
  test('when the routing provider fails, unlike replays and refusals, which need no route', async () => {
    const { process, create, stored } = creator;
    const by = { ...process, routing: routingThat('unavailable') };
    expect(await create({}, { by })).toEqual({ ok: false, code: 'ROUTING_PROVIDER_UNAVAILABLE', retryAfterSeconds: 5 });
    expect(await stored()).toEqual(NOTHING);
    const first = await createdOf(create());
    expect(await createdOf(create({}, { by }))).toEqual({ ...first, isReplay: true });
    expect(await create({ requirements: ['OTHER'] }, { by })).toEqual({ ok: false, code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  // The pickup point, the tariff from the directory, the service levels.
  test.each([1, 2, 3])('when the database does not answer read %i', async (which) => {
    const { shard, create, stored } = creator;
    let reads = 0;
    shard.wire.carry = ({ isWrite }, run) => {
      reads += isWrite ? 0 : 1;
      return reads === which && !isWrite ? broken() : run();
    };
    const answer = await create();
    expect(answer).toEqual(AWAY);
    expect(await stored()).toEqual(NOTHING);
    expect(await create()).toMatchObject({ ok: true });
  });

  test('when no database answers, even if the request is wrong', async () => {
    const { shard, create, stored } = creator;
    shard.wire.carry = broken;
    expect(await create()).toEqual(AWAY);
    expect(await create({ currency: 'XXX' })).toEqual(AWAY);
    expect(await stored()).toEqual(NOTHING);
  });

  test('when the queue of the writer is full', async () => {
    const { process, create, stored } = creator;
    const commit = () => Promise.resolve({ status: 'unavailable', reason: 'queue_full' } as const);
    expect(await create({}, { by: { ...process, writer: { commit } } })).toEqual(AWAY);
    expect(await stored()).toEqual(NOTHING);
  });

  test('when it conflicts with another change at every attempt', async () => {
    const { shard, create, stored } = creator;
    shard.wire.carry = async ({ isWrite }, run) => {
      if (isWrite) await shard.rows('UPDATE pickup_locations SET version = version + 1');
      return run();
    };
    expect(await create()).toEqual(AWAY);
    expect(await stored()).toEqual(NOTHING);
  });

  test('but wrong SQL throws as a bug', async () => {
    const { shard, create } = creator;
    shard.run('shard-1', 'ALTER TABLE events RENAME TO elsewhere');
    await expect(create()).rejects.toThrow(/SQL is wrong: .*events/);
  });
});

test('a stale place, a taken number and an expired key together are resolved by retries', async () => {
  const { shard, process, create } = creator;
  const bytes = (length: number) => new Uint8Array(length);
  const sameNumber: Random = { ...process.random, bytes };
  await createdOf(create({}, { by: { ...process, random: sameNumber } }));
  const taken = await shard.rows('SELECT shipment_number FROM shipments');
  await shard.rows("UPDATE pickup_locations SET version = version + 1, address_line = 'Round the corner'");
  await shard.rows('UPDATE idempotency_records SET expires_at = 1');
  let numbers = 0;
  const random: Random = {
    ...process.random,
    bytes: (length) => {
      numbers += 1;
      // Each of the first three attempts fails for one of these reasons.
      return numbers <= 3 ? bytes(length) : process.random.bytes(length);
    },
  };
  const { shipment } = await createdOf(create({ externalReference: 'second' }, { by: { ...process, random } }));
  expect(shipment.pickup).toMatchObject({ addressLine: 'Round the corner' });
  expect([[shipment.shipmentNumber]]).not.toEqual(taken);
});
