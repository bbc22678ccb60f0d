import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import type { LinkPermission } from '../../../../src/contract/recipient-state.ts';
import type { RETURN_REASONS } from '../../../../src/contract/resolution-state.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { askReturn, rejectReturn } from '../../../../src/domain/recipients/return-request.ts';
import { recipientsForgotten } from '../../../../src/domain/shipments/forget-store.ts';
import { shipmentById } from '../../../../src/domain/shipments/store.ts';
import { broken } from '../../../support/dispatch/creator.ts';
import { type MemoryShard, openMemoryShard, WELL } from '../../../support/dispatch/memory-shard.ts';
import { addDriver, atTheDoor, give } from '../../../support/dispatch/shipments.ts';

/* Requests for returns whose answer is lost, and two at once. */

let shard: MemoryShard;
let process: ReturnType<MemoryShard['process']>;
let id: Uuid;
beforeEach(async () => {
  shard = openMemoryShard();
  process = shard.process();
  const driverId = await addDriver(shard, process);
  id = await atTheDoor(shard, process, driverId);
  expect(await give(shard, process, id, { name: 'DELIVER', driverId })).toMatchObject({ ok: true });
  return () => shard.close();
});

async function ask(reasonCode: (typeof RETURN_REASONS)[number] = 'DAMAGED', store = process) {
  const rows = await process.database.read(shipmentById(shard.scope, id));
  const [shipment] = rows.ok ? rows.rows : [];
  if (shipment === undefined) throw new Error('No shipment');
  const permissions: LinkPermission[] = ['RETURN'];
  const linked = {
    ...{ scope: shard.scope, store, shipment, now: shard.clock.now() },
    link: { id: newId(), permissions, merchantName: 'Sara’s shop', locale: null },
  };
  return askReturn(process, linked, { correlationId: newId(), reasonCode, partOfDay: 'EVENING' });
}
const reject = (by = process) => rejectReturn(by, shard.scope, id);
const events = () => shard.rows("select type from events where type = 'return.requested'");
const LIMIT = { ok: false, code: 'AMENDMENT_NOT_ALLOWED', members: { reason: 'LIMIT_REACHED' } };
const asked = (isRepeated: boolean) => ({ ok: true, value: { request: { state: 'AWAITING_MERCHANT' }, isRepeated } });

/** Another process does something right before the next write. */
function beforeNextWrite(act: (rival: typeof process) => Promise<unknown>) {
  shard.wire.carry = async ({ isWrite }, run) => {
    if (!isWrite) return run();
    shard.wire.carry = WELL;
    await act(shard.process());
    return run();
  };
}

describe('a wish', () => {
  test('whose answer from the database is lost is answered as made, if it was', async () => {
    shard.wire.carry = ({ isWrite }, run) => {
      const response = run();
      return isWrite ? broken() : response;
    };
    expect(await ask()).toMatchObject(asked(false));
    expect(await events()).toHaveLength(1);
  });

  test('that never came to the database is 503, and can be sent again', async () => {
    shard.wire.carry = ({ isWrite }, run) => (isWrite ? broken() : run());
    expect(await ask()).toMatchObject({ ok: false, code: 'SERVICE_UNAVAILABLE' });
    shard.wire.carry = WELL;
    expect(await ask()).toMatchObject(asked(false));
  });

  test('that is sent again while it waits is the request that waits, and another one is refused', async () => {
    const first = await ask();
    shard.clock.advance(60);
    expect(await ask()).toMatchObject(asked(true));
    expect(await ask()).toMatchObject({ value: { request: first.ok ? first.value.request : undefined } });
    expect(await ask('WRONG_ITEM')).toMatchObject(LIMIT);
    expect(await events()).toHaveLength(1);
  });

  test.each([
    ['the same', 'DAMAGED', asked(true)],
    ['another', 'WRONG_ITEM', LIMIT],
  ] as const)('that comes second to %s is answered by what waits then', async (_, reasonCode, answer) => {
    beforeNextWrite((rival) => ask('DAMAGED', rival));
    expect(await ask(reasonCode)).toMatchObject(answer);
    expect(await events()).toHaveLength(1);
  });
});

describe('a rejection that comes second', () => {
  test('to another one is answered like one that is repeated', async () => {
    await ask();
    beforeNextWrite((rival) => reject(rival));
    expect(await reject()).toMatchObject({ ok: true, value: { state: 'REJECTED' } });
  });

  test('to a new wish is 409 with what the request is', async () => {
    await ask();
    const later = 'update recipient_replies set return_asked_at = return_asked_at + 1';
    beforeNextWrite(() => shard.rows(later));
    expect(await reject()).toMatchObject({
      ...{ ok: false, code: 'AMENDMENT_NOT_ALLOWED', members: { reason: 'AWAITING_MERCHANT' } },
    });
  });
});

test('once the recipient is forgotten, it is too late to ask', async () => {
  await process.writer.commit({ statements: recipientsForgotten([id], process.clock.now()) });
  expect(await ask()).toMatchObject({ ok: false, code: 'AMENDMENT_NOT_ALLOWED', members: { reason: 'TOO_LATE' } });
});
