import { type Instant, toMillis } from '../core/instant.ts';
import { TIMER_MS_MAX } from '../core/timer.ts';
import type { Uuid } from '../core/uuid.ts';
import {
  attemptDelivery,
  cancelReplay,
  claimDeliveries,
  type DeliveryDependencies,
  isLeaseLongEnough,
  type LeasedDelivery,
  lookAtQueue,
  settleAttempt,
  skipDeliveries,
} from '../domain/webhooks/delivery.ts';
import { continueReplay } from '../domain/webhooks/replay-step.ts';
import type { NextDue } from '../ports/alarm.ts';

export interface SendLimits {
  /** Deliveries of one endpoint that are sent at once. */
  readonly sendsAtOnce: number;
  /** After as many deliveries a run ends, to be begun anew at once: a runtime bounds what one invocation may do. */
  readonly sendsMax: number;
}

/**
 * What one look leads to: something was taken, or something has to be looked at again at once, or there is nothing to do
 * before `wake`; `isOver` when no ring can change that.
 */
type Round =
  | { readonly kind: 'took' | 'again' }
  | { readonly kind: 'rest'; readonly wake: NextDue; readonly isOver: boolean };

/** What a run has in hand. */
interface Work {
  /** Leased, and not sent yet because everything that may be sent at once is. */
  readonly ready: LeasedDelivery[];
  readonly sending: Set<Promise<void>>;
  /** Sent, and what came of it is being written down: that needs no connection of the runtime's. */
  readonly settling: Set<Promise<void>>;
  readonly bugs: unknown[];
  started: number;
  /** How long the last attempt took. A slow receiver is taken nothing ahead for: the lease would run out meanwhile. */
  lastMs: number;
}

/** Deliveries that are leased ahead for a receiver that answers at once: claims cost as much for many as for a few. */
const AHEAD = 48;
const FAST_MS = 500;
/** Settlements at once. The writer takes them in groups. */
const SETTLING_MAX = 32;

/**
 * What waits for one endpoint, on either runtime. A run sends what is due, as many at once as are allowed, until nothing
 * is due any more. It keeps nothing: the database says what is due, and a second queue of the same endpoint, or one that
 * ended in the middle, costs at most that a receiver hears something twice.
 */
export class DeliveryRun {
  readonly #endpointId: Uuid;
  readonly #limits: SendLimits;
  #bell: Bell | undefined;
  #isStopped = false;

  constructor(endpointId: Uuid, limits: SendLimits) {
    this.#endpointId = endpointId;
    this.#limits = limits;
  }

  /** Tells the run that there is something new. False when none is under way: then one has to be started. */
  ring(): boolean {
    this.#bell?.ring();
    return this.#bell !== undefined;
  }

  /** Nothing more is taken: a run ends when what it has sent is settled. */
  stop(): void {
    this.#isStopped = true;
    this.#bell?.ring();
  }

  /** One run at a time. Rejects only for a bug. */
  async run(dependencies: DeliveryDependencies): Promise<NextDue> {
    const lastMs = Number.POSITIVE_INFINITY;
    const work: Work = { ready: [], sending: new Set(), settling: new Set(), bugs: [], started: 0, lastMs };
    try {
      for (;;) {
        // Hung up before the look: what is committed during it rings.
        const bell = new Bell();
        this.#bell = bell;
        if (work.bugs.length > 0) throw work.bugs[0];
        if (this.#isStopped) return undefined;
        this.#sendReady(dependencies, work);
        if (work.ready.length > 0 || work.sending.size >= this.#limits.sendsAtOnce) {
          await firstOf([...work.sending, ...work.settling], undefined);
          continue;
        }
        // What is settled while the look is under way may not be in it: only a look at rest says when to come back.
        const isIdle = work.sending.size + work.settling.size === 0;
        const round = await this.#look(dependencies, work);
        if (round.kind !== 'rest') continue;
        if (round.isOver) await settled(work);
        if (work.bugs.length === 0 && (round.isOver || (isIdle && !bell.isRung))) return round.wake;
        if (!isIdle && work.sending.size + work.settling.size === 0) continue;
        const waitMs = round.wake == null ? undefined : msUntil(round.wake, dependencies);
        await firstOf([...work.sending, ...work.settling, bell.rung], waitMs);
      }
    } finally {
      this.#bell = undefined;
      await settled(work);
    }
  }

  #sendReady(dependencies: DeliveryDependencies, work: Work): void {
    while (work.sending.size < this.#limits.sendsAtOnce && work.settling.size < SETTLING_MAX) {
      const delivery = work.ready.shift();
      if (delivery === undefined) return;
      if (isLeaseLongEnough(dependencies, delivery)) send(dependencies, delivery, work);
    }
  }

  async #look(dependencies: DeliveryDependencies, work: Work): Promise<Round> {
    const { sendsAtOnce, sendsMax } = this.#limits;
    const look = await lookAtQueue(dependencies, this.#endpointId);
    if (look === undefined) return AWAY;
    const { endpoint, dueAt, replay } = look;
    if (endpoint?.state !== 'ENABLED') return this.#close(dependencies, dueAt !== null, replay !== undefined);
    const hasQueued = replay === undefined ? false : await continueReplay(dependencies, replay);
    if (hasQueued === undefined) return AWAY;
    if (hasQueued) return { kind: 'again' };
    if (dueAt === null || msUntil(dueAt, dependencies) > 0) return { kind: 'rest', wake: dueAt, isOver: false };
    if (work.started >= sendsMax) return { kind: 'rest', wake: dueAt, isOver: true };
    const room = sendsAtOnce - work.sending.size + (work.lastMs < FAST_MS ? AHEAD : 0);
    const claimed = await claimDeliveries(dependencies, endpoint, room);
    if (claimed === undefined) return AWAY;
    work.ready.push(...claimed);
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

function send(dependencies: DeliveryDependencies, delivery: LeasedDelivery, work: Work): void {
  work.started += 1;
  const attempt = attemptDelivery(dependencies, delivery);
  const onBug = (error: unknown) => void work.bugs.push(error);
  keep(
    work.sending,
    attempt.then(({ durationMs }) => {
      work.lastMs = durationMs;
      keep(work.settling, attempt.then((ended) => settleAttempt(dependencies, delivery, ended)).catch(onBug));
    }, onBug),
  );
}

function keep(tasks: Set<Promise<void>>, task: Promise<void>): void {
  const kept = task.finally(() => tasks.delete(kept));
  tasks.add(kept);
}

async function settled({ sending, settling }: Work): Promise<void> {
  await Promise.all(sending);
  await Promise.all(settling);
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
