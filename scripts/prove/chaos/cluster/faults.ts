import { setTimeout as delay } from 'node:timers/promises';
import type { Dice } from '../../../shared/dice.ts';
import { type Cluster, TARGETS, type Target } from './cluster.ts';

/**
 * What can be done to the service or a database:
 * - `kill`: SIGKILL, and started again after a while.
 * - `stop`: SIGSTOP, and SIGCONT after a while. What had reached it is then done late.
 * - `replace` (service): stopped while another takes over, and continued beside it for a while before it is killed.
 * - `cut`: every connection to it is reset.
 * - `cut_answer`: an answer is cut in its midst, so that what was asked is done and nobody hears of it.
 * - `hold`: nothing passes either way for a while, and then all of it.
 */
export const FAULT_KINDS = ['kill', 'stop', 'replace', 'cut', 'cut_answer', 'hold'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly kind: FaultKind;
  readonly target: Target;
  /** After the beginning of the load. */
  readonly atMs: number;
  readonly lastsMs: number;
  /** What still passes of the answers before one is cut. */
  readonly answerBytes: number;
}

/** When faults may begin. The rest of the load meets what they left. */
const BEGIN_MS = { min: 300, max: 2000 };
/** Within the deadlines of reads and commits (2 and 3 s). */
const LASTS_MS = { min: 100, max: 3000 };
/** Past them, and past reading back too: what was given up is then done after everybody was told so. */
const LASTS_LONG_MS = { min: 3000, max: 5500 };
const ANSWER_BYTES_MAX = 4000;

/** One to three, each on something else: all of it follows from the dice. */
export function planFaults(dice: Dice): Fault[] {
  const count = Number(dice.pick({ '1': 2, '2': 2, '3': 1 }));
  const left = new Set<Target>(TARGETS);
  const faults: Fault[] = [];
  while (faults.length < count) {
    const weights: Partial<Record<Target, number>> = { service: 4, 'shard-1': 3, 'shard-2': 2, directory: 1 };
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

/** Waits for the fault's time, brings it about and mends it. Resolves when what was broken has been started again. */
export async function bringAbout(cluster: Cluster, fault: Fault): Promise<void> {
  await delay(fault.atMs);
  const arrow = cluster.arrow(fault.target);
  switch (fault.kind) {
    case 'kill':
      return kill(cluster, fault);
    case 'stop':
      return standStill(cluster, fault);
    case 'replace':
      return replace(cluster, fault);
    case 'cut':
      arrow.cut();
      return;
    case 'cut_answer':
      arrow.cutAnswerAfter(fault.answerBytes);
      await delay(fault.lastsMs);
      arrow.release();
      return;
    case 'hold':
      arrow.hold();
      await delay(fault.lastsMs);
      arrow.release();
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

/** What is dead answers at once, so that less of it says as much. */
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

/** How long the one that comes back works beside its successor. */
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

/** A port that was free may be somebody's outgoing connection by now: that is no fault of what is tried here. */
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
