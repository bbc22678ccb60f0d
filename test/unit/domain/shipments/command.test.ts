import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import { executeCommand } from '../../../../src/domain/shipments/command.ts';
import { CANCELLED, CORRELATION, openCommander, UNTOUCHED } from '../../../support/dispatch/commander.ts';
import { addDriver, offerTo } from '../../../support/dispatch/shipments.ts';
import { scopeOf } from '../../../support/dispatch/test-shard.ts';

/* A command on a shipment: one transition with its event, or nothing. */

type Commander = Awaited<ReturnType<typeof openCommander>>;
let commander: Commander;
beforeEach(async () => {
  commander = await openCommander();
});
afterEach(() => commander.shard.close());

describe('a command', () => {
  test('writes one transition and its event', async () => {
    const before = await commander.rowOf();
    const result = await commander.cancel();
    expect(result).toEqual({ ok: true, value: { ...before, state: 'CANCELLED', version: 1 } });
    // The answer is built from the row that was read: the database must have the same.
    expect(await commander.rowOf()).toMatchObject({
      state: 'CANCELLED',
      version: 1,
      approvedAt: null,
      dueAt: null,
      eventCount: 2,
    });
    const [event = []] = await commander.shard.rows(
      `SELECT sequence, company_id, type, previous_state, state, actor, reason_code, note, correlation_id
       FROM shipment_events WHERE sequence = 2`,
    );
    const { companyId } = commander.shard.scope;
    const what = ['shipment.cancelled', 'PENDING_APPROVAL', 'CANCELLED', 'MERCHANT', 'PRICE', 'too dear'];
    expect(event).toEqual([2, companyId, ...what, CORRELATION]);
    const [body] = (await commander.shard.rows("SELECT body FROM events WHERE type = 'shipment.cancelled'")).flat();
    expect(JSON.parse(String(body))).toMatchObject({
      shipmentId: commander.id,
      companyId,
      sequence: 2,
      previousState: 'PENDING_APPROVAL',
      deployment: 'local',
      correlationId: CORRELATION,
      data: { shipment: { shipmentId: commander.id, state: 'CANCELLED', version: 1 } },
    });
  });

  test('has the same id and instant in the timeline and in the feed', async () => {
    await commander.cancel();
    const step = await commander.shard.rows('SELECT id, occurred_at FROM shipment_events WHERE sequence = 2');
    expect(step).toHaveLength(1);
    expect(await commander.shard.rows("SELECT id, occurred_at FROM events WHERE type = 'shipment.cancelled'")).toEqual(
      step,
    );
  });

  test('sets when the service must act next: at once, when the offer expires, or never', async () => {
    const dueAt = async () => (await commander.rowOf()).dueAt;
    await commander.approve();
    const [[approvedAt] = []] = await commander.shard.rows('SELECT approved_at FROM shipments');
    expect(await dueAt()).toBe(BigInt(Number(approvedAt)));
    const offer = offerTo(commander.shard, await addDriver(commander.shard, commander.process));
    if (offer.name !== 'OFFER') throw new Error('That was to be an offer');
    await commander.give(offer);
    expect(await dueAt()).toBe(offer.expiresAt);
    await commander.give({ name: 'ACCEPT', driverId: offer.driverId });
    expect(await dueAt()).toBeNull();
    await commander.give({ name: 'RELEASE', driverId: offer.driverId });
    expect(await dueAt()).not.toBeNull();
    await commander.give({ name: 'GIVE_UP', reasonCode: 'NO_DRIVER' });
    expect(await dueAt()).toBeNull();
  });

  test('that changes the driver sets no due time, also on a row that the lane remembers', async () => {
    const { shard, process, give, rowOf, cancel } = commander;
    const [driverId, toDriverId] = [await addDriver(shard, process), await addDriver(shard, process)];
    await commander.approve();
    await give(offerTo(shard, driverId));
    const offered = await rowOf();
    await give({ name: 'ACCEPT', driverId });
    await give({ name: 'PICK_UP', driverId });
    const remembered = { ...(await rowOf()), dueAt: offered.dueAt };
    const takeover = {
      name: 'TAKE_OVER',
      offerId: newId(),
      toDriverId,
      reasonCode: 'PHONE_LOST',
      comment: null,
    } as const;
    expect(await cancel({ command: takeover, actor: 'OPERATOR' }, remembered)).toMatchObject({ ok: true });
    expect(await rowOf()).toMatchObject({ state: 'PICKED_UP', dueAt: null });
  });

  test('sets since when the shipment waits for a driver: since its approval, or since a driver gave it back', async () => {
    const readySince = async () => (await commander.shard.rows('SELECT ready_since FROM shipments')).flat()[0];
    const lastEventAt = async () =>
      (await commander.shard.rows('SELECT occurred_at FROM shipment_events ORDER BY sequence DESC LIMIT 1')).flat()[0];
    expect(await readySince()).toBeNull();
    await commander.approve();
    expect(await readySince()).toBe(await lastEventAt());
    const driverId = await addDriver(commander.shard, commander.process);
    await commander.give(offerTo(commander.shard, driverId));
    await commander.give({ name: 'DECLINE', driverId });
    expect(await readySince()).toBe(await lastEventAt());
  });

  test('passes due times to the writer', async () => {
    const requests: unknown[] = [];
    const commit: typeof commander.process.writer.commit = (request) => {
      requests.push(request.dueAt !== undefined);
      return commander.process.writer.commit(request);
    };
    const watched = { ...commander.process, writer: { commit } };
    await executeCommand(
      watched,
      commander.shard.scope,
      commander.order({ command: { name: 'APPROVE' }, actor: 'SYSTEM' }),
    );
    await executeCommand(watched, commander.shard.scope, commander.order());
    expect(requests).toEqual([true, false]);
  });

  test('that was already applied is answered without an error and without an event', async () => {
    await commander.cancel();
    expect(await commander.cancel()).toMatchObject({ ok: true, value: { state: 'CANCELLED', version: 1 } });
    expect(await commander.told()).toEqual(CANCELLED);
  });
});

describe('a refused command', () => {
  test('is answered alike for an unknown shipment and one of another company', async () => {
    const denied = { ok: false, code: 'ACCESS_DENIED' };
    expect(await commander.cancel({ shipmentId: newId() })).toEqual(denied);
    const stranger = scopeOf(newId());
    expect(await executeCommand(commander.process, stranger, commander.order())).toEqual(denied);
    expect(await commander.told()).toEqual(UNTOUCHED);
  });

  test('is one that the current state does not allow', async () => {
    const retry = { command: { name: 'RETRY_DISPATCH', serviceLevelCode: 'STANDARD' } } as const;
    expect(await commander.cancel(retry)).toEqual({
      ok: false,
      code: 'INVALID_STATE_TRANSITION',
      members: { currentState: 'PENDING_APPROVAL' },
    });
    expect(await commander.told()).toEqual(UNTOUCHED);
  });

  test('is one with another version; with the current version it succeeds', async () => {
    const stale = { ok: false, code: 'PRECONDITION_FAILED', members: { currentVersion: 0 } };
    expect(await commander.cancel({ precondition: { kind: 'versions', versions: [1] } })).toEqual(stale);
    expect(await commander.told()).toEqual(UNTOUCHED);
    expect(await commander.cancel({ precondition: { kind: 'versions', versions: [0] } })).toMatchObject({ ok: true });
    // The command has already been applied, but the caller's version is stale.
    expect(await commander.cancel({ precondition: { kind: 'versions', versions: [0] } })).toMatchObject({
      code: 'PRECONDITION_FAILED',
      members: { currentVersion: 1 },
    });
  });
});

test('wrong SQL throws as a bug', async () => {
  commander.shard.run('shard-1', 'ALTER TABLE events RENAME TO elsewhere');
  await expect(commander.cancel()).rejects.toThrow(/SQL is wrong: .*events/);
});
