import { beforeEach, expect, test } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import { LINK_PERMISSIONS } from '../../../../src/contract/recipient-state.ts';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { decideAmendment } from '../../../../src/domain/shipments/amendment-decision.ts';
import { requestAmendment } from '../../../../src/domain/shipments/amendment-request.ts';
import { executeCommand } from '../../../../src/domain/shipments/command.ts';
import { pin } from '../../../support/dispatch/amendments.ts';
import { type MemoryShard, openMemoryShard, WELL } from '../../../support/dispatch/memory-shard.ts';
import { addDriver, addShipment, give, offerTo } from '../../../support/dispatch/shipments.ts';

/* A decision of the company about a change of the recipient, while the shipment goes on. */

let shard: MemoryShard;
let process: ReturnType<MemoryShard['process']>;
let driverId: Uuid;
let shipmentId: Uuid;
let amendmentId: Uuid;
beforeEach(async () => {
  shard = openMemoryShard();
  process = shard.process();
  driverId = await addDriver(shard, process);
  shipmentId = await addShipment(shard, process);
  await give(shard, process, shipmentId, { name: 'APPROVE' });
  await give(shard, process, shipmentId, offerTo(shard, driverId));
  await give(shard, process, shipmentId, { name: 'ACCEPT', driverId });
  const asked = await requestAmendment(process, shard.scope, {
    shipmentId,
    request: pin('24.9'),
    asker: { actor: 'RECIPIENT', permissions: LINK_PERMISSIONS },
    precondition: { kind: 'any' },
    correlationId: newId(),
    priceLimit: literalDecimal('0'),
  });
  if (!asked.ok) throw new Error(asked.code);
  amendmentId = asked.value.id;
  return () => shard.close();
});

/** Rejects the change, while something happens just before the first write. */
function reject(happening: () => Promise<unknown>) {
  shard.wire.carry = async ({ isWrite }, run) => {
    if (!isWrite) return run();
    shard.wire.carry = WELL;
    await happening();
    return run();
  };
  return decideAmendment(
    { ...process, lane: { execute: (scope, order) => executeCommand(process, scope, order) } },
    shard.scope,
    { shipmentId, amendmentId, decision: 'REJECT', precondition: { kind: 'any' }, correlationId: newId() },
  );
}
const told = () =>
  shard.rows(
    `select body ->> '$.data.shipment.state', body ->> '$.data.shipment.version', version from events
     join shipments on shipments.id = events.shipment_id where type = 'shipment.amendment_decided'`,
  );

test('a rejection tells the shipment as it is, also if its driver picks it up meanwhile', async () => {
  const pickUp = () => give(shard, shard.process(), shipmentId, { name: 'PICK_UP', driverId });
  expect(await reject(pickUp)).toMatchObject({ ok: true, value: { state: 'REJECTED' } });
  expect(await told()).toEqual([['PICKED_UP', 4, 4]]);
});

test('a rejection is too late once the shipment is cancelled, and tells nothing', async () => {
  const cancel = () => give(shard, shard.process(), shipmentId, { name: 'CANCEL', reasonCode: 'OTHER', comment: null });
  expect(await reject(cancel)).toMatchObject({ ok: false, code: 'AMENDMENT_NOT_ALLOWED' });
  expect(await told()).toEqual([]);
});
