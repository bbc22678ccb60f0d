import { type Instant, toMillis } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import {
  cancelReplay,
  claimDeliveries,
  type DeliveryDependencies,
  deliver,
  type LeasedDelivery,
  lookAtQueue,
  skipDeliveries,
} from '../../domain/webhooks/delivery.ts';
import { continueReplay } from '../../domain/webhooks/replay-step.ts';

export interface QueueLimits {
  /** Deliveries of one endpoint that are sent at once. */
  readonly sendsAtOnce: number;
  /** After as many deliveries a run ends, to be begun anew at once: a runtime bounds what one invocation may do. */
  readonly sendsMax: number;
}

/** When the queue wants to be woken: at an instant, not at all (null), or soon, as the database did not answer. */
export type NextWake = Instant | null | undefined;

/**
 * What one look leads to: something was taken, or something has to be looked at again at once, or there is nothing to do
 * before `wake`; `isOver` when no ring can change that.
 */
type Round =
  | { readonly kind: 'took' | 'again' }
  | { readonly kind: 'rest'; readonly wake: NextWake; readonly isOver: boolean };

/** Deliveries that are being sent, and what went wrong with them that should not have. */
interface Underway {
  readonly tasks: Set<Promise<void>>;
  readonly bugs: unknown[];
  started: number;
}

/**
 * What waits for one endpoint, on either runtime. A run sends what is due, as many at once as are allowed, until nothing
 * is due any more. It keeps nothing: the database says what is due, and a second queue of the same endpoint, or one that
 * ended in the middle, costs at most that a receiver hears something twice.
 */
export class EndpointQueue {
  readonly #endpointId: Uuid;
  readonly #limits: QueueLimits;
  #bell: Bell | undefined;

  constructor(endpointId: Uuid, limits: QueueLimits) {
    this.#endpointId = endpointId;
    this.#limits = limits;
  }

  /** Tells the run that there is something new. False when none is under way: then one has to be started. */
  ring(): boolean {
    this.#bell?.ring();
    return this.#bell !== undefined;
  }

  /** One run at a time. Rejects only for a bug. */
  async run(dependencies: DeliveryDependencies): Promise<NextWake> {
    const underway: Underway = { tasks: new Set(), bugs: [], started: 0 };
    try {
      for (;;) {
        // Hung up before the look: what is committed during it rings.
        const bell = new Bell();
        this.#bell = bell;
        const round = await this.#look(dependencies, underway);
        if (underway.bugs.length > 0) throw underway.bugs[0];
        if (round.kind === 'again' || (round.kind === 'took' && underway.tasks.size < this.#limits.sendsAtOnce))
          continue;
        const isOver = round.kind === 'rest' && round.isOver;
        if (isOver) await Promise.all(underway.tasks);
        if (round.kind === 'rest' && underway.tasks.size === 0 && (isOver || !bell.isRung)) return round.wake;
        const wake = round.kind === 'rest' ? round.wake : undefined;
        await firstOf([...underway.tasks, bell.rung], wake == null ? undefined : msUntil(wake, dependencies));
      }
    } finally {
      this.#bell = undefined;
      await Promise.all(underway.tasks);
    }
  }

  async #look(dependencies: DeliveryDependencies, underway: Underway): Promise<Round> {
    const { sendsAtOnce, sendsMax } = this.#limits;
    const look = await lookAtQueue(dependencies, this.#endpointId);
    if (look === undefined) return AWAY;
    const { endpoint, dueAt, replay } = look;
    if (endpoint?.state !== 'ENABLED') return this.#close(dependencies, dueAt !== null, replay !== undefined);
    const hasQueued = replay === undefined ? false : await continueReplay(dependencies, replay);
    if (hasQueued === undefined) return AWAY;
    if (hasQueued) return { kind: 'again' };
    if (dueAt === null || msUntil(dueAt, dependencies) > 0) return { kind: 'rest', wake: dueAt, isOver: false };
    if (underway.started >= sendsMax) return { kind: 'rest', wake: dueAt, isOver: true };
    const room = sendsAtOnce - underway.tasks.size;
    if (room === 0) return { kind: 'took' };
    const claimed = await claimDeliveries(dependencies, endpoint, room);
    if (claimed === undefined) return AWAY;
    for (const delivery of claimed) send(dependencies, delivery, underway);
    // Somebody else was faster: his are none of ours.
    return claimed.length > 0 ? { kind: 'took' } : { kind: 'rest', wake: undefined, isOver: true };
  }

  async #close(dependencies: DeliveryDependencies, hasWaiting: boolean, hasReplay: boolean): Promise<Round> {
    if (hasReplay && !(await cancelReplay(dependencies, this.#endpointId))) return AWAY;
    const hasSkipped = hasWaiting ? await skipDeliveries(dependencies, this.#endpointId) : false;
    if (hasSkipped === undefined) return AWAY;
    return hasSkipped ? { kind: 'again' } : { kind: 'rest', wake: null, isOver: false };
  }
}

const AWAY: Round = { kind: 'rest', wake: undefined, isOver: true };

function send(dependencies: DeliveryDependencies, delivery: LeasedDelivery, underway: Underway): void {
  underway.started += 1;
  const task = deliver(dependencies, delivery).catch((error: unknown) => {
    underway.bugs.push(error);
  });
  const ended = task.then(() => {
    underway.tasks.delete(ended);
  });
  underway.tasks.add(ended);
}

function msUntil(instant: Instant, { clock }: Pick<DeliveryDependencies, 'clock'>): number {
  return toMillis(instant) - toMillis(clock.now());
}

/** Resolves with the first of these, or when the time is over. */
async function firstOf(promises: readonly Promise<void>[], timeoutMs: number | undefined): Promise<void> {
  if (timeoutMs === undefined) return Promise.race(promises);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(Math.max(timeoutMs, 0), TIMER_MS_MAX));
  });
  await Promise.race([...promises, timeout]);
  clearTimeout(timer);
}
/** Longer ones overflow. */
const TIMER_MS_MAX = 2 ** 31 - 1;

class Bell {
  readonly rung: Promise<void>;
  isRung = false;
  readonly #resolve: () => void;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.rung = promise;
    this.#resolve = resolve;
  }

  ring(): void {
    this.isRung = true;
    this.#resolve();
  }
}
