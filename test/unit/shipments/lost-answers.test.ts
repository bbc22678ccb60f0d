import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WELL } from '../../../scripts/shared/dispatch/memory-shard.ts';
import { scopeOf } from '../../../scripts/shared/dispatch/test-shard.ts';
import { newId } from '../../../scripts/shared/seed-values.ts';
import type { ShipmentRequest } from '../../../src/contract/shipment.ts';
import { AWAY, broken, createdOf, NOTHING, ONE, openCreator } from '../../support/dispatch/creator.ts';

/* Creations of which an answer was lost, and creations that meet: never two shipments, never a guess. */

let creator: ReturnType<typeof openCreator>;
beforeEach(() => {
  creator = openCreator();
});
afterEach(() => creator.shard.close());

const REUSED = { ok: false, code: 'IDEMPOTENCY_KEY_REUSED' };

describe('an answer that was lost', () => {
  test('on its way: the shipment is found by its key, and answered as the first', async () => {
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

  test('before it was asked: 503, nothing is stored, and the key is free', async () => {
    const { shard, create, stored } = creator;
    shard.wire.carry = ({ isWrite }, run) => (isWrite ? broken() : run());
    expect(await create()).toEqual(AWAY);
    expect(await stored()).toEqual(NOTHING);
    shard.wire.carry = WELL;
    expect((await createdOf(create())).isReplay).toBe(false);
  });

  test('and nobody can be asked what became of it: 503, and the same key finds it later', async () => {
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

  test('to a request whose key another one has bound meanwhile: that one’s answer counts', async () => {
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

describe('the same key at once', () => {
  test('makes one shipment; the others get its answer', async () => {
    const { create, stored } = creator;
    const answers = await Promise.all(Array.from({ length: 5 }, () => createdOf(create())));
    expect(answers.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    expect(new Set(answers.map(({ shipment }) => shipment.shipmentId)).size).toBe(1);
    expect(await stored()).toEqual(ONE);
  });

  /** Two creations of one process, whose first write breaks when both have come to its writer. */
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

  test('is in progress for the second while nobody knows what became of the first', async () => {
    const inProgress = { ok: false, code: 'IDEMPOTENCY_REQUEST_IN_PROGRESS', retryAfterSeconds: 1 };
    expect(await bothBroken({}, {})).toEqual([AWAY, inProgress]);
  });

  test('of another client, and another key, is nothing to wait for', async () => {
    const scope = scopeOf(creator.shard.scope.companyId, 'mcl_sibling');
    const externalReference = 'other';
    expect(await bothBroken({ externalReference }, { scope })).toEqual([AWAY, AWAY]);
    expect(await bothBroken({ externalReference }, { idempotencyKey: newId() })).toEqual([AWAY, AWAY]);
  });
});
