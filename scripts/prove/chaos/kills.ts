import type { Dice } from '../../shared/dice.ts';
import { until } from '../../shared/until.ts';
import type { Cluster } from './cluster/cluster.ts';
import { injectFault } from './cluster/faults.ts';
import { Caller, type Line } from './load/caller.ts';
import { Driver, type End } from './load/driver.ts';
import { memberOf } from './load/history.ts';
import { MerchantClient } from './load/merchant.ts';
import type { RoundSetup } from './load/round-setup.ts';

/* Kills at a chosen moment, which the dice of faults seldom hit. */

const KILL_WITHIN_MS = 60_000;
/** The service runs 50 items, 16 at once, and the others a second later. So it cannot end before it is killed. */
const BATCH_ITEMS = 80;
const ENDED_MAX = 45;
const LEFT_MIN = 20;

/** Starts a batch, and kills the service in the middle of it. */
export async function killInBatch(cluster: Cluster, { actors }: RoundSetup, line: Line, dice: Dice): Promise<number> {
  const [actor] = actors;
  if (actor === undefined) throw new Error('There is no company');
  const merchant = new MerchantClient(new Caller('killer', actor, dice, line), 'killed');
  const count =
    "select sum(state = 'PENDING') as pending, sum(state <> 'PENDING') as ended from shipment_batch_items where batch_id = ?";
  const endedMin = dice.between(1, ENDED_MAX);
  let batchId: string | undefined;
  const look = async () => {
    // The company may have two running batches already.
    if (batchId === undefined) {
      const items = merchant.itemsOfBatch(BATCH_ITEMS);
      const { answer } = await merchant.sendBatch({ mode: 'CREATE', onInvalid: 'SKIP', items });
      batchId = memberOf(answer, 'batchId');
      return undefined;
    }
    const [row] = await cluster.environment.sql(actor.company.shard, count, [batchId]);
    const [pending, ended] = [Number(row?.['pending']), Number(row?.['ended'])];
    if (pending < LEFT_MIN) batchId = undefined;
    return pending >= LEFT_MIN && ended >= endedMin ? true : undefined;
  };
  await until('a batch is in the middle', look, { withinMs: KILL_WITHIN_MS, everyMs: 10 });
  await kill(cluster, dice);
  return 1;
}

function kill(cluster: Cluster, dice: Dice): Promise<void> {
  const lastsMs = dice.between(100, 3000);
  return injectFault(cluster, { kind: 'kill', target: 'service', atMs: 0, lastsMs, answerBytes: 0 });
}

/**
 * Kills the service after it has stored what happened at the door and before the driver has the answer. Then the phone repeats
 * the action, and is answered as if nothing had happened.
 */
export async function killAtDoor(cluster: Cluster, { actors }: RoundSetup, line: Line, dice: Dice): Promise<number> {
  const [actor] = actors;
  if (actor === undefined) throw new Error('There is no company');
  const driver = new Driver(new Caller('door', actor, dice, line));
  const reach = () => driver.reachDoor();
  const shipmentId = await until('a parcel is at the door', reach, { withinMs: KILL_WITHIN_MS, everyMs: 50 });
  const proxy = cluster.proxy('service');
  // One cut ends with one answer, and tracking pages get some too.
  const cutting = setInterval(() => proxy.cutAnswerAfter(0), 1);
  proxy.cutAnswerAfter(0);
  try {
    const { ask, answered } = driver.end(shipmentId, dice.pick<End>({ SIGNED: 2, REFUSED: 1, LOST: 1 }));
    const look = async () => {
      const [row] = await cluster.environment.sql(actor.company.shard, 'select state from shipments where id = ?', [
        shipmentId,
      ]);
      return row?.['state'] === 'OUT_FOR_DELIVERY' ? undefined : true;
    };
    await until('the end is stored', look, { withinMs: KILL_WITHIN_MS, everyMs: 5 });
    await kill(cluster, dice);
    const { outcome } = await answered;
    clearInterval(cutting);
    proxy.release();
    const { status } = await driver.repeat(ask);
    return outcome === 'unknown' && status === 200 ? 1 : 0;
  } finally {
    clearInterval(cutting);
    proxy.release();
  }
}
