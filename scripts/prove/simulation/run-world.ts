import { scheduleFaults } from './calamities.ts';
import { object } from './check/rule-broken.ts';
import { checkDrained, unfinishedWork } from './drained.ts';
import { installGlobals } from './virtual-globals.ts';
import { World, type WorldOptions } from './world.ts';

export interface WorldEnd {
  readonly seed: number;
  readonly steps: number;
  readonly digest: string;
  readonly shipments: number;
  /** How often each edge, answer, end of a delivery and fault was seen. */
  readonly seen: ReadonlyMap<string, number>;
  /** The broken rule, with the last lines of the trace. */
  readonly failure: { readonly error: unknown; readonly last: readonly string[] } | undefined;
}

/** Mean time between two actions of the clients. */
const STIR_MS = 12;
/** After the last fault everything must come to rest within this time. The longest schedule of deliveries is shorter. */
const DRAIN_MS = 100 * 60_000;
const LOOK_MS = 20_000;
const FINISH_MS = 500;

/** Runs one world for the given number of steps, then stops all faults and waits until all work is finished. */
export async function runWorld(options: WorldOptions, steps: number): Promise<WorldEnd> {
  const world = new World(options);
  const virtual = {
    schedule: world.schedule,
    running: () => world.running,
    log: (line: string) => world.log(line),
  };
  const restore = installGlobals(virtual, world.outside);
  try {
    world.begin();
    stir(world);
    scheduleFaults(world);
    let done = 0;
    while (done < steps && (await world.step())) done += 1;
    done += await drain(world);
    const { failure, seed, trace, ledger } = world;
    return {
      ...{ seed, steps: done, digest: trace.digest(), shipments: ledger.shipments.size, seen: ledger.seen },
      failure: failure === undefined ? undefined : { error: failure, last: trace.last() },
    };
  } finally {
    restore();
    world.close();
  }
}

function stir(world: World): void {
  const { dice, later, isCalm } = world.context;
  const again = (): void => {
    if (isCalm()) return;
    world.crowd.stir();
    later('stir', dice.between(0, 2 * STIR_MS), again);
  };
  later('stir', 0, again);
}

async function drain(world: World): Promise<number> {
  const { schedule, crowd, context, network } = world;
  network.isCalm = true;
  const untilMs = schedule.nowMs + DRAIN_MS;
  let steps = 0;
  let isQuiet = false;
  const finish = (): void => {
    crowd.finish();
    if (!isQuiet) context.later('finish', FINISH_MS, finish);
  };
  const look = (): void => {
    const left = unfinishedWork(world);
    isQuiet = left.length === 0;
    if (isQuiet) return;
    if (schedule.nowMs > untilMs) object('owed', left.slice(0, 5).join('; '));
    crowd.askAgain();
    context.later('look', LOOK_MS, look);
  };
  finish();
  context.later('look', LOOK_MS, look);
  while (!isQuiet && (await world.step())) steps += 1;
  world.guard(() => checkDrained(world));
  return steps;
}
