import { MinuteWindows } from '../core/minute-windows.ts';
import { part } from '../core/part.ts';
import { logError } from '../ports/log.ts';
import type { LastCall, Provider, ProviderState, ProviderStates } from '../ports/providers.ts';
import { BadAnswer } from './bad-answer.ts';

const faults = part(() => import('./provider-fault.ts'));

/** What became of the last call of each provider in this process or isolate. The log has one line a minute and provider. */
export class ProviderReports implements ProviderStates {
  readonly #last = new Map<Provider, LastCall>();
  readonly #monotonicMs: () => number;
  readonly #lines: MinuteWindows;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
    this.#lines = new MinuteWindows(monotonicMs);
  }

  noteAnswer(provider: Provider): void {
    this.#last.set(provider, { outcome: 'answered', endedAtMs: this.#monotonicMs() });
  }

  /** Logs why a call had no result. `fault` is what it threw, if it threw. Never rejects. */
  async noteFault(
    provider: Provider,
    outcome: Exclude<LastCall['outcome'], 'answered'>,
    fault: unknown,
  ): Promise<void> {
    const status = fault instanceof BadAnswer ? fault.status : undefined;
    this.#last.set(provider, { outcome, status, endedAtMs: this.#monotonicMs() });
    if (this.#lines.count(provider).used > 1) return;
    const cause = await faults().then(
      ({ faultText }) => faultText(fault),
      () => undefined,
    );
    logError({ provider, outcome, status, cause });
  }

  /** The last call of each provider that was called. */
  lastCalls(): Readonly<Partial<Record<Provider, ProviderState>>> {
    const nowMs = this.#monotonicMs();
    const states = Array.from(this.#last, ([provider, { endedAtMs, ...state }]) => {
      return [provider, { ...state, secondsAgo: Math.floor((nowMs - endedAtMs) / 1000) }] as const;
    });
    return Object.fromEntries(states);
  }
}
