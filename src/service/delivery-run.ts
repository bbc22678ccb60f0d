import { type Instant, toMillis } from '../core/instant.ts';
import { TIMER_MS_MAX } from '../core/timer.ts';
import type { Uuid } from '../core/uuid.ts';
import type { Attempt } from '../domain/webhooks/attempt.ts';
import { isGone, isPausing } from '../domain/webhooks/attempt-result.ts';
import {
  attemptDelivery,
  cancelReplay,
  claimDeliveries,
  type DeliveryDependencies,
  disableOverdue,
  giveBack,
  giveBackFirstLeases,
  isLeaseLongEnough,
  type LeasedDelivery,
  type QueueDependencies,
  settleAttempt,
  skipDeliveries,
} from '../domain/webhooks/delivery.ts';
import { lookAtQueue } from '../domain/webhooks/look.ts';
import { continueReplay } from '../domain/webhooks/replay-step.ts';
import type { NextDue } from '../ports/alarm.ts';

export interface SendLimits {
  /** Deliveries of one endpoint that are sent at once. */
  readonly sendsAtOnce: number;
  /** A run ends after this many deliveries and starts again at once, because a runtime limits each invocation. */
  readonly sendsMax: number;
}

/**
 * What one look at the queue led to.
 * - `took`: deliveries were leased; `isAll`: all that there are.
 * - `again`: look again at once.
 * - `rest`: there is nothing to do before `wake`; `isOver`: the run ends even if new deliveries arrive.
 */
type Round =
  | { readonly kind: 'took'; readonly isAll: boolean }
  | { readonly kind: 'again' }
  | { readonly kind: 'rest'; readonly wake: NextDue; readonly isOver: boolean };

interface Ready {
  readonly dependencies: DeliveryDependencies;
  readonly delivery: LeasedDelivery;
}

/** The state of one run. */
interface Work {
  /** Leased deliveries that wait, because as many as may be are being sent. */
  ready: Ready[];
  /** Requests, and what they send. */
  readonly sending: Map<Promise<void>, LeasedDelivery>;
  /** Positions of the deliveries that wait, are sent or are being recorded. */
  readonly busy: Set<number>;
  /** Sent deliveries whose outcome is being recorded, and leases that are given back. This uses no connection to the receiver. */
  readonly settling: Set<Promise<void>>;
  /** Nothing is left to look for before the outcome of a delivery is recorded, or the bell rings. */
  isAllTaken: boolean;
  /** The look in progress, or the last one. */
  looking: Promise<unknown>;
  /** Answers after which nothing may be sent before they are recorded: a pause, or an endpoint that is gone. */
  holds: number;
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
 *
 * A leased delivery is sent with the endpoint as it was read. A change of the endpoint calls `withdraw`, and the run compares
 * versions before each request.
 */
export class DeliveryRun {
  readonly #endpointId: Uuid;
  readonly #limits: SendLimits;
  #bell: Bell | undefined;
  #work: Work | undefined;
  /** The newest version that `withdraw` was called with. Nothing is sent for an earlier one. */
  #version = 0;
  /**
   * Deliveries whose outcome could not be recorded, by position, and until when they rest. Without this, a first lease
   * would send them again at once.
   */
  readonly #unrecorded = new Map<number, Instant>();
  /** How many may be sent at once: one after a pause, then one more with each answer. */
  #allowed: number;
  /** The last pause that the queue has read. */
  #pausedUntil: Instant | null = null;
  #isStopped = false;

  constructor(endpointId: Uuid, limits: SendLimits) {
    this.#endpointId = endpointId;
    this.#limits = limits;
    this.#allowed = limits.sendsAtOnce;
  }

  /** Makes the run look for new deliveries. False if no run is in progress: then the caller starts one. */
  ring(): boolean {
    this.#bell?.ring();
    return this.#bell !== undefined;
  }

  /**
   * Drops leased deliveries of earlier versions of the endpoint. Resolves when requests that were made from these have ended,
   * after `waitMs` at the latest, with the number of those with a first lease that have not.
   */
  async withdraw(version: number, waitMs: number): Promise<number> {
    this.#version = Math.max(this.#version, version);
    const work = this.#work;
    if (work === undefined) return 0;
    this.#dropOld(work);
    const isOld = ({ endpoint }: LeasedDelivery) => endpoint.version < version;
    const begun = [...work.sending].flatMap(([request, sent]) => (isOld(sent) ? [request] : []));
    const end = async () => {
      // It may have leased some with the endpoint as it was.
      await work.looking;
      await Promise.all(begun);
      await Promise.all(work.settling);
    };
    await firstOf([end()], waitMs);
    return [...work.sending.values()].filter((sent) => isOld(sent) && sent.hasFirstLease).length;
  }

  /** Takes no more deliveries. The run ends when the outcomes of sent ones are recorded. */
  stop(): void {
    this.#isStopped = true;
    this.#bell?.ring();
  }

  /** One run at a time. Rejects only for a bug. */
  async run(dependencies: QueueDependencies): Promise<NextDue> {
    const lastMs = Number.POSITIVE_INFINITY;
    const work: Work = {
      ready: [],
      sending: new Map(),
      busy: new Set(),
      isAllTaken: false,
      settling: new Set(),
      looking: Promise.resolve(),
      holds: 0,
      bugs: [],
      started: 0,
      lastMs,
    };
    this.#work = work;
    try {
      for (;;) {
        if (this.#bell?.isRung === true) work.isAllTaken = false;
        // Set before the look at the queue, so that a delivery committed during it is noticed.
        const bell = new Bell();
        this.#bell = bell;
        if (work.bugs.length > 0) throw work.bugs[0];
        if (this.#isStopped) {
          await giveBackFirstLeases(dependencies, this.#endpointId, work.busy);
          return undefined;
        }
        this.#sendReady(work);
        if (work.holds > 0 || work.ready.length > 0 || work.sending.size >= this.#allowed) {
          await firstOf([...work.sending.keys(), ...work.settling], undefined);
          continue;
        }
        if (work.isAllTaken && work.sending.size + work.settling.size > 0) {
          await firstOf([...work.sending.keys(), ...work.settling, bell.rung], undefined);
          continue;
        }
        // The look may miss outcomes that are recorded meanwhile, so only a look without work in progress decides the end.
        const isIdle = work.sending.size + work.settling.size === 0;
        const look = this.#look(dependencies, work);
        work.looking = look.catch(() => undefined);
        const round = await look;
        if (round.kind !== 'rest') {
          work.isAllTaken = round.kind === 'took' && round.isAll;
          continue;
        }
        if (round.isOver) await settled(work);
        if (work.bugs.length === 0 && (round.isOver || (isIdle && !bell.isRung))) return round.wake;
        if (!isIdle && work.sending.size + work.settling.size === 0) continue;
        const waitMs = round.wake == null ? undefined : msUntil(round.wake, dependencies);
        await firstOf([...work.sending.keys(), ...work.settling, bell.rung], waitMs);
      }
    } finally {
      this.#bell = undefined;
      await settled(work);
      this.#work = undefined;
    }
  }

  #sendReady(work: Work): void {
    while (work.holds === 0 && work.sending.size < this.#allowed && work.settling.size < SETTLING_MAX) {
      const next = work.ready.shift();
      if (next === undefined) return;
      if (isLeaseLongEnough(next.dependencies, next.delivery)) this.#send(next, work);
      else this.#free(work, [next.delivery]);
    }
  }

  #send({ dependencies, delivery }: Ready, work: Work): void {
    const { endpoint } = delivery;
    work.started += 1;
    const onBug = (error: unknown) => void work.bugs.push(error);
    const mayBegin = () => endpoint.version >= this.#version && work.holds === 0;
    const settle = async (attempt: Attempt) => {
      const outcome = await settleAttempt(dependencies, delivery, attempt).finally(() => this.#free(work, [delivery]));
      if (outcome === 'unrecorded') this.#unrecorded.set(delivery.position, delivery.until);
      else this.#unrecorded.delete(delivery.position);
      if (outcome === 'disabled') this.#version = Math.max(this.#version, endpoint.version + 1);
      this.#dropOld(work);
    };
    const attempt = attemptDelivery(dependencies, delivery, mayBegin);
    const request = attempt.then((ended) => {
      if (ended === undefined) return this.#giveBack(work, dependencies, [delivery]);
      work.lastMs = ended.durationMs;
      this.#allowed = isPausing(ended) ? 1 : Math.min(this.#allowed + 1, this.#limits.sendsAtOnce);
      const settling = settle(ended).catch(onBug);
      if (!isPausing(ended) && !isGone(ended)) return keep(work.settling, settling);
      work.holds += 1;
      this.#drop(work, () => true);
      keep(
        work.settling,
        settling.finally(() => {
          work.holds -= 1;
        }),
      );
    }, onBug);
    keepSending(work.sending, request, delivery);
  }

  #dropOld(work: Work): void {
    this.#drop(work, ({ endpoint }) => endpoint.version < this.#version);
  }

  /** Gives back the leases of deliveries that are not sent yet. */
  #drop(work: Work, isMeant: (delivery: LeasedDelivery) => boolean): void {
    const [dependencies] = work.ready.map((one) => one.dependencies);
    const dropped = work.ready.filter(({ delivery }) => isMeant(delivery));
    if (dependencies === undefined || dropped.length === 0) return;
    work.ready = work.ready.filter(({ delivery }) => !isMeant(delivery));
    this.#giveBack(
      work,
      dependencies,
      dropped.map(({ delivery }) => delivery),
    );
  }

  #giveBack(work: Work, dependencies: DeliveryDependencies, deliveries: readonly LeasedDelivery[]): void {
    const given = giveBack(dependencies, deliveries).catch((error: unknown) => void work.bugs.push(error));
    keep(
      work.settling,
      given.finally(() => this.#free(work, deliveries)),
    );
  }

  #free(work: Work, deliveries: readonly LeasedDelivery[]): void {
    for (const { position } of deliveries) work.busy.delete(position);
    // The next ones of their lines may be due now.
    work.isAllTaken = false;
  }

  async #look(asked: QueueDependencies, work: Work): Promise<Round> {
    const { sendsAtOnce, sendsMax } = this.#limits;
    const realNow = asked.clock.now();
    for (const [position, until] of this.#unrecorded) if (until <= realNow) this.#unrecorded.delete(position);
    // Those whose outcome is recorded during the look may be in its answer as they were before.
    const look = await lookAtQueue(asked, this.#endpointId, {
      busy: new Set(work.busy),
      unrecorded: this.#unrecorded,
    });
    if (look === undefined) return AWAY;
    const { endpoint, clock, dueAt, next, replay } = look;
    const dependencies = { ...asked, clock };
    if (endpoint?.state !== 'ENABLED')
      return this.#close(dependencies, work, { hasWaiting: dueAt !== null, hasReplay: replay !== undefined });
    if (look.isOverdue) return (await disableOverdue(dependencies, endpoint)) ? { kind: 'again' } : AWAY;
    const hasQueued = replay === undefined ? false : await continueReplay(dependencies, replay);
    if (hasQueued === undefined) return AWAY;
    if (hasQueued) return { kind: 'again' };
    if (dueAt === null || msUntil(dueAt, asked) > 0) return { kind: 'rest', wake: dueAt, isOver: false };
    if (work.started >= sendsMax) return { kind: 'rest', wake: dueAt, isOver: true };
    // Another process, or this one before it started again, was asked to pause.
    if (endpoint.pausedUntil !== null && endpoint.pausedUntil !== this.#pausedUntil) this.#allowed = 1;
    this.#pausedUntil = endpoint.pausedUntil;
    const isAhead = work.lastMs < FAST_MS && this.#allowed >= sendsAtOnce;
    const room = this.#allowed - work.sending.size + (isAhead ? AHEAD : 0);
    if (room <= 0) return { kind: 'again' };
    const claimed = await claimDeliveries(dependencies, endpoint, next.slice(0, room));
    if (claimed === undefined) return AWAY;
    work.ready.push(...claimed.map((delivery) => ({ dependencies, delivery })));
    for (const { position } of claimed) work.busy.add(position);
    this.#dropOld(work);
    // A second queue of this endpoint has claimed them first.
    return claimed.length > 0
      ? { kind: 'took', isAll: look.isAll && claimed.length === next.length }
      : { kind: 'rest', wake: undefined, isOver: true };
  }

  async #close(
    dependencies: DeliveryDependencies,
    { busy }: Work,
    { hasWaiting, hasReplay }: { readonly hasWaiting: boolean; readonly hasReplay: boolean },
  ): Promise<Round> {
    if (hasReplay && !(await cancelReplay(dependencies, this.#endpointId))) return AWAY;
    const hasSkipped = hasWaiting ? await skipDeliveries(dependencies, this.#endpointId, busy) : false;
    if (hasSkipped === undefined) return AWAY;
    return hasSkipped ? { kind: 'again' } : { kind: 'rest', wake: null, isOver: false };
  }
}

const AWAY: Round = { kind: 'rest', wake: undefined, isOver: true };

function keepSending(sending: Work['sending'], request: Promise<void>, delivery: LeasedDelivery): void {
  const kept = request.finally(() => sending.delete(kept));
  sending.set(kept, delivery);
}

function keep(tasks: Set<Promise<void>>, task: Promise<void>): void {
  const kept = task.finally(() => tasks.delete(kept));
  tasks.add(kept);
}

async function settled({ sending, settling }: Work): Promise<void> {
  await Promise.all(sending.keys());
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
