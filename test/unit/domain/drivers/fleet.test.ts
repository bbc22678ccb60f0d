import { describe, expect, test, vi } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import { Sealer } from '../../../../src/access/sealer.ts';
import type { DriverRequest, ServiceLevelRequest } from '../../../../src/contract/fleet.ts';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { createDriver, setDriverDuty, updateDriver } from '../../../../src/domain/drivers/fleet.ts';
import { listDrivers, presentDriver } from '../../../../src/domain/drivers/fleet-view.ts';
import {
  createServiceLevel,
  listServiceLevels,
  updateServiceLevel,
} from '../../../../src/domain/drivers/service-level.ts';
import { systemRandom } from '../../../../src/providers/system.ts';
import { ownShard } from '../../../support/dispatch/own-shard.ts';
import { addDriver, addShipment, give, offerTo } from '../../../support/dispatch/shipments.ts';

/* How operators manage drivers and service levels. */

vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 });

const decimal = literalDecimal;

const { shard, process } = await ownShard();

let phones = 0;
const driverRequest = (changes: Partial<DriverRequest> = {}): DriverRequest => {
  phones += 1;
  return {
    phone: `057${String(phones).padStart(7, '0')}`,
    firstName: 'Ali',
    vehicleType: 'VAN',
    capabilities: ['FRAGILE'],
    weightKilogramsMax: decimal('300'),
    lengthCentimetresMax: decimal('200'),
    cityCode: 'RUH',
    activeMax: 3,
    ...changes,
  };
};

async function newDriver(changes: Partial<DriverRequest> = {}) {
  const created = await createDriver(process, driverRequest(changes));
  if (!created.ok) throw new Error(created.code);
  return created.value;
}

describe('drivers', () => {
  test('a new driver is active and off duty, and has a unique phone', async () => {
    const request = driverRequest({ phone: '0571234567' });
    const created = await createDriver(process, request);
    expect(created).toMatchObject({
      ok: true,
      value: { phone: '+966571234567', status: 'ACTIVE', onDuty: 0, activeCount: 0, version: 0 },
    });
    for (const phone of ['0571234567', '+966571234567', '571234567']) {
      expect(await createDriver(process, { ...request, phone })).toEqual({
        ok: false,
        code: 'VALIDATION_FAILED',
        violations: [{ field: 'phone', code: 'DUPLICATE_ITEM' }],
      });
    }
    expect(await shard.rows('SELECT phone FROM drivers')).toEqual([['+966571234567']]);
  });

  test('two concurrent creations with one phone create one driver', async () => {
    const request = driverRequest();
    const answers = await Promise.all([createDriver(process, request), createDriver(shard.process(), request)]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await shard.rows('SELECT count(*) FROM drivers')).toEqual([[1]]);
  });

  test('a creation that stopped after the directory is completed by a retry', async () => {
    const request = driverRequest();
    const writer = { commit: () => Promise.resolve({ status: 'unknown' } as const) };
    expect(await createDriver({ ...process, writer }, request)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await createDriver(process, request)).toMatchObject({ ok: true });
    expect(await createDriver(process, request)).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test('an update needs the current version', async () => {
    const { id } = await newDriver();
    const changed = await updateDriver(process, { driverId: id, version: 0 }, { cityCode: 'JED', activeMax: 7 });
    expect(changed).toMatchObject({ ok: true, value: { cityCode: 'JED', activeMax: 7, firstName: 'Ali', version: 1 } });
    expect(await updateDriver(process, { driverId: id, version: 0 }, { cityCode: 'DMM' })).toEqual({
      ok: false,
      code: 'PRECONDITION_FAILED',
      members: { currentVersion: 1 },
    });
    expect(await shard.rows('SELECT city_code, active_max, version FROM drivers')).toEqual([['JED', 7, 1]]);
    expect(await updateDriver(process, { driverId: newId(), version: 0 }, {})).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
  });

  test('one of two concurrent updates of a version succeeds', async () => {
    const { id } = await newDriver();
    const seen = { driverId: id, version: 0 };
    const answers = await Promise.all([
      updateDriver(process, seen, { firstName: 'Badr' }),
      updateDriver(shard.process(), seen, { firstName: 'Omar' }),
    ]);
    expect(answers.map((answer) => (answer.ok ? 'made' : answer.code)).toSorted()).toEqual([
      'PRECONDITION_FAILED',
      'made',
    ]);
  });

  test("a driver's limit cannot be lower than their active shipments", async () => {
    const driverId = await addDriver(shard, process, { activeMax: 3 });
    for (let count = 1; count <= 2; count += 1) {
      const shipmentId = await addShipment(shard, process);
      await give(shard, process, shipmentId, { name: 'APPROVE' });
      await give(shard, process, shipmentId, offerTo(shard, driverId));
    }
    expect(await updateDriver(process, { driverId, version: 0 }, { activeMax: 1 })).toEqual({
      ok: false,
      code: 'VALIDATION_FAILED',
      violations: [{ field: 'activeMax', code: 'OUT_OF_RANGE', limit: 'at least 2' }],
    });
    expect(await updateDriver(process, { driverId, version: 0 }, { activeMax: 2 })).toMatchObject({ ok: true });
    expect(await shard.rows('SELECT active_count, active_max FROM drivers')).toEqual([[2, 2]]);
  });

  test('a driver is idle from the start of their duty; a deactivated driver goes off duty and stays so', async () => {
    const { id, idleSince } = await newDriver();
    const seen = (version: number) => ({ driverId: id, version });
    const onDuty = await setDriverDuty(process, seen(0), true);
    expect(onDuty).toMatchObject({ ok: true, value: { onDuty: 1, version: 1 } });
    expect(onDuty.ok && onDuty.value.idleSince > idleSince).toBe(true);
    // Setting the current value changes nothing.
    expect(await setDriverDuty(process, seen(1), true)).toMatchObject({ ok: true, value: { onDuty: 1, version: 1 } });
    expect(await updateDriver(process, seen(1), { status: 'INACTIVE' })).toMatchObject({
      ok: true,
      value: { onDuty: 0, version: 2 },
    });
    expect(await setDriverDuty(process, seen(2), true)).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      members: { currentState: 'INACTIVE' },
    });
    expect(await updateDriver(process, seen(2), { status: 'ACTIVE' })).toMatchObject({
      ok: true,
      value: { onDuty: 0 },
    });
  });

  test('the list is newest first, paged, filtered by city, and shows no phone', async () => {
    for (const cityCode of ['RUH', 'JED', 'RUH', 'RUH']) await newDriver({ cityCode });
    const cursors = new Sealer([Buffer.alloc(32, 1).toString('base64url')], systemRandom);
    const dependencies = { ...process, cursors };
    const first = await listDrivers(dependencies, { limit: 2, cityCode: 'RUH' });
    if (!first.ok) throw new Error(first.code);
    expect(first.value.page.hasMore).toBe(true);
    const cursor = first.value.page.nextCursor ?? '';
    const second = await listDrivers(dependencies, { limit: 2, cityCode: 'RUH', cursor });
    if (!second.ok) throw new Error(second.code);
    expect(second.value).toMatchObject({ page: { hasMore: false, nextCursor: null } });
    const all = [...first.value.data, ...second.value.data];
    expect(all.map(({ createdAt }) => createdAt)).toEqual(
      all
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .reverse(),
    );
    expect(all).toHaveLength(3);
    expect(JSON.stringify(all)).not.toMatch(/\+?9665/);
    expect(all[0]?.maskedPhone).toMatch(/^\*{8}\d{4}$/);
    expect(await listDrivers(dependencies, { limit: 2, cityCode: 'JED', cursor })).toMatchObject({
      code: 'INVALID_CURSOR',
    });
  });

  test("a driver's position is shown with its time, or not at all", async () => {
    const row = await newDriver();
    expect(presentDriver(row).position).toBeNull();
    const at = { latitude: decimal('24.7'), longitude: decimal('46.7'), positionAt: row.createdAt };
    expect(presentDriver({ ...row, ...at }).position).toMatchObject({ latitude: '24.7', longitude: '46.7' });
  });
});

describe('service levels', () => {
  const express: ServiceLevelRequest = {
    code: 'EXPRESS',
    capabilities: ['FRAGILE'],
    weightKilogramsMax: decimal('5'),
    lengthCentimetresMax: decimal('50'),
    cities: ['RUH'],
    rank: 1,
  };

  test('a new one is chosen from its creation on, until it is inactive', async () => {
    expect(await createServiceLevel(process, express)).toMatchObject({
      ok: true,
      value: { status: 'ACTIVE', version: 0 },
    });
    expect(await createServiceLevel(process, express)).toMatchObject({
      code: 'VALIDATION_FAILED',
      violations: [{ field: 'code', code: 'DUPLICATE_ITEM' }],
    });
    const levels = await listServiceLevels(process);
    expect(levels.ok && levels.value.map(({ code }) => code)).toEqual(['EXPRESS', 'STANDARD', 'HEAVY']);
    expect(await levelOf(await addShipment(shard, process))).toBe('EXPRESS');

    const seen = { code: 'EXPRESS', version: 0 };
    expect(await updateServiceLevel(process, seen, { status: 'INACTIVE' })).toMatchObject({
      ok: true,
      value: { rank: 1, version: 1 },
    });
    expect(await levelOf(await addShipment(shard, process))).toBe('STANDARD');
    expect(await updateServiceLevel(process, seen, { rank: 2 })).toMatchObject({
      code: 'PRECONDITION_FAILED',
      members: { currentVersion: 1 },
    });
    expect(await updateServiceLevel(process, { code: 'NONE', version: 0 }, {})).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
  });
});

async function levelOf(shipmentId: string): Promise<unknown> {
  const [row] = await shard.rows('SELECT service_level_code FROM shipments WHERE id = ?', [shipmentId]);
  return row?.[0];
}
