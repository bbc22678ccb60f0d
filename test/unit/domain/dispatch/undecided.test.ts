import { describe, expect, test, vi } from 'vitest';
import type { Database } from '../../../../db/database.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { runDue } from '../../../../src/domain/dispatch/due.ts';
import { ownShard } from '../../../support/dispatch/own-shard.ts';
import { addDriver, addShipment, refusedAtTheDoor } from '../../../support/dispatch/shipments.ts';

/* The defaults that dispatch takes after failed deliveries. One that cannot be taken holds up no other shipment. */

vi.setConfig({ testTimeout: 60_000, hookTimeout: 20_000 });

const { shard, process } = await ownShard();

const HOURS_24 = 24 * 3600;

const failed = (driverId: Uuid) => refusedAtTheDoor(shard, process, driverId);
const resolutionOf = async (id: Uuid) =>
  (await shard.rows('SELECT state, kind FROM resolutions WHERE shipment_id = ?', [id]))[0];
const stateOf = async (id: Uuid) => (await shard.rows('SELECT state FROM shipments WHERE id = ?', [id])).flat()[0];
/** The error of one run, if it reports one. */
const run = (by = process) => runDue(by).then(() => null, String);

const away: Database = {
  ...process.directory.database,
  read: () => Promise.resolve({ ok: false }),
  readAll: () => Promise.resolve({ ok: false }),
};

describe('a default that cannot be taken', () => {
  test('because it is refused: others are decided and offered, and the run reports it', async () => {
    const driverId = await addDriver(shard, process);
    const odd = await failed(driverId);
    const other = await failed(driverId);
    // A third attempt is the last one, so no default offers a fourth.
    await shard.rows("UPDATE resolutions SET default_kind = 'REDELIVER', attempts = 3 WHERE shipment_id = ?", [odd]);
    shard.clock.advance(HOURS_24);
    const waiting = await addShipment(shard, process);
    shard.clock.advance(1);
    expect(await run()).toBe(`Error: Put aside: shipment ${odd}, not decided: RESOLUTION_NOT_OPEN`);
    expect(await resolutionOf(odd)).toEqual(['OPEN', null]);
    expect(await resolutionOf(other)).toEqual(['AUTOMATIC', 'RETURN']);
    expect(await stateOf(waiting)).toBe('OFFERED');
    expect(await run()).toBeNull();
    shard.clock.advance(61);
    expect(await run()).toBe(`Error: Put aside: shipment ${odd}, not decided: RESOLUTION_NOT_OPEN`);
  });

  test('because the directory is away: others continue, and it is taken after a minute', async () => {
    const driverId = await addDriver(shard, process);
    // Only the directory knows the owner, who takes a return if the place has no contact.
    await shard.rows('UPDATE pickup_locations SET contact_phone = NULL');
    const late = [await failed(driverId), await failed(driverId)];
    shard.clock.advance(HOURS_24);
    const waiting = await addShipment(shard, process);
    shard.clock.advance(1);
    const error = await run({ ...process, directory: { ...process.directory, database: away } });
    for (const id of late) {
      expect(error).toContain(`shipment ${id}, not decided: SERVICE_UNAVAILABLE`);
      expect(await resolutionOf(id)).toEqual(['OPEN', null]);
    }
    expect(await stateOf(waiting)).toBe('OFFERED');
    shard.clock.advance(59);
    expect(await run()).toBeNull();
    for (const id of late) expect(await resolutionOf(id)).toEqual(['OPEN', null]);
    shard.clock.advance(2);
    expect(await run()).toBeNull();
    for (const id of late) expect(await resolutionOf(id)).toEqual(['AUTOMATIC', 'RETURN']);
  });
});
