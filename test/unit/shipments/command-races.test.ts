import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WELL } from '../../../scripts/shared/dispatch/memory-shard.ts';
import { executeCommand, readShipment } from '../../../src/domain/shipments/command.ts';
import { CANCELLED, openCommander, UNTOUCHED } from '../../support/dispatch/commander.ts';
import { AWAY, broken } from '../../support/dispatch/creator.ts';

/* A command on a shipment that others are at too, on rows that are old, and over a wire that loses answers. */

type Commander = Awaited<ReturnType<typeof openCommander>>;
let commander: Commander;
beforeEach(async () => {
  commander = await openCommander();
});
afterEach(() => commander.shard.close());

describe('a row that was seen before', () => {
  test('saves the reading', async () => {
    const seen = await commander.rowOf();
    commander.shard.wire.carry = ({ isWrite }, run) => (isWrite ? run() : broken());
    expect(await commander.cancel({}, seen)).toMatchObject({ ok: true, value: { version: 1 } });
  });

  test('refuses nothing by itself: the refusal is of the row as it is', async () => {
    const seen = await commander.rowOf();
    await commander.approve();
    await commander.give({ name: 'GIVE_UP' });
    // Of the old row: not from PENDING_APPROVAL, and not at version 2.
    const retry = { command: { name: 'RETRY_DISPATCH' }, precondition: { kind: 'versions', versions: [2] } } as const;
    expect(await commander.cancel(retry, seen)).toMatchObject({
      ok: true,
      value: { state: 'READY_FOR_DISPATCH', version: 3 },
    });
    expect(await commander.cancel({ precondition: { kind: 'versions', versions: [0] } }, seen)).toMatchObject({
      code: 'PRECONDITION_FAILED',
      members: { currentVersion: 3 },
    });
  });

  test('that is no longer true costs a second try', async () => {
    const seen = await commander.rowOf();
    await commander.approve();
    expect(await commander.cancel({}, seen)).toMatchObject({ ok: true, value: { state: 'CANCELLED', version: 2 } });
    expect(await commander.told()).toEqual(['CANCELLED', 2, 'created', 'approved', 'cancelled']);
  });
});

describe('of two commands at once', () => {
  /** Something else happens to the shipment just before each of these writes arrives. */
  function beforeWrites(...happenings: (() => Promise<unknown>)[]): void {
    commander.shard.wire.carry = async ({ isWrite }, run) => {
      if (isWrite) await happenings.shift()?.();
      return run();
    };
  }
  const rival = () => commander.shard.process();

  test('the one that comes too late is decided anew, on what the other has made of it', async () => {
    beforeWrites(() => executeCommand(rival(), commander.shard.scope, commander.order()));
    expect(await commander.approve()).toEqual({
      ok: false,
      code: 'INVALID_STATE_TRANSITION',
      members: { currentState: 'CANCELLED' },
    });
    expect(await commander.told()).toEqual(CANCELLED);
  });

  test('or is done after the other, and loses no event', async () => {
    beforeWrites(() => commander.give({ name: 'APPROVE' }, rival()));
    expect(await commander.cancel()).toMatchObject({ ok: true, value: { state: 'CANCELLED', version: 2 } });
    expect(await commander.told()).toEqual(['CANCELLED', 2, 'created', 'approved', 'cancelled']);
  });

  test('one that always comes too late is 503 in the end, having done nothing', async () => {
    const bump = () => commander.shard.rows('UPDATE shipments SET version = version + 1');
    beforeWrites(bump, bump, bump, bump, bump);
    expect(await commander.cancel()).toEqual(AWAY);
    expect(await commander.told()).toMatchObject(['PENDING_APPROVAL', expect.any(Number), 'created']);
  });

  test('it may come too late twice', async () => {
    const bump = () => commander.shard.rows('UPDATE shipments SET version = version + 1');
    beforeWrites(bump, bump);
    expect(await commander.cancel()).toMatchObject({ ok: true, value: { state: 'CANCELLED', version: 3 } });
  });
});

describe('when an answer is lost', () => {
  const loseWrites = () => {
    commander.shard.wire.carry = ({ isWrite }, run) => {
      const response = run();
      return isWrite ? broken() : response;
    };
  };

  test('on its way, the event shows that it was done', async () => {
    loseWrites();
    expect(await commander.cancel()).toMatchObject({ ok: true, value: { state: 'CANCELLED', version: 1 } });
    expect(await commander.told()).toEqual(CANCELLED);
  });

  test('before it was asked, it is 503 and was not done', async () => {
    commander.shard.wire.carry = ({ isWrite }, run) => (isWrite ? broken() : run());
    expect(await commander.cancel()).toEqual(AWAY);
    expect(await commander.told()).toEqual(UNTOUCHED);
  });

  test('and another one has done something at that version, it is 503: that event is not its own', async () => {
    commander.shard.wire.carry = async ({ isWrite }, run) => {
      if (!isWrite) return run();
      commander.shard.wire.carry = WELL;
      await commander.give({ name: 'APPROVE' }, commander.shard.process());
      return broken();
    };
    expect(await commander.cancel()).toEqual(AWAY);
    expect(await commander.told()).toEqual(['READY_FOR_DISPATCH', 1, 'created', 'approved']);
  });

  test('and nobody can be asked, it is 503', async () => {
    const seen = await commander.rowOf();
    commander.shard.wire.carry = ({ isWrite }, run) => {
      if (isWrite) run();
      return broken();
    };
    expect(await commander.cancel({}, seen)).toEqual(AWAY);
    commander.shard.wire.carry = WELL;
    expect(await commander.told()).toEqual(CANCELLED);
  });

  test('or no database answers from the beginning, it is 503 with and without a row seen before', async () => {
    const seen = await commander.rowOf();
    commander.shard.wire.carry = broken;
    expect(await commander.cancel()).toEqual(AWAY);
    expect(await commander.cancel({}, seen)).toEqual(AWAY);
    expect(await readShipment(commander.process.database, commander.shard.scope, commander.id)).toEqual(AWAY);
  });

  test('503 is answered at once: a write whose end is not known is not sent a second time', async () => {
    let writes = 0;
    const seen = await commander.rowOf();
    commander.shard.wire.carry = ({ isWrite }, run) => {
      writes += isWrite ? 1 : 0;
      return isWrite ? broken() : run();
    };
    expect(await commander.cancel({}, seen)).toEqual(AWAY);
    expect(writes).toBe(1);
  });
});
