import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { executeCommand, readShipment } from '../../../../src/domain/shipments/command.ts';
import { CANCELLED, openCommander, UNTOUCHED } from '../../../support/dispatch/commander.ts';
import { AWAY, broken } from '../../../support/dispatch/creator.ts';
import { WELL } from '../../../support/dispatch/memory-shard.ts';

/* Commands on a shipment with concurrent commands, with stale rows, and with lost answers of the database. */

type Commander = Awaited<ReturnType<typeof openCommander>>;
let commander: Commander;
beforeEach(async () => {
  commander = await openCommander();
});
afterEach(() => commander.shard.close());

describe('a row that was read before', () => {
  test('saves a read', async () => {
    const seen = await commander.rowOf();
    commander.shard.wire.carry = ({ isWrite }, run) => (isWrite ? run() : broken());
    expect(await commander.cancel({}, seen)).toMatchObject({ ok: true, value: { version: 1 } });
  });

  test('is never a reason to refuse: a refusal is based on the current row', async () => {
    const seen = await commander.rowOf();
    await commander.approve();
    await commander.give({ name: 'GIVE_UP', reasonCode: 'NO_DRIVER' });
    // The stale row would refuse this: its state is PENDING_APPROVAL and its version is not 2.
    const retry = {
      command: { name: 'RETRY_DISPATCH', serviceLevelCode: 'STANDARD' },
      precondition: { kind: 'versions', versions: [2] },
    } as const;
    expect(await commander.cancel(retry, seen)).toMatchObject({
      ok: true,
      value: { state: 'READY_FOR_DISPATCH', version: 3 },
    });
    expect(await commander.cancel({ precondition: { kind: 'versions', versions: [0] } }, seen)).toMatchObject({
      code: 'PRECONDITION_FAILED',
      members: { currentVersion: 3 },
    });
  });

  test('that is stale costs a second attempt', async () => {
    const seen = await commander.rowOf();
    await commander.approve();
    expect(await commander.cancel({}, seen)).toMatchObject({ ok: true, value: { state: 'CANCELLED', version: 2 } });
    expect(await commander.told()).toEqual(['CANCELLED', 2, 'created', 'approved', 'cancelled']);
  });
});

describe('with concurrent commands', () => {
  /** Runs one of these just before each write arrives. */
  function beforeWrites(...happenings: (() => Promise<unknown>)[]): void {
    commander.shard.wire.carry = async ({ isWrite }, run) => {
      if (isWrite) await happenings.shift()?.();
      return run();
    };
  }
  const rival = () => commander.shard.process();

  test('the later command is decided again on the result of the first', async () => {
    beforeWrites(() => executeCommand(rival(), commander.shard.scope, commander.order()));
    expect(await commander.approve()).toEqual({
      ok: false,
      code: 'INVALID_STATE_TRANSITION',
      members: { currentState: 'CANCELLED' },
    });
    expect(await commander.told()).toEqual(CANCELLED);
  });

  test('the later command is applied after the first, and both have their events', async () => {
    beforeWrites(() => commander.give({ name: 'APPROVE' }, rival()));
    expect(await commander.cancel()).toMatchObject({ ok: true, value: { state: 'CANCELLED', version: 2 } });
    expect(await commander.told()).toEqual(['CANCELLED', 2, 'created', 'approved', 'cancelled']);
  });

  test('a command that always loses is 503 and has no effect', async () => {
    const bump = () => commander.shard.rows('UPDATE shipments SET version = version + 1');
    beforeWrites(bump, bump, bump, bump, bump);
    expect(await commander.cancel()).toEqual(AWAY);
    expect(await commander.told()).toMatchObject(['PENDING_APPROVAL', expect.any(Number), 'created']);
  });

  test('a command may lose twice and still succeed', async () => {
    const bump = () => commander.shard.rows('UPDATE shipments SET version = version + 1');
    beforeWrites(bump, bump);
    expect(await commander.cancel()).toMatchObject({ ok: true, value: { state: 'CANCELLED', version: 3 } });
  });
});

describe('when the answer of a commit is lost', () => {
  const loseWrites = () => {
    commander.shard.wire.carry = ({ isWrite }, run) => {
      const response = run();
      return isWrite ? broken() : response;
    };
  };

  test('and it was committed, its event proves the command', async () => {
    loseWrites();
    expect(await commander.cancel()).toMatchObject({ ok: true, value: { state: 'CANCELLED', version: 1 } });
    expect(await commander.told()).toEqual(CANCELLED);
  });

  test('and it was not committed, the command is 503', async () => {
    commander.shard.wire.carry = ({ isWrite }, run) => (isWrite ? broken() : run());
    expect(await commander.cancel()).toEqual(AWAY);
    expect(await commander.told()).toEqual(UNTOUCHED);
  });

  test('and another command created an event with that version, the command is 503', async () => {
    commander.shard.wire.carry = async ({ isWrite }, run) => {
      if (!isWrite) return run();
      commander.shard.wire.carry = WELL;
      await commander.give({ name: 'APPROVE' }, commander.shard.process());
      return broken();
    };
    expect(await commander.cancel()).toEqual(AWAY);
    expect(await commander.told()).toEqual(['READY_FOR_DISPATCH', 1, 'created', 'approved']);
  });

  test('and its event cannot be read, the command is 503', async () => {
    const seen = await commander.rowOf();
    commander.shard.wire.carry = ({ isWrite }, run) => {
      if (isWrite) run();
      return broken();
    };
    expect(await commander.cancel({}, seen)).toEqual(AWAY);
    commander.shard.wire.carry = WELL;
    expect(await commander.told()).toEqual(CANCELLED);
  });

  test('because the database never answers, the command is 503 with and without a row', async () => {
    const seen = await commander.rowOf();
    commander.shard.wire.carry = broken;
    expect(await commander.cancel()).toEqual(AWAY);
    expect(await commander.cancel({}, seen)).toEqual(AWAY);
    expect(await readShipment(commander.process.database, commander.shard.scope, commander.id)).toEqual(AWAY);
  });

  test('503 is answered at once, and a write with unknown outcome is not sent again', async () => {
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
