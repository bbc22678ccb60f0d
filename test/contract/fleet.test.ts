import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { sendJson } from '../../scripts/shared/sandbox.ts';
import { DESTINATION, readShipment } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { askForCode, newPhone, signInBySms } from '../support/driver-sign-in.ts';
import { addCompanyIn, addDriver, addSignedInDriver, driverTerms, newCity, operatorOf } from '../support/fleet.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall } from '../support/trpc.ts';

const environment = sharedEnvironment();
const { audit, drivers, serviceLevels } = await operatorOf(environment);
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const [shard, unknown] = ['shard-1', '0190d0c8-7a6b-7c3d-8e4f-0123456789ab'] as const;
let levels = 0;

const newLevel = (changes: object = {}) => {
  levels += 1;
  return {
    shard,
    code: `NIGHT_${randomUUID().slice(0, 8).toUpperCase()}_${levels}`,
    capabilities: ['COLD_CHAIN'],
    weightKilogramsMax: '30.50',
    lengthCentimetresMax: '1.2e2',
    cities: [newCity()],
    rank: 30,
    ...changes,
  };
};
/** Input that violates the types, as a program may send it. */
const loose = (input: object) => input as never;
const violation = (text: string) => {
  const [field, code] = text.split(' ');
  return { status: 422, code: 'VALIDATION_FAILED', violations: [{ field, code }] };
};

describe('service levels', () => {
  it('are created and listed in the order in which they are considered', async () => {
    const { shard: _shard, ...terms } = newLevel();
    const created = await serviceLevels.create.mutate({ shard, ...terms });
    expect(created).toEqual({
      ...terms,
      weightKilogramsMax: '30.5',
      lengthCentimetresMax: '120',
      status: 'ACTIVE',
      createdAt: INSTANT,
      updatedAt: created.createdAt,
      version: 0,
    });
    const listed = await serviceLevels.list.query({ shard });
    expect(listed).toContainEqual(created);
    const codes = listed.map(({ code }) => code);
    expect(codes.slice(0, 2)).toEqual(['STANDARD', 'HEAVY']);
    expect(codes.indexOf(created.code)).toBeGreaterThan(1);
    expect(await serviceLevels.list.query({ shard: 'shard-2' })).not.toContainEqual(created);
  });

  it('have a code that is unique within their shard', async () => {
    const level = newLevel();
    await serviceLevels.create.mutate(level);
    expect(await problemOfCall(serviceLevels.create.mutate(level))).toMatchObject(violation('code DUPLICATE_ITEM'));
    expect(await serviceLevels.create.mutate({ ...level, shard: 'shard-2' })).toMatchObject({ version: 0 });
  });

  it('change only the given fields, and only if the given version is current', async () => {
    const { code, cities } = await serviceLevels.create.mutate(newLevel());
    const changed = await serviceLevels.update.mutate({ shard, code, version: 0, rank: 31, weightKilogramsMax: '31' });
    expect(changed).toMatchObject({ version: 1, rank: 31, weightKilogramsMax: '31', lengthCentimetresMax: '120' });
    expect(changed).toMatchObject({ capabilities: ['COLD_CHAIN'], cities, status: 'ACTIVE' });
    const stale = serviceLevels.update.mutate({ shard, code, version: 0, rank: 32 });
    expect(await problemOfCall(stale)).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED', currentVersion: 1 });
    expect(await serviceLevels.list.query({ shard })).toContainEqual(changed);
    const missing = serviceLevels.update.mutate({ shard, code: 'NOBODY', version: 0, rank: 1 });
    expect(await problemOfCall(missing)).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND' });
  });

  it('accept shipments to their cities only while they are active', async () => {
    const home = newCity();
    // All cities of the tariff have the sample service levels, none of which has this capability.
    const needed = `ONLY_${home.replace('-', '_')}`;
    const { code } = await serviceLevels.create.mutate(newLevel({ capabilities: [needed], cities: ['MKK'] }));
    await addDriver(environment, home, { capabilities: [needed] });
    const merchant = await merchantOf(environment, await addCompanyIn(environment, home));
    const requirements = [needed];
    const destination = { ...DESTINATION, cityCode: 'MKK' };
    const stateOf = (shipmentId: string, state: string) =>
      until(`${shipmentId} is ${state}`, async () => {
        const shipment = await readShipment(await merchant.get(`${SHIPMENTS}/${shipmentId}`));
        return shipment.state === state ? shipment : undefined;
      });
    await stateOf((await merchant.create({ destination, requirements })).shipmentId, 'OFFERED');
    await stateOf((await merchant.create({ requirements })).shipmentId, 'DISPATCH_UNRESOLVED');
    await serviceLevels.update.mutate({ shard, code, version: 0, status: 'INACTIVE' });
    const { version } = await stateOf(
      (await merchant.create({ destination, requirements })).shipmentId,
      'DISPATCH_UNRESOLVED',
    );
    expect(version).toBe(2);
  });

  it.each([
    [{ code: 'night' }, 'code PATTERN_MISMATCH'],
    [{ capabilities: ['cold'] }, 'capabilities[0] PATTERN_MISMATCH'],
    [{ capabilities: ['COLD', 'COLD'] }, 'capabilities[1] DUPLICATE_ITEM'],
    [{ weightKilogramsMax: '0' }, 'weightKilogramsMax OUT_OF_RANGE'],
    [{ weightKilogramsMax: 30 }, 'weightKilogramsMax TYPE_MISMATCH'],
    [{ lengthCentimetresMax: '1.0000001' }, 'lengthCentimetresMax SCALE_EXCEEDED'],
    [{ cities: [] }, 'cities TOO_FEW_ITEMS'],
    [{ cities: ['RUH', 'RUH'] }, 'cities[1] DUPLICATE_ITEM'],
    [{ rank: -1 }, 'rank OUT_OF_RANGE'],
    [{ rank: 1.5 }, 'rank TYPE_MISMATCH'],
    [{ status: 'ACTIVE' }, 'status UNKNOWN_PROPERTY'],
    [{ shard: 'shard-9' }, 'shard NOT_IN_ENUM'],
    [{ shard: undefined }, 'shard REQUIRED'],
  ])('are rejected with %j', async (changes, broken) => {
    const call = serviceLevels.create.mutate(loose(newLevel(changes)));
    expect(await problemOfCall(call)).toMatchObject(violation(broken));
  });
});

describe('drivers', () => {
  it('are created active and off duty, and show only the last four digits of their phone', async () => {
    const { phone, shard: _shard, ...terms } = driverTerms(newCity(), newPhone());
    const created = await drivers.create.mutate({ shard, phone, ...terms });
    expect(created).toEqual({
      ...terms,
      driverId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      maskedPhone: `********${phone.slice(-4)}`,
      companyId: null,
      status: 'ACTIVE',
      onDuty: false,
      offDutyReason: null,
      activeCount: 0,
      position: null,
      idleSince: INSTANT,
      createdAt: INSTANT,
      updatedAt: INSTANT,
      version: 0,
    });
    const page = await drivers.list.query({ shard, cityCode: terms.cityCode });
    expect(page).toEqual({ data: [created], page: { nextCursor: null, hasMore: false } });
    expect(JSON.stringify(page)).not.toContain(phone.slice(1));
  });

  it('have a phone that is unique across all shards', async () => {
    const terms = driverTerms(newCity(), newPhone());
    await drivers.create.mutate(terms);
    for (const other of ['shard-1', 'shard-2'] as const) {
      const again = drivers.create.mutate({
        ...terms,
        shard: other,
        phone: `+966${terms.phone.slice(1)}`,
      });
      expect(await problemOfCall(again)).toMatchObject(violation('phone DUPLICATE_ITEM'));
    }
  });

  it('change only the given fields, and only if the given version is current', async () => {
    const [{ driverId }, city] = [await drivers.create.mutate(driverTerms(newCity())), newCity()];
    const changed = await drivers.update.mutate({ shard, driverId, version: 0, cityCode: city, activeMax: 1 });
    expect(changed).toMatchObject({ version: 1, cityCode: city, activeMax: 1, firstName: 'Faisal', onDuty: false });
    const stale = drivers.update.mutate({ shard, driverId, version: 0, activeMax: 2 });
    expect(await problemOfCall(stale)).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED', currentVersion: 1 });
    const elsewhere = drivers.update.mutate({ shard: 'shard-2', driverId, version: 1, activeMax: 2 });
    expect(await problemOfCall(elsewhere)).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND' });
    const phone = drivers.update.mutate(loose({ shard, driverId, version: 1, phone: newPhone() }));
    expect(await problemOfCall(phone)).toMatchObject(violation('phone UNKNOWN_PROPERTY'));
    expect((await drivers.list.query({ shard, cityCode: city })).data).toEqual([changed]);
  });

  it('go on and off duty, but not on duty while inactive', async () => {
    const { driverId } = await drivers.create.mutate(driverTerms(newCity()));
    const setDuty = (version: number, onDuty: boolean) => drivers.setDuty.mutate({ shard, driverId, version, onDuty });
    expect(await setDuty(0, true)).toMatchObject({ onDuty: true, version: 1 });
    expect(await setDuty(1, true)).toMatchObject({ onDuty: true, version: 1 });
    expect(await problemOfCall(setDuty(0, false))).toMatchObject({ status: 412, currentVersion: 1 });
    expect(await drivers.update.mutate({ shard, driverId, version: 1, status: 'INACTIVE' })).toMatchObject({
      status: 'INACTIVE',
      onDuty: false,
      version: 2,
    });
    const refused = { status: 409, code: 'INVALID_STATE_TRANSITION', currentState: 'INACTIVE' };
    expect(await problemOfCall(setDuty(2, true))).toMatchObject(refused);
    expect(await setDuty(2, false)).toMatchObject({ onDuty: false, version: 2 });
  });

  it('change their phone with the sessions and codes: only the new phone signs in', async () => {
    const { driverId, phone, token, get } = await addSignedInDriver(environment, newCity());
    const [open, fresh] = [await askForCode(environment, phone), newPhone()];
    const { version } = await drivers.get.query({ shard, driverId });
    const change = (to: string, seen = version) =>
      drivers.changePhone.mutate({ shard, driverId, version: seen, phone: to });
    expect((await get('/offers')).status).toBe(200);
    const taken = (await addDriver(environment, newCity())).phone;
    expect(await problemOfCall(change(taken))).toMatchObject(violation('phone DUPLICATE_ITEM'));
    expect(await problemOfCall(change(fresh, version - 1))).toMatchObject({ status: 412, currentVersion: version });
    expect((await get('/offers')).status).toBe(200);
    const changed = await change(fresh);
    expect(changed).toMatchObject({ driverId, maskedPhone: `********${fresh.slice(-4)}`, version: version + 1 });
    expect([token.length > 0, (await get('/offers')).status]).toEqual([true, 401]);
    const { challengeId, otp } = open;
    const late = await sendJson(environment, 'POST', `/v2/driver/sessions/${challengeId}/verifications`, { otp });
    expect(late.status).toBe(422);
    // The newest message to the old phone is still the one from before.
    expect((await askForCode(environment, phone)).otp).toBe(otp);
    expect((await (await signInBySms(environment, fresh)).get('/offers')).status).toBe(200);
    // The old number may go to somebody else.
    await drivers.create.mutate({ ...driverTerms(newCity()), phone });
  });

  it('complete a change of the phone that was interrupted after the directory', async () => {
    const { driverId, phone } = await addDriver(environment, newCity());
    const { version } = await drivers.get.query({ shard, driverId });
    const fresh = newPhone();
    await environment.sql('directory', 'update driver_phones set phone = ? where phone = ?', [
      `+966${fresh.slice(1)}`,
      `+966${phone.slice(1)}`,
    ]);
    const changed = await drivers.changePhone.mutate({ shard, driverId, version, phone: fresh });
    expect(changed.maskedPhone).toBe(`********${fresh.slice(-4)}`);
    expect((await (await signInBySms(environment, fresh)).get('/offers')).status).toBe(200);
  });

  it('lose their sessions when operators end them, or block the driver', async () => {
    const { driverId, phone, get } = await addSignedInDriver(environment, newCity());
    const unsaid = drivers.endSessions.mutate(loose({ shard, driverId }));
    expect(await problemOfCall(unsaid)).toMatchObject(violation('reasonCode REQUIRED'));
    const wrong = drivers.endSessions.mutate(loose({ shard, driverId, reasonCode: 'BORED' }));
    expect(await problemOfCall(wrong)).toMatchObject(violation('reasonCode NOT_IN_ENUM'));
    expect((await get('/offers')).status).toBe(200);
    await drivers.endSessions.mutate({ shard, driverId, reasonCode: 'PHONE_LOST' });
    expect((await get('/offers')).status).toBe(401);
    const again = await signInBySms(environment, phone);
    expect((await again.get('/offers')).status).toBe(200);
    const { version } = await drivers.get.query({ shard, driverId });
    const update = (seen: number, status: 'ACTIVE' | 'INACTIVE') =>
      drivers.update.mutate({ shard, driverId, version: seen, status });
    expect(await update(version, 'INACTIVE')).toMatchObject({ status: 'INACTIVE', onDuty: false });
    expect((await again.get('/offers')).status).toBe(401);
    await update(version + 1, 'ACTIVE');
    // The blocked token stays ended.
    expect((await again.get('/offers')).status).toBe(401);
    const { data } = await audit.list.query({ subject: driverId });
    const actions = data.map(({ action }) => action);
    expect(actions.slice(0, 3)).toEqual(['driver.updated', 'driver.updated', 'driver.sessions_ended']);
    const ended = data.find(({ action }) => action === 'driver.sessions_ended');
    expect(ended?.detail).toEqual({ reasonCode: 'PHONE_LOST' });
  });

  it('are on the board of their city, of all shards, with load, duty and the age of the position', async () => {
    const city = newCity();
    const first = await addSignedInDriver(environment, city);
    const second = await addDriver(environment, city, { shard: 'shard-2' });
    await environment.sql(
      'shard-1',
      'update drivers set latitude = 24.7, longitude = 46.7, position_at = ? where id = ?',
      [(Date.now() - 90_000) * 1000, first.driverId],
    );
    const { data } = await drivers.board.query({ cityCode: city });
    expect(data).toMatchObject([
      { driverId: second.driverId, shard: 'shard-2', onDuty: true, positionAgeSeconds: null },
      { driverId: first.driverId, shard: 'shard-1', activeCount: 0, activeMax: 5, position: { latitude: '24.7' } },
    ]);
    expect(data[1]?.positionAgeSeconds).toBeGreaterThanOrEqual(89);
    expect(data[1]?.positionAgeSeconds).toBeLessThan(150);
    const one = await drivers.board.query({ cityCode: city, limit: 1 });
    const two = await drivers.board.query({ cityCode: city, limit: 1, cursor: one.page.nextCursor ?? '' });
    expect([...one.data, ...two.data].map(({ driverId }) => driverId)).toEqual([second.driverId, first.driverId]);
  });

  it('are listed newest first and paged, with cursors bound to shard and filters', async () => {
    const city = newCity();
    const made: string[] = [];
    for (let count = 0; count < 3; count += 1) made.unshift((await drivers.create.mutate(driverTerms(city))).driverId);
    const first = await drivers.list.query({ shard, cityCode: city, limit: 2 });
    expect(first.page.hasMore).toBe(true);
    const cursor = first.page.nextCursor ?? '';
    const second = await drivers.list.query({ shard, cityCode: city, limit: 2, cursor });
    expect([...first.data, ...second.data].map(({ driverId }) => driverId)).toEqual(made);
    for (const other of [{ shard }, { shard, cityCode: newCity() }, { shard: 'shard-2', cityCode: city }]) {
      expect(await problemOfCall(drivers.list.query({ ...other, cursor }))).toMatchObject({
        status: 400,
        code: 'INVALID_CURSOR',
      });
    }
    expect((await drivers.list.query({ shard, cityCode: city, status: 'INACTIVE' })).data).toEqual([]);
  });

  it.each([
    [{ phone: '0412345678' }, 'phone PATTERN_MISMATCH'],
    [{ firstName: '' }, 'firstName TOO_SHORT'],
    [{ firstName: 'x'.repeat(61) }, 'firstName TOO_LONG'],
    [{ vehicleType: 'CAMEL' }, 'vehicleType NOT_IN_ENUM'],
    [{ capabilities: null }, 'capabilities NULL_NOT_ALLOWED'],
    [{ weightKilogramsMax: '-1' }, 'weightKilogramsMax OUT_OF_RANGE'],
    [{ lengthCentimetresMax: 'long' }, 'lengthCentimetresMax TYPE_MISMATCH'],
    [{ cityCode: 'r' }, 'cityCode PATTERN_MISMATCH'],
    [{ activeMax: 0 }, 'activeMax OUT_OF_RANGE'],
    [{ activeMax: 101 }, 'activeMax OUT_OF_RANGE'],
    [{ onDuty: true }, 'onDuty UNKNOWN_PROPERTY'],
    [{ companyId: unknown }, 'companyId UNKNOWN_PROPERTY'],
    [{ shard: 'directory' }, 'shard NOT_IN_ENUM'],
  ])('are rejected with %j', async (changes, broken) => {
    const call = drivers.create.mutate(loose({ ...driverTerms(newCity()), ...changes }));
    expect(await problemOfCall(call)).toMatchObject(violation(broken));
  });
});
