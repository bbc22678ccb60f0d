import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import type { ShipmentRequest } from '../../../../src/contract/shipment.ts';
import { AWAY, broken, createdOf, NOTHING, ONE, openCreator } from '../../../support/dispatch/creator.ts';
import { WELL } from '../../../support/dispatch/memory-shard.ts';
import { scopeOf } from '../../../support/dispatch/test-shard.ts';

/* Creations with lost answers and concurrent creations: never two shipments, never a guessed answer. */

let creator: ReturnType<typeof openCreator>;
beforeEach(() => {
  creator = openCreator();
});
afterEach(() => creator.shard.close());

const REUSED = { ok: false, code: 'IDEMPOTENCY_KEY_REUSED' };

describe('a creation with a lost answer', () => {
  test('is answered as the first one if it was committed, because its key is found', async () => {
    const { shard, create, stored } = creator;
    shard.wire.carry = ({ isWrite }, run) => {
      const response = run();
      return isWrite ? broken() : response;
    };
    const first = await createdOf(create());
    expect(first.isReplay).toBe(false);
    expect(await stored()).toEqual(ONE);
    shard.wire.carry = WELL;
    expect(await createdOf(create())).toEqual({ ...first, isReplay: true });
  });

  test('is 503 if it was not committed; nothing is stored and the key is free', async () => {
    const { shard, create, stored } = creator;
    shard.wire.carry = ({ isWrite }, run) => (isWrite ? broken() : run());
    expect(await create()).toEqual(AWAY);
    expect(await stored()).toEqual(NOTHING);
    shard.wire.carry = WELL;
    expect((await createdOf(create())).isReplay).toBe(false);
  });

  test('is 503 if its outcome cannot be read, and a retry with the key finds it later', async () => {
    const { shard, create, stored } = creator;
    let hasWritten = false;
    shard.wire.carry = ({ isWrite }, run) => {
      if (hasWritten) broken();
      const response = run();
      if (!isWrite) return response;
      hasWritten = true;
      return broken();
    };
    expect(await create()).toEqual(AWAY);
    expect(await stored()).toEqual(ONE);
    shard.wire.carry = WELL;
    expect((await createdOf(create())).isReplay).toBe(true);
  });

  test('is answered with another request’s shipment if that bound the key meanwhile', async () => {
    const { shard, create, stored } = creator;
    const rival = shard.process();
    let isRivals = false;
    shard.wire.carry = async ({ isWrite }, run) => {
      if (!isWrite || isRivals) return run();
      isRivals = true;
      expect(await create({}, { by: rival })).toMatchObject({ ok: true, value: { isReplay: false } });
      return broken();
    };
    expect(await create()).toMatchObject({ ok: true, value: { isReplay: true } });
    isRivals = false;
    expect(await create({ externalReference: 'another' })).toEqual(REUSED);
    expect(await stored()).toEqual(ONE);
  });
});

describe('concurrent creations with one key', () => {
  test('create one shipment, and all return it', async () => {
    const { create, stored } = creator;
    const answers = await Promise.all(Array.from({ length: 5 }, () => createdOf(create())));
    expect(answers.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    expect(new Set(answers.map(({ shipment }) => shipment.shipmentId)).size).toBe(1);
    expect(await stored()).toEqual(ONE);
  });

  /** Two creations in one process, whose first write fails once both have reached the writer. */
  function bothBroken(changes: Partial<ShipmentRequest>, order: Parameters<typeof creator.create>[1]) {
    const { shard, process, create } = creator;
    const { promise: bothCame, resolve } = Promise.withResolvers<void>();
    let came = 0;
    const commit: typeof process.writer.commit = (request) => {
      came += 1;
      if (came === 2) resolve();
      return process.writer.commit(request);
    };
    const by = { ...process, writer: { commit } };
    shard.wire.carry = async ({ isWrite }, run) => {
      if (!isWrite) return run();
      await bothCame;
      return broken();
    };
    return Promise.all([create({}, { by }), create(changes, { ...order, by })]);
  }

  test('are 409 in progress while the outcome of the first is unknown', async () => {
    const inProgress = { ok: false, code: 'IDEMPOTENCY_REQUEST_IN_PROGRESS', retryAfterSeconds: 1 };
    // Either may come first: each waits for a digest, which another thread computes.
    const answers = await bothBroken({}, {});
    expect(answers).toHaveLength(2);
    expect(answers).toEqual(expect.arrayContaining([AWAY, inProgress]));
  });

  test('but of another client or key are not affected', async () => {
    const scope = scopeOf(creator.shard.scope.companyId, 'mcl_sibling');
    const externalReference = 'other';
    expect(await bothBroken({ externalReference }, { scope })).toEqual([AWAY, AWAY]);
    expect(await bothBroken({ externalReference }, { idempotencyKey: newId() })).toEqual([AWAY, AWAY]);
  });
});
