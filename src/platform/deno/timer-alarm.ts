import { toMillis } from '../../core/instant.ts';
import { TIMER_MS_MAX } from '../../core/timer.ts';
import type { Alarm } from '../../ports/alarm.ts';
import type { Clock } from '../../ports/clock.ts';

/** An alarm of this process. */
export class TimerAlarm implements Alarm {
  readonly #clock: Clock;
  readonly #onRing: () => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #atMs: number | undefined;
  #isRinging = false;
  #isStopped = false;

  /** `onRing` must not reject. */
  constructor(clock: Clock, onRing: () => Promise<void>) {
    this.#clock = clock;
    this.#onRing = onRing;
  }

  set(atMs: number): void {
    this.#atMs = atMs;
    this.#startTimer();
  }

  /** It never rings again. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** A timer cannot wait for a month. In that case the alarm rings early, nothing is due, and it is set again. */
  #startTimer(): void {
    clearTimeout(this.#timer);
    if (this.#atMs === undefined || this.#isRinging || this.#isStopped) return;
    const waitMs = Math.max(0, this.#atMs - toMillis(this.#clock.now()));
    this.#timer = setTimeout(() => void this.#ring(), Math.min(waitMs, TIMER_MS_MAX));
  }

  async #ring(): Promise<void> {
    this.#atMs = undefined;
    this.#isRinging = true;
    await this.#onRing();
    this.#isRinging = false;
    this.#startTimer();
  }
}
