import { beforeEach, describe, expect, test } from 'vitest';
import { newId, requireUuid } from '../../../../scripts/shared/seed-values.ts';
import type { ResolutionKind } from '../../../../src/contract/resolution-state.ts';
import { addSeconds } from '../../../../src/core/instant.ts';
import type { Result } from '../../../../src/core/result.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { unbound } from '../../../../src/domain/idempotency/once.ts';
import { addMessage, answerCase, decideCase } from '../../../../src/domain/shipments/change-case.ts';
import { openCase } from '../../../../src/domain/shipments/open-case.ts';
import { choose } from '../../../../src/domain/shipments/resolution-choice.ts';
import { returnItems } from '../../../../src/domain/shipments/returns.ts';
import { AWAY, broken } from '../../../support/dispatch/creator.ts';
import { type MemoryShard, openMemoryShard, WELL } from '../../../support/dispatch/memory-shard.ts';
import { addDriver, addShipment, atTheDoor, give, refusedAtTheDoor } from '../../../support/dispatch/shipments.ts';

/* What a program of a company decides after a delivery, when the answer of its commit is lost. Nothing of it is audited. */

let shard: MemoryShard;
let process: ReturnType<MemoryShard['process']>;
let driverId: Uuid;
beforeEach(async () => {
  shard = openMemoryShard();
  process = shard.process();
  driverId = await addDriver(shard, process);
  return () => shard.close();
});

/** The next write is executed or not, and its answer is lost. */
function loseNextWrite(isExecuted: boolean): void {
  shard.wire.carry = ({ isWrite }, run) => {
    if (!isWrite) return run();
    shard.wire.carry = WELL;
    if (isExecuted) run();
    return broken();
  };
}

const count = async (table: string) => (await shard.rows(`select count(*) from ${table}`)).flat()[0];

function choice(shipmentId: Uuid, kind: ResolutionKind) {
  const order = { shipmentId, kind, actor: 'MERCHANT', correlationId: newId(), bind: unbound } as const;
  return choose(process, shard.scope, order);
}

describe.each(['REDELIVER', 'RETURN', 'DISPOSE'] as const)('the choice %s with a lost answer', (kind) => {
  test('is answered as done if it was committed', async () => {
    const id = await refusedAtTheDoor(shard, process, driverId);
    loseNextWrite(true);
    const chosen = await choice(id, kind);
    const [row] = await shard.rows('select state, kind, follow_up_id from resolutions');
    const followUpId = chosen.ok ? (chosen.value.followUp?.id ?? null) : 'refused';
    expect(row).toEqual(['CHOSEN', kind, followUpId]);
    expect(followUpId === null).toBe(kind === 'DISPOSE');
    expect(await choice(id, kind)).toMatchObject({ ok: false, code: 'RESOLUTION_ALREADY_CHOSEN' });
  });

  test('is 503 if it was not committed', async () => {
    const id = await refusedAtTheDoor(shard, process, driverId);
    loseNextWrite(false);
    expect(await choice(id, kind)).toEqual(AWAY);
    expect(await choice(id, kind)).toMatchObject({ ok: true });
  });

  test('is 503 if another one was committed', async () => {
    const id = await refusedAtTheDoor(shard, process, driverId);
    shard.wire.carry = async ({ isWrite }, run) => {
      if (!isWrite) return run();
      shard.wire.carry = WELL;
      expect(await choice(id, kind)).toMatchObject({ ok: true });
      return broken();
    };
    const rival = shard.process();
    const order = { shipmentId: id, kind, actor: 'MERCHANT', correlationId: newId(), bind: unbound } as const;
    expect(await choose(rival, shard.scope, order)).toEqual(AWAY);
  });
});

describe('a return with a lost answer', () => {
  async function takeBack() {
    const id = await atTheDoor(shard, process, driverId);
    const delivered = await give(shard, process, id, { name: 'DELIVER', driverId });
    expect(delivered).toMatchObject({ ok: true });
    const now = shard.clock.now();
    return () =>
      returnItems(process, shard.scope, {
        shipmentId: id,
        externalReference: newId(),
        reasonCode: 'OTHER',
        items: [{ index: 0, quantity: 1 }],
        pickupWindowStart: addSeconds(now, 3600),
        pickupWindowEnd: addSeconds(now, 7200),
        correlationId: newId(),
        priceLimit: undefined,
        bind: unbound,
      });
  }

  test('is answered as done if it was committed', async () => {
    const back = await takeBack();
    loseNextWrite(true);
    const made = await back();
    expect(made).toMatchObject({ ok: true, value: { state: 'PENDING_APPROVAL' } });
    expect(await shard.rows('select shipment_id from follow_ups')).toEqual([[made.ok && made.value.id]]);
  });

  test('is 503 if it was not committed', async () => {
    const back = await takeBack();
    loseNextWrite(false);
    expect(await back()).toEqual(AWAY);
    expect(await count('follow_ups')).toBe(0);
  });
});

describe('a change of a case with a lost answer', () => {
  const ANY = { kind: 'any' } as const;
  const correlationId = newId();
  const OPERATOR = { personId: newId(), clientId: 'operations', address: null, requestId: newId() };

  async function opened(): Promise<Uuid> {
    const shipmentId = await addShipment(shard, process);
    const order = { shipmentId, kind: 'LATE', description: 'Late.', openedBy: 'MERCHANT', correlationId } as const;
    const made = await openCase(process, shard.scope, order, unbound);
    if (!made.ok) throw new Error(JSON.stringify(made));
    return requireUuid(made.value.caseId);
  }
  async function answered(): Promise<Uuid> {
    const caseId = await opened();
    const order = { caseId, text: 'Sorry.', outcome: 'EXPLAINED', precondition: ANY, correlationId } as const;
    await answerCase(process, { ...shard.scope, actor: OPERATOR }, order);
    return caseId;
  }
  const say = (caseId: Uuid, text: string, by = process) =>
    addMessage(by, shard.scope, { caseId, text, correlationId }, unbound);
  const decide = (caseId: Uuid, decision: 'ACCEPT' | 'DISPUTE' | 'WITHDRAW') =>
    decideCase(process, shard.scope, { caseId, decision, by: 'MERCHANT', precondition: ANY, correlationId });

  const CHANGES: [string, () => Promise<Uuid>, (caseId: Uuid) => Promise<Result<unknown>>, object][] = [
    ['a message', opened, (id) => say(id, 'Please.'), { state: 'OPEN', version: 1 }],
    ['an acceptance', answered, (id) => decide(id, 'ACCEPT'), { state: 'CLOSED', version: 2 }],
    ['a dispute', answered, (id) => decide(id, 'DISPUTE'), { state: 'DISPUTED', version: 2 }],
    ['a withdrawal', opened, (id) => decide(id, 'WITHDRAW'), { state: 'CLOSED', version: 1 }],
  ];
  test.each(CHANGES)('%s is answered as done if it was committed', async (_name, before, change, value) => {
    const id = await before();
    loseNextWrite(true);
    expect(await change(id)).toMatchObject({ ok: true, value });
  });

  test.each(CHANGES)('%s is 503 if it was not committed', async (_name, before, change, value) => {
    const id = await before();
    loseNextWrite(false);
    expect(await change(id)).toEqual(AWAY);
    expect(await change(id)).toMatchObject({ ok: true, value });
  });

  test('a message is 503 if another one was committed as that version', async () => {
    const id = await opened();
    shard.wire.carry = async ({ isWrite }, run) => {
      if (!isWrite) return run();
      shard.wire.carry = WELL;
      expect(await say(id, 'Faster.', shard.process())).toMatchObject({ ok: true });
      return broken();
    };
    expect(await say(id, 'Please.')).toEqual(AWAY);
  });
});
