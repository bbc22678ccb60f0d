import { setTimeout as delay } from 'node:timers/promises';
import type { Dice } from '../../../shared/dice.ts';
import { type Cluster, type FaultTarget, TARGETS } from './cluster.ts';

/**
 * What can be done to the service or a database:
 * - `kill`: SIGKILL, and a restart after a while.
 * - `stop`: SIGSTOP, and SIGCONT after a while. It then handles late what had reached it.
 * - `replace` (service): stopped while another takes over, then continued beside it for a while and killed.
 * - `cut`: every connection to it is reset.
 * - `cut_answer`: an answer is cut in the middle, so the request is done and the client does not know.
 * - `hold`: no byte passes for a while, then all of them do.
 */
export const FAULT_KINDS = ['kill', 'stop', 'replace', 'cut', 'cut_answer', 'hold'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly kind: FaultKind;
  readonly target: FaultTarget;
  /** From the start of the load. */
  readonly atMs: number;
  readonly lastsMs: number;
  /** How many bytes of answers pass before one is cut. */
  readonly answerBytes: number;
}

/** When faults may begin. The rest of the load shows their effects. */
const BEGIN_MS = { min: 300, max: 2000 };
/** Around the deadlines of reads and commits (2 s and 3 s). */
const LASTS_MS = { min: 100, max: 3000 };
/** Past those deadlines and past looking an outcome up: the work happens after its client got 503. */
const LASTS_LONG_MS = { min: 3000, max: 5500 };
const ANSWER_BYTES_MAX = 4000;

/** One to three faults, each on another target. The dice decide everything. */
export function planFaults(dice: Dice): Fault[] {
  const count = Number(dice.pick({ '1': 2, '2': 2, '3': 1 }));
  const left = new Set<FaultTarget>(TARGETS);
  const faults: Fault[] = [];
  while (faults.length < count) {
    const weights: Partial<Record<FaultTarget, number>> = { service: 4, 'shard-1': 3, 'shard-2': 2, directory: 1 };
    const target = dice.pick(Object.fromEntries([...left].map((one) => [one, weights[one] ?? 1])) as typeof weights);
    left.delete(target);
    const kind = dice.pick<FaultKind>({
      kill: 4,
      stop: 3,
      cut: 2,
      cut_answer: 3,
      hold: 2,
      ...(target === 'service' ? { replace: 3 } : {}),
    });
    const atMs = Math.round(dice.between(BEGIN_MS.min, BEGIN_MS.max));
    const isLong = (kind === 'stop' || kind === 'hold') && dice.roll() < 0.35;
    const lasts = isLong ? LASTS_LONG_MS : LASTS_MS;
    const lastsMs = Math.round(dice.between(lasts.min, lasts.max));
    faults.push({ kind, target, atMs, lastsMs, answerBytes: Math.round(dice.between(0, ANSWER_BYTES_MAX)) });
  }
  return faults.toSorted((one, other) => one.atMs - other.atMs);
}

/** Waits for the fault's time, causes it and repairs it. Resolves when the target has been started again. */
export async function injectFault(cluster: Cluster, fault: Fault): Promise<void> {
  await delay(fault.atMs);
  const proxy = cluster.proxy(fault.target);
  switch (fault.kind) {
    case 'kill':
      return kill(cluster, fault);
    case 'stop':
      return standStill(cluster, fault);
    case 'replace':
      return replace(cluster, fault);
    case 'cut':
      proxy.cut();
      return;
    case 'cut_answer':
      proxy.cutAnswerAfter(fault.answerBytes);
      await delay(fault.lastsMs);
      proxy.release();
      return;
    case 'hold':
      proxy.hold();
      await delay(fault.lastsMs);
      proxy.release();
  }
}

async function kill(cluster: Cluster, { target, lastsMs }: Fault): Promise<void> {
  if (target === 'service') {
    await cluster.service().kill();
    await delay(lastsMs / AWAY_DIVISOR);
    await insist(() => cluster.startAgain());
    return;
  }
  const server = cluster.database(target);
  await server.kill();
  await delay(lastsMs / AWAY_DIVISOR);
  await insist(() => server.restart());
}

/** A dead process refuses connections at once, so it needs less time to show its effects. */
const AWAY_DIVISOR = 3;

async function standStill(cluster: Cluster, { target, lastsMs }: Fault): Promise<void> {
  if (target === 'service') {
    const service = cluster.service();
    service.signal('SIGSTOP');
    await delay(lastsMs);
    service.signal('SIGCONT');
    return;
  }
  const server = cluster.database(target);
  server.pause();
  await delay(lastsMs);
  server.resume();
}

/** How long the resumed process works beside its successor. */
const BESIDE_MS = 700;

async function replace(cluster: Cluster, { lastsMs }: Fault): Promise<void> {
  const old = cluster.service();
  old.signal('SIGSTOP');
  await insist(() => cluster.startElsewhere());
  await delay(lastsMs / AWAY_DIVISOR);
  old.signal('SIGCONT');
  await delay(BESIDE_MS);
  await old.kill();
}

const STARTS_MAX = 4;
const AGAIN_MS = 300;

/** Retries a start: another program may have taken the port meanwhile. */
async function insist(start: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start();
    } catch (error) {
      if (tries === STARTS_MAX) throw error;
      await delay(AGAIN_MS);
    }
  }
}
