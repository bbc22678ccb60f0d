import { type Instant, toMillis } from '../core/instant.ts';
import { TIMER_MS_MAX } from '../core/timer.ts';
import type { Uuid } from '../core/uuid.ts';
import {
  attemptDelivery,
  cancelReplay,
  claimDeliveries,
  type DeliveryDependencies,
  disableOverdue,
  isLeaseLongEnough,
  type LeasedDelivery,
  lookAtQueue,
  type QueueDependencies,
  settleAttempt,
  skipDeliveries,
} from '../domain/webhooks/delivery.ts';
import { continueReplay } from '../domain/webhooks/replay-step.ts';
import type { NextDue } from '../ports/alarm.ts';

export interface SendLimits {
  /** Deliveries of one endpoint that are sent at once. */
  readonly sendsAtOnce: number;
  /** A run ends after this many deliveries and starts again at once, because a runtime limits each invocation. */
  readonly sendsMax: number;
}

/**
 * Result of one look at the queue. `took`: deliveries were leased. `again`: look again at once. `rest`: nothing to do
 * before `wake`; with `isOver` the run ends even if new deliveries arrive.
 */
type Round =
  | { readonly kind: 'took' | 'again' }
  | { readonly kind: 'rest'; readonly wake: NextDue; readonly isOver: boolean };

/** The state of one run. */
interface Work {
  /** Leased deliveries that wait, because `sendsAtOnce` are being sent. */
  readonly ready: { readonly dependencies: DeliveryDependencies; readonly delivery: LeasedDelivery }[];
  readonly sending: Set<Promise<void>>;
  /** Sent deliveries whose outcome is being recorded. This uses no connection to the receiver. */
  readonly settling: Set<Promise<void>>;
  readonly bugs: unknown[];
  started: number;
  /** How long the last attempt took. Nothing is leased ahead for a slow receiver: the leases would expire. */
  lastMs: number;
}

/** Deliveries that are leased ahead for a fast receiver: a claim costs the same for many deliveries as for a few. */
const AHEAD = 48;
const FAST_MS = 500;
/** Outcomes that are recorded at the same time. The writer commits them in groups. */
const SETTLING_MAX = 32;

/**
 * Sends the due deliveries of one endpoint, on either runtime, with up to `sendsAtOnce` at the same time, until none is
 * due. The database says what is due. A second queue of the same endpoint, or a run that ends early, can at most send a
 * delivery twice.
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

  /** Makes the run look for new deliveries. False if no run is in progress: then the caller starts one. */
  ring(): boolean {
    this.#bell?.ring();
    return this.#bell !== undefined;
  }

  /** Takes no more deliveries. The run ends when the outcomes of sent ones are recorded. */
  stop(): void {
    this.#isStopped = true;
    this.#bell?.ring();
  }

  /** One run at a time. Rejects only for a bug. */
  async run(dependencies: QueueDependencies): Promise<NextDue> {
    const lastMs = Number.POSITIVE_INFINITY;
    const work: Work = { ready: [], sending: new Set(), settling: new Set(), bugs: [], started: 0, lastMs };
    try {
      for (;;) {
        // Set before the look at the queue, so that a delivery committed during it is noticed.
        const bell = new Bell();
        this.#bell = bell;
        if (work.bugs.length > 0) throw work.bugs[0];
        if (this.#isStopped) return undefined;
        this.#sendReady(work);
        if (work.ready.length > 0 || work.sending.size >= this.#limits.sendsAtOnce) {
          await firstOf([...work.sending, ...work.settling], undefined);
          continue;
        }
        // The look may miss outcomes that are recorded meanwhile, so only a look without work in progress decides the end.
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

  #sendReady(work: Work): void {
    while (work.sending.size < this.#limits.sendsAtOnce && work.settling.size < SETTLING_MAX) {
      const next = work.ready.shift();
      if (next === undefined) return;
      const { dependencies, delivery } = next;
      if (isLeaseLongEnough(dependencies, delivery)) send(dependencies, delivery, work);
    }
  }

  async #look(asked: QueueDependencies, work: Work): Promise<Round> {
    const { sendsAtOnce, sendsMax } = this.#limits;
    const look = await lookAtQueue(asked, this.#endpointId);
    if (look === undefined) return AWAY;
    const { endpoint, clock, dueAt, free, replay } = look;
    const dependencies = { ...asked, clock };
    if (endpoint?.state !== 'ENABLED') return this.#close(dependencies, dueAt !== null, replay !== undefined);
    if (look.isOverdue) return (await disableOverdue(dependencies, endpoint)) ? { kind: 'again' } : AWAY;
    const hasQueued = replay === undefined ? false : await continueReplay(dependencies, replay);
    if (hasQueued === undefined) return AWAY;
    if (hasQueued) return { kind: 'again' };
    if (dueAt === null || msUntil(dueAt, asked) > 0) return { kind: 'rest', wake: dueAt, isOver: false };
    if (work.started >= sendsMax) return { kind: 'rest', wake: dueAt, isOver: true };
    const room = sendsAtOnce - work.sending.size + (work.lastMs < FAST_MS ? AHEAD : 0);
    const claimed = await claimDeliveries(dependencies, endpoint, free.slice(0, room));
    if (claimed === undefined) return AWAY;
    work.ready.push(...claimed.map((delivery) => ({ dependencies, delivery })));
    // A second queue of this endpoint has claimed them first.
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

function msUntil(instant: Instant, { clock }: Pick<QueueDependencies, 'clock'>): number {
  return toMillis(instant) - toMillis(clock.now());
}

/** Resolves when one of the promises does, or after `timeoutMs`. */
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
