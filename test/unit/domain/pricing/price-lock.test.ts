import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newKey256 } from '../../../../scripts/shared/keys.ts';
import { newId, requireUuid } from '../../../../scripts/shared/seed-values.ts';
import { Sealer } from '../../../../src/access/sealer.ts';
import { fromBase64Url, toBase64Url } from '../../../../src/core/base64url.ts';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { addSeconds } from '../../../../src/core/instant.ts';
import { readCharges } from '../../../../src/domain/pricing/charges.ts';
import { type LockOrder, lockPrice } from '../../../../src/domain/pricing/lock-price.ts';
import { openLock } from '../../../../src/domain/pricing/price-lock.ts';
import { createShipment, rehearseCreation } from '../../../../src/domain/shipments/create.ts';
import type { Routing } from '../../../../src/ports/routing.ts';
import { systemRandom } from '../../../../src/providers/system.ts';
import { createdOf, NOTHING, ONE, openCreator } from '../../../support/dispatch/creator.ts';
import type { Batch } from '../../../support/dispatch/memory-shard.ts';
import { scopeOf } from '../../../support/dispatch/test-shard.ts';

/* What a price lock holds, for how long, and in which order a creation checks it. */

let creator: ReturnType<typeof openCreator>;
beforeEach(() => {
  creator = openCreator();
});
afterEach(() => creator.shard.close());

type Process = typeof creator.process;

/** A lock for the creator's request. */
async function newLock(changes: Partial<LockOrder> = {}, by: Process = creator.process) {
  const { pickupLocationCode, destination, codAmount } = creator.request;
  const order = { pickupLocationCode, destination, codAmount, ...changes };
  const locked = await lockPrice(by, creator.shard.scope, order);
  if (!locked.ok) throw new Error(`Not locked: ${JSON.stringify(locked)}`);
  return locked.value;
}

const SAME =
  'currency, kilometre_amount, cancellation_amount, city_surcharges, created_at, cancellation_grace_seconds, late_cancellation_seconds, lock_seconds_max';

/** A process that knows a tariff with other amounts, which starts in `seconds`. */
function knowTariff({ baseAmount, vatRate }: { baseAmount: string; vatRate: string }, seconds: number): Process {
  const { shard } = creator;
  shard.run(
    'directory',
    `INSERT INTO tariffs (version, effective_from, base_amount, vat_rate, ${SAME})
     SELECT version + 1, ${addSeconds(shard.clock.now(), seconds)}, ?, ?, ${SAME} FROM tariffs ORDER BY version DESC LIMIT 1`,
    [baseAmount, vatRate],
  );
  return shard.process();
}

/** The same with a tariff that has started. */
function startTariff(amounts: { baseAmount: string; vatRate: string }): Process {
  const process = knowTariff(amounts, 0);
  creator.shard.clock.advance(1);
  return process;
}

const chargesOf = async (shipmentId: string) => {
  const read = await readCharges(creator.process.database, creator.shard.scope, requireUuid(shipmentId));
  if (!read.ok) throw new Error('No charges');
  return read.value;
};
const notAsLocked = (...fields: readonly string[]) => ({
  ok: false,
  code: 'PRICE_LOCK_MISMATCH',
  violations: fields.map((field) => ({ field, code: 'NOT_AS_LOCKED' })),
});

describe('a price lock', () => {
  test('holds the net price and the terms while the tariff changes; VAT is that of the creation', async () => {
    const { create } = creator;
    const lock = await newLock();
    const by = startTariff({ baseAmount: '99', vatRate: '0.2' });
    const { shipment, lockId } = await createdOf(create({}, { priceLock: lock.priceLock, by }));
    const charges = await chargesOf(shipment.shipmentId);
    expect(lockId).toBe(lock.lockId);
    expect(charges.lines.map(({ code, amount }) => ({ code, amount }))).toEqual(lock.breakdown);
    expect(charges).toMatchObject({
      netAmount: lock.netAmount,
      vatRate: '0.2',
      tariffVersion: lock.tariffVersion,
      terms: lock.terms,
      priceLock: { lockId: lock.lockId, lockedAt: lock.lockedAt, expiresAt: lock.expiresAt },
    });
    const other = await createdOf(create({ externalReference: 'unlocked' }, { idempotencyKey: newId(), by }));
    expect(other.lockId).toBeNull();
    expect(await chargesOf(other.shipment.shipmentId)).toMatchObject({ tariffVersion: 2, priceLock: null });
  });

  test('and a creation without one have the VAT of the tariff that begins while the route is looked up', async () => {
    const { shard, create } = creator;
    const lock = await newLock();
    const known = knowTariff({ baseAmount: '99', vatRate: '0.2' }, 5);
    /** Answers after ten seconds, once. */
    const slow = (): Routing => {
      let isFirst = true;
      const findRoute: Routing['findRoute'] = (...ends) => {
        if (isFirst) shard.clock.advance(10);
        isFirst = false;
        return known.routing.findRoute(...ends);
      };
      return { engine: 'osrm', findRoute };
    };
    const locked = await createdOf(create({}, { priceLock: lock.priceLock, by: { ...known, routing: slow() } }));
    expect(await chargesOf(locked.shipment.shipmentId)).toMatchObject({ netAmount: lock.netAmount, vatRate: '0.2' });
    const again = { ...knowTariff({ baseAmount: '50', vatRate: '0.1' }, 5), routing: slow() };
    const other = await createdOf(create({ externalReference: 'unlocked' }, { idempotencyKey: newId(), by: again }));
    expect(await chargesOf(other.shipment.shipmentId)).toMatchObject({ tariffVersion: 3, vatRate: '0.1' });
  });

  test('stores nothing, and two for the same are two', async () => {
    const writes: Batch[] = [];
    creator.shard.wire.carry = (batch, run) => {
      if (batch.isWrite) writes.push(batch);
      return run();
    };
    const [first, second] = [await newLock(), await newLock()];
    expect(first.lockId).not.toBe(second.lockId);
    expect(first.priceLock.length).toBeLessThan(700);
    expect(writes).toEqual([]);
  });

  test('is used in one write and no read, and a creation without one binds nothing of it', async () => {
    const { shard, create } = creator;
    const { priceLock } = await newLock();
    await createdOf(create());
    const batches: Batch[] = [];
    shard.wire.carry = (batch, run) => {
      batches.push(batch);
      return run();
    };
    await createdOf(create({ externalReference: 'without' }, { idempotencyKey: newId() }));
    await createdOf(create({ externalReference: 'with' }, { idempotencyKey: newId(), priceLock }));
    expect(batches.map(({ isWrite }) => isWrite)).toEqual([true, true]);
    const terms = batches.map(
      ({ steps }) => steps.find(({ stmt }) => stmt.sql.includes('into "shipment_terms"'))?.stmt,
    );
    expect(terms.map((statement) => statement?.args?.length)).toEqual([17, 20]);
    expect(batches[1]?.steps.length).toBe(batches[0]?.steps.length);
  });

  test('is refused for unknown places, for long times and for amounts that nobody can pay', async () => {
    const { shard, process, request } = creator;
    shard.run('directory', 'UPDATE tariffs SET lock_seconds_max = 600');
    const order = {
      pickupLocationCode: 'NOWHERE',
      destination: { ...request.destination, cityCode: 'ABT' },
      codAmount: literalDecimal('1.234'),
      expiresInSeconds: 601,
    };
    expect(await lockPrice(process, shard.scope, order)).toMatchObject({
      code: 'VALIDATION_FAILED',
      violations: [
        { field: 'pickupLocationCode', code: 'PICKUP_LOCATION_UNKNOWN' },
        { field: 'destination.cityCode', code: 'DESTINATION_NOT_SERVICEABLE' },
        { field: 'codAmount', code: 'SCALE_EXCEEDED', limit: '2' },
        { field: 'expiresInSeconds', code: 'OUT_OF_RANGE', limit: 'from 60 to 600' },
      ],
    });
    const held = await newLock();
    expect(Date.parse(held.expiresAt) - Date.parse(held.lockedAt)).toBe(600_000);
  });
});

describe('a creation with a lock', () => {
  test('opens it with each known key, and with no other', async () => {
    const { process, create } = creator;
    const [old, next] = [newKey256(), newKey256()];
    const withKeys = (...keys: string[]) => ({ ...process, priceLocks: new Sealer(keys, systemRandom) });
    const { priceLock } = await newLock({}, withKeys(old));
    expect(await create({}, { priceLock, by: withKeys(next) })).toEqual({ ok: false, code: 'PRICE_LOCK_INVALID' });
    expect(await create({}, { priceLock, by: withKeys(next, old) })).toMatchObject({ ok: true });
  });

  test('refuses locks of another company and of another deployment alike', async () => {
    const { process, create } = creator;
    const { priceLock } = await newLock();
    const invalid = { ok: false, code: 'PRICE_LOCK_INVALID' };
    const elsewhere = { ...process, config: { ...process.config, deployment: 'sandbox' as const } };
    expect(await create({}, { priceLock, by: elsewhere })).toEqual(invalid);
    expect(await create({}, { priceLock, scope: scopeOf(newId()) })).toEqual(invalid);
    expect(await creator.stored()).toEqual(NOTHING);
  });

  test('refuses a lock with any one bit flipped', async () => {
    const { shard, process, create, stored } = creator;
    const { priceLock } = await newLock();
    const bytes = fromBase64Url(priceLock) ?? new Uint8Array();
    const flipped = Array.from({ length: bytes.length * 8 }, (_, bit) => {
      const copy = bytes.slice();
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return toBase64Url(copy);
    });
    const opened = await Promise.all(flipped.map((text) => openLock(process, shard.scope, text)));
    expect(opened.filter((lock) => lock !== undefined)).toEqual([]);
    for (const text of flipped.filter((_, bit) => bit % 400 === 0)) {
      expect(await create({}, { priceLock: text })).toEqual({ ok: false, code: 'PRICE_LOCK_INVALID' });
    }
    expect(await stored()).toEqual(NOTHING);
  });

  test('refuses it after its time, with the price of now, and never charges that price', async () => {
    const { shard, create, stored } = creator;
    const { priceLock, expiresAt } = await newLock({ expiresInSeconds: 60 });
    const by = startTariff({ baseAmount: '99', vatRate: '0.2' });
    shard.clock.advance(60);
    const now = await newLock({}, by);
    const [netAmount, vatAmount, totalAmount] = [now.netAmount, now.vatAmount, now.totalAmount].map(Number);
    expect(await create({}, { priceLock, by })).toEqual({
      ok: false,
      code: 'PRICE_LOCK_EXPIRED',
      members: { expiredAt: expiresAt, price: { currency: 'SAR', netAmount, vatRate: 0.2, vatAmount, totalAmount } },
    });
    const routing = { ...by.routing, findRoute: () => Promise.resolve({ ok: false, reason: 'unavailable' } as const) };
    expect(await create({}, { priceLock, by: { ...by, routing } })).toMatchObject({ members: { price: null } });
    expect(await stored()).toEqual(NOTHING);
  });

  test('refuses it if it expires while the route is looked up', async () => {
    const { shard, process, create, stored } = creator;
    const { priceLock } = await newLock({ expiresInSeconds: 60 });
    shard.clock.advance(59);
    const findRoute: Process['routing']['findRoute'] = (from, to) => {
      shard.clock.advance(2);
      return process.routing.findRoute(from, to);
    };
    const by = { ...process, routing: { ...process.routing, findRoute } };
    expect(await create({}, { priceLock, by })).toMatchObject({ code: 'PRICE_LOCK_EXPIRED' });
    expect(await stored()).toEqual(NOTHING);
  });

  test('refuses what the price was not locked for, field by field', async () => {
    const { request, create, stored } = creator;
    const { priceLock } = await newLock();
    const { destination } = request;
    const at = (latitude: string, cityCode = 'RUH') => ({
      destination: { ...destination, latitude: literalDecimal(latitude), cityCode },
    });
    expect(await create(at('24.751'), { priceLock })).toEqual(notAsLocked('destination'));
    expect(await create(at('24.75', 'JED'), { priceLock })).toEqual(notAsLocked('destination.cityCode'));
    expect(await create({ codAmount: literalDecimal('1'), paymentMethod: 'COD' }, { priceLock })).toEqual(
      notAsLocked('codAmount'),
    );
    // Before the rules about the body.
    expect(await create({ pickupLocationCode: 'NOWHERE', currency: 'XXX' }, { priceLock })).toEqual(
      notAsLocked('pickupLocationCode'),
    );
    expect(await stored()).toEqual(NOTHING);
    // 89 m to the north.
    expect(await create(at('24.7508'), { priceLock })).toMatchObject({ ok: true });
  });

  test('refuses it once the pickup location has moved, also where the old place is cached', async () => {
    const { shard, create } = creator;
    await createdOf(create());
    const { priceLock } = await newLock();
    const next = { idempotencyKey: newId(), priceLock };
    shard.run('shard-1', "UPDATE pickup_locations SET latitude = '24.7', version = version + 1");
    expect(await create({ externalReference: 'next' }, next)).toEqual(notAsLocked('pickupLocationCode'));
    const fresh = await newLock();
    shard.run('shard-1', "UPDATE pickup_locations SET latitude = '24.71', version = version + 1");
    const again = await newLock();
    expect(await create({ externalReference: 'next' }, { ...next, priceLock: fresh.priceLock })).toEqual(
      notAsLocked('pickupLocationCode'),
    );
    expect(await create({ externalReference: 'next' }, { ...next, priceLock: again.priceLock })).toMatchObject({
      ok: true,
    });
  });

  test('is one for each lock: the second is refused before a reference that is taken', async () => {
    const { create, stored } = creator;
    const { priceLock } = await newLock();
    const { shipment } = await createdOf(create({}, { priceLock }));
    const { shipmentId, shipmentNumber } = shipment;
    const existing = { shipmentId, shipmentNumber, href: `/v2/external/shipments/${shipmentId}` };
    expect(await create({}, { priceLock, idempotencyKey: newId() })).toEqual({
      ok: false,
      code: 'PRICE_LOCK_USED',
      members: { existing },
    });
    expect(await stored()).toEqual(ONE);
  });

  test('compares the price of the lock with Price-Limit, before it finds the lock used', async () => {
    const { create } = creator;
    const lock = await newLock();
    const { priceLock } = lock;
    const by = startTariff({ baseAmount: '99', vatRate: '0.15' });
    const limited = { priceLock, by, priceLimit: literalDecimal(lock.totalAmount) };
    await createdOf(create({}, limited));
    const below = { ...limited, idempotencyKey: newId(), priceLimit: literalDecimal('1') };
    expect(await create({}, below)).toMatchObject({ code: 'PRICE_LIMIT_EXCEEDED' });
  });

  test('is replayed with any lock or none, also after the lock has expired', async () => {
    const { shard, create, stored } = creator;
    const { priceLock, lockId } = await newLock({ expiresInSeconds: 60 });
    const first = await createdOf(create({}, { priceLock }));
    shard.clock.advance(3600);
    const fresh = await newLock();
    for (const text of [priceLock, fresh.priceLock, 'AAAA']) {
      expect(await createdOf(create({}, { priceLock: text }))).toEqual({ ...first, isReplay: true, lockId });
    }
    expect(await createdOf(create())).toEqual({ ...first, isReplay: true, lockId: null });
    expect(await create({ requirements: ['OTHER'] }, { priceLock: 'AAAA' })).toEqual({
      ok: false,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await stored()).toEqual(ONE);
  });

  test('is rehearsed with the same answers', async () => {
    const { shard, process, request, create } = creator;
    const lock = await newLock({ expiresInSeconds: 60 });
    const { priceLock } = lock;
    const rehearse = (changes = {}, order = {}) =>
      rehearseCreation(process, shard.scope, {
        idempotencyKey: newId(),
        correlationId: newId(),
        request: { ...request, ...changes },
        priceLock,
        ...order,
      });
    expect(await rehearse()).toEqual({ ok: true, value: undefined });
    expect(await rehearse({}, { priceLock: 'AAAA' })).toMatchObject({ code: 'PRICE_LOCK_INVALID' });
    expect(await rehearse({ codAmount: literalDecimal('2') })).toEqual(notAsLocked('codAmount'));
    expect(await rehearse({}, { priceLimit: literalDecimal('1') })).toMatchObject({ code: 'PRICE_LIMIT_EXCEEDED' });
    await createdOf(create({}, { priceLock }));
    expect(await rehearse({}, { priceLimit: literalDecimal('1') })).toMatchObject({ code: 'PRICE_LIMIT_EXCEEDED' });
    expect(await rehearse({}, { priceLimit: literalDecimal(lock.totalAmount) })).toMatchObject({
      code: 'PRICE_LOCK_USED',
    });
    shard.clock.advance(61);
    expect(await rehearse()).toMatchObject({ code: 'PRICE_LOCK_EXPIRED' });
  });

  test('is created once by 50 at the same time, in one process and in two', async () => {
    const { shard, process, request, stored } = creator;
    const { priceLock } = await newLock();
    const processes = [process, shard.process()];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        createShipment(processes[index % 2] ?? process, shard.scope, {
          idempotencyKey: newId(),
          correlationId: newId(),
          request: { ...request, externalReference: `order-${index}` },
          priceLock,
        }),
      ),
    );
    const codes = answers.map((answer) => (answer.ok ? 'created' : answer.code));
    expect(codes.filter((code) => code === 'created')).toHaveLength(1);
    expect(codes.filter((code) => code === 'PRICE_LOCK_USED')).toHaveLength(49);
    expect(await stored()).toEqual(ONE);
  });
});
