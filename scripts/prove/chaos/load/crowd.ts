import { setTimeout as delay } from 'node:timers/promises';
import type { Dice } from '../../../shared/dice.ts';
import { SHIPMENTS } from '../../../shared/merchant.ts';
import { Caller, type Line, pickRecent, shipmentPath } from './caller.ts';
import { bodyOf, draftOf } from './creation-bodies.ts';
import { Driver } from './driver.ts';
import { AUDITOR, type BatchBody, memberOf, nextCursorOf } from './history.ts';
import { MerchantClient } from './merchant.ts';
import type { RoundCompany, RoundSetup } from './round-setup.ts';

export const CLIENTS = 16;

interface Living {
  readonly diceOf: (client: number) => Dice;
  /** The prefix of every reference and key of the round. */
  readonly prefix: string;
  readonly isOver: () => boolean;
}

/** One driver for each company; the other clients are merchants' systems. Resolves when each has its last answer. */
export async function liveAll({ actors }: RoundSetup, line: Line, { diceOf, prefix, isOver }: Living): Promise<void> {
  const clients = Array.from({ length: CLIENTS }, (_, index) => {
    const actor = actors[index % actors.length];
    if (actor === undefined) throw new Error('There is no company');
    const caller = new Caller(String(index), actor, diceOf(index), line);
    return index < actors.length ? new Driver(caller) : new MerchantClient(caller, prefix);
  });
  await Promise.all(clients.map((client) => client.live(isOver)));
}

const PROBE = { patienceMs: 1000, everyMs: 20, withinMs: 30_000 };

/** Repeats one creation until it succeeds. Rejects if it never does. */
export async function untilWorking(prober: Caller, name: string): Promise<void> {
  const draft = draftOf(prober.dice, name);
  const key = `${name}-of-${prober.actor.company.companyId}`;
  const overAt = performance.now() + PROBE.withinMs;
  for (;;) {
    const ask = { operation: 'create', path: SHIPMENTS, key, draft, body: bodyOf(draft) } as const;
    const { outcome, text } = await prober.ask(ask, PROBE.patienceMs);
    if (outcome === 'ok') return;
    if (performance.now() > overAt) throw new Error(`The service did not recover; the answer of ${name} was: ${text}`);
    await delay(PROBE.everyMs);
  }
}

/** What the service may take for a batch of known items. */
const BATCH_PATIENCE_MS = 30_000;

/** Reads every batch, after it has sent the items of one again in another batch. */
export async function auditBatches(
  { actors }: RoundSetup,
  line: Line,
  diceOf: (client: number) => Dice,
): Promise<void> {
  const auditOne = async (actor: RoundCompany, index: number) => {
    const caller = new Caller(AUDITOR, actor, diceOf(CLIENTS + 1 + index), line);
    const merchant = new MerchantClient(caller, `batches-${actor.company.companyId}`);
    const { batchId, batch } = actor.batches.findLast((known) => isMeantToCreate(known.batch)) ?? {};
    if (batch !== undefined) {
      const overAt = performance.now() + BATCH_PATIENCE_MS;
      const again = await merchant.sendBatch(batch, batchId);
      const id = memberOf(again.answer, 'batchId');
      while (id !== undefined && performance.now() < overAt) {
        await delay(PROBE.everyMs);
        if ((await merchant.readBatch(id, AUDIT_PATIENCE_MS)) !== 'RUNNING') break;
      }
    }
    for (const known of actor.batches) await merchant.listItems(known.batchId, AUDIT_PATIENCE_MS);
  };
  await Promise.all(actors.map(auditOne));
}

function isMeantToCreate({ mode, onInvalid }: BatchBody): boolean {
  return mode === 'CREATE' && onInvalid === 'SKIP';
}

const AUDIT_PATIENCE_MS = 10_000;
const LOOKS_MAX = 12;

/** When all work is finished, lists all shipments and reads some of them again. */
export async function audit({ actors }: RoundSetup, line: Line, dice: Dice): Promise<void> {
  for (const actor of actors) {
    const caller = new Caller(AUDITOR, actor, dice, line);
    const merchant = new MerchantClient(caller, `audit-${actor.company.companyId}`);
    const last = await merchant.walk(100, AUDIT_PATIENCE_MS);
    if (last.outcome !== 'ok' || nextCursorOf(last.answer) !== undefined) {
      throw new Error(`After the load a list was answered ${last.status}: ${last.text}`);
    }
    for (const { linkId, token } of actor.links.slice(-LOOKS_MAX)) await merchant.follow(linkId, token);
    for (let look = 0; look < LOOKS_MAX; look += 1) {
      const shipmentId = pickRecent(dice, actor.shipments)?.shipmentId;
      if (shipmentId === undefined) return;
      await caller.ask({ operation: 'get', path: shipmentPath(shipmentId), shipmentId }, AUDIT_PATIENCE_MS);
    }
  }
}
