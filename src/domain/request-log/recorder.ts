import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import { pause } from '../../core/timer.ts';
import type { Metrics } from '../../ports/metrics.ts';
import { type AnsweredCall, describeCall, keyOf } from './entry.ts';
import { type Entry, type LogDependencies, writeEntries } from './rows.ts';

/*
 * Keeps answered calls in memory and writes them to the log database about once a second, after their answers. It is best
 * effort: what does not fit or cannot be written is counted and dropped, and a process that ends loses up to a second.
 */

/** Calls that wait at once in a process, and the size of their lines. */
const ENTRIES_MAX = 256;
const CHARACTERS_MAX = 1024 * 1024;
/** So many calls are written without waiting longer. */
const ENTRIES_AT_ONCE = 100;
const WAIT_MS = 1000;
/** A runtime may end the request that waits or writes. Then another one takes over. */
const LOST_MS = 4000;
/** So many successes a second are kept, then one of fifty. Failures are always kept. */
const SUCCESSES_A_SECOND = 100;
const SAMPLED = 50;

export interface RecorderDependencies extends LogDependencies {
  readonly metrics: Metrics;
  readonly monotonicMs: () => number;
}

/** Keeps the runtime alive for work after the response. */
type Later = (work: Promise<unknown>) => void;

/** The log of a process, created at its first call. */
export function requestLogIn(place: LogPlace, dependencies: Omit<RecorderDependencies, 'writer'>): RequestLog {
  const known = logs.get(place);
  if (known !== undefined) return known;
  const log = new RequestLog({ ...dependencies, writer: place.writer });
  logs.set(place, log);
  return log;
}
const logs = new WeakMap<LogPlace, RequestLog>();

/** The database of the log. */
export interface LogPlace {
  readonly database: Database;
  readonly writer: Writer;
}

export class RequestLog {
  readonly #dependencies: RecorderDependencies;
  #waiting: Entry[] = [];
  #characters = 0;
  /** The first of equal calls that wait, by caller, address and status. */
  readonly #firsts = new Map<string, Entry>();
  #waitsSinceMs = Number.NEGATIVE_INFINITY;
  #writesSinceMs = Number.NEGATIVE_INFINITY;
  #second = 0;
  #successes = 0;

  constructor(dependencies: RecorderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Notes a call. `address` is that of the call, to find equal reads. */
  note(call: AnsweredCall, address: string, later: Later): void {
    const isFailure = call.status >= 400;
    // Reading the log would fill it.
    if (!isFailure && call.operation.startsWith('requestLog.')) return;
    if (this.#isRepeat(call, address) || (!isFailure && !this.#isSampled())) return;
    if (this.#waiting.length >= ENTRIES_MAX || this.#characters >= CHARACTERS_MAX) {
      this.#drop('full', 1);
      return;
    }
    const entry = entryOf(call);
    if (entry === undefined) {
      this.#drop('not_written', 1);
      return;
    }
    if (isJoined(call)) this.#firsts.set(sharedKeyOf(call, address), entry);
    this.#add(entry, later);
  }

  #add(entry: Entry, later: Later): void {
    this.#waiting.push(entry);
    this.#characters += entry.text.length;
    const nowMs = this.#dependencies.monotonicMs();
    if (this.#waiting.length === 1 || nowMs - this.#waitsSinceMs > LOST_MS) {
      this.#waitsSinceMs = nowMs;
      later(this.#writeSoon());
    }
    if (this.#waiting.length >= ENTRIES_AT_ONCE && !this.#isWriting) later(this.flush());
  }

  /** Writes all calls that wait. Never rejects. */
  async flush(): Promise<void> {
    if (this.#waiting.length === 0 || this.#isWriting) return;
    this.#writesSinceMs = this.#dependencies.monotonicMs();
    const entries = this.#waiting;
    this.#waiting = [];
    this.#characters = 0;
    this.#firsts.clear();
    try {
      if (!(await writeEntries(this.#dependencies, entries))) this.#drop('not_written', entries.length);
    } catch {
      this.#drop('not_written', entries.length);
    } finally {
      this.#writesSinceMs = Number.NEGATIVE_INFINITY;
    }
  }

  async #writeSoon(): Promise<void> {
    await pause(WAIT_MS);
    while (this.#isWriting) await pause(WAIT_MS / 10);
    await this.flush();
  }

  get #isWriting(): boolean {
    return this.#dependencies.monotonicMs() - this.#writesSinceMs < LOST_MS;
  }

  #isRepeat(call: AnsweredCall, address: string): boolean {
    const first = isJoined(call) ? this.#firsts.get(sharedKeyOf(call, address)) : undefined;
    if (first === undefined) return false;
    first.repeats += 1;
    return true;
  }

  #isSampled(): boolean {
    const second = Math.floor(this.#dependencies.monotonicMs() / 1000);
    if (second !== this.#second) this.#successes = 0;
    this.#second = second;
    this.#successes += 1;
    return this.#successes <= SUCCESSES_A_SECOND || this.#successes % SAMPLED === 0;
  }

  #drop(reason: 'full' | 'not_written', entries: number): void {
    this.#dependencies.metrics.count('request_log_dropped', [reason], entries);
  }
}

/**
 * The call as an entry. It is made at once, because a runtime may end what goes on after the answer, and to ask it for more time
 * would cost more. Undefined if that fails: the request has its answer.
 */
function entryOf(call: AnsweredCall): Entry | undefined {
  const { requestId, companyId } = call;
  try {
    const text = describeCall(call);
    if (text === undefined) return undefined;
    return { requestId, companyId, isFailure: call.status >= 400, text, idempotencyKey: keyOf(call), repeats: 0 };
  } catch {
    return undefined;
  }
}

const TOO_MANY = 429;

/** Whether equal calls are one entry: successful reads, and what the rate limit refused, which must not fill the log. */
function isJoined({ isRead, status }: AnsweredCall): boolean {
  return status === TOO_MANY || (isRead && status < 400);
}

/** The same for equal calls of one caller. */
function sharedKeyOf({ companyId, clientId, operation, status }: AnsweredCall, address: string): string {
  return `${companyId} ${clientId} ${operation} ${status} ${status === TOO_MANY ? '' : address}`;
}
